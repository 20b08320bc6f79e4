import type { AskedClusters } from '../asked-clusters.ts'

/** Plain data, so that it can be posted to another thread. Null: all. */
export type CostMetricsRequest = AskedClusters & {
  kind: 'costs'
  isByWorkload: boolean
  namespaces: readonly string[] | null
  visibleTeams: readonly string[] | null
  /** The recommendations that the caller may read; undefined: none. */
  sight: { clusters: readonly string[] | null; namespaces: readonly string[] | null } | undefined
  now: Date
}

export type OpencostMetricsRequest = { kind: 'opencost'; clusterId: string; clusterName: string }

export type MetricsRequest = CostMetricsRequest | OpencostMetricsRequest
