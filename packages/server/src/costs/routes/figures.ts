import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { idleCostIncludes, workloadPageSize, operations } from '@plimsoll/contract'
import { findAdviceRevision } from '../../recommendations/index.ts'
import {
  findLiveCounts,
  isCollecting,
  visibleCluster,
  visibleClusterOfQuery,
  wholeCluster,
} from '../../clusters/index.ts'
import { loadCover, readAtOnce } from '../../ingest/index.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Deps } from '../../platform/deps.ts'
import { KeptFigures } from '../../platform/kept-figures.ts'
import { parseWindow, type HourWindow } from '../parse-window.ts'
import { loadAdvice, loadWindowFigures, presentSummary, type Advice, type WindowFigures } from '../summary.ts'
import { presentPartial } from '../shown-cover.ts'
import { loadWorkloads } from '../workload-list.ts'
import { requestCaller } from '../../platform/http/request-caller.ts'
import { severalOf } from '../../platform/http/several-of.ts'
import { handle } from '../../platform/http/handle.ts'
const windowsKeptMax = 200
const clustersKeptMax = 1000

export const figureRoutes: FastifyPluginAsyncTypebox<{ deps: Deps }> = async (app, { deps }) => {
  const kept = new KeptFigures<WindowFigures>(windowsKeptMax)
  const keptAdvice = new KeptFigures<Advice>(clustersKeptMax)

  handle(app, operations.getIdleCosts, {
    preParsing: [visibleClusterOfQuery(deps), wholeCluster],
    handler: async (request) => {
      const { cluster_id: clusterId, include, ...query } = request.query
      const window = parseWindow(query, deps.now())
      const hasWorkloads = severalOf('include', include, idleCostIncludes)?.includes('workloads') ?? false
      return readAtOnce(deps.db, async (tx) => ({
        ...(await loadKept(tx, kept, clusterId, window)).idleCosts,
        ...(hasWorkloads ? { workloads: await loadLargestWorkloads(tx, clusterId, window) } : {}),
      }))
    },
  })

  handle(app, operations.getClusterSummary, {
    preParsing: [visibleCluster(deps), wholeCluster],
    handler: async (request) => {
      const window = parseWindow(request.query, deps.now())
      const { cluster_id: clusterId } = request.params
      return readAtOnce(deps.db, async (tx) => {
        const figures = await loadKept(tx, kept, clusterId, window)
        const now = deps.now()
        const revision = await findAdviceRevision(tx, clusterId, now)
        const advice = await keptAdvice.get(clusterId, revision, () => loadAdvice(tx, clusterId, now))
        const caller = requestCaller(request)
        return presentSummary(figures, await findLiveCounts(tx, clusterId), { advice, caller })
      })
    },
  })
}

async function loadLargestWorkloads(tx: Db, clusterId: string, window: HourWindow) {
  const { max } = workloadPageSize
  const page = { namespaces: null, after: undefined, limit: max + 1 }
  const { workloads, cover } = await loadWorkloads(tx, clusterId, window, page)
  return {
    rows: workloads.slice(0, max).map(({ shown }) => shown),
    has_more: workloads.length > max,
    ...presentPartial([cover]),
  }
}

/** Large clusters have many nodes and many hours: the result is cached until one of the hours is written again. */
async function loadKept(
  tx: Db,
  kept: KeptFigures<WindowFigures>,
  clusterId: string,
  window: HourWindow,
): Promise<WindowFigures> {
  const cover = await loadCover(tx, clusterId, window)
  const key = [clusterId, window.name, window.from.toISOString(), window.to.toISOString()].join(' ')
  const figures = await kept.get(key, cover.revision, () => loadWindowFigures(tx, window, cover))
  if (cover.hoursWithData > 0 || !(await isCollecting(tx, clusterId))) return figures
  return { ...figures, idleCosts: { ...figures.idleCosts, data_status: 'collecting' } }
}
