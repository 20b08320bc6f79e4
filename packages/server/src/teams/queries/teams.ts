import { sql, type Selectable } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { Tables } from '../../platform/db/tables.ts'

export type TeamRow = Selectable<Tables['team']> & { channel_ids: string[] }

/** Labels of hostile or careless clusters could name any number of teams. */
const teamsMax = 10_000

const selectTeams = (db: Db) =>
  db
    .selectFrom('team as t')
    .selectAll('t')
    .select(
      sql<string[]>`array(select channel_id from team_channel c where c.team = t.name order by channel_id)`.as(
        'channel_ids',
      ),
    )

export const listTeams = (db: Db): Promise<TeamRow[]> => selectTeams(db).orderBy('t.name').limit(teamsMax).execute()

export const findTeam = (db: Db, name: string): Promise<TeamRow | undefined> =>
  selectTeams(db).where('t.name', '=', name).executeTakeFirst()

/** Stores the teams that a rule, a label or a role names. Known teams stay as they are. */
export async function recordTeams(tx: Db, names: Iterable<string>, now: Date): Promise<void> {
  // In one order, so that two transactions do not wait for each other.
  const sorted = [...new Set(names)].sort()
  if (sorted.length === 0) return
  await sql`
    insert into team (name, created_at)
    select name, ${now} from unnest(${sorted}::text[]) as named (name)
    where not exists (select from team t where t.name = named.name)
    limit greatest(0, ${teamsMax} - (select count(*) from team))
    on conflict do nothing`.execute(tx)
}

/** Creates the team if it is new. */
export async function lockTeam(tx: Db, name: string, now: Date): Promise<TeamRow> {
  await tx
    .insertInto('team')
    .values({ name, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await tx.selectFrom('team').select('name').where('name', '=', name).forUpdate().execute()
  return selectTeams(tx).where('t.name', '=', name).executeTakeFirstOrThrow()
}

export type TeamEdit = { contact: string | null; cost_center: string | null; channel_ids: readonly string[] }

export async function writeTeam(
  tx: Db,
  name: string,
  { channel_ids: ids, ...details }: TeamEdit,
  now: Date,
): Promise<void> {
  await tx
    .updateTable('team')
    .set((eb) => ({ ...details, revision: eb('revision', '+', 1), updated_at: now }))
    .where('name', '=', name)
    .execute()
  await tx.deleteFrom('team_channel').where('team', '=', name).execute()
  if (ids.length === 0) return
  await tx
    .insertInto('team_channel')
    .values(ids.map((channelId) => ({ team: name, channel_id: channelId })))
    .execute()
}

/** Undefined: there is no such team. */
export async function lockKnownTeam(tx: Db, name: string): Promise<TeamRow | undefined> {
  const found = await tx.selectFrom('team').select('name').where('name', '=', name).forUpdate().executeTakeFirst()
  return found && selectTeams(tx).where('t.name', '=', name).executeTakeFirst()
}

export async function deleteTeam(tx: Db, name: string): Promise<void> {
  await tx.deleteFrom('team').where('name', '=', name).execute()
}
