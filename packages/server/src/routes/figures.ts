import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { IdleCosts, IdleCostsQuery, Summary, WindowQuery } from '@plimsoll/contract'
import { readAtOnce } from '../db/cover.ts'
import type { Deps } from '../deps.ts'
import { loadComputeFigures, presentIdleCosts } from '../figures/idle-costs.ts'
import { parseWindow } from '../figures/parse-window.ts'
import { loadSummary } from '../figures/summary.ts'
import { requestCaller } from '../http/request-caller.ts'
import { ClusterParams, visibleCluster, visibleClusterOfQuery, wholeCluster } from './cluster-access.ts'

const tags = ['Costs']

export const figureRoutes: FastifyPluginAsyncTypebox<{ deps: Deps }> = async (app, { deps }) => {
  app.get(
    '/idle-costs',
    {
      schema: {
        summary: 'What was used, reserved and never asked for',
        tags,
        querystring: IdleCostsQuery,
        response: { 200: IdleCosts },
      },
      preValidation: [visibleClusterOfQuery(deps), wholeCluster],
    },
    async (request) => {
      const { cluster_id: clusterId, ...query } = request.query
      const window = parseWindow(query, deps.now())
      return presentIdleCosts(await readAtOnce(deps.db, (tx) => loadComputeFigures(tx, clusterId, window)))
    },
  )

  app.get(
    '/clusters/:cluster_id/summary',
    {
      schema: {
        summary: 'Costs, utilisation, idle costs and savings of a cluster',
        tags,
        params: ClusterParams,
        querystring: WindowQuery,
        response: { 200: Summary },
      },
      preValidation: [visibleCluster(deps), wholeCluster],
    },
    async (request) => {
      const window = parseWindow(request.query, deps.now())
      const showRecommendations = requestCaller(request).permissions.has('recommendations:read')
      return readAtOnce(deps.db, (tx) => loadSummary(tx, request.params.cluster_id, window, { showRecommendations }))
    },
  )
}
