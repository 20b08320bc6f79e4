import type { FastifyRequest } from 'fastify'
import { maySeeCluster } from '../platform/auth/caller.ts'
import { clusterExists } from './queries/clusters.ts'
import type { Db } from '../platform/db/database.ts'
import type { Deps } from '../platform/deps.ts'
import { requestCaller } from '../platform/http/request-caller.ts'
import { isId } from '../platform/ids.ts'
import { Problem, quoted, type FieldError } from '../platform/http/problem.ts'

/** Find before validate: a body for a cluster that is not there is not even read. Absent and invisible look the same. */
export const visibleCluster = (deps: Deps) => async (request: FastifyRequest) => {
  const { cluster_id: clusterId } = request.params as { cluster_id: string }
  await demandVisible(deps, request, clusterId)
}

/** The same for a cluster that is named in the query; whether it is named at all is judged by the schema. */
export const visibleClusterOfQuery = (deps: Deps) => async (request: FastifyRequest) => {
  const { cluster_id: clusterId } = request.query as { cluster_id?: unknown }
  if (typeof clusterId === 'string' && clusterId !== '') await demandVisible(deps, request, clusterId)
}

/** For filters that take several: one that is not there must not look like "nothing to do". */
export const visibleClustersOfQuery = (deps: Deps) => async (request: FastifyRequest) => {
  const { cluster_id: clusterIds } = request.query as { cluster_id?: unknown }
  await demandVisibleClusters(deps, request, clusterIds)
}

export async function demandVisibleClusters(deps: Deps, request: FastifyRequest, clusterIds: unknown): Promise<void> {
  if (typeof clusterIds !== 'string' || clusterIds === '') return
  for (const clusterId of clusterIds.split(',')) await demandVisible(deps, request, clusterId)
}

async function demandVisible(deps: Deps, request: FastifyRequest, clusterId: string): Promise<void> {
  if (!(await isVisible(deps.db, request, clusterId))) throw clusterNotFound(clusterId)
}

const isVisible = async (db: Db, request: FastifyRequest, clusterId: string): Promise<boolean> =>
  isId('cls', clusterId) && maySeeCluster(requestCaller(request), clusterId) && (await clusterExists(db, clusterId))

/** For bodies that name one; whether it is named at all is judged elsewhere. */
export const wrongCluster = async (db: Db, request: FastifyRequest, clusterId: unknown): Promise<FieldError[]> =>
  typeof clusterId !== 'string' || (await isVisible(db, request, clusterId)) ? [] : [unknownCluster(clusterId)]

export const unknownCluster = (clusterId: string): FieldError => ({
  pointer: '/cluster_id',
  code: 'unknown_cluster',
  detail: `there is no cluster ${quoted(clusterId)}`,
})

export const clusterNotFound = (clusterId: string) =>
  new Problem('cluster_not_found', `There is no cluster ${quoted(clusterId)}.`)

/** What concerns a whole cluster is not for a role that sees some of its namespaces. */
export function demandWholeCluster(request: FastifyRequest): void {
  if (requestCaller(request).namespaces !== null) {
    throw new Problem(
      'role_narrowed',
      'Your role is limited to some namespaces. This operation needs a role for the whole cluster.',
    )
  }
}

export const wholeCluster = async (request: FastifyRequest) => demandWholeCluster(request)

/** Those that were asked for, as far as the role sees them; null means all. */
export function visibleNamespaces(request: FastifyRequest, asked: string[] | undefined): readonly string[] | null {
  const { namespaces } = requestCaller(request)
  if (namespaces === null) return asked ?? null
  return asked === undefined ? namespaces : asked.filter((name) => namespaces.includes(name))
}
