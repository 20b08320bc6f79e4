import { HOURS_PER_MONTH } from '@plimsoll/engine'
import { sql } from 'kysely'
import type { LiveFigures } from '../fold/live-figures.ts'
import type { ClusterPlace } from '../prices/node-class.ts'
import type { Db } from './database.ts'
import type { RateIds } from './hours.ts'
import { writeNodeClasses } from './node-classes.ts'

const hoursForMean = 24

export async function findClusterPlace(tx: Db, clusterId: string): Promise<ClusterPlace> {
  const row = await tx
    .selectFrom('cluster')
    .select(['provider', 'region'])
    .where('cluster_id', '=', clusterId)
    .executeTakeFirst()
  return row ?? { provider: 'unknown', region: 'unknown' }
}

/** What lists show of a cluster, and how many nodes of each class there are. */
export async function writeClusterFigures(
  tx: Db,
  clusterId: string,
  figures: LiveFigures,
  rateIds: RateIds,
): Promise<void> {
  const observedAt = new Date(figures.observedAt * 1000)
  const seen = [...figures.nodesByClass].map(([classKey, nodes]) => ({
    classKey,
    nodes,
    rateId: rateIds.get(classKey),
  }))
  await writeNodeClasses(tx, clusterId, seen, observedAt)
  await tx
    .updateTable('cluster_state')
    .set({ node_count: figures.nodes, pod_count: figures.pods, last_sync_at: observedAt })
    .where('cluster_id', '=', clusterId)
    .execute()
  await writeMonthlyCost(tx, clusterId)
}

/**
 * A month is the mean of the last 24 written hours × 730; before there are as many, what its nodes cost an hour × 730, so
 * that a new cluster shows its cost at once.
 */
export async function writeMonthlyCost(tx: Db, clusterId: string): Promise<void> {
  await sql`
    with recent as (
      select hour from folded_hour where cluster_id = ${clusterId} order by hour desc limit ${hoursForMean}),
    measured as (
      select sum(n.cpu_capacity * coalesce(r.cpu_usd_per_microcore_second, 0)
               + n.memory_capacity * coalesce(r.memory_usd_per_kib_second, 0)
               + n.gpu_capacity * coalesce(r.gpu_usd_per_part_second, 0)) / ${hoursForMean} as usd_per_hour
      from node_hour n join rate r using (rate_id)
      where n.cluster_id = ${clusterId} and n.hour in (select hour from recent)),
    listed as (
      select coalesce(sum(c.nodes * coalesce(r.node_usd_per_hour, 0)), 0) as usd_per_hour
      from node_class c join rate r using (rate_id) where c.cluster_id = ${clusterId})
    update cluster_state set
      monthly_cost = ${HOURS_PER_MONTH} * case
        when (select count(*) from recent) >= ${hoursForMean} then (select usd_per_hour from measured)
        else (select usd_per_hour from listed) end
    where cluster_id = ${clusterId}`.execute(tx)
}
