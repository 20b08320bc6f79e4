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

/** The named clusters, as far as the caller may see them. */
export async function listAskedClusters(
  tx: Db,
  { clusterId, clusterIds, callerClusters }: AskedClusters,
): Promise<ClusterName[]> {
  const lists = [clusterId === undefined ? null : [clusterId], clusterIds ?? null, callerClusters]
  const [first = null, ...others] = lists.filter((ids) => ids !== null)
  return listVisibleClusters(tx, first?.filter((id) => others.every((ids) => ids.includes(id))) ?? null)
}
