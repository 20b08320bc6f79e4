import { chargeFor } from './charge-for.ts'
import { type Charge, type NodeRates } from '../pricing/rate.ts'
import { RESOURCES, type Resource } from '../units.ts'
import type { NodeAllocation } from './allocate-node.ts'
import type { CostRow, Owner } from '../allocation/cost-row.ts'

/** The cost of the time of a node by row: its containers, and idle. They add up to capacity × rate exactly. */
export function costNode(
  allocation: NodeAllocation,
  rates: NodeRates,
  node: { name: string; pool: string },
  ownerOf: (uid: string) => Owner,
): CostRow[] {
  const chargesFor = (quantity: (resource: Resource) => number) =>
    Object.fromEntries(
      RESOURCES.map((resource) => [resource, chargeFor(BigInt(quantity(resource)), rates[resource])]),
    ) as Record<Resource, Charge>

  const containers = allocation.containers.map(({ uid, use }) => ({
    owner: ownerOf(uid),
    node,
    charges: chargesFor((resource) => use[resource].alloc),
  }))
  const idle: CostRow = {
    owner: { kind: 'idle' },
    node,
    charges: chargesFor((resource) => allocation.node[resource].clusterIdle),
  }
  return [...containers, idle]
}
