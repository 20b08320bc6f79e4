import type { NodeType, PackingCluster } from './cluster.ts'
import { cheapestNodeSet, type NodeSet, type NodeSetOptions } from './cheapest-node-set.ts'

/** More pods than this fill large machines, so only the largest limits are tried. */
const PODS_FOR_ALL = 2000
const LIMITS_OF_MANY = 3

/**
 * A share of a large machine is the cheapest, because DaemonSets are paid for once, and still a large machine is too much for
 * few pods. So the set is also looked for without the largest machines, without the next ones and so on, and the cheapest that
 * carries all pods wins. Where none does, the one that leaves out the fewest pods.
 */
export function cheapestOfSets(
  cluster: PackingCluster,
  types: readonly NodeType[],
  options: NodeSetOptions,
): NodeSet | undefined {
  const prices = [...new Set(types.map(({ usdPerHour }) => usdPerHour))].sort((a, b) => (a < b ? -1 : 1))
  const limits = cluster.pods.length > PODS_FOR_ALL ? prices.slice(-LIMITS_OF_MANY) : prices
  let best: NodeSet | undefined
  for (const limit of limits) {
    const upTo = types.filter(({ usdPerHour }) => usdPerHour <= limit)
    const set = cheapestNodeSet(cluster, upTo, options)
    if (!best || isBetter(set, best)) best = set
  }
  return best
}

function isBetter(a: NodeSet, b: NodeSet): boolean {
  const fewer = b.unplaceable.length - a.unplaceable.length
  return fewer > 0 || (fewer === 0 && a.usdPerHour < b.usdPerHour)
}
