import type { FastifyRequest } from 'fastify'
import {
  demandVisibleClusters,
  listVisibleClusters,
  visibleClusterOfQuery,
  type ClusterName,
} from '../clusters/index.ts'
import type { Db } from '../platform/db/database.ts'
import type { Deps } from '../platform/deps.ts'

export type AskedClusters = {
  /** Undefined: all clusters of the caller. */
  clusterId: string | undefined
  /** A filter; undefined: all. */
  clusterIds?: readonly string[] | undefined
  /** The clusters that the caller may see. Null: all. */
  callerClusters: readonly string[] | null
}

/** Checks the clusters that `cluster_id` and `clusters` name. */
export const visibleClustersAsked = (deps: Deps) => async (request: FastifyRequest) => {
  await visibleClusterOfQuery(deps)(request)
  await demandVisibleClusters(deps, request, (request.query as { clusters?: unknown }).clusters)
}

/** The route has checked the named clusters. */
export async function listAskedClusters(
  tx: Db,
  { clusterId, clusterIds, callerClusters }: AskedClusters,
): Promise<ClusterName[]> {
  if (clusterId === undefined) return listVisibleClusters(tx, clusterIds ?? callerClusters)
  return clusterIds === undefined || clusterIds.includes(clusterId) ? listVisibleClusters(tx, [clusterId]) : []
}
