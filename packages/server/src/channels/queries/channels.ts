import type { MessageEvent } from '@plimsoll/contract'
import { sql, type Selectable } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { Tables } from '../../platform/db/tables.ts'
import { deleteAnswersAbout } from '../../platform/http/queries/idempotency.ts'
import type { Receiver } from '../receivers.ts'

export type ChannelRow = Selectable<Tables['channel']>

export type ShownChannel = Omit<ChannelRow, 'sealed' | 'grouped_at'> & {
  waiting: number
  dead: number
  last_delivered_at: Date | null
}

const shownChannels = (db: Db) =>
  db
    .selectFrom('channel as c')
    .select(['c.channel_id', 'c.name', 'c.kind', 'c.host', 'c.events', 'c.disabled_reason', 'c.revision'])
    .select(['c.created_at', 'c.updated_at'])
    // One look at an index for each figure: a channel may have 90 days of messages.
    .select([
      sql<number>`(select count(*)::integer from delivery d
        where d.channel_id = c.channel_id and d.state = 'waiting')`.as('waiting'),
      // A failed test message does not count as a lost message.
      sql<number>`(select count(*)::integer from delivery d
        where d.channel_id = c.channel_id and d.state = 'dead' and d.message ->> 'event' <> 'test')`.as('dead'),
      sql<Date | null>`(select max(d.ended_at) from delivery d
        where d.channel_id = c.channel_id and d.state = 'delivered')`.as('last_delivered_at'),
    ])

/** Newest first. */
export function listChannels(db: Db, { after, limit }: { after: string | undefined; limit: number }) {
  const query = shownChannels(db).orderBy('c.channel_id', 'desc').limit(limit)
  return (after === undefined ? query : query.where('c.channel_id', '<', after)).execute()
}

export function findShownChannel(db: Db, channelId: string): Promise<ShownChannel | undefined> {
  return shownChannels(db).where('c.channel_id', '=', channelId).executeTakeFirst()
}

export function findChannel(db: Db, channelId: string): Promise<ChannelRow | undefined> {
  return db.selectFrom('channel').selectAll().where('channel_id', '=', channelId).executeTakeFirst()
}

/** New deliveries refer to the row meanwhile, so the lock is the weaker one. */
export function lockChannel(tx: Db, channelId: string): Promise<ChannelRow | undefined> {
  return tx.selectFrom('channel').selectAll().where('channel_id', '=', channelId).forNoKeyUpdate().executeTakeFirst()
}

/** Enabled channels that receive the event, of all kinds or of these, with their teams. */
export async function listReceivers(
  tx: Db,
  event: string,
  kinds: readonly ChannelRow['kind'][] | null = null,
): Promise<Receiver[]> {
  return tx
    .selectFrom('channel as c')
    .select('c.channel_id as channelId')
    .select(sql<string[]>`array(select team from team_channel t where t.channel_id = c.channel_id)`.as('teams'))
    .where('disabled_reason', 'is', null)
    .where(sql<boolean>`(${kinds}::text[] is null or kind = any(${kinds}::text[]))`)
    .where((eb) => eb.or([eb('events', 'is', null), eb(sql<string>`${event}`, '=', sql<string>`any(events)`)]))
    .orderBy('c.channel_id')
    .execute()
}

export async function listMissingChannels(tx: Db, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from unnest(${ids}::text[]) as asked (id)
    where not exists (select from channel where channel_id = id)`.execute(tx)
  return rows.map(({ id }) => id)
}

/** A message with several alerts was queued. */
export async function noteGroup(tx: Db, channelId: string, now: Date): Promise<void> {
  await tx.updateTable('channel').set({ grouped_at: now }).where('channel_id', '=', channelId).execute()
}

/** In turn, so that concurrent creations count each other. */
export async function countChannels(tx: Db): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtextextended('plimsoll channels', 0))`.execute(tx)
  const { rows } = await sql<{ count: number }>`select count(*)::integer as count from channel`.execute(tx)
  return rows[0]?.count ?? 0
}

type NewChannel = Omit<ChannelRow, 'revision' | 'disabled_reason' | 'updated_at' | 'grouped_at'>

/** False: another channel has the name. */
export async function insertChannel(tx: Db, row: NewChannel): Promise<boolean> {
  const { numInsertedOrUpdatedRows: inserted } = await tx
    .insertInto('channel')
    .values({ ...row, events: row.events, updated_at: row.created_at })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .executeTakeFirstOrThrow()
  return inserted === 1n
}

export type ChannelEdit = {
  name: string
  host: string
  sealed: Buffer
  events: MessageEvent[] | null
  disabled_reason: ChannelRow['disabled_reason']
}

/** False: another channel has the name. */
export async function updateChannel(tx: Db, channelId: string, edit: ChannelEdit, now: Date): Promise<boolean> {
  const taken = await tx
    .selectFrom('channel')
    .select('channel_id')
    .where('name', '=', edit.name)
    .where('channel_id', '<>', channelId)
    .executeTakeFirst()
  if (taken) return false
  await tx
    .updateTable('channel')
    .set((eb) => ({ ...edit, revision: eb('revision', '+', 1), updated_at: now }))
    .where('channel_id', '=', channelId)
    .execute()
  return true
}

/** False: it was disabled before. */
export async function disableGoneChannel(tx: Db, channelId: string, now: Date): Promise<boolean> {
  const { numUpdatedRows: updated } = await tx
    .updateTable('channel')
    .set((eb) => ({ disabled_reason: 'gone', revision: eb('revision', '+', 1), updated_at: now }))
    .where('channel_id', '=', channelId)
    .where('disabled_reason', 'is', null)
    .executeTakeFirstOrThrow()
  return updated === 1n
}

export async function deleteChannel(tx: Db, channelId: string): Promise<void> {
  await tx.deleteFrom('channel').where('channel_id', '=', channelId).execute()
  await deleteAnswersAbout(tx, channelId)
}
