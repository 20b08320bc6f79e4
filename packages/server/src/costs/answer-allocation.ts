import type { Allocation } from '@plimsoll/contract'
import { listVisibleClusters, type ClusterName } from '../clusters/index.ts'
import { readAtOnce } from '../ingest/index.ts'
import type { Db } from '../platform/db/database.ts'
import { loadTeamMapping } from '../settings/index.ts'
import { loadAllocation, RowBudget, TooManyRows, type AllocationOptions, type ClusterAllocation } from './allocation.ts'
import { dataStatus } from './data-status.ts'
import { presentWindow } from './parse-window.ts'
import { hoursOf, presentSteps, totalOf } from './present-allocation.ts'
import { presentPartial } from './shown-cover.ts'

/** Plain data, so that it can be posted to another thread. */
export type AllocationRequest = {
  /** Undefined: all clusters of the caller. */
  clusterId: string | undefined
  /** The clusters that the caller may see. Null: all. */
  callerClusters: readonly string[] | null
  options: Omit<AllocationOptions, 'teams'>
  trend: Omit<AllocationOptions, 'teams'> | undefined
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
  const { clusters, named, options, trend } = await readAtOnce(db, (tx) => load(tx, request, limits))
  const { window, grouping, step, shareIdle, shareOverhead, shareNamespaces } = options
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
    steps: presentSteps(clusters, options),
    ...(trend ? { trend } : {}),
  }
}

async function load(tx: Db, { clusterId, callerClusters, ...asked }: AllocationRequest, limits: AllocationLimits) {
  const { rules: teams } = await loadTeamMapping(tx)
  const named = await listVisibleClusters(tx, clusterId === undefined ? callerClusters : [clusterId])
  const options = { ...asked.options, teams }
  const trend = asked.trend && { ...asked.trend, teams }
  return {
    named,
    clusters: await loadClusters(tx, named, options, limits),
    options,
    trend: trend && (await loadTrend(tx, named, trend, limits)),
  }
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
