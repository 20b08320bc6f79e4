import { HOURS_PER_MONTH } from '@plimsoll/engine'
import { sql } from 'kysely'
import type { LiveFigures } from '../fold/live-figures.ts'
import type { ClusterPlace } from '../prices/node-class.ts'
import type { Db } from './database.ts'
import type { RateIds } from './hours.ts'

const hoursForMean = 24

export async function findClusterPlace(tx: Db, clusterId: string): Promise<ClusterPlace> {
  const row = await tx
    .selectFrom('cluster')
    .select(['provider', 'region'])
    .where('cluster_id', '=', clusterId)
    .executeTakeFirst()
  return row ?? { provider: 'unknown', region: 'unknown' }
}

/**
 * What lists show of a cluster. A month is the mean of the last 24 written hours × 730; before there are as many, what its
 * nodes cost an hour × 730, so that a new cluster shows its cost at once.
 */
export async function writeClusterFigures(
  tx: Db,
  clusterId: string,
  figures: LiveFigures,
  rateIds: RateIds,
): Promise<void> {
  const classes = [...figures.nodesByClass].map(([key, nodes]) => ({ rate_id: rateIds.get(key), nodes }))
  await sql`
    with recent as (
      select hour from folded_hour where cluster_id = ${clusterId} order by hour desc limit ${hoursForMean}),
    measured as (
      select sum(c.cpu_capacity * coalesce(r.cpu_usd_per_microcore_second, 0)
               + c.memory_capacity * coalesce(r.memory_usd_per_kib_second, 0)
               + c.gpu_capacity * coalesce(r.gpu_usd_per_part_second, 0)) / ${hoursForMean} as usd_per_hour
      from cluster_hour c join rate r using (rate_id)
      where c.cluster_id = ${clusterId} and c.hour in (select hour from recent)),
    listed as (
      select coalesce(sum(c.nodes * coalesce(r.node_usd_per_hour, 0)), 0) as usd_per_hour
      from jsonb_to_recordset(${JSON.stringify(classes)}::jsonb) as c (rate_id bigint, nodes numeric) join rate r using (rate_id))
    update cluster_state set
      node_count = ${figures.nodes},
      pod_count = ${figures.pods},
      last_sync_at = to_timestamp(${figures.observedAt}),
      monthly_cost = ${HOURS_PER_MONTH} * case
        when (select count(*) from recent) >= ${hoursForMean} then (select usd_per_hour from measured)
        else (select usd_per_hour from listed) end
    where cluster_id = ${clusterId}`.execute(tx)
}

/** The agent reports, and its first hour is not over yet. */
export async function isCollecting(tx: Db, clusterId: string): Promise<boolean> {
  const { rows } = await sql<{ collecting: boolean }>`
    select last_sync_at is not null
      and not exists (select from folded_hour where cluster_id = ${clusterId}) as collecting
    from cluster_state where cluster_id = ${clusterId}`.execute(tx)
  return rows[0]?.collecting === true
}

export async function findLiveCounts(tx: Db, clusterId: string): Promise<{ nodes: number; pods: number }> {
  const row = await tx
    .selectFrom('cluster_state')
    .select(['node_count as nodes', 'pod_count as pods'])
    .where('cluster_id', '=', clusterId)
    .executeTakeFirst()
  return row ?? { nodes: 0, pods: 0 }
}
