import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ExplainQuery, Explanation } from '@plimsoll/contract'
import { RESOURCES } from '@plimsoll/engine'
import type { FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import { readAtOnce } from '../db/cover.ts'
import type { Deps } from '../deps.ts'
import { loadExplanation, termsOf, type Receipt } from '../figures/explain.ts'
import { parseWindow } from '../figures/parse-window.ts'
import { requestCaller } from '../http/request-caller.ts'
import { Problem } from '../problem.ts'
import { ClusterParams, demandWholeCluster, visibleCluster } from './cluster-access.ts'

export const explainRoutes: FastifyPluginAsyncTypebox<{ deps: Deps }> = async (app, { deps }) => {
  app.get(
    '/clusters/:cluster_id/explain',
    {
      schema: {
        summary: 'The receipt of a figure',
        description:
          'Quantities, rates with their evidence, hours and nodes: each list adds up to exactly the figure that other answers show.',
        tags: ['Costs'],
        params: ClusterParams,
        querystring: ExplainQuery,
        response: { 200: Explanation },
      },
      preParsing: visibleCluster(deps),
    },
    async (request) => {
      const receipt = readReceipt(request.query)
      demandVisible(request, receipt)
      const terms = termsOf(receipt)
      if (!terms) throw refuse('figure', `${receipt.figure} belongs to no namespace`)
      const window = parseWindow(request.query, deps.now())
      return readAtOnce(deps.db, (tx) => loadExplanation(tx, request.params.cluster_id, window, receipt, terms))
    },
  )
}

function readReceipt({ figure = 'total', resource, namespace, node_uid: uid }: Static<typeof ExplainQuery>): Receipt {
  const resources = resource === undefined ? RESOURCES : [resource]
  if (namespace !== undefined && uid !== undefined) {
    throw refuse('node_uid', 'cannot be combined with a namespace: what ran on which node is not stored')
  }
  if (namespace !== undefined) return { figure, resources, of: { kind: 'namespace', namespace } }
  return { figure, resources, of: uid === undefined ? { kind: 'cluster' } : { kind: 'node', uid } }
}

function demandVisible(request: FastifyRequest, { of }: Receipt): void {
  const isOwn = of.kind === 'namespace' && requestCaller(request).namespaces?.includes(of.namespace)
  if (!isOwn) demandWholeCluster(request)
}

const refuse = (parameter: string, detail: string) =>
  new Problem('invalid_parameter', `${parameter}: ${detail}.`, { errors: [{ parameter, code: 'combination', detail }] })
