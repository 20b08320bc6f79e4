import type { Tally } from './tally.ts'
import type { Topology } from './topology.ts'

/**
 * The domain of the node must hold no pod of the tally. Used in both directions: pods that this pod avoids, and placed
 * pods that avoid this pod. A node without the label is in no domain.
 */
export function staysApart(tally: Tally, { domainOf }: Topology, node: number): boolean {
  const domain = domainOf[node] ?? -1
  return domain < 0 || !tally.has(domain)
}
