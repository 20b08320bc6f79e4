import {
  addEffects,
  splitByGroup,
  workloadEffects,
  workloadTotals,
  type EffectSums,
  type GroupCost,
  type RatedUse,
  type WorkloadTotals,
} from '@plimsoll/engine/changes'
import { groupBy, RESOURCES } from '@plimsoll/engine'
import { isSelected } from '../cost-filter.ts'
import { streamWorkloads, type WorkloadChangeRow } from '../queries/changes.ts'
import { namespacesToRead, type ClusterComparison } from './cluster-comparison.ts'
import { consecutive } from './consecutive.ts'
import type { WorkloadFacts } from './group-lines.ts'

/** Adds the compute of the workloads to the lines, and returns the effects of all workloads that were read. */
export async function addWorkloads(cluster: ClusterComparison): Promise<EffectSums> {
  const { tx, covers, options, naming, rates, signal } = cluster
  const all: EffectSums = new Map()
  const selection = { labelKeys: naming.labelKeys, namespaces: namespacesToRead(options) }
  for await (const rows of consecutive(streamWorkloads(tx, covers, selection), isSameWorkload)) {
    signal?.throwIfAborted()
    await rates.load(rows)
    addEffects(all, addWorkload(cluster, rows))
  }
  return all
}

const isSameWorkload = (a: WorkloadChangeRow, b: WorkloadChangeRow) =>
  a.name === b.name && a.kind === b.kind && a.namespace === b.namespace

/** A workload whose labels changed can match a filter in one window only. */
function addWorkload(cluster: ClusterComparison, rows: readonly WorkloadChangeRow[]): EffectSums {
  const { comparison, options, naming } = cluster
  const effectsOf = (of: readonly WorkloadChangeRow[]): WorkloadChange => {
    const uses = of.map((row) => ratedUse(cluster, row))
    const totals = workloadTotals(uses)
    return { uses, totals, effects: workloadEffects(totals, comparison) }
  }
  const whole = effectsOf(rows)
  const shown = rows.filter((row) => isSelected(naming.ownerOf(row), options))
  addGroups(cluster, shown, shown.length === rows.length ? whole : effectsOf(shown))
  return whole.effects
}

type WorkloadChange = { uses: RatedUse[]; totals: WorkloadTotals; effects: EffectSums }

function addGroups(
  cluster: ClusterComparison,
  rows: readonly WorkloadChangeRow[],
  { uses, totals, effects }: WorkloadChange,
): void {
  const { options, naming, lines } = cluster
  const [first] = rows
  if (!first) return
  const byGroup = groupBy(rows.keys(), (at) => naming.groupOf(naming.ownerOf(rows[at] ?? first)))
  const groups = [...byGroup].map(([group, places]): GroupCost & { own: WorkloadTotals } => {
    const own = byGroup.size === 1 ? totals : workloadTotals(places.flatMap((at) => uses[at] ?? []))
    return { group, own, before: own.before.usd, now: own.now.usd }
  })
  const unpriced = uses.some(isUnpriced)
  for (const { group, own, ...cost } of splitByGroup(effects, groups, 'compute')) {
    const facts = options.grouping.dimensions.includes('workload') ? factsOf(cluster, own) : null
    lines.add(group, { ...cost, unpriced, facts })
  }
}

function ratedUse({ rates }: ClusterComparison, row: WorkloadChangeRow): RatedUse {
  const { classKey, node } = rates.get(row.rateId)
  return { classKey, rates: node, before: useOf(row, 'before'), now: useOf(row, 'now') }
}

function useOf(row: WorkloadChangeRow, side: 'before' | 'now') {
  const seconds = BigInt(row[`${side}_seconds`])
  const sumsOf = (use: 'request' | 'alloc') => ({
    cpu: BigInt(row[`${side}_cpu_${use}`]),
    memory: BigInt(row[`${side}_memory_${use}`]),
    gpu: BigInt(row[`${side}_gpu_${use}`]),
  })
  return { seconds, request: sumsOf('request'), alloc: sumsOf('alloc') }
}

const isUnpriced = ({ rates, before, now }: RatedUse) =>
  RESOURCES.some(
    (resource) =>
      rates[resource].kind === 'unpriced' &&
      ((before?.alloc[resource] ?? 0n) > 0n || (now?.alloc[resource] ?? 0n) > 0n),
  )

function factsOf({ covers }: ClusterComparison, totals: WorkloadTotals): WorkloadFacts {
  const of = (side: 'before' | 'now') => ({
    pods: Number(totals[side].seconds) / Math.max(1, covers[side].secondsWithData),
    seconds: totals[side].seconds,
    cpuRequest: totals[side].request.cpu,
    memoryRequest: totals[side].request.memory,
  })
  return { before: of('before'), now: of('now') }
}
