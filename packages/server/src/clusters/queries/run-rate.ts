import { HOURS_PER_MONTH, SECONDS_PER_HOUR } from '@plimsoll/engine'
import { sql } from 'kysely'
import type { CloudResourceKind } from '@plimsoll/pipeline/prices'
import type { Db } from '../../platform/db/database.ts'

const hoursForMean = 24

/**
 * The run rate: the mean of the last 24 complete hours × 730. A cluster with fewer hours gets the list price of its current nodes,
 * volumes and load balancers × 730, so that a new cluster shows its cost at once. The parts come from the same prices and add up.
 */
export async function writeRunRate(tx: Db, clusterId: string): Promise<void> {
  await sql`
    with recent as (
      select hour from folded_hour where cluster_id = ${clusterId} order by hour desc limit ${hoursForMean}),
    measured as (
      select 'compute' as part, sum(c.cpu_capacity * coalesce(r.cpu_usd_per_microcore_second, 0)
               + c.memory_capacity * coalesce(r.memory_usd_per_kib_second, 0)
               + c.gpu_capacity * coalesce(r.gpu_usd_per_part_second, 0)) / ${hoursForMean} as usd_per_hour
      from cluster_hour c join rate r using (rate_id)
      where c.cluster_id = ${clusterId} and c.hour in (select hour from recent)
      union all
      select a.kind, sum(a.unit_seconds * coalesce(r.asset_usd_per_unit_second, 0)) / ${hoursForMean}
      from asset_namespace_hour a join rate r using (rate_id)
      where a.cluster_id = ${clusterId} and a.hour in (select hour from recent) group by a.kind),
    listed as (
      select 'compute' as part, sum(coalesce(c.nodes * r.node_usd_per_hour,
        ${SECONDS_PER_HOUR} * (c.cpu_units * r.cpu_usd_per_microcore_second
          + c.memory_units * r.memory_usd_per_kib_second), 0)) as usd_per_hour
      from node_class c join rate r using (rate_id) where c.cluster_id = ${clusterId}
      union all
      select c.kind, sum(c.units * coalesce(r.asset_usd_per_unit_second, 0)) * ${SECONDS_PER_HOUR}
      from asset_class c join rate r using (rate_id) where c.cluster_id = ${clusterId} group by c.kind),
    part as (
      select part, ${HOURS_PER_MONTH} * usd_per_hour as usd from measured where (select count(*) from recent) >= ${hoursForMean}
      union all
      select part, ${HOURS_PER_MONTH} * usd_per_hour from listed where (select count(*) from recent) < ${hoursForMean}),
    monthly as (
      select ${part('compute')} as compute, ${part('volume')} as storage, ${part('balancer')} as load_balancer,
        ${part('control_plane')} as overhead
      from part)
    update cluster_state set
      monthly_cost = monthly.compute + monthly.storage + monthly.load_balancer + monthly.overhead,
      monthly_compute = monthly.compute, monthly_storage = monthly.storage,
      monthly_load_balancer = monthly.load_balancer, monthly_overhead = monthly.overhead
    from monthly where cluster_id = ${clusterId}`.execute(tx)
}

const part = (name: 'compute' | CloudResourceKind) => sql`coalesce(sum(usd) filter (where part = ${name}), 0)`
