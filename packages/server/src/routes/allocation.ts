import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import {
  Allocation,
  AllocationQuery,
  allocationRowsMax,
  allocationTrendRows,
  type AllocationTrend,
} from '@plimsoll/contract'
import type { FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import type { Unowned } from '@plimsoll/engine/allocation'
import { loadTeamMapping } from '../db/team-mapping.ts'
import { listClusterIds } from '../db/clusters.ts'
import { readAtOnce } from '../db/cover.ts'
import type { Db } from '../db/database.ts'
import type { Deps } from '../deps.ts'
import {
  isShared,
  loadAllocation,
  type AllocationOptions,
  type ClusterAllocation,
  type SharingOptions,
} from '../figures/allocation.ts'
import { dataStatus } from '../figures/data-status.ts'
import { parseWeights } from '../figures/parse-weights.ts'
import { parseGrouping } from '../figures/parse-grouping.ts'
import { hoursIn, parseWindow, presentWindow } from '../figures/parse-window.ts'
import { hoursOf, presentSteps, totalOf } from '../figures/present-allocation.ts'
import { presentPartial } from '../figures/shown-cover.ts'
import { requestCaller } from '../http/request-caller.ts'
import { Problem } from '../problem.ts'
import { visibleClusterOfQuery, visibleNamespaces } from './cluster-access.ts'

const hourlyHoursMax = 7 * 24

export const allocationRoutes: FastifyPluginAsyncTypebox<{ deps: Deps }> = async (app, { deps }) => {
  app.get(
    '/allocation',
    {
      schema: {
        summary: 'Who pays for what',
        description:
          'Rows and what belongs to nobody add up to what everything costs, however they are grouped. By `node` and `node_pool` ' +
          'the idle cost is in the rows, where it arises, and what is on no node is `__none__`. A role that is narrowed to ' +
          'namespaces sees the rows of these alone.',
        tags: ['Costs'],
        querystring: AllocationQuery,
        response: { 200: Allocation },
      },
      preParsing: visibleClusterOfQuery(deps),
    },
    async (request) => {
      const asked = readOptions(request, request.query, deps.now())
      const trend = request.query.trend && trendOf(asked, request.query.trend)
      const { clusters, options, course } = await readAtOnce(deps.db, async (tx) => {
        const { rules: teams } = await loadTeamMapping(tx)
        const load = (wanted: AllocationOptions) => loadClusters(tx, request, request.query.cluster_id, wanted)
        const course = trend && { ...trend, teams }
        return {
          clusters: await load({ ...asked, teams }),
          options: { ...asked, teams },
          course: course && { step: course.step, steps: presentSteps(await load(course), course) },
        }
      })
      const { window, grouping, step, shareIdle, shareOverhead, shareNamespaces } = options
      const partial = presentPartial(clusters.map(({ cover }) => cover))
      return {
        window: presentWindow(window),
        currency: 'USD',
        cluster_ids: clusters.map(({ cover }) => cover.clusterId),
        ...partial,
        data_status: partial.partial ? 'partial' : dataStatus(hoursOf(clusters, window), { isCollecting: false }),
        by: grouping.names,
        step,
        share_idle: shareIdle,
        share_overhead: shareOverhead,
        share_namespaces: [...shareNamespaces.names],
        share_namespaces_by: shareNamespaces.by,
        total: totalOf(clusters, options),
        steps: presentSteps(clusters, options),
        ...(course ? { trend: course } : {}),
      }
    },
  )
}

async function loadClusters(
  tx: Db,
  request: FastifyRequest,
  clusterId: string | undefined,
  options: AllocationOptions,
) {
  const ids = clusterId === undefined ? await listClusterIds(tx, requestCaller(request).clusters) : [clusterId]
  const loaded: ClusterAllocation[] = []
  for (const id of ids) loaded.push(await loadAllocation(tx, id, options))
  return loaded
}

type Query = Static<typeof AllocationQuery>

/** The same question in steps, with the rows that a chart has room for. */
function trendOf(asked: AllocationOptions, step: AllocationTrend): AllocationOptions {
  demandFewHours('trend', step, asked.window)
  return { ...asked, step, rowsMax: allocationTrendRows }
}

function demandFewHours(parameter: string, step: AllocationOptions['step'], window: AllocationOptions['window']): void {
  if (step !== 'hour' || hoursIn(window) <= hourlyHoursMax) return
  throw refuse(parameter, `by the hour a window holds at most ${hourlyHoursMax} hours, got ${hoursIn(window)}`)
}

function readOptions(request: FastifyRequest, query: Query, now: Date): AllocationOptions {
  const { by, step = 'none', namespace, workload, limit } = query
  const window = parseWindow(query, now)
  const grouping = parseGrouping(by)
  const sharing = readSharing(query)
  const filters = Object.entries({ namespace, workload }).filter(([, value]) => value !== undefined)
  const isNarrowed = requestCaller(request).namespaces !== null
  if (isNarrowed && (grouping.side === 'nodes' || isShared(sharing))) throw narrowed()
  if (grouping.side === 'nodes') demandWholeNodes(sharing, filters[0]?.[0])
  demandFewHours('step', step, window)
  const { shareIdle, shareOverhead, shareNamespaces } = sharing
  const isWeighted =
    [shareIdle, shareOverhead].includes('weighted') ||
    (shareNamespaces.names.size > 0 && shareNamespaces.by === 'weighted')
  return {
    window,
    grouping,
    step,
    ...sharing,
    weights: parseWeights(query.share_weights, { isWeighted, dimensions: grouping.dimensions.length }),
    teams: [],
    namespaces: visibleNamespaces(request, namespace?.split(',')),
    workloads: workload?.split(',') ?? null,
    unowned: isNarrowed ? new Set() : unownedIn(filters.length === 0 ? undefined : (namespace?.split(',') ?? [])),
    rowsMax: limit ?? (step === 'none' ? allocationRowsMax.default : allocationRowsMax.defaultOfSteps),
  }
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
    throw refuse(parameter, 'cannot be combined with nodes: idle cost is in the rows of the nodes already')
  }
  if (filter !== undefined) throw refuse(filter, 'cannot be combined with nodes: what ran on which node is not stored')
}

const unownedKinds: Unowned[] = ['idle', 'unmounted', 'unattached', 'overhead']

/** Filters are about those who run something; what belongs to nobody is named like a namespace. */
const unownedIn = (names: readonly string[] | undefined) =>
  new Set(unownedKinds.filter((kind) => names?.includes(`__${kind}__`) ?? true))

const narrowed = () =>
  new Problem(
    'role_narrowed',
    'Your role is narrowed to some namespaces; nodes and idle cost concern the whole cluster.',
  )

const refuse = (parameter: string, detail: string) =>
  new Problem('invalid_parameter', `${parameter}: ${detail}.`, { errors: [{ parameter, code: 'combination', detail }] })
