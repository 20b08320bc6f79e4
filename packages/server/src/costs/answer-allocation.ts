import type { Allocation } from '@plimsoll/contract'
import type { ClusterName } from '../clusters/index.ts'
import { listAskedClusters, type AskedClusters } from './asked-clusters.ts'
import { readAtOnce } from '../ingest/index.ts'
import type { Db } from '../platform/db/database.ts'
import { loadTeamMapping } from '../settings/index.ts'
import { loadAllocation, RowBudget, TooManyRows, type AllocationOptions, type ClusterAllocation } from './allocation.ts'
import { answerChanges } from './changes/answer-changes.ts'
import type { ChangesOptions } from './changes/cluster-comparison.ts'
import { dataStatus } from './data-status.ts'
import { presentWindow, type HourWindow } from './parse-window.ts'
import { hoursOf, presentSteps, totalOf } from './present-allocation.ts'
import { presentPartial } from './shown-cover.ts'

/** Plain data, so that it can be posted to another thread. */
export type AllocationRequest = AskedClusters & {
  options: Omit<AllocationOptions, 'teams'>
  trend: Omit<AllocationOptions, 'teams'> | undefined
  /** The window to compare with, and the steps of its trend. */
  compare?: Omit<AllocationOptions, 'teams'> | undefined
  compareTrend?: Omit<AllocationOptions, 'teams'> | undefined
  /** The causes of the difference between the two windows. */
  changes?: ChangesOptions | undefined
}

/** How much one request may read. The signal ends the computation before the next cluster. */
export type AllocationLimits = { budget: RowBudget; signal?: AbortSignal }

/** Takes long for large clusters: the service calls it in the thread of figures-thread.ts. */
export async function answerAllocation(
  db: Db,
  request: AllocationRequest,
  { budget = new RowBudget(), signal }: Partial<AllocationLimits> = {},
): Promise<Allocation> {
  const limits = { budget, ...(signal ? { signal } : {}) }
  const { clusters, named, options, trend, compare } = await readAtOnce(db, (tx) => load(tx, request, limits))
  const { window, grouping, step, shareIdle, shareOverhead, shareNamespaces } = options
  const changes =
    request.changes && (await answerChanges(db, { ...request, options: request.changes }, signal ? { signal } : {}))
  const partial = presentPartial(clusters.map(({ cover }) => cover))
  return {
    window: presentWindow(window),
    currency: 'USD',
    cluster_ids: clusters.map(({ cover }) => cover.clusterId),
    clusters: named.map(({ id, name }) => ({ id, name })),
    ...partial,
    data_status: partial.partial ? 'partial' : dataStatus(hoursOf(clusters, window), { isCollecting: false }),
    by: grouping.names,
    step,
    share_idle: shareIdle,
    share_overhead: shareOverhead,
    share_namespaces: [...shareNamespaces.names],
    share_namespaces_by: shareNamespaces.by,
    total: totalOf(clusters, options),
    steps: presentSteps(clusters, options, compare?.clusters),
    ...(trend ? { trend } : {}),
    ...(compare ? { compare: presentCompare(compare) } : {}),
    ...(changes ? { changes } : {}),
  }
}

type Compared = { clusters: ClusterAllocation[]; window: HourWindow; totals: CompareTotals }
type CompareTotals = NonNullable<Allocation['compare']>['totals']

const presentCompare = ({ clusters, window, totals }: Compared) => ({
  window: presentWindow(window),
  data_status: dataStatus(hoursOf(clusters, window), { isCollecting: false }),
  ...(totals ? { totals } : {}),
})

async function load(tx: Db, asked: AllocationRequest, limits: AllocationLimits) {
  const { rules: teams } = await loadTeamMapping(tx)
  const named = await listAskedClusters(tx, asked)
  const options = { ...asked.options, teams }
  const trend = asked.trend && { ...asked.trend, teams }
  return {
    named,
    clusters: await loadClusters(tx, named, options, limits),
    options,
    trend: trend && (await loadTrend(tx, named, trend, limits)),
    compare:
      asked.compare && (await loadCompared(tx, named, { ...asked, teams, compare: asked.compare }, limits.signal)),
  }
}

type CompareAsked = Pick<AllocationRequest, 'compareTrend'> & {
  compare: Omit<AllocationOptions, 'teams'>
  teams: AllocationOptions['teams']
}

/** The second window has its own budget of rows, so that a comparison never refuses a window that is shown alone. */
async function loadCompared(
  tx: Db,
  named: readonly ClusterName[],
  { compare, compareTrend, teams }: CompareAsked,
  signal: AbortSignal | undefined,
): Promise<Compared> {
  const limits = { budget: new RowBudget(), ...(signal ? { signal } : {}) }
  const clusters = await loadClusters(tx, named, { ...compare, teams }, limits)
  const trend = compareTrend && (await loadTrend(tx, named, { ...compareTrend, teams }, limits))
  const totals = trend?.steps.map(({ from, to, total, has_data: hasData }) => ({
    from,
    to,
    total: hasData === false ? null : total,
  }))
  return { clusters, window: compare.window, totals }
}

/** Reads the rows that the answer left in the budget. Undefined if the trend has more: the answer stands without it. */
async function loadTrend(
  tx: Db,
  named: readonly ClusterName[],
  options: AllocationOptions,
  limits: AllocationLimits,
): Promise<Allocation['trend']> {
  const { step } = options
  if (step === 'none') return undefined
  try {
    return { step, steps: presentSteps(await loadClusters(tx, named, options, limits), options) }
  } catch (error) {
    if (error instanceof TooManyRows) return undefined
    throw error
  }
}

async function loadClusters(
  tx: Db,
  named: readonly ClusterName[],
  options: AllocationOptions,
  limits: AllocationLimits,
): Promise<ClusterAllocation[]> {
  const loaded: ClusterAllocation[] = []
  for (const cluster of named) {
    limits.signal?.throwIfAborted()
    loaded.push(await loadAllocation(tx, cluster, options, limits.budget))
  }
  return loaded
}
