import { roundToNumber, type Decimal } from '@plimsoll/engine'
import { filterPredicate, valueIn } from '@plimsoll/engine/opencost'
import type { ClusterName } from '../../clusters/index.ts'
import { readAtOnce } from '../../ingest/index.ts'
import { allowLargeGroups, type Db } from '../../platform/db/database.ts'
import { Problem } from '../../platform/http/problem.ts'
import { loadTeamMapping } from '../../settings/index.ts'
import { loadAllocation, RowBudget, type AllocationOptions, type ClusterAllocation } from '../allocation.ts'
import type { AllocationLimits } from '../answer-allocation.ts'
import { listAskedClusters } from '../asked-clusters.ts'
import { TooManyRows } from '../too-many-rows.ts'
import type { PricedRow } from '../priced-rows.ts'
import { isRowSelected } from '../cost-filter.ts'
import { listCoveredSpans, listLabelNames } from '../queries/opencost.ts'
import { loadPods } from './load-pods.ts'
import { answerAssetNames, answerAssets } from './answer-assets.ts'
import { absentDimensions, needsLabelNames, storedDimensions } from './dimensions.ts'
import { addIdle, addRow, type Groups } from './group-rows.ts'
import { matchingNames, succeeded, type OpencostContext } from './opencost-answer.ts'
import type { OpencostAllocationRequest, OpencostNamesRequest, OpencostRequest } from './opencost-request.ts'
import { setIndexOf, type SetSpan } from './plan-sets.ts'
import { prepareRows, type SharedRow, type SplitRow } from './prepare-rows.ts'
import { presentSet, presentSpan, presentSummary } from './present-set.ts'
import { clusterField } from './subject-of-row.ts'

type Limits = Partial<Pick<AllocationLimits, 'signal'>>

/** Takes long for large clusters: the service calls it in the thread of figures-thread.ts. */
export const answerOpencost = (db: Db, request: OpencostRequest, { signal }: Limits = {}): Promise<object> =>
  readAtOnce(db, async (tx) => {
    await allowLargeGroups(tx)
    const clusters = await listAskedClusters(tx, request)
    const context = { tx, clusters, signal }
    if (request.kind === 'assets') return answerAssets(context, request)
    if (request.kind === 'asset-names') return answerAssetNames(context, request)
    return request.kind === 'names' ? answerNames(context, request) : answerAllocation(context, request)
  })

async function answerAllocation(context: OpencostContext, request: OpencostAllocationRequest): Promise<object> {
  const { plan, aggregates, filter, idle, sharesOverhead, kind, hasLabels } = request
  const sets = plan.sets.map((): Groups => new Map())
  const open: SetSpan[] = []
  let leftOut: Decimal = 0n
  const options = { isSelected: filterPredicate(filter), idle, sharesOverhead }
  await forEachCluster(context, request, ({ cluster, allocation: { cover, steps }, rowsOf, splitOf }) => {
    if (cover.openHour) open.push({ from: cover.openHour.from, to: cover.openHour.through })
    for (const key of steps.keys()) {
      const groups = sets[setIndexOf(plan, key)]
      if (!groups) continue
      const prepared = prepareRows(rowsOf(key), cluster, { ...options, split: splitOf(key) })
      leftOut += prepared.overheadLeftOut
      for (const row of prepared.rows) addRow(groups, row, aggregates)
      addIdle(groups, prepared.idle, clusterField(cluster.name), prepared.isIdleUnpriced)
    }
  })
  const warnings = warningsOf(request, sets, leftOut)
  const covered = await listCoveredSpans(
    context.tx,
    context.clusters.map(({ id }) => id),
    plan.sets,
  )
  const spans = plan.sets.map((window, index) => ({ window, covered: covered[index] ?? open[0] }))
  const presented = sets.map((groups, index) => ({
    groups,
    span: spans[index] ?? { window: request.window, covered: undefined },
  }))
  if (kind === 'allocation')
    return succeeded(
      presented.map(({ groups, span }) => presentSet(groups, span, { hasLabels })),
      warnings,
    )
  const [first] = plan.sets
  const stepMs = first ? first.to.getTime() - first.from.getTime() : 0
  const summaries = presented.map(({ groups, span }) => ({
    allocations: presentSummary(groups, span),
    window: presentSpan(span.window),
  }))
  // A duration of Go, in nanoseconds.
  return succeeded({ step: stepMs * 1_000_000, sets: summaries, window: presentSpan(request.window) }, warnings)
}

/** The values of one aggregate. */
async function answerNames(context: OpencostContext, request: OpencostNamesRequest): Promise<object> {
  const { aggregates, filter, search, limit } = request
  const [aggregate] = aggregates
  const names = new Set<string>()
  const options = { isSelected: filterPredicate(filter), idle: 'none', sharesOverhead: false } as const
  await forEachCluster(context, request, ({ cluster, allocation: { steps }, rowsOf, splitOf }) => {
    for (const key of steps.keys())
      for (const { subject } of prepareRows(rowsOf(key), cluster, { ...options, split: splitOf(key) }).rows)
        if (aggregate) names.add(valueIn(subject, aggregate))
  })
  return succeeded({ data: matchingNames(names, search, limit) }, absentWarnings(request))
}

type ClusterRows = {
  cluster: ClusterName
  allocation: ClusterAllocation
  rowsOf: (step: number) => ReturnType<typeof selectedRows>
  /** Undefined: the answer does not show pods. */
  splitOf: (step: number) => SplitRow | undefined
}

/** One cluster after the other: only the groups of all of them are in memory. */
async function forEachCluster(
  { tx, clusters, signal }: OpencostContext,
  request: OpencostAllocationRequest | OpencostNamesRequest,
  use: (rows: ClusterRows) => void,
): Promise<void> {
  const options = await allocationOptions(tx, clusters, request)
  for (const cluster of clusters) {
    signal?.throwIfAborted()
    const budget = new RowBudget()
    const allocation = await loadAllocation(tx, cluster, options, budget).catch(explainTooManyRows)
    const pods = await loadPods(tx, { cluster, allocation, request }, budget.another()).catch(explainTooManyRows)
    const splitOf = (step: number) => pods && ((row: SharedRow, stored: PricedRow) => pods.split(step, row, stored))
    use({ cluster, allocation, splitOf, rowsOf: (step) => selectedRows(allocation, step, options) })
  }
}

const selectedRows = ({ steps }: ClusterAllocation, step: number, options: AllocationOptions) =>
  (steps.get(step) ?? []).filter((row) => isRowSelected(row, options))

async function allocationOptions(
  tx: Db,
  clusters: readonly ClusterName[],
  request: OpencostAllocationRequest | OpencostNamesRequest,
): Promise<AllocationOptions> {
  const { window, plan, namespaces, visibleTeams } = request
  const { rules: teams } = await loadTeamMapping(tx)
  const ids = clusters.map(({ id }) => id)
  const labelNames = needsLabelNames(request) ? await listLabelNames(tx, ids, window) : []
  const isNarrowed = namespaces !== null || visibleTeams !== null
  return {
    ...{ window, teams, namespaces, visibleTeams, step: plan.step, workloads: null, names: new Map() },
    ...{ shareIdle: 'none', shareOverhead: 'none', shareNamespaces: { names: new Set(), by: 'proportional' } },
    ...{ weights: new Map(), rowsMax: 0, isNested: false, hasQuantities: true },
    grouping: { side: 'workloads', names: [], dimensions: storedDimensions(request, labelNames) },
    unowned: new Set(isNarrowed ? [] : ['idle', 'unmounted', 'unattached', 'overhead']),
  }
}

function explainTooManyRows(error: unknown): never {
  if (!(error instanceof TooManyRows)) throw error
  const detail = 'the result needs too many rows; request a shorter window, longer steps or fewer aggregates'
  const errors = [{ parameter: 'aggregate', code: 'too_many_rows', detail }]
  throw new Problem('invalid_parameter', `aggregate: ${detail}.`, { errors })
}

const absentWarnings = (request: Parameters<typeof absentDimensions>[0]) => {
  const names = absentDimensions(request)
  return names.length === 0 ? [] : [`Not collected: ${names.join(', ')}.`]
}

/** What the fields of OpenCost cannot say. */
function warningsOf(request: OpencostAllocationRequest, sets: readonly Groups[], leftOut: Decimal): string[] {
  const groups = sets.flatMap((each) => [...each.values()])
  const sumOf = (name: 'cpu_known' | 'container_seconds') =>
    groups.reduce((sum, { quantities }) => sum + (quantities.get(name) ?? 0n), 0n)
  const [known, seconds] = [sumOf('cpu_known'), sumOf('container_seconds')]
  return [
    ...absentWarnings(request),
    ...(groups.some(({ isUnpriced }) => isUnpriced)
      ? ['Some resources are not priced. The amounts do not include them.']
      : []),
    ...(known < seconds ? [`Usage is known for ${percentText(known, seconds)} of the container time.`] : []),
    ...(leftOut > 0n ? [`Overhead of $${roundToNumber(leftOut, 2)} is not included.`] : []),
  ]
}

/** Rounded down: 100 % means all. */
const percentText = (part: bigint, whole: bigint) => `${Number((part * 1000n) / whole) / 10} %`
