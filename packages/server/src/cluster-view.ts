import type { Cluster, ClusterStatus, Condition } from '@plimsoll/contract'
import type { ClusterRow } from './db/clusters.ts'

const activeMs = 5 * 60_000
const staleMs = 30 * 60_000

export type ClusterFacts = { agentLastSeenAt: Date | null; conditions: readonly Pick<Condition, 'type' | 'ok'>[] }

/** Status is derived from facts whenever it is shown, so it cannot be out of date. */
export function clusterStatus({ agentLastSeenAt, conditions }: ClusterFacts, now: Date): ClusterStatus {
  if (conditions.some(({ type, ok }) => type === 'identity' && !ok)) return 'error'
  if (agentLastSeenAt === null) return 'pending'
  const silentMs = now.getTime() - agentLastSeenAt.getTime()
  if (silentMs > staleMs) return 'disconnected'
  if (silentMs > activeMs) return 'stale'
  return conditions.every(({ ok }) => ok) ? 'active' : 'degraded'
}

export function presentCluster(row: ClusterRow, now: Date): Cluster {
  return {
    id: row.cluster_id,
    name: row.name,
    provider: row.provider,
    region: row.region,
    status: clusterStatus({ agentLastSeenAt: row.agent_last_seen_at, conditions: row.conditions }, now),
    node_count: row.node_count,
    pod_count: row.pod_count,
    monthly_cost: Number(row.monthly_cost),
    currency: 'USD',
    last_sync_at: row.last_sync_at?.toISOString() ?? null,
    conditions: row.conditions,
    agent: { version: row.agent_version, last_seen_at: row.agent_last_seen_at?.toISOString() ?? null },
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}
