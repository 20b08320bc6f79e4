import type { DeliveryError } from '@plimsoll/contract'
import type { Message } from '@plimsoll/engine/messages'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { deleteInChunks } from '../../platform/db/delete-in-chunks.ts'

export type NewDelivery = {
  deliveryId: string
  channelId: string
  message: Message
  transition: string
  triesMax: number
}

/** A transition that is queued already stays as it is. Returns the channels of the new rows. */
export async function insertDeliveries(tx: Db, deliveries: readonly NewDelivery[], now: Date): Promise<string[]> {
  if (deliveries.length === 0) return []
  const rows = await tx
    .insertInto('delivery')
    .values(
      deliveries.map(({ deliveryId, channelId, message, transition, triesMax }) => ({
        delivery_id: deliveryId,
        channel_id: channelId,
        dedup_key: message.dedupKey,
        transition,
        message: JSON.stringify(message),
        state: 'waiting' as const,
        tries_max: triesMax,
        due_at: now,
        queued_at: now,
      })),
    )
    .onConflict((conflict) => conflict.columns(['dedup_key', 'transition', 'channel_id']).doNothing())
    .returning('channel_id')
    .execute()
  return rows.map(({ channel_id: id }) => id)
}

/** Messages about an event that ended before their first try are not sent. */
export async function cancelUnsent(tx: Db, dedupKey: string, now: Date): Promise<void> {
  await tx
    .updateTable('delivery')
    .set({ state: 'cancelled', ended_at: now })
    .where('dedup_key', '=', dedupKey)
    .where('state', '=', 'waiting')
    .where('tries', '=', 0)
    .execute()
}

/** Enabled channels whose receivers may know of the event. */
export async function listInformedChannels(tx: Db, dedupKey: string): Promise<string[]> {
  const rows = await tx
    .selectFrom('delivery as d')
    .innerJoin('channel as c', 'c.channel_id', 'd.channel_id')
    .select('d.channel_id')
    .distinct()
    .where('d.dedup_key', '=', dedupKey)
    .where('d.state', '<>', 'cancelled')
    .where('c.disabled_reason', 'is', null)
    .orderBy('d.channel_id')
    .execute()
  return rows.map(({ channel_id: id }) => id)
}

export type ClaimedDelivery = {
  deliveryId: string
  channelId: string
  dedupKey: string
  position: string
  message: Message
  /** This try included. */
  tries: number
  triesMax: number
}

const claimed = sql`
  d.delivery_id as "deliveryId", d.channel_id as "channelId", d.dedup_key as "dedupKey", d.position, d.message,
  d.tries, d.tries_max as "triesMax"`

/** Of the waiting messages with its key. One look at the index for each row: a join would compare all rows of a key. */
const isFirst = sql`d.position = (
  select e.position from delivery e
  where e.channel_id = d.channel_id and e.dedup_key = d.dedup_key and e.state = 'waiting'
  order by e.position limit 1)`

export type Claim = { channelId: string; now: Date; until: Date; atOnceMax: number }

/**
 * Takes due deliveries of a channel, at most `atOnceMax` at a time over all servers. The caller has locked the channel.
 * Of several messages with one key, only the oldest is taken, so that they arrive in order.
 */
export async function claimDeliveries(tx: Db, { channelId, now, until, atOnceMax }: Claim): Promise<ClaimedDelivery[]> {
  const { rows } = await sql<ClaimedDelivery>`
    with busy as (
      select count(*)::integer as count from delivery
      where channel_id = ${channelId} and state = 'waiting' and claimed_until > ${now}),
    next as (
      select d.delivery_id from delivery d
      where d.channel_id = ${channelId} and d.state = 'waiting' and d.due_at <= ${now}
        and (d.claimed_until is null or d.claimed_until <= ${now})
        and ${isFirst}
      order by d.due_at, d.position
      limit (select greatest(0, ${atOnceMax}::integer - count) from busy)
      for update of d skip locked)
    update delivery d set tries = d.tries + 1, claimed_until = ${until}
    from next where d.delivery_id = next.delivery_id
    returning ${claimed}`.execute(tx)
  return rows
}

/** One delivery, for a try outside of the queue. */
export async function claimDelivery(tx: Db, deliveryId: string, until: Date): Promise<ClaimedDelivery> {
  const { rows } = await sql<ClaimedDelivery>`
    update delivery d set tries = d.tries + 1, claimed_until = ${until}
    where d.delivery_id = ${deliveryId} returning ${claimed}`.execute(tx)
  const [row] = rows
  if (!row) throw new Error('the delivery is missing')
  return row
}

/**
 * When a delivery of the channel can be taken next. Later messages with the same key only follow. While the channel has
 * as many tries as allowed, the next one can start when the first claim ends.
 */
export async function nextDueAt(
  db: Db,
  { channelId, now, atOnceMax }: Omit<Claim, 'until'>,
): Promise<Date | undefined> {
  const { rows } = await sql<{ at: Date | null }>`
    with first as (
      select distinct on (dedup_key) due_at, claimed_until from delivery
      where channel_id = ${channelId} and state = 'waiting' order by dedup_key, position)
    select case when count(*) filter (where claimed_until > ${now}) >= ${atOnceMax}::integer
      then min(claimed_until) filter (where claimed_until > ${now})
      else min(greatest(due_at, claimed_until)) end as at
    from first`.execute(db)
  return rows[0]?.at ?? undefined
}

export type TryRow = { at: Date; durationMs: number; status: number | null; error: DeliveryError | null }

export async function insertTry(tx: Db, { deliveryId, tries }: ClaimedDelivery, row: TryRow): Promise<void> {
  await tx
    .insertInto('delivery_try')
    .values({
      delivery_id: deliveryId,
      number: tries,
      at: row.at,
      duration_ms: row.durationMs,
      status: row.status,
      error: row.error,
    })
    .execute()
}

/**
 * The end of a try. Nothing changes if another server has taken the delivery over meanwhile. A delivery that was
 * cancelled during a successful try is delivered.
 */
export async function endDelivery(
  tx: Db,
  { deliveryId, tries }: ClaimedDelivery,
  state: 'delivered' | 'dead',
  now: Date,
): Promise<void> {
  let query = tx
    .updateTable('delivery')
    .set({ state, ended_at: now, claimed_until: null })
    .where('delivery_id', '=', deliveryId)
    .where('tries', '=', tries)
  if (state === 'dead') query = query.where('state', '=', 'waiting')
  await query.execute()
}

/** Later messages with the same key wait as well, so that looking for due messages does not find them first. */
export async function postpone(tx: Db, delivery: ClaimedDelivery, dueAt: Date): Promise<void> {
  const { deliveryId, channelId, dedupKey, position, tries } = delivery
  const { numUpdatedRows: updated } = await tx
    .updateTable('delivery')
    .set({ due_at: dueAt, claimed_until: null })
    .where('delivery_id', '=', deliveryId)
    .where('tries', '=', tries)
    .where('state', '=', 'waiting')
    .executeTakeFirstOrThrow()
  if (updated === 0n) return
  await tx
    .updateTable('delivery')
    .set({ due_at: dueAt })
    .where('channel_id', '=', channelId)
    .where('dedup_key', '=', dedupKey)
    .where('state', '=', 'waiting')
    .where('position', '>', position)
    .where('due_at', '<', dueAt)
    .execute()
}

/** All waiting deliveries of a channel that is disabled now. */
export async function endWaiting(tx: Db, channelId: string, state: 'dead' | 'cancelled', now: Date): Promise<void> {
  await tx
    .updateTable('delivery')
    .set({ state, ended_at: now, claimed_until: null })
    .where('channel_id', '=', channelId)
    .where('state', '=', 'waiting')
    .execute()
}

/** A message may be queued while its channel is being disabled. */
export async function cancelForDisabled(db: Db, now: Date): Promise<void> {
  await sql`
    update delivery d set state = 'cancelled', ended_at = ${now}, claimed_until = null from channel c
    where c.channel_id = d.channel_id and c.disabled_reason is not null and d.state = 'waiting'
      and (d.claimed_until is null or d.claimed_until <= ${now})`.execute(db)
}

/**
 * Returns the ids. Each delivery gets another round of tries. A message about an event whose end was delivered would open
 * the event again at the receiver, so it is cancelled. Without ids, tests are left out.
 */
export async function requeueDead(
  tx: Db,
  { channelId, ids, triesMax, now }: { channelId: string; ids: readonly string[] | null; triesMax: number; now: Date },
): Promise<string[]> {
  await sql`
    update delivery d set state = 'cancelled' where d.channel_id = ${channelId} and d.state = 'dead' and exists (
      select from delivery e where e.channel_id = d.channel_id and e.dedup_key = d.dedup_key and e.position > d.position
        and e.state = 'delivered' and e.message ->> 'endedAt' is not null
        and e.message ->> 'startedAt' = d.message ->> 'startedAt')`.execute(tx)
  let query = tx
    .updateTable('delivery')
    .set((eb) => ({ state: 'waiting', tries_max: eb('tries', '+', triesMax), due_at: now, ended_at: null }))
    .where('channel_id', '=', channelId)
    .where('state', '=', 'dead')
    .returning('delivery_id')
  query =
    ids === null
      ? query.where(sql`message ->> 'event'`, '<>', 'test')
      : query.where('delivery_id', '=', sql<string>`any(${ids})`)
  return (await query.execute()).map(({ delivery_id: id }) => id)
}

/** Channels with deliveries that are due and that no sender holds. */
export async function listDueChannels(db: Db, now: Date): Promise<string[]> {
  const { rows } = await sql<{ channelId: string }>`
    select channel_id as "channelId" from channel c
    where disabled_reason is null and exists (
      select from delivery d where d.channel_id = c.channel_id and d.state = 'waiting' and d.due_at <= ${now}
        and (d.claimed_until is null or d.claimed_until <= ${now}))`.execute(db)
  return rows.map(({ channelId }) => channelId)
}

export async function deleteOldDeliveries(db: Db, before: Date): Promise<void> {
  await deleteInChunks(db, 'delivery', sql`state <> 'waiting' and ended_at < ${before}`)
}
