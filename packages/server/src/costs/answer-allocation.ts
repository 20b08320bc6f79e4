import type { Allocation } from '@plimsoll/contract'
import type { ClusterName } from '../clusters/index.ts'
import { listAskedClusters, type AskedClusters } from './asked-clusters.ts'
import { readAtOnce } from '../ingest/index.ts'
import { allowLargeGroups, type Db } from '../platform/db/database.ts'
import { loadTeamMapping } from '../settings/index.ts'
import { loadAllocation, RowBudget, type AllocationOptions, type ClusterAllocation } from './allocation.ts'
import { TooManyRows } from './too-many-rows.ts'
import { loadChanges } from './changes/answer-changes.ts'
import type { ChangesOptions } from './changes/cluster-comparison.ts'
import { optionsOf } from './share-among-teams.ts'
import { presentWindow, type HourWindow } from './parse-window.ts'
import { presentSteps, totalOf } from './present-allocation.ts'
import { comparedClusters, coverageOf, presentPartial } from './shown-cover.ts'

type Options = Omit<AllocationOptions, 'teams' | 'sharing'>

/** Plain data, so that it can be posted to another thread. */
export type AllocationRequest = AskedClusters & {
  options: Options
  trend: Options | undefined
  /** By the rules of statements. */
  isSharedAsStatements?: boolean
  /** The window to compare with, and the steps of its trend. */
  compare?: Options | undefined
  compareTrend?: Options | undefined
  /** The causes of the difference between the two windows. */
  changes?: ChangesOptions | undefined
}

/** How much one request may read. The signal ends the computation before the next cluster. */
export type AllocationLimits = { budget: RowBudget; signal?: AbortSignal }

/** Takes long for large clusters: the service calls it in the thread of figures-thread.ts. */
export const answerAllocation = (
  db: Db,
  request: AllocationRequest,
  { budget = new RowBudget(), signal }: Partial<AllocationLimits> = {},
): Promise<Allocation> =>
  // One transaction, so that the allocation and its causes show the same hours and teams.
  readAtOnce(db, async (tx) => {
    await allowLargeGroups(tx)
    const limits = { budget, ...(signal ? { signal } : {}) }
    const { changes: options } = request
    const allocation = await loadAnswer(tx, request, limits)
    const changes = options && (await loadChanges(tx, { ...request, options }, signal ? { signal } : {}))
    return { ...allocation, ...(changes ? { changes } : {}) }
  })

async function loadAnswer(tx: Db, asked: AllocationRequest, limits: AllocationLimits): Promise<Allocation> {
  const { rules: teams, sharing } = await loadTeamMapping(tx)
  const named = await listAskedClusters(tx, asked)
  const context = { tx, named, rules: { teams, ...(asked.isSharedAsStatements ? { sharing } : {}) }, limits }
  const tables = await loadTables(context, asked)
  // The rows of the tables are freed before the rows of the trends are read, so each part has its own budget.
  const trend = asked.trend && (await loadTrend(withNewBudget(context), asked.trend, namesOf(tables, asked.trend)))
  const totals = tables.compare && asked.compareTrend && (await loadTotals(withNewBudget(context), asked.compareTrend))
  return {
    ...tables,
    ...(trend ? { trend } : {}),
    ...(tables.compare ? { compare: { ...tables.compare, ...(totals ? { totals } : {}) } } : {}),
  }
}

type Context = {
  tx: Db
  named: readonly ClusterName[]
  rules: Pick<AllocationOptions, 'teams' | 'sharing'>
  limits: AllocationLimits
}

/** The table of the window, with the comparison. */
async function loadTables(context: Context, asked: AllocationRequest): Promise<Allocation> {
  const { named, rules } = context
  const options = { ...asked.options, ...rules }
  const { window, grouping, step } = options
  const { shareIdle, shareOverhead, shareNamespaces } = rules.sharing ? optionsOf(rules.sharing) : options
  const clusters = await loadClusters(context, asked.options)
  const { compare } = asked
  const before = compare && (await ifFewRows(() => loadClusters(context, compare)))
  const covers = clusters.map(({ cover }) => cover)
  const compared = before && comparedClusters(before.map(({ cover }) => cover))
  const coverage = coverageOf(covers, window, compared)
  return {
    window: presentWindow(window),
    currency: 'USD',
    cluster_ids: covers.map(({ clusterId }) => clusterId),
    clusters: named.map(({ id, name }) => ({ id, name })),
    ...presentPartial(covers),
    data_status: coverage.status,
    hours_with_data: Math.round(coverage.hoursWithData),
    by: grouping.names,
    step,
    share: rules.sharing ? 'statements' : null,
    share_idle: shareIdle,
    share_overhead: shareOverhead,
    share_namespaces: [...shareNamespaces.names],
    share_namespaces_by: shareNamespaces.by,
    total: totalOf(clusters, options),
    steps: presentSteps(clusters, options, before),
    ...(compare && before ? { compare: presentCompare(before, compare.window) } : {}),
  }
}

function presentCompare(clusters: readonly ClusterAllocation[], window: HourWindow) {
  const covers = clusters.map(({ cover }) => cover)
  const { status, hoursWithData } = coverageOf(covers, window, comparedClusters(covers))
  return { window: presentWindow(window), data_status: status, hours_with_data: Math.round(hoursWithData) }
}

/** The largest rows of the window: each step of the trend has these, also if others are larger in it. */
const namesOf = ({ steps }: Allocation, { rowsMax, grouping }: Options): string[][] =>
  steps
    .flatMap(({ rows }) => rows.slice(0, rowsMax))
    .map(({ names }) => grouping.names.map((each) => names[each] ?? ''))

async function loadTrend(context: Context, options: Options, rowNames?: string[][]): Promise<Allocation['trend']> {
  const { step } = options
  if (step === 'none') return undefined
  const clusters = await ifFewRows(() => loadClusters(context, options))
  const asked = { ...options, ...context.rules, ...(rowNames ? { rowNames } : {}) }
  return clusters && { step, steps: presentSteps(clusters, asked) }
}

async function loadTotals(context: Context, options: Options) {
  const trend = await loadTrend(context, options)
  return trend?.steps.map(({ from, to, total, has_data: hasData }) => ({
    from,
    to,
    total: hasData === false ? null : total,
  }))
}

const withNewBudget = (context: Context): Context => ({
  ...context,
  limits: { ...context.limits, budget: context.limits.budget.another() },
})

/** Undefined if the budget of the request has too few rows left: the answer stands without this part. */
async function ifFewRows<Loaded>(load: () => Promise<Loaded>): Promise<Loaded | undefined> {
  try {
    return await load()
  } catch (error) {
    if (error instanceof TooManyRows) return undefined
    throw error
  }
}

async function loadClusters({ tx, named, rules, limits }: Context, options: Options): Promise<ClusterAllocation[]> {
  const loaded: ClusterAllocation[] = []
  for (const cluster of named) {
    limits.signal?.throwIfAborted()
    loaded.push(await loadAllocation(tx, cluster, { ...options, ...rules }, limits.budget))
  }
  return loaded
}
