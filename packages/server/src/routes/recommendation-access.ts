import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { clusterExists } from '../db/clusters.ts'
import { findRecommendation, type RecommendationRow } from '../db/recommendations.ts'
import type { Deps } from '../deps.ts'
import { requestCaller } from '../http/request-caller.ts'
import { clusterOfRecommendation } from '../ids.ts'
import { Problem } from '../problem.ts'
import { maySee } from '../recommendations/move-recommendations.ts'

export const RecommendationParams = Type.Object({ id: Type.String() })

/** Find before validate. Absent, of another cluster and of another namespace look the same. */
export const visibleRecommendation = (deps: Deps) => async (request: FastifyRequest) => {
  await findVisible(deps, request)
}

export async function findVisible(deps: Deps, request: FastifyRequest): Promise<RecommendationRow> {
  const { id } = request.params as { id: string }
  const clusterId = clusterOfRecommendation(id)
  const row = clusterId === undefined ? undefined : await findRecommendation(deps.db, clusterId, id)
  if (!row || !maySee(requestCaller(request), row) || !(await clusterExists(deps.db, row.cluster_id))) {
    throw recommendationNotFound(id)
  }
  return row
}

export const recommendationNotFound = (id: string) =>
  new Problem('recommendation_not_found', `There is no recommendation '${id.slice(0, 100)}'.`)
