import { SECONDS_PER_HOUR } from '@plimsoll/engine'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'

/**
 * Marks the stored hours of a cluster, or of all when null, for repricing from this hour on. Waits for the job if it is
 * at that cluster, so that the job runs again. Keeps the rates of now, or those before an earlier change.
 */
export async function noteRepricing(tx: Db, clusterId: string | null, fromHour: Date): Promise<void> {
  await sql`
    insert into repricing (cluster_id, from_hour, rates_before)
    select c.cluster_id, ${fromHour}, (
      select jsonb_object_agg(class_key, rate_id) from (
        select class_key, rate_id from node_class n where n.cluster_id = c.cluster_id
        union all select class_key, rate_id from asset_class a where a.cluster_id = c.cluster_id) rated
      where rate_id is not null)
    from cluster c where ${clusterId}::text is null or c.cluster_id = ${clusterId}
    order by c.cluster_id
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

/**
 * The rates of the next stored hours, from this one on. Hours beyond the retention have only sums, which keep their
 * prices: to sum them again would delete them.
 */
export async function listStoredRates(
  tx: Db,
  clusterId: string,
  { from, hours }: { from: Date; hours: number },
): Promise<StoredHourRate[]> {
  const { rows } = await sql<StoredHourRate>`
    with next as (
      select min(hour) as first, max(hour) as last from (
        select distinct hour from asset_hour
        where cluster_id = ${clusterId} and hour >= ${from}
        union select distinct hour from node_hour where cluster_id = ${clusterId} and hour >= ${from}
        order by hour limit ${hours}) n),
    stored as (
      select hour, rate_id from node_hour
      where cluster_id = ${clusterId} and hour >= (select first from next) and hour <= (select last from next)
      union
      select hour, rate_id from asset_hour
      where cluster_id = ${clusterId} and hour >= (select first from next) and hour <= (select last from next))
    select s.hour, s.rate_id as "rateId", r.class_key as "classKey" from stored s join rate r using (rate_id)
    order by s.hour`.execute(tx)
  return rows
}

/** The cost of the current nodes, volumes and load balancers in an hour, at the prices before the change and now. */
export type PriceChange = { before: number; after: number }

export async function findPriceChange(tx: Db, clusterId: string): Promise<PriceChange> {
  const { rows } = await sql<PriceChange>`
    with old as (
      select key as class_key, value::bigint as rate_id
      from repricing, jsonb_each_text(coalesce(rates_before, '{}')) where cluster_id = ${clusterId}),
    priced as (
      select ${nodeUsd('now')} as after, ${nodeUsd('before')} as before
      from node_class c join old using (class_key)
        join rate now on now.rate_id = c.rate_id join rate before on before.rate_id = old.rate_id
      where c.cluster_id = ${clusterId}
      union all
      select c.units * now.asset_usd_per_unit_second * ${SECONDS_PER_HOUR}, c.units * before.asset_usd_per_unit_second * ${SECONDS_PER_HOUR}
      from asset_class c join old using (class_key)
        join rate now on now.rate_id = c.rate_id join rate before on before.rate_id = old.rate_id
      where c.cluster_id = ${clusterId})
    select coalesce(sum(before), 0)::float8 as before, coalesce(sum(after), 0)::float8 as after from priced
    where before is not null and after is not null`.execute(tx)
  return rows[0] ?? { before: 0, after: 0 }
}

const nodeUsd = (rate: 'now' | 'before') => sql`coalesce(c.nodes * ${sql.ref(rate)}.node_usd_per_hour,
  ${SECONDS_PER_HOUR} * (c.cpu_units * ${sql.ref(rate)}.cpu_usd_per_microcore_second
    + c.memory_units * ${sql.ref(rate)}.memory_usd_per_kib_second))`
