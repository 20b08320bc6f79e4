import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { maySeeCluster } from '../auth/caller.ts'
import { clusterExists } from '../db/clusters.ts'
import type { Deps } from '../deps.ts'
import { requestCaller } from '../http/request-caller.ts'
import { isId } from '../ids.ts'
import { Problem } from '../problem.ts'

export const ClusterParams = Type.Object({ cluster_id: Type.String() })

/** Find before validate: a body for a cluster that is not there is not worth judging. Absent and invisible look the same. */
export const visibleCluster = (deps: Deps) => async (request: FastifyRequest) => {
  const { cluster_id: clusterId } = request.params as { cluster_id: string }
  await demandVisibleCluster(deps, request, clusterId)
}

export async function demandVisibleCluster(deps: Deps, request: FastifyRequest, clusterId: string): Promise<void> {
  const visible = isId('cls', clusterId) && maySeeCluster(requestCaller(request), clusterId)
  if (!visible || !(await clusterExists(deps.db, clusterId))) throw clusterNotFound(clusterId)
}

export const clusterNotFound = (clusterId: string) =>
  new Problem('cluster_not_found', `There is no cluster '${clusterId.slice(0, 100)}'.`)

/** A role that sees some clusters could not see the one it makes. */
export function demandWholeFleet(request: FastifyRequest, cannot = 'connect new ones'): void {
  const { clusters, namespaces } = requestCaller(request)
  if (clusters !== null || namespaces !== null) {
    throw new Problem('role_narrowed', `Your role is narrowed to some clusters or namespaces and cannot ${cannot}.`)
  }
}

/** What concerns a whole cluster is not for a role that sees some of its namespaces. */
export function demandWholeCluster(request: FastifyRequest): void {
  if (requestCaller(request).namespaces !== null) {
    throw new Problem('role_narrowed', 'Your role is narrowed to some namespaces; this concerns the whole cluster.')
  }
}
