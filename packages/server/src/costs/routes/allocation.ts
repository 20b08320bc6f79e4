import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import {
  type AllocationQuery,
  changeRowsMax,
  allocationRowsMax,
  allocationTrendRows,
  type AllocationTrend,
  operations,
} from '@plimsoll/contract'
import type { FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import type { CostDeps } from '../compute-in-thread.ts'
import type { AllocationOptions } from '../allocation.ts'
import type { AllocationRequest } from '../answer-allocation.ts'
import { parseNameFilter, selectUnowned, workloadFilterIn } from '../cost-filter.ts'
import { detailStart } from '../changes/detail-start.ts'
import type { ChangesOptions } from '../changes/cluster-comparison.ts'
import { comparedWindow } from '../compared-window.ts'
import { parseWeights } from '../parse-weights.ts'
import { parseGrouping, parseLevels, type Grouping } from '../parse-grouping.ts'
import { hoursIn, parseWindow } from '../parse-window.ts'
import { callerIdOf, seesWholeClusters } from '../../platform/auth/caller.ts'
import { closingSignal } from '../../platform/http/closing-signal.ts'
import { requestCaller } from '../../platform/http/request-caller.ts'
import { Problem } from '../../platform/http/problem.ts'
import { visibleNamespaces } from '../../clusters/index.ts'
import { visibleClustersAsked } from '../asked-clusters.ts'
import { handle } from '../../platform/http/handle.ts'
import { firstLevelOf, isShared, type SharingOptions } from '../share-rows.ts'
import { sendJson } from './send-json.ts'

const hourlyHoursMax = 7 * 24

export const allocationRoutes: FastifyPluginAsyncTypebox<{ deps: CostDeps }> = async (app, { deps }) => {
  handle(app, operations.getAllocation, {
    preParsing: visibleClustersAsked(deps),
    handler: async (request, reply) => {
      const options = readOptions(request, request.query, deps.now())
      const caller = requestCaller(request)
      const asked: AllocationRequest = {
        clusterId: request.query.cluster_id,
        callerClusters: caller.clusters,
        options,
        clusterIds: request.query.clusters?.split(','),
        isSharedAsStatements: isAsStatements(request.query),
        trend: request.query.trend && trendOf(options, request.query.trend),
        ...comparisonOf(options, request.query),
      }
      if (request.query.include !== undefined) asked.changes = changesOf(asked, request, deps.now())
      const requester = { callerId: callerIdOf(caller), signal: closingSignal(reply) }
      const json = await deps.figuring.allocation(asked, requester)
      return sendJson(reply, json)
    },
  })
}

type Query = Static<typeof AllocationQuery>
type Options = AllocationRequest['options']

/** The same request in steps, with the rows that fit a chart. */
function trendOf(asked: Options, step: AllocationTrend): Options {
  demandFewHours('trend', step, asked.window)
  return { ...firstLevelOf(asked), step, rowsMax: allocationTrendRows }
}

/** The same request for the window to compare with. The chart shows only its total. */
function comparisonOf(asked: Options, query: Query): Pick<AllocationRequest, 'compare' | 'compareTrend'> {
  const window = comparedWindow(query, asked.window)
  if (window === undefined) return {}
  if (asked.step !== 'none') throw refuse('step', 'cannot be combined with a comparison; use `trend`')
  const compare = { ...asked, window }
  if (query.trend === undefined) return { compare }
  demandFewHours('trend', query.trend, window)
  // A filter applies after sharing, so that the total depends on the rows that share.
  const isByRow = asked.grouping.side === 'nodes' || isShared(asked) || isAsStatements(query)
  const grouping = isByRow ? firstLevelOf(asked).grouping : parseGrouping('none')
  return { compare, compareTrend: { ...compare, isNested: false, grouping, step: query.trend, rowsMax: 1 } }
}

/** The causes of the difference, for the same filters. */
function changesOf({ options, compare }: AllocationRequest, request: FastifyRequest, now: Date): ChangesOptions {
  const { include } = request.query as Query
  if (include !== 'changes') throw refuse('include', 'accepts only `changes`')
  if (compare === undefined) throw refuse('include', '`changes` needs a comparison')
  if (options.grouping.side === 'nodes') throw refuse('include', '`changes` cannot be combined with nodes')
  if (isShared(options) || isAsStatements(request.query as Query))
    throw refuse('include', '`changes` cannot be combined with shared cost')
  return {
    ...firstLevelOf(options),
    windows: { before: compare.window, now: options.window },
    rowsMax: changeRowsMax.default,
    hasWaterfall: false,
    canReadSteps: false,
    detailFrom: detailStart(now),
  }
}

function demandFewHours(parameter: string, step: AllocationOptions['step'], window: AllocationOptions['window']): void {
  if (step !== 'hour' || hoursIn(window) <= hourlyHoursMax) return
  throw refuse(parameter, `with hourly steps a window has at most ${hourlyHoursMax} hours, got ${hoursIn(window)}`)
}

function readOptions(request: FastifyRequest, query: Query, now: Date): Options {
  const { by, group_by: levels, step = 'none', namespace, workload, limit } = query
  const window = parseWindow(query, now)
  if (by !== undefined && levels !== undefined) throw refuse('group_by', 'send either `by` or `group_by`')
  const grouping = levels === undefined ? parseGrouping(by) : parseLevels(levels)
  const sharing = readSharing(query)
  const isNarrowed = !seesWholeClusters(requestCaller(request))
  if (isNarrowed && (grouping.side === 'nodes' || isShared(sharing))) throw narrowed()
  if (isAsStatements(query)) demandDays(query, grouping)
  if (grouping.side === 'nodes') demandWholeNodes(sharing, workloadFilterIn(query))
  else demandNoNodeFilter(query)
  demandFewHours('step', step, window)
  const { shareIdle, shareOverhead, shareNamespaces } = sharing
  const isWeighted =
    [shareIdle, shareOverhead].includes('weighted') ||
    (shareNamespaces.names.size > 0 && shareNamespaces.by === 'weighted')
  return {
    window,
    grouping,
    isNested: levels !== undefined && grouping.dimensions.length === 2,
    step,
    ...sharing,
    weights: parseWeights(query.share_weights, { isWeighted, dimensions: grouping.dimensions.length }),
    namespaces: visibleNamespaces(request, namespace?.split(',')),
    workloads: workload?.split(',') ?? null,
    visibleTeams: requestCaller(request).teams,
    names: parseNameFilter(query),
    unowned: isNarrowed ? new Set() : selectUnowned(query),
    rowsMax: limit ?? (step === 'none' ? allocationRowsMax.default : allocationRowsMax.defaultOfSteps),
  }
}

const isAsStatements = ({ share }: Query) => share === 'statements'

/** The rules of statements apply to days, and to workloads. */
function demandDays(query: Query, { side }: Grouping): void {
  const others = ['share_idle', 'share_overhead', 'share_namespaces', 'share_weights'] as const
  const given = others.find((name) => query[name] !== undefined && query[name] !== 'none')
  if (given) throw refuse('share', `cannot be combined with \`${given}\``)
  if (side === 'nodes') throw refuse('share', 'cannot be combined with nodes: the node rows already include idle cost')
  if (query.step === 'hour' || query.trend === 'hour')
    throw refuse('share', 'cannot be combined with hourly steps: statements share the cost of days')
}

const readSharing = (query: Query): SharingOptions => ({
  shareIdle: query.share_idle ?? 'none',
  shareOverhead: query.share_overhead ?? 'none',
  shareNamespaces: {
    names: new Set(query.share_namespaces?.split(',')),
    by: query.share_namespaces_by ?? 'proportional',
  },
})

function demandWholeNodes(sharing: SharingOptions, filter: string | undefined): void {
  if (isShared(sharing)) {
    const given = { share_idle: sharing.shareIdle !== 'none', share_overhead: sharing.shareOverhead !== 'none' }
    const [parameter] = Object.entries(given).find(([, isGiven]) => isGiven) ?? ['share_namespaces']
    throw refuse(parameter, 'cannot be combined with nodes: the node rows already include idle cost')
  }
  if (filter !== undefined)
    throw refuse(filter, 'cannot be combined with nodes: cost per workload and node is not stored')
}

function demandNoNodeFilter({ node, node_pool }: Query): void {
  const [given] = Object.entries({ node, node_pool }).find(([, value]) => value !== undefined) ?? []
  if (given !== undefined)
    throw refuse(given, 'needs a grouping by `node` or `node_pool`: cost per workload and node is not stored')
}

const narrowed = () =>
  new Problem(
    'role_narrowed',
    'Your role is limited to some namespaces or teams. Nodes and idle cost need a role for the whole cluster.',
  )

const refuse = (parameter: string, detail: string) =>
  new Problem('invalid_parameter', `${parameter}: ${detail}.`, { errors: [{ parameter, code: 'combination', detail }] })
