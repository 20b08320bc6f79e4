import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'

/**
 * Marks the stored hours of a cluster, or of all when null, for repricing from this hour on. Waits for the job if it is
 * at that cluster, so that the job runs again.
 */
export async function noteRepricing(tx: Db, clusterId: string | null, fromHour: Date): Promise<void> {
  await sql`
    insert into repricing (cluster_id, from_hour)
    select cluster_id, ${fromHour} from cluster where ${clusterId}::text is null or cluster_id = ${clusterId}
    order by cluster_id
    on conflict (cluster_id) do update set from_hour = least(repricing.from_hour, excluded.from_hour)`.execute(tx)
}

export async function listRepricing(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('repricing').select('cluster_id').orderBy('cluster_id').execute()
  return rows.map(({ cluster_id }) => cluster_id)
}

export async function findRepricing(db: Db, clusterId: string): Promise<Date | undefined> {
  const row = await db
    .selectFrom('repricing')
    .select('from_hour')
    .where('cluster_id', '=', clusterId)
    .executeTakeFirst()
  return row?.from_hour
}

export async function lockRepricing(tx: Db, clusterId: string): Promise<Date | undefined> {
  const row = await tx
    .selectFrom('repricing')
    .select('from_hour')
    .where('cluster_id', '=', clusterId)
    .forUpdate()
    .executeTakeFirst()
  return row?.from_hour
}

export async function continueRepricing(tx: Db, clusterId: string, fromHour: Date): Promise<void> {
  await tx.updateTable('repricing').set({ from_hour: fromHour }).where('cluster_id', '=', clusterId).execute()
}

export async function endRepricing(tx: Db, clusterId: string): Promise<void> {
  await tx.deleteFrom('repricing').where('cluster_id', '=', clusterId).execute()
}

export type StoredHourRate = { hour: Date; rateId: string; classKey: string }

/** The rates of the next stored hours, from this one on. */
export async function listStoredRates(
  tx: Db,
  clusterId: string,
  { from, hours }: { from: Date; hours: number },
): Promise<StoredHourRate[]> {
  const { rows } = await sql<StoredHourRate>`
    with next as (
      select min(hour) as first, max(hour) as last from (
        select distinct hour from asset_namespace_hour
        where cluster_id = ${clusterId} and hour >= ${from}
        union select distinct hour from node_hour where cluster_id = ${clusterId} and hour >= ${from}
        order by hour limit ${hours}) n),
    stored as (
      select hour, rate_id from node_hour
      where cluster_id = ${clusterId} and hour >= (select first from next) and hour <= (select last from next)
      union
      select hour, rate_id from asset_namespace_hour
      where cluster_id = ${clusterId} and hour >= (select first from next) and hour <= (select last from next))
    select s.hour, s.rate_id as "rateId", r.class_key as "classKey" from stored s join rate r using (rate_id)
    order by s.hour`.execute(tx)
  return rows
}
