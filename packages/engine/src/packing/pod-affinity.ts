import type { Tally } from './tally.ts'
import type { Topology } from './topology.ts'

/** All required terms of a pod together: only pods that match every term count, as in Kubernetes. */
export type Company = { readonly topologies: readonly Topology[]; readonly tallies: readonly Tally[] }

/**
 * The domain of the node must hold a pod of the tally. The first pod of a group would wait for itself forever. So if no
 * such pod exists and the pod matches its own term, any node with the label is accepted.
 */
export function staysTogether(company: Company, term: number, { isOneItself }: { isOneItself: boolean }, node: number) {
  const domain = company.topologies[term]?.domainOf[node] ?? -1
  if (domain < 0) return false
  if (company.tallies[term]?.has(domain)) return true
  return isOneItself && company.tallies.every(({ size }) => size === 0)
}
