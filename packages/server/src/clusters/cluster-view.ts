import type { Cluster, ClusterStatus, Condition } from '@plimsoll/contract'
import type { Grant } from '../platform/auth/caller.ts'
import type { ClusterRow } from './queries/clusters.ts'
import { activeMs, staleMs } from './connection.ts'
import { providerConditions } from './provider-condition.ts'

export type ClusterFacts = { agentLastSeenAt: Date | null; conditions: readonly Pick<Condition, 'type' | 'ok'>[] }

/**
 * Status is derived on each read, so it is never stale. An unknown provider does not affect the status: it only makes
 * prices estimates.
 */
export function clusterStatus({ agentLastSeenAt, conditions }: ClusterFacts, now: Date): ClusterStatus {
  if (conditions.some(({ type, ok }) => type === 'identity' && !ok)) return 'error'
  if (agentLastSeenAt === null) return 'pending'
  const silentMs = now.getTime() - agentLastSeenAt.getTime()
  if (silentMs > staleMs) return 'disconnected'
  if (silentMs > activeMs) return 'stale'
  return conditions.every(({ ok }) => ok) ? 'active' : 'degraded'
}

/** A role restricted to namespaces sees no cluster-wide figure, and no message that may contain one. */
export function presentCluster(row: ClusterRow, { namespaces }: Pick<Grant, 'namespaces'>, now: Date): Cluster {
  const isWhole = namespaces === null
  return {
    id: row.cluster_id,
    name: row.name,
    provider: row.provider,
    region: row.region,
    status: clusterStatus({ agentLastSeenAt: row.agent_last_seen_at, conditions: row.conditions }, now),
    node_count: isWhole ? row.node_count : null,
    pod_count: isWhole ? row.pod_count : null,
    monthly_cost: isWhole ? Number(row.monthly_cost) : null,
    currency: 'USD',
    last_sync_at: row.last_sync_at?.toISOString() ?? null,
    conditions: [...(isWhole ? row.conditions : row.conditions.map(withoutFigures)), ...providerConditions(row)],
    agent: { version: row.agent_version, last_seen_at: row.agent_last_seen_at?.toISOString() ?? null },
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}

const withoutFigures = (condition: Condition): Condition => ({
  ...condition,
  message: 'Your role does not include the whole cluster, so the message is hidden.',
})
