import { apportion } from '../apportion.ts'
import type { Decimal } from '../decimal.ts'
import { RESOURCES, type Resource } from '../units.ts'

export type ResourceCosts = Readonly<Record<Resource, Decimal>>

/**
 * Spreads a correction of a node's cost (a credit, a refund, a bill that differs from the list) over its resources in
 * proportion to what they cost. A credit larger than the cost leaves nothing to pay, and the rest is handed back.
 */
export function adjustNodeCost(costs: ResourceCosts, adjustment: Decimal): { costs: ResourceCosts; left: Decimal } {
  const adjusted = RESOURCES.reduce((sum, resource) => sum + costs[resource], 0n) + adjustment
  const total = adjusted > 0n ? adjusted : 0n
  const parts = apportion(
    total,
    RESOURCES.map((resource) => ({ key: resource, weight: costs[resource] })),
  )
  const partOf = (resource: Resource) => parts.get(resource) ?? 0n
  return { costs: { cpu: partOf('cpu'), memory: partOf('memory'), gpu: partOf('gpu') }, left: adjusted - total }
}
