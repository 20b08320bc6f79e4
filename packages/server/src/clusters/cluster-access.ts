import type { FastifyRequest } from 'fastify'
import { maySeeCluster, seesWholeClusters } from '../platform/auth/caller.ts'
import { clusterExists, listVisibleClusters } from './queries/clusters.ts'
import type { Db } from '../platform/db/database.ts'
import type { Deps } from '../platform/deps.ts'
import { requestCaller } from '../platform/http/request-caller.ts'
import { isId } from '../platform/ids.ts'
import { Problem, quoted, type FieldError } from '../platform/http/problem.ts'

/**
 * Looks up before validation: the body for a missing cluster is not read. Missing and invisible clusters get the same
 * response.
 */
export const visibleCluster = (deps: Deps) => async (request: FastifyRequest) => {
  const { cluster_id: clusterId } = request.params as { cluster_id: string }
  await demandVisible(deps, request, clusterId)
}

/** The same for a cluster in the query; the schema decides whether it is required. */
export const visibleClusterOfQuery = (deps: Deps) => async (request: FastifyRequest) => {
  const { cluster_id: clusterId } = request.query as { cluster_id?: unknown }
  if (typeof clusterId === 'string' && clusterId !== '') await demandVisible(deps, request, clusterId)
}

/** For filters with several clusters: a missing one must not look like an empty result. */
export const visibleClustersOfQuery = (deps: Deps) => async (request: FastifyRequest) => {
  const { cluster_id: clusterIds } = request.query as { cluster_id?: unknown }
  await demandVisibleClusters(deps, request, clusterIds)
}

export async function demandVisibleClusters(deps: Deps, request: FastifyRequest, clusterIds: unknown): Promise<void> {
  if (typeof clusterIds !== 'string' || clusterIds === '') return
  const ids = [...new Set(clusterIds.split(','))]
  const caller = requestCaller(request)
  const visible = ids.filter((id) => isId('cls', id) && maySeeCluster(caller, id))
  const found = visible.length === 0 ? [] : await listVisibleClusters(deps.db, visible)
  const missing = ids.find((id) => !found.some((cluster) => cluster.id === id))
  if (missing !== undefined) throw clusterNotFound(missing)
}

async function demandVisible(deps: Deps, request: FastifyRequest, clusterId: string): Promise<void> {
  if (!(await isVisible(deps.db, request, clusterId))) throw clusterNotFound(clusterId)
}

const isVisible = async (db: Db, request: FastifyRequest, clusterId: string): Promise<boolean> =>
  isId('cls', clusterId) && maySeeCluster(requestCaller(request), clusterId) && (await clusterExists(db, clusterId))

/** For bodies that name a cluster; the schema decides whether it is required. */
export const wrongCluster = async (db: Db, request: FastifyRequest, clusterId: unknown): Promise<FieldError[]> =>
  typeof clusterId !== 'string' || (await isVisible(db, request, clusterId)) ? [] : [unknownCluster(clusterId)]

export const unknownCluster = (clusterId: string): FieldError => ({
  pointer: '/cluster_id',
  code: 'unknown_cluster',
  detail: `there is no cluster ${quoted(clusterId)}`,
})

export const clusterNotFound = (clusterId: string) =>
  new Problem('cluster_not_found', `There is no cluster ${quoted(clusterId)}.`)

/** A role restricted to namespaces may not access data of the whole cluster. */
export function demandWholeCluster(request: FastifyRequest): void {
  if (!seesWholeClusters(requestCaller(request))) {
    throw new Problem(
      'role_narrowed',
      'Your role is limited to some namespaces or teams. This operation needs a role that covers the whole cluster.',
    )
  }
}

export const wholeCluster = async (request: FastifyRequest) => demandWholeCluster(request)

/** The requested namespaces that the role may see; null: all. */
export function visibleNamespaces(request: FastifyRequest, requested: string[] | undefined): readonly string[] | null {
  const { namespaces } = requestCaller(request)
  if (namespaces === null) return requested ?? null
  return requested === undefined ? namespaces : requested.filter((name) => namespaces.includes(name))
}
