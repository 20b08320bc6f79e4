import type { Tally } from './tally.ts'
import type { Topology } from './topology.ts'

/**
 * No pod of the tally may be in the node's domain. It holds in both directions: the tally is of pods that this one keeps
 * away from, or of placed pods that keep away from this one. A node without the label is in no domain with anybody.
 */
export function staysApart(tally: Tally, { domainOf }: Topology, node: number): boolean {
  const domain = domainOf[node] ?? -1
  return domain < 0 || !tally.has(domain)
}
