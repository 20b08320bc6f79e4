import type { Allocation, UnpricedPart } from '@plimsoll/contract'
import { decimal, roundToNumber, type Decimal } from '@plimsoll/engine'
import { groupCosts, nameIn, type CostRow, type Dimension, type Unowned } from '@plimsoll/engine/allocation'
import { addCharges, NO_CHARGE, type Charge } from '@plimsoll/engine/pricing'
import type { AllocationOptions, ClusterAllocation } from './allocation.ts'
import { isByClusterAlone } from './parse-grouping.ts'
import { hoursIn, type HourWindow } from './parse-window.ts'
import { isSelected, type CostFilter } from './cost-filter.ts'
import { unownedKind, type PricedRow } from './priced-rows.ts'

export function presentSteps(clusters: readonly ClusterAllocation[], options: AllocationOptions): Allocation['steps'] {
  return stepSpans(options).map(({ key, from, to }) => {
    const rows = clusters.flatMap(({ steps }) => steps.get(key) ?? []).filter((row) => isAsked(row, options))
    return {
      from: from.toISOString(),
      to: to.toISOString(),
      has_data: clusters.some(({ cover }) => hasDataIn(cover, from, to)),
      ...presentStep(rows, options),
    }
  })
}

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

const isAsked = (row: PricedRow, filter: CostFilter) => row.node !== undefined || isSelected(row.owner, filter)

function presentStep(rows: readonly PricedRow[], { grouping, rowsMax }: AllocationOptions) {
  const isWhole = isByClusterAlone(grouping)
  const line = (kind: Unowned) => {
    const own = isWhole ? [] : rows.filter((row) => unownedKind(row) === kind)
    return own.length === 0 ? null : presentCost(own)
  }
  const owned = isWhole ? rows : rows.filter((row) => unownedKind(row) === undefined)
  const groups = groupCosts(owned, grouping.dimensions)
  const parts = partsByGroup(owned, grouping.dimensions)
  const all = largestFirst(groups.map(({ names }) => ({ names, parts: parts.get(JSON.stringify(names)) ?? [] })))
  const shown = all.slice(0, rowsMax).map((group) => ({
    names: Object.fromEntries(grouping.names.map((name, index) => [name, group.names[index] ?? ''])),
    cost: presentCost(group.parts),
  }))
  const rest = all.slice(rowsMax)
  return {
    total: presentCost(rows).total,
    rows: shown,
    rest: { rows: rest.length, cost: presentCost(rest.flatMap((group) => group.parts)) },
    idle: line('idle'),
    unmounted: line('unmounted'),
    unattached: line('unattached'),
    overhead: line('overhead'),
  }
}

/** By the total of a group, including shared costs. */
function largestFirst<Group extends { parts: readonly PricedRow[] }>(groups: readonly Group[]): Group[] {
  const priced = groups.map((group) => ({
    group,
    usd: group.parts.flatMap(chargesOf).reduce((sum, { usd }) => sum + usd, 0n),
  }))
  return priced.sort((a, b) => Number(b.usd > a.usd) - Number(b.usd < a.usd)).map(({ group }) => group)
}

function partsByGroup(rows: readonly PricedRow[], dimensions: readonly Dimension[]): Map<string, PricedRow[]> {
  const groups = new Map<string, PricedRow[]>()
  for (const row of rows) {
    const key = JSON.stringify(dimensions.map((dimension) => nameIn(row, dimension)))
    const own = groups.get(key)
    if (own) own.push(row)
    else groups.set(key, [row])
  }
  return groups
}

const chargesOf = ({ charges, sharedIdle, sharedOverhead, sharedNamespaces }: PricedRow): Charge[] =>
  [...Object.values(charges), sharedIdle, sharedOverhead, sharedNamespaces].filter((each) => each !== undefined)

/** Shared idle cost stays in the class that it came from. */
function presentCost(rows: readonly PricedRow[]) {
  const sum = (of: (row: PricedRow) => Decimal) => rows.reduce((total, row) => total + of(row), 0n)
  const component = (name: keyof CostRow['charges']) => sum(({ charges }) => charges[name]?.usd ?? 0n)
  const whole = rows.flatMap(chargesOf).reduce(addCharges, NO_CHARGE)
  const compute = component('cpu') + component('memory') + component('gpu')
  const sharedIdle = sum((row) => row.sharedIdle?.usd ?? 0n)
  const used = sum(({ usedUsd }) => usedUsd)
  const idle = sum(({ idleUsd }) => idleUsd)
  const unmeasured = sum(({ unmeasuredUsd }) => unmeasuredUsd)
  return {
    total: roundToNumber(whole.usd),
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
    estimated: roundToNumber(whole.estimatedUsd),
    unpriced: whole.unpriced,
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
  const rows = clusters.flatMap(({ steps }) => [...steps.values()].flat()).filter((row) => isAsked(row, options))
  return presentCost(rows).total
}

/** Over all clusters: complete when each of them is. */
export const hoursOf = (clusters: readonly ClusterAllocation[], window: HourWindow) => ({
  hours: clusters.length * hoursIn(window),
  hoursWithData: clusters.reduce((sum, { cover }) => sum + cover.hoursWithData, 0),
})
