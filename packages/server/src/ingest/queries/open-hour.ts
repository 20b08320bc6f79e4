import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { writeQuantities, type RatedQuantities } from './hours.ts'
import { sumUpHours } from './rollups.ts'

/** The open hour of a new cluster, and the part that its figures cover. */
export type OpenHour = { hour: Date; from: Date; through: Date }

export async function findOpenHour(tx: Db, clusterId: string): Promise<OpenHour | undefined> {
  return tx
    .selectFrom('open_hour')
    .select(['hour', 'observed_from as from', 'observed_through as through'])
    .where('cluster_id', '=', clusterId)
    .executeTakeFirst()
}

export async function hasHours(tx: Db, clusterId: string): Promise<boolean> {
  const { rows } = await sql`select from folded_hour where cluster_id = ${clusterId} limit 1`.execute(tx)
  return rows.length > 0
}

/** Replaces the open hour. */
export async function writeOpenHour(
  tx: Db,
  clusterId: string,
  rated: RatedQuantities,
  { from, through }: Omit<OpenHour, 'hour'>,
): Promise<void> {
  const { hour } = rated
  await clearOpenHour(tx, clusterId)
  await writeQuantities(tx, clusterId, [rated])
  await sumUpHours(tx, clusterId, [hour])
  await tx
    .insertInto('open_hour')
    .values({ cluster_id: clusterId, hour, observed_from: from, observed_through: through })
    .execute()
}

/** A replica of a version without open hours may have written the hour: its rows are then the whole hour. */
async function isFinalised(tx: Db, clusterId: string, hour: Date): Promise<boolean> {
  const { rows } = await sql`
    select from folded_hour where cluster_id = ${clusterId} and hour = ${hour}`.execute(tx)
  return rows.length > 0
}

/** Called before any complete hour is written, because its quantities are added to the stored ones. */
export async function clearOpenHour(tx: Db, clusterId: string): Promise<void> {
  const open = await tx.deleteFrom('open_hour').where('cluster_id', '=', clusterId).returning('hour').executeTakeFirst()
  if (!open || (await isFinalised(tx, clusterId, open.hour))) return
  for (const table of ['workload_hour', 'node_hour', 'asset_hour']) {
    await sql`delete from ${sql.table(table)} where cluster_id = ${clusterId} and hour = ${open.hour}`.execute(tx)
  }
  await sumUpHours(tx, clusterId, [open.hour])
}
