import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { operations, opencostNamesMax } from '@plimsoll/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { listClusterPlaces, listVisibleClusters, visibleNamespaces } from '../../clusters/index.ts'
import { assetFields, sendJson, type CostDeps, type OpencostRequest } from '../../costs/index.ts'
import { callerIdOf, seesWholeClusters } from '../../platform/auth/caller.ts'
import { closingSignal } from '../../platform/http/closing-signal.ts'
import { handle } from '../../platform/http/handle.ts'
import { Problem } from '../../platform/http/problem.ts'
import { requestCaller } from '../../platform/http/request-caller.ts'
import { isFalse, isTrue, readAggregates, readFilter, readIdle, readPlan, readWindow, refuse } from '../read-request.ts'
import { nothingRoutes } from './nothing.ts'

/** For clients of OpenCost: the figures of the allocation in its form. */
export const opencostRoutes: FastifyPluginAsyncTypebox<{ deps: CostDeps }> = async (app, { deps }) => {
  const answer = async (request: FastifyRequest, reply: FastifyReply, asked: OpencostRequest) => {
    const requester = { callerId: callerIdOf(requestCaller(request)), signal: closingSignal(reply) }
    return sendJson(reply, await deps.figuring.opencost(asked, requester))
  }

  for (const kind of ['allocation', 'summary'] as const) {
    const paths = {
      allocation: [operations.getOpencostAllocation, operations.computeOpencostAllocation],
      summary: [operations.getOpencostSummary, operations.computeOpencostSummary],
    } as const
    for (const operation of paths[kind])
      handle(app, operation, {
        handler: (request, reply) => {
          const { query } = request
          const filter = readFilter(query)
          const window = readWindow(query.window, deps.now())
          return answer(request, reply, {
            ...{ kind, window, filter, plan: readPlan(window, query), ...visiblePart(request) },
            aggregates: readAggregates('aggregate', query.aggregate ?? ''),
            idle: readIdle(query),
            sharesOverhead: !isFalse(query.shareTenancyCosts),
            hasLabels: isTrue(query.includeAggregatedMetadata),
          })
        },
      })
  }

  handle(app, operations.listOpencostNames, {
    handler: (request, reply) => {
      const { query } = request
      const { field = 'namespace', search = '', limit = opencostNamesMax } = query
      const filter = readFilter(query)
      const window = readWindow(query.window, deps.now())
      const aggregates = readAggregates('field', field)
      if (aggregates.length !== 1) throw refuse('field', 'must be one aggregate')
      const plan = readPlan(window, {})
      return answer(request, reply, {
        ...{ kind: 'names', window, filter, plan, aggregates, search, limit, ...visiblePart(request) },
      })
    },
  })

  handle(app, operations.getOpencostAssets, {
    handler: (request, reply) => {
      demandWholeClusters(request)
      const { window, filterTypes = '' } = request.query
      const types = filterTypes.split(',').flatMap((each) => (each === '' ? [] : [each.trim().toLowerCase()]))
      return answer(request, reply, {
        ...{ kind: 'assets', window: readWindow(window, deps.now()), types: types.length === 0 ? null : types },
        ...{ isList: filterTypes !== '', clusterId: undefined, callerClusters: requestCaller(request).clusters },
      })
    },
  })

  handle(app, operations.listOpencostAssetNames, {
    handler: (request, reply) => {
      demandWholeClusters(request)
      const { window, field: name = 'name', search = '', limit = opencostNamesMax } = request.query
      const field = assetFields.find((each) => each === name)
      if (field === undefined) throw refuse('field', `must be one of ${assetFields.join(', ')}`)
      return answer(request, reply, {
        ...{ kind: 'asset-names', window: readWindow(window, deps.now()), field, search, limit },
        ...{ clusterId: undefined, callerClusters: requestCaller(request).clusters },
      })
    },
  })

  const listClusters = async (request: FastifyRequest) => {
    const clusters = await listVisibleClusters(deps.db, requestCaller(request).clusters)
    const places = await listClusterPlaces(
      deps.db,
      clusters.map(({ id }) => id),
    )
    return clusters.map(({ id, name }) => ({ id, name, provider: places.get(id)?.provider ?? '' }))
  }

  handle(app, operations.getOpencostCluster, {
    handler: async (request) => {
      const clusters = await listClusters(request)
      const [first = { id: '', name: '', provider: '' }] = clusters
      const warning = 'There are several clusters. This is the first one.'
      return { code: 200, status: 'success', data: first, ...(clusters.length > 1 ? { warning } : {}) }
    },
  })

  handle(app, operations.listOpencostClusters, {
    handler: async (request) => {
      const clusters = await listClusters(request)
      return { code: 200, status: 'success', data: Object.fromEntries(clusters.map((each) => [each.id, each])) }
    },
  })

  handle(app, operations.getOpencostConfigs, {
    handler: async () => ({ code: 200, status: 'success', data: { currencyCode: 'USD' } }),
  })

  nothingRoutes(app)
}

/** The part of the costs that the role of the caller covers. */
function visiblePart(request: FastifyRequest) {
  const { clusters, teams } = requestCaller(request)
  return {
    clusterId: undefined,
    callerClusters: clusters,
    namespaces: visibleNamespaces(request, undefined),
    visibleTeams: teams,
  }
}

function demandWholeClusters(request: FastifyRequest): void {
  if (seesWholeClusters(requestCaller(request))) return
  throw new Problem('role_narrowed', 'Your role is limited to some namespaces. Assets need a role for whole clusters.')
}
