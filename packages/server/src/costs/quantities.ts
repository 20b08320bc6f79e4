import type { Resource } from '@plimsoll/engine'
import type { NamespaceQuantities, NodeQuantities } from '@plimsoll/engine/idle'
import type { NodeRates } from '@plimsoll/engine/pricing'
import type { NamespaceTotals, NodeTotals } from './queries/quantities.ts'

export type RatesOf = (rateId: string) => NodeRates

/** Stored sums in the form of the engine. */
export function nodeQuantities(totals: readonly NodeTotals[], ratesOf: RatesOf): NodeQuantities[] {
  return totals.map((row) => ({
    node: row.node_uid,
    rates: ratesOf(row.rate_id),
    use: perResource((resource) => ({
      capacity: BigInt(row[`${resource}_capacity`]),
      alloc: BigInt(row[`${resource}_alloc`]),
      used: BigInt(row[`${resource}_used`]),
      unmeasured: BigInt(row[`${resource}_unmeasured`]),
      systemReserved: BigInt(row[`${resource}_reserved`]),
    })),
  }))
}

export function namespaceQuantities(totals: readonly NamespaceTotals[], ratesOf: RatesOf): NamespaceQuantities[] {
  return totals.map((row) => ({
    namespace: row.namespace,
    rates: ratesOf(row.rate_id),
    use: perResource((resource) => ({
      alloc: BigInt(row[`${resource}_alloc`]),
      used: BigInt(row[`${resource}_used`]),
      unmeasured: BigInt(row[`${resource}_unmeasured`]),
      seconds: secondsToSee(row, resource),
      knownSeconds: BigInt(row[`${resource}_known`]),
    })),
  }))
}

/** GPU time counts only if there are GPUs. */
const secondsToSee = (row: NamespaceTotals, resource: Resource) =>
  resource === 'gpu' && row.gpu_alloc === '0' ? 0n : BigInt(row.container_seconds)

export const perResource = <Value>(of: (resource: Resource) => Value): Record<Resource, Value> => ({
  cpu: of('cpu'),
  memory: of('memory'),
  gpu: of('gpu'),
})
