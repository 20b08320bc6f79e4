import { HOURS_PER_MONTH, SECONDS_PER_HOUR } from '@plimsoll/engine'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'

export type NodeLifeRow = {
  clusterId: string
  uid: string
  name: string
  pool: string
  startedAt: Date
  endedAt: Date | null
  /** Null: no price is known. */
  usdPerMonth: string | null
}

/** Named nodes, and all nodes of some pools, that did not end before `since`. Both as text with the cluster: `id/name`. */
export type LifeSelection = {
  clusterIds: readonly string[]
  names: readonly string[]
  pools: readonly string[]
  since: Date
}

/**
 * Nodes with their measured price: for an ended node the rate of its last hour, else the current rate of its class.
 * Hours of nodes are kept for weeks; after that, the rate of the class remains.
 */
export async function listNodeLives(
  tx: Db,
  { clusterIds, names, pools, since }: LifeSelection,
): Promise<NodeLifeRow[]> {
  const { rows } = await sql<NodeLifeRow>`
    select n.cluster_id as "clusterId", n.node_uid as uid, n.name, n.facts ->> 'pool' as pool,
      n.first_seen_at as "startedAt", n.ended_at as "endedAt",
      round(${sql.lit(HOURS_PER_MONTH)} * coalesce(r.node_usd_per_hour, ${sql.lit(SECONDS_PER_HOUR)} * (
        (n.facts -> 'capacity' ->> 'cpu')::numeric * r.cpu_usd_per_microcore_second
        + (n.facts -> 'capacity' ->> 'memory')::numeric * r.memory_usd_per_kib_second)), 12) as "usdPerMonth"
    from node n
    left join node_class c on c.cluster_id = n.cluster_id and c.class_key = n.facts ->> 'class_key'
    left join lateral (
      select h.rate_id from node_hour h
      where h.cluster_id = n.cluster_id and h.node_uid = n.node_uid
        and h.hour > n.ended_at - interval '3 hours' and h.hour <= n.ended_at
      order by h.hour desc, h.rate_id desc limit 1) last on true
    left join rate r on r.rate_id = coalesce(last.rate_id, c.rate_id)
    where n.cluster_id = any(${clusterIds}) and (n.ended_at is null or n.ended_at > ${since})
      and (n.cluster_id || '/' || n.name = any(${names}) or n.cluster_id || '/' || (n.facts ->> 'pool') = any(${pools}))
    order by n.cluster_id, n.node_uid`.execute(tx)
  return rows
}
