import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { changeRowsMax, type ChangesQuery, operations } from '@plimsoll/contract'
import type { FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import { visibleNamespaces } from '../../clusters/index.ts'
import { visibleClustersAsked } from '../asked-clusters.ts'
import { callerIdOf, seesWholeClusters } from '../../platform/auth/caller.ts'
import { closingSignal } from '../../platform/http/closing-signal.ts'
import { handle } from '../../platform/http/handle.ts'
import { Problem } from '../../platform/http/problem.ts'
import { requestCaller } from '../../platform/http/request-caller.ts'
import type { ChangesOptions } from '../changes/cluster-comparison.ts'
import { comparedWindow } from '../compared-window.ts'
import { detailStart } from '../changes/detail-start.ts'
import { parseNameFilter, selectUnowned, workloadFilterIn } from '../cost-filter.ts'
import type { CostDeps } from '../compute-in-thread.ts'
import { parseGrouping, type Grouping } from '../parse-grouping.ts'
import { parseCompareWindow, parseWindow } from '../parse-window.ts'
import { sendJson } from './send-json.ts'

export const changesRoutes: FastifyPluginAsyncTypebox<{ deps: CostDeps }> = async (app, { deps }) => {
  handle(app, operations.getChanges, {
    preParsing: visibleClustersAsked(deps),
    handler: async (request, reply) => {
      const caller = requestCaller(request)
      const asked = {
        clusterId: request.query.cluster_id,
        clusterIds: request.query.clusters?.split(','),
        callerClusters: caller.clusters,
        options: readOptions(request, request.query, deps.now()),
      }
      const requester = { callerId: callerIdOf(caller), signal: closingSignal(reply) }
      return sendJson(reply, await deps.figuring.changes(asked, requester))
    },
  })
}

function readOptions(request: FastifyRequest, query: Static<typeof ChangesQuery>, now: Date): ChangesOptions {
  const { namespace, workload, by, limit = changeRowsMax.default } = query
  const window = parseWindow(query, now)
  if (query.compare === 'none') throw noComparison()
  const caller = requestCaller(request)
  const isNarrowed = !seesWholeClusters(caller)
  return {
    windows: { before: comparedWindow(query, window) ?? parseCompareWindow({}, window), now: window },
    grouping: readGrouping(by),
    namespaces: visibleNamespaces(request, namespace?.split(',')),
    workloads: workload?.split(',') ?? null,
    visibleTeams: caller.teams,
    names: parseNameFilter(query),
    unowned: isNarrowed ? new Set() : selectUnowned(query),
    rowsMax: limit,
    hasWaterfall: !isNarrowed && workloadFilterIn(query) === undefined,
    canReadSteps: caller.permissions.has('recommendations:read'),
    detailFrom: detailStart(now),
  }
}

function noComparison() {
  const detail = 'causes need a comparison; use `previous` or `year`'
  return new Problem('invalid_parameter', `compare: ${detail}.`, {
    errors: [{ parameter: 'compare', code: 'comparison', detail }],
  })
}

function readGrouping(by: string | undefined): Grouping {
  const grouping = parseGrouping(by)
  if (grouping.side === 'workloads') return grouping
  const detail = 'node and node_pool are not supported here; `waterfall` lists the nodes'
  throw new Problem('invalid_parameter', `by: ${detail}.`, { errors: [{ parameter: 'by', code: 'grouping', detail }] })
}
