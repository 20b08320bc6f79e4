import type { Allocation } from '@plimsoll/contract'
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
} from '@plimsoll/engine'
import {
  sumAllocation,
  sumIdle,
  sumNodeAllocation,
  type AllocatedCost,
  type Step,
  type WorkloadAllocation,
} from '../db/allocation.ts'
import { loadCover, loadHourlyCover, type CoveredHours } from '../db/cover.ts'
import type { Db } from '../db/database.ts'
import type { Grouping } from './parse-grouping.ts'
import { hoursIn, type HourWindow } from './parse-window.ts'

export type AllocationOptions = {
  window: HourWindow
  grouping: Grouping
  step: Step
  sharing: 'none' | 'even' | 'proportional'
  /** Null: all. */
  namespaces: readonly string[] | null
  workloads: readonly string[] | null
  /** Whether what belongs to nobody is part of the answer. */
  showIdle: boolean
  rowsMax: number
}

/** A row with its parts that do not depend on who pays for idle. */
type PricedRow = CostRow & { readonly usedUsd: Decimal; readonly idleUsd: Decimal }

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
  const add = (each: AllocatedCost, row: PricedRow) => {
    const key = each.step?.getTime() ?? 0
    const rows = steps.get(key)
    if (rows) rows.push(row)
    else steps.set(key, [row])
  }
  if (grouping.side === 'nodes') {
    for (const node of await sumNodeAllocation(tx, cover, step)) add(node, nodeRow(node))
    return { cover, steps }
  }
  const labelKeys = grouping.dimensions.filter(isLabel).map((label) => label.slice(labelPrefix.length))
  const keys = keysFor(options)
  const namespaces = options.sharing === 'none' ? options.namespaces : null
  for (const each of await sumAllocation(tx, cover, { step, keys, labelKeys, namespaces })) {
    add(each, workloadRow(each, labelKeys))
  }
  for (const idle of await sumIdle(tx, cover, step)) add(idle, priced(idle, { owner: { kind: 'idle' } }))
  for (const [start, rows] of steps) steps.set(start, shareIdle(rows, options))
  return { cover, steps }
}

const labelPrefix = 'label:'
const isLabel = (dimension: Dimension) => dimension.startsWith(labelPrefix)

function keysFor({ grouping, namespaces, workloads }: AllocationOptions) {
  const isByWorkload = grouping.dimensions.includes('workload') || workloads !== null
  if (isByWorkload) return ['namespace', 'workload_kind', 'workload_name'] as const
  const isByNamespace = grouping.dimensions.includes('namespace') || namespaces !== null
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
  return { ...row, charges, usedUsd: decimal(cost.used), idleUsd: decimal(cost.idle) }
}

function workloadRow(each: WorkloadAllocation, labelKeys: readonly string[]): PricedRow {
  const labels = labelKeys.flatMap((key, index) => {
    const value = each.labels[index] ?? null
    return value === null ? [] : [[key, value] as const]
  })
  const { namespace, kind, name } = each
  return priced(each, {
    owner: {
      kind: 'workload',
      namespace: namespace ?? '',
      controllerKind: kind ?? '',
      workload: name ?? '',
      labels: Object.fromEntries(labels),
    },
  })
}

const nodeRow = ({ name, pool, ...cost }: AllocatedCost & { name: string; pool: string }) =>
  priced(cost, { owner: { kind: 'idle' }, node: { name, pool } })

const isIdle = ({ owner, node }: CostRow) => owner.kind === 'idle' && node === undefined

/** Within one cluster: nobody pays for the idle capacity of a cluster that they are not in. */
function shareIdle(rows: PricedRow[], { sharing, grouping }: AllocationOptions): PricedRow[] {
  if (sharing === 'none') return rows
  const receiverOf = (row: CostRow) => JSON.stringify(grouping.dimensions.map((dimension) => nameIn(row, dimension)))
  // The engine returns the rows that it was given, with more charges.
  return shareCosts(rows, isIdle, receiverOf, { kind: sharing }) as PricedRow[]
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

function isAsked(row: PricedRow, { namespaces, workloads, showIdle }: AllocationOptions): boolean {
  if (isIdle(row)) return showIdle
  if (row.owner.kind !== 'workload') return true
  const { namespace } = row.owner
  if (namespaces !== null && !namespaces.includes(namespace)) return false
  return workloads === null || workloads.includes(nameIn(row, 'workload'))
}

function presentStep(rows: readonly PricedRow[], { grouping, rowsMax }: AllocationOptions) {
  const idle = rows.filter(isIdle)
  const owned = rows.filter((row) => !isIdle(row))
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
    idle: idle.length === 0 ? null : presentCost(idle),
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

/** Shared idle cost stays in the class that it came from. */
function presentCost(rows: readonly PricedRow[]) {
  const sum = (of: (row: PricedRow) => Decimal) => rows.reduce((total, row) => total + of(row), 0n)
  const component = (name: 'cpu' | 'memory' | 'gpu' | 'shared') => sum(({ charges }) => charges[name]?.usd ?? 0n)
  const whole = rows.reduce(
    (total, { charges }) => Object.values(charges).reduce((some, each) => addCharges(some, each), total),
    NO_CHARGE,
  )
  const used = sum(({ usedUsd }) => usedUsd)
  const idle = sum(({ idleUsd }) => idleUsd) + component('shared')
  return {
    total: roundToNumber(whole.usd),
    cpu: roundToNumber(component('cpu')),
    memory: roundToNumber(component('memory')),
    gpu: roundToNumber(component('gpu')),
    shared_idle: roundToNumber(component('shared')),
    workload: roundToNumber(used),
    workload_idle: roundToNumber(whole.usd - used - idle),
    cluster_idle: roundToNumber(idle),
    estimated: roundToNumber(whole.estimatedUsd),
    unpriced: whole.unpriced,
  }
}

export function totalOf(clusters: readonly ClusterAllocation[], options: AllocationOptions): number {
  const rows = clusters.flatMap(({ steps }) => [...steps.values()].flat()).filter((row) => isAsked(row, options))
  return presentCost(rows).total
}

/** Of all clusters together: complete when each of them is. */
export const hoursOf = (clusters: readonly ClusterAllocation[], window: HourWindow) => ({
  hours: clusters.length * hoursIn(window),
  hoursWithData: clusters.reduce((sum, { cover }) => sum + cover.hoursWithData, 0),
})
