import { allocationNestedRows, type Allocation, type UnpricedPart } from '@plimsoll/contract'
import { decimal, roundToNumber, type Decimal } from '@plimsoll/engine'
import { nameIn, UNOWNED, type CostRow, type Dimension, type Unowned } from '@plimsoll/engine/allocation'
import type { Charge } from '@plimsoll/engine/pricing'
import type { AllocationOptions, ClusterAllocation } from './allocation.ts'
import { isByClusterAlone, type Grouping } from './parse-grouping.ts'
import { isRowSelected } from './cost-filter.ts'
import { chargesOf, unownedKind, usdOf, type PricedRow } from './priced-rows.ts'
import { firstLevelOf } from './share-rows.ts'

export function presentSteps(
  clusters: readonly ClusterAllocation[],
  options: AllocationOptions,
  before?: readonly ClusterAllocation[],
): Allocation['steps'] {
  return stepSpans(options).map(({ key, from, to }) => ({
    from: from.toISOString(),
    to: to.toISOString(),
    has_data: clusters.some(({ cover }) => hasDataIn(cover, from, to)),
    ...presentStep(rowsIn(clusters, key, options), options, before && rowsIn(before, key, options)),
  }))
}

const rowsIn = (clusters: readonly ClusterAllocation[], step: number, options: AllocationOptions) =>
  clusters.flatMap(({ steps }) => steps.get(step) ?? []).filter((row) => isRowSelected(row, options))

const hasDataIn = ({ days, hours, openHour }: ClusterAllocation['cover'], from: Date, to: Date) =>
  (openHour !== null && openHour.hour >= from && openHour.hour <= to) ||
  hours.some((hour) => hour >= from && hour < to) ||
  days.some((day) => day >= from && day < to)

const stepMs = { hour: 3_600_000, day: 86_400_000 }

/** The first and the last day of a window may be shorter. */
function stepSpans({ window, step }: AllocationOptions): { key: number; from: Date; to: Date }[] {
  if (step === 'none') return [{ key: 0, from: window.from, to: window.to }]
  const length = stepMs[step]
  const first = Math.floor(window.from.getTime() / length)
  const count = Math.ceil(window.to.getTime() / length) - first
  return Array.from({ length: Math.max(0, count) }, (_each, index) => {
    const key = (first + index) * length
    const from = new Date(Math.max(key, window.from.getTime()))
    return { key, from, to: new Date(Math.min(key + length, window.to.getTime())) }
  })
}

/** The second window is the one to compare with; a row of it alone has no cost now. */
type Pair = { now: readonly PricedRow[]; before: readonly PricedRow[] | undefined }

const select = ({ now, before }: Pair, isWanted: (row: PricedRow) => boolean): Pair => ({
  now: now.filter(isWanted),
  before: before?.filter(isWanted),
})

function presentStep(rows: readonly PricedRow[], options: AllocationOptions, before: readonly PricedRow[] | undefined) {
  const { grouping, isNested } = options
  const first = firstLevelOf(options).grouping
  const isWhole = isByClusterAlone(first)
  const all: Pair = { now: rows, before }
  const unowned = Object.fromEntries(
    UNOWNED.map((kind) => [kind, isWhole ? { now: [], before: [] } : select(all, (row) => unownedKind(row) === kind)]),
  ) as Record<Unowned, Pair>
  const line = (kind: Unowned) => (isEmpty(unowned[kind]) ? null : presentCost(unowned[kind].now))
  const owned = isWhole ? all : select(all, (row) => unownedKind(row) === undefined)
  const groups = groupPairs(owned, first.dimensions)
  const [shown, others] = splitGroups(groups, options)
  const rest = joinPairs(others, before !== undefined)
  const nestedMax = Math.min(allocationNestedRows.perRow, Math.ceil(allocationNestedRows.all / shown.length))
  return {
    total: roundToNumber(sumUsd(rows)),
    rows: shown.map((group) => ({
      ...presentGroup(group, first.names),
      ...(isNested ? presentNested(group, grouping, nestedMax) : {}),
    })),
    rest: { rows: others.length, cost: presentCost(rest.now) },
    idle: line('idle'),
    unmounted: line('unmounted'),
    unattached: line('unattached'),
    overhead: line('overhead'),
    ...(before ? { compare: compareLines(all, rest, unowned) } : {}),
  }
}

/** The rows to show, and the rows that `rest` sums up. */
function splitGroups(groups: Group[], { rowsMax, rowNames }: AllocationOptions): [Group[], Group[]] {
  if (!rowNames) return [groups.slice(0, rowsMax), groups.slice(rowsMax)]
  const wanted = new Set(rowNames.map((names) => JSON.stringify(names)))
  const isShown = ({ names }: Group) => wanted.has(JSON.stringify(names))
  return [groups.filter(isShown), groups.filter((group) => !isShown(group))]
}

const isEmpty = ({ now, before }: Pair) => now.length === 0 && (before ?? []).length === 0

/** The second level of one row. */
function presentNested(row: Group, { names, dimensions }: Grouping, rowsMax: number) {
  const groups = groupPairs(row, dimensions.slice(1))
  const rest = joinPairs(groups.slice(rowsMax), row.before !== undefined)
  return {
    rows: groups.slice(0, rowsMax).map((group) => presentGroup(group, names.slice(1))),
    rest: {
      rows: Math.max(0, groups.length - rowsMax),
      cost: presentCost(rest.now),
      ...presentCompare(rest),
    },
  }
}

const presentGroup = (group: Group, names: readonly string[]) => ({
  names: Object.fromEntries(names.map((name, index) => [name, group.names[index] ?? ''])),
  cost: presentCost(group.now),
  ...presentCompare(group),
})

const presentCompare = (pair: Pair) => (pair.before ? { compare: comparePair(pair) } : {})

function compareLines(total: Pair, rest: Pair, unowned: Record<Unowned, Pair>) {
  const line = (kind: Unowned) => (isEmpty(unowned[kind]) ? null : comparePair(unowned[kind]))
  return {
    total: comparePair(total),
    rest: comparePair(rest),
    idle: line('idle'),
    unmounted: line('unmounted'),
    unattached: line('unattached'),
    overhead: line('overhead'),
  }
}

function comparePair({ now, before = [] }: Pair) {
  const earlier = sumUsd(before)
  const difference = sumUsd(now) - earlier
  const share = fractionOf(difference, earlier)
  return {
    total: roundToNumber(earlier),
    difference: roundToNumber(difference),
    percent: share === null ? null : Number((share * 100).toFixed(4)),
  }
}

const sumUsd = (rows: readonly PricedRow[]) => rows.reduce((sum, row) => sum + usdOf(row), 0n)

type Group = Pair & { names: string[]; now: PricedRow[]; before: PricedRow[] | undefined }

/** Largest first, by the total that includes shared costs; ties by the cost before, then by name. */
function groupPairs(rows: Pair, dimensions: readonly Dimension[]): Group[] {
  const groups = new Map<string, Group>()
  const groupOf = (row: PricedRow) => {
    const names = dimensions.map((dimension) => nameIn(row, dimension))
    const key = JSON.stringify(names)
    const known = groups.get(key)
    if (known) return known
    const group = { names, now: [], before: rows.before ? [] : undefined }
    groups.set(key, group)
    return group
  }
  for (const row of rows.now) groupOf(row).now.push(row)
  for (const row of rows.before ?? []) groupOf(row).before?.push(row)
  const sized = [...groups].map(([key, group]) => ({
    key,
    group,
    now: sumUsd(group.now),
    before: sumUsd(group.before ?? []),
  }))
  sized.sort((a, b) => descending(a.now, b.now) || descending(a.before, b.before) || (a.key < b.key ? -1 : 1))
  return sized.map(({ group }) => group)
}

const descending = (a: Decimal, b: Decimal) => Number(b > a) - Number(b < a)

const joinPairs = (groups: readonly Group[], isCompared: boolean): Pair => ({
  now: groups.flatMap(({ now }) => now),
  before: isCompared ? groups.flatMap(({ before }) => before ?? []) : undefined,
})

/** Shared idle cost stays in the class that it came from. */
function presentCost(rows: readonly PricedRow[]) {
  const sum = (of: (row: PricedRow) => Decimal) => {
    let total = 0n
    for (const row of rows) total += of(row)
    return total
  }
  const component = (name: keyof CostRow['charges']) => sum(({ charges }) => charges[name]?.usd ?? 0n)
  const estimated = sum((row) => chargesOf(row).reduce((total, { estimatedUsd }) => total + estimatedUsd, 0n))
  const compute = component('cpu') + component('memory') + component('gpu')
  const sharedIdle = sum((row) => row.sharedIdle?.usd ?? 0n)
  const used = sum(({ usedUsd }) => usedUsd)
  const idle = sum(({ idleUsd }) => idleUsd)
  const unmeasured = sum(({ unmeasuredUsd }) => unmeasuredUsd)
  return {
    total: roundToNumber(sumUsd(rows)),
    cpu: roundToNumber(component('cpu')),
    memory: roundToNumber(component('memory')),
    gpu: roundToNumber(component('gpu')),
    storage: roundToNumber(component('storage')),
    load_balancer: roundToNumber(component('loadBalancer')),
    overhead: roundToNumber(component('overhead')),
    shared_idle: roundToNumber(sharedIdle),
    shared_overhead: roundToNumber(sum((row) => row.sharedOverhead?.usd ?? 0n)),
    shared_namespaces: roundToNumber(sum((row) => row.sharedNamespaces?.usd ?? 0n)),
    workload: roundToNumber(used),
    workload_idle: roundToNumber(compute - used - idle),
    cluster_idle: roundToNumber(idle + sharedIdle),
    unmeasured: roundToNumber(unmeasured),
    efficiency: fractionOf(used - unmeasured, compute - idle - unmeasured),
    estimated: roundToNumber(estimated),
    unpriced: rows.some((row) => chargesOf(row).some(({ unpriced }) => unpriced)),
    unpriced_parts: unpricedPartsOf(rows),
  }
}

/** Shared idle cost is compute; a missing price there is that of a node. */
const componentsOf: Record<UnpricedPart, (row: PricedRow) => (Charge | undefined)[]> = {
  compute: ({ charges: { cpu, memory, gpu }, sharedIdle }) => [cpu, memory, gpu, sharedIdle],
  assets: ({ charges: { storage, loadBalancer, overhead }, sharedOverhead: shared }) => [
    storage,
    loadBalancer,
    overhead,
    shared,
  ],
}

const unpricedPartsOf = (rows: readonly PricedRow[]): UnpricedPart[] =>
  (['compute', 'assets'] as const).filter((part) =>
    rows.some((row) => componentsOf[part](row).some((charge) => charge?.unpriced)),
  )

const fractionOf = (part: Decimal, whole: Decimal) =>
  whole === 0n ? null : roundToNumber((part * decimal('1')) / whole)

export function totalOf(clusters: readonly ClusterAllocation[], options: AllocationOptions): number {
  const rows = clusters.flatMap(({ steps }) => [...steps.values()].flat()).filter((row) => isRowSelected(row, options))
  return roundToNumber(sumUsd(rows))
}
