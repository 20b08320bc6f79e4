import type { Allocation, NamespaceSharing, Sharing } from '@plimsoll/contract'
import {
  addCharges,
  decimal,
  groupCosts,
  nameIn,
  NO_CHARGE,
  roundToNumber,
  shareCosts,
  type Charge,
  type CostRow,
  type Decimal,
  type Dimension,
  type Unowned,
} from '@plimsoll/engine'
import {
  sumAllocation,
  sumAssetAllocation,
  sumIdle,
  sumNodeAllocation,
  type AllocatedCost,
  type AssetAllocation,
  type Step,
  type WorkloadAllocation,
} from '../db/allocation.ts'
import { loadCover, loadHourlyCover, type CoveredHours } from '../db/cover.ts'
import type { Db } from '../db/database.ts'
import { TEAM_DIMENSION, TEAM_LABEL, type Grouping } from './parse-grouping.ts'
import { hoursIn, type HourWindow } from './parse-window.ts'
import { labelsOfRules, teamOf, type TeamRules } from './teams.ts'

export type AllocationOptions = {
  window: HourWindow
  grouping: Grouping
  step: Step
  shareIdle: Sharing
  shareOverhead: Sharing
  shareNamespaces: { names: ReadonlySet<string>; by: NamespaceSharing }
  /** By the name of a row in the only dimension. */
  weights: ReadonlyMap<string, bigint>
  teams: TeamRules
  /** Null: all. */
  namespaces: readonly string[] | null
  workloads: readonly string[] | null
  /** Which of what belongs to nobody is part of the answer. */
  unowned: ReadonlySet<Unowned>
  rowsMax: number
}

/** A row with its parts that do not depend on who pays for idle, and what was handed to it. */
type PricedRow = CostRow & {
  readonly usedUsd: Decimal
  /** The part of `usedUsd` that nobody measures. */
  readonly unmeasuredUsd: Decimal
  readonly idleUsd: Decimal
  readonly sharedIdle?: Charge
  readonly sharedOverhead?: Charge
  readonly sharedNamespaces?: Charge
}

type SharedPart = 'sharedIdle' | 'sharedOverhead' | 'sharedNamespaces'

/** By the start of its step, 0 when the window is one. */
export type StepRows = Map<number, PricedRow[]>

export type ClusterAllocation = { cover: CoveredHours; steps: StepRows }

export async function loadAllocation(
  tx: Db,
  clusterId: string,
  options: AllocationOptions,
): Promise<ClusterAllocation> {
  const { window, step, grouping } = options
  const cover = await (step === 'hour' ? loadHourlyCover : loadCover)(tx, clusterId, window)
  const steps: StepRows = new Map()
  const add = (each: { step: Date | null }, row: PricedRow) => {
    const key = each.step?.getTime() ?? 0
    const rows = steps.get(key)
    if (rows) rows.push(row)
    else steps.set(key, [row])
  }
  if (grouping.side === 'nodes') {
    for (const node of await sumNodeAllocation(tx, cover, step)) add(node, nodeRow(node))
    const selection = { step, keys: [], labelKeys: [], namespaces: null }
    for (const each of await sumAssetAllocation(tx, cover, selection))
      add(
        each,
        assetRow(each, () => ({})),
      )
    return { cover, steps }
  }
  const labelKeys = labelKeysFor(options)
  const selection = {
    step,
    keys: keysFor(options),
    labelKeys,
    namespaces: isShared(options) ? null : options.namespaces,
  }
  const labelsOf = labelReader(labelKeys, options.teams)
  for (const each of await sumAllocation(tx, cover, selection)) add(each, workloadRow(each, labelsOf))
  for (const each of await sumAssetAllocation(tx, cover, selection)) add(each, assetRow(each, labelsOf))
  for (const idle of await sumIdle(tx, cover, step)) add(idle, priced(idle, { owner: { kind: 'idle' } }))
  for (const [start, rows] of steps) steps.set(start, share(rows, options))
  return { cover, steps }
}

/** Whether somebody pays for more than what is theirs. */
export const isShared = ({ shareIdle, shareOverhead, shareNamespaces }: SharingOptions) =>
  shareIdle !== 'none' || shareOverhead !== 'none' || shareNamespaces.names.size > 0

export type SharingOptions = Pick<AllocationOptions, 'shareIdle' | 'shareOverhead' | 'shareNamespaces'>

const labelPrefix = 'label:'
const isLabel = (dimension: Dimension) => dimension.startsWith(labelPrefix) && dimension !== TEAM_DIMENSION

function labelKeysFor({ grouping: { dimensions }, teams }: AllocationOptions): string[] {
  const asked = dimensions.filter(isLabel).map((label) => label.slice(labelPrefix.length))
  return [...new Set([...asked, ...(dimensions.includes(TEAM_DIMENSION) ? labelsOfRules(teams) : [])])]
}

function keysFor({ grouping, namespaces, workloads, shareNamespaces }: AllocationOptions) {
  const isByWorkload = grouping.dimensions.includes('workload') || workloads !== null
  if (isByWorkload) return ['namespace', 'workload_kind', 'workload_name'] as const
  const isByNamespace =
    grouping.dimensions.includes('namespace') ||
    grouping.dimensions.includes(TEAM_DIMENSION) ||
    namespaces !== null ||
    shareNamespaces.names.size > 0
  return [
    ...(isByNamespace ? (['namespace'] as const) : []),
    ...(grouping.dimensions.includes('controllerKind') ? (['workload_kind'] as const) : []),
  ]
}

const charge = (usd: string): Charge => ({ ...NO_CHARGE, usd: decimal(usd) })

/** Estimates and missing prices are known for the row as a whole; they ride on its first component. */
function priced(cost: AllocatedCost, row: Omit<CostRow, 'charges'>): PricedRow {
  const cpu = { usd: decimal(cost.cpu), estimatedUsd: decimal(cost.estimated), unpriced: cost.isUnpriced }
  const charges = { cpu, memory: charge(cost.memory), gpu: charge(cost.gpu) }
  return {
    ...row,
    charges,
    usedUsd: decimal(cost.used),
    unmeasuredUsd: decimal(cost.unmeasured),
    idleUsd: decimal(cost.idle),
  }
}

type Named = Pick<WorkloadAllocation, 'namespace' | 'kind' | 'name' | 'labels'>
type LabelsOf = (each: Named) => Record<string, string>

/** The labels that were asked for, and the team as if it were one. */
function labelReader(labelKeys: readonly string[], teams: TeamRules): LabelsOf {
  return ({ namespace, labels: values }) => {
    const labels = Object.fromEntries(
      labelKeys.flatMap((key, index) => {
        const value = values[index] ?? null
        return value === null ? [] : [[key, value] as const]
      }),
    )
    const team = teamOf(teams, namespace ?? '', labels)
    return team === undefined ? labels : { ...labels, [TEAM_LABEL]: team }
  }
}

const ownerOf = (each: Named, labelsOf: LabelsOf) => ({
  kind: 'workload' as const,
  namespace: each.namespace ?? '',
  controllerKind: each.kind ?? '',
  workload: each.name ?? '',
  labels: labelsOf(each),
})

const workloadRow = (each: WorkloadAllocation, labelsOf: LabelsOf) => priced(each, { owner: ownerOf(each, labelsOf) })

function assetRow(each: AssetAllocation, labelsOf: LabelsOf): PricedRow {
  const storage = { usd: decimal(each.storage), estimatedUsd: decimal(each.estimated), unpriced: each.isUnpriced }
  return {
    owner: each.owner === 'workload' ? ownerOf(each, labelsOf) : { kind: each.owner },
    charges: { storage, loadBalancer: charge(each.loadBalancer), overhead: charge(each.overhead) },
    usedUsd: 0n,
    unmeasuredUsd: 0n,
    idleUsd: 0n,
  }
}

const nodeRow = ({ name, pool, ...cost }: AllocatedCost & { name: string; pool: string }) =>
  priced(cost, { owner: { kind: 'idle' }, node: { name, pool } })

/** Which of the lines of their own a row belongs on; idle cost of a node is in the row of its node. */
const unownedKind = ({ owner, node }: CostRow): Unowned | undefined =>
  owner.kind === 'workload' || node !== undefined ? undefined : owner.kind

/**
 * Within one cluster: nobody pays for the idle capacity of a cluster that they are not in. Shared namespaces come first, so
 * that they are handed nothing themselves. All shares follow what the rows cost by themselves, so that it makes no difference
 * which of the others is handed on first.
 */
function share(rows: PricedRow[], options: AllocationOptions): PricedRow[] {
  const { shareIdle, shareOverhead, shareNamespaces, grouping, weights } = options
  const receiverOf = (row: CostRow) =>
    unownedKind(row) === undefined
      ? JSON.stringify(grouping.dimensions.map((dimension) => nameIn(row, dimension)))
      : undefined
  const byReceiver = new Map([...weights].map(([name, weight]) => [JSON.stringify([name]), weight]))
  const hand = (all: PricedRow[], part: SharedPart, isHanded: (row: CostRow) => boolean, sharing: Sharing) => {
    if (sharing === 'none') return all
    const how = sharing === 'weighted' ? { kind: sharing, weights: byReceiver } : { kind: sharing }
    // The engine returns the rows that it was given, with more charges.
    const shared = shareCosts(all, isHanded, receiverOf, how) as PricedRow[]
    return shared.map((row) => setAside(row, part))
  }
  const isOfShared = ({ owner }: CostRow) => owner.kind === 'workload' && shareNamespaces.names.has(owner.namespace)
  const others = hand(rows, 'sharedNamespaces', isOfShared, shareNamespaces.by)
  const withIdle = hand(others, 'sharedIdle', (row) => unownedKind(row) === 'idle', shareIdle)
  return hand(withIdle, 'sharedOverhead', (row) => unownedKind(row) === 'overhead', shareOverhead)
}

function setAside(row: PricedRow, part: SharedPart): PricedRow {
  const { shared, ...charges } = row.charges
  return shared ? { ...row, charges, [part]: shared } : row
}

export function presentSteps(clusters: readonly ClusterAllocation[], options: AllocationOptions): Allocation['steps'] {
  return stepSpans(options).map(({ key, from, to }) => {
    const rows = clusters.flatMap(({ steps }) => steps.get(key) ?? []).filter((row) => isAsked(row, options))
    return { from: from.toISOString(), to: to.toISOString(), ...presentStep(rows, options) }
  })
}

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

function isAsked(row: PricedRow, { namespaces, workloads, unowned }: AllocationOptions): boolean {
  const kind = unownedKind(row)
  if (kind !== undefined) return unowned.has(kind)
  if (row.owner.kind !== 'workload') return true
  const { namespace } = row.owner
  if (namespaces !== null && !namespaces.includes(namespace)) return false
  return workloads === null || workloads.includes(nameIn(row, 'workload'))
}

function presentStep(rows: readonly PricedRow[], { grouping, rowsMax }: AllocationOptions) {
  const line = (kind: Unowned) => {
    const own = rows.filter((row) => unownedKind(row) === kind)
    return own.length === 0 ? null : presentCost(own)
  }
  const owned = rows.filter((row) => unownedKind(row) === undefined)
  const groups = groupCosts(owned, grouping.dimensions)
  const parts = partsByGroup(owned, grouping.dimensions)
  const all = groups.map(({ names }) => ({ names, parts: parts.get(JSON.stringify(names)) ?? [] }))
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
  }
}

const fractionOf = (part: Decimal, whole: Decimal) =>
  whole === 0n ? null : roundToNumber((part * decimal('1')) / whole)

export function totalOf(clusters: readonly ClusterAllocation[], options: AllocationOptions): number {
  const rows = clusters.flatMap(({ steps }) => [...steps.values()].flat()).filter((row) => isAsked(row, options))
  return presentCost(rows).total
}

/** Of all clusters together: complete when each of them is. */
export const hoursOf = (clusters: readonly ClusterAllocation[], window: HourWindow) => ({
  hours: clusters.length * hoursIn(window),
  hoursWithData: clusters.reduce((sum, { cover }) => sum + cover.hoursWithData, 0),
})
