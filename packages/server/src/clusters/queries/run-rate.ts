import { HOURS_PER_MONTH, SECONDS_PER_HOUR } from '@plimsoll/engine'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'

const hoursForMean = 24

/**
 * The run rate: the mean of the last 24 complete hours × 730. A cluster with fewer hours gets the list price of its current nodes,
 * volumes and load balancers × 730, so that a new cluster shows its cost at once.
 */
export async function writeRunRate(tx: Db, clusterId: string): Promise<void> {
  await sql`
    with recent as (
      select hour from folded_hour where cluster_id = ${clusterId} order by hour desc limit ${hoursForMean}),
    measured as (
      select sum(c.cpu_capacity * coalesce(r.cpu_usd_per_microcore_second, 0)
               + c.memory_capacity * coalesce(r.memory_usd_per_kib_second, 0)
               + c.gpu_capacity * coalesce(r.gpu_usd_per_part_second, 0)) / ${hoursForMean} as usd_per_hour
      from cluster_hour c join rate r using (rate_id)
      where c.cluster_id = ${clusterId} and c.hour in (select hour from recent)),
    measured_assets as (
      select sum(a.unit_seconds * coalesce(r.asset_usd_per_unit_second, 0)) / ${hoursForMean} as usd_per_hour
      from asset_namespace_hour a join rate r using (rate_id)
      where a.cluster_id = ${clusterId} and a.hour in (select hour from recent)),
    listed as (
      select coalesce(sum(coalesce(c.nodes * r.node_usd_per_hour,
        ${SECONDS_PER_HOUR} * (c.cpu_units * r.cpu_usd_per_microcore_second
          + c.memory_units * r.memory_usd_per_kib_second), 0)), 0) as usd_per_hour
      from node_class c join rate r using (rate_id) where c.cluster_id = ${clusterId}),
    listed_assets as (
      select coalesce(sum(c.units * coalesce(r.asset_usd_per_unit_second, 0)), 0) * ${SECONDS_PER_HOUR} as usd_per_hour
      from asset_class c join rate r using (rate_id) where c.cluster_id = ${clusterId})
    update cluster_state set
      monthly_cost = ${HOURS_PER_MONTH} * case
        when (select count(*) from recent) >= ${hoursForMean}
        then coalesce((select usd_per_hour from measured), 0) + coalesce((select usd_per_hour from measured_assets), 0)
        else (select usd_per_hour from listed) + (select usd_per_hour from listed_assets) end
    where cluster_id = ${clusterId}`.execute(tx)
}
