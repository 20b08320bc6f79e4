import { RESOURCES, type Decimal } from '@plimsoll/engine'
import {
  capacityEffects,
  capacityTotals,
  type CapacityTotals,
  type EffectSums,
  type Pair,
} from '@plimsoll/engine/changes'
import { usdFor } from '@plimsoll/engine/pricing'
import { sumCapacities, type CapacityChangeRow } from '../queries/changes.ts'
import type { ClusterComparison } from './cluster-comparison.ts'

export type ClusterCapacity = { totals: CapacityTotals; effects: EffectSums; idleUsd: Pair<Decimal>; unpriced: boolean }

/** The nodes of a cluster in both windows: their cost, and its unallocated part. */
export async function loadCapacity({ tx, covers, rates, comparison }: ClusterComparison): Promise<ClusterCapacity> {
  const rows = await sumCapacities(tx, covers)
  await rates.load(rows)
  const totals = capacityTotals(
    rows.map((row) => {
      const { classKey, node } = rates.get(row.rateId)
      return { classKey, rates: node, before: sumsOf(row, 'before', 'capacity'), now: sumsOf(row, 'now', 'capacity') }
    }),
  )
  const idleOf = (side: 'before' | 'now') =>
    rows.reduce((sum, row) => {
      const [capacity, alloc] = [sumsOf(row, side, 'capacity'), sumsOf(row, side, 'alloc')]
      const { node } = rates.get(row.rateId)
      return RESOURCES.reduce((all, each) => all + usdFor(capacity[each] - alloc[each], node[each]), sum)
    }, 0n)
  return {
    totals,
    effects: capacityEffects(totals, comparison),
    idleUsd: { before: idleOf('before'), now: idleOf('now') },
    unpriced: rows.some((row) => hasUnpricedIdle(row, rates.get(row.rateId).node)),
  }
}

const hasUnpricedIdle = (row: CapacityChangeRow, rates: ReturnType<ClusterComparison['rates']['get']>['node']) =>
  RESOURCES.some(
    (resource) =>
      rates[resource].kind === 'unpriced' &&
      (['before', 'now'] as const).some(
        (side) => sumsOf(row, side, 'capacity')[resource] > sumsOf(row, side, 'alloc')[resource],
      ),
  )

const sumsOf = (row: CapacityChangeRow, side: 'before' | 'now', use: 'capacity' | 'alloc') => ({
  cpu: BigInt(row[`${side}_cpu_${use}`]),
  memory: BigInt(row[`${side}_memory_${use}`]),
  gpu: BigInt(row[`${side}_gpu_${use}`]),
})
