import type { Tally } from './tally.ts'
import type { Topology } from './topology.ts'

/** All required terms of a pod at once: only pods that match every one of them count, as in Kubernetes. */
export type Company = { readonly topologies: readonly Topology[]; readonly tallies: readonly Tally[] }

/**
 * The node's domain must hold a pod of the tally. The first of a group would wait for ever for itself; so if there is no
 * such pod anywhere, and the pod is one itself, any node with the label will do.
 */
export function staysTogether(company: Company, term: number, { isOneItself }: { isOneItself: boolean }, node: number) {
  const domain = company.topologies[term]?.domainOf[node] ?? -1
  if (domain < 0) return false
  if (company.tallies[term]?.has(domain)) return true
  return isOneItself && company.tallies.every(({ size }) => size === 0)
}
