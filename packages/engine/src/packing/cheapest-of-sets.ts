import type { NodeType, PackingCluster } from './cluster.ts'
import { cheapestNodeSet, type NodeSet, type NodeSetOptions } from './cheapest-node-set.ts'

/** More pods than this fill large nodes, so only the largest limits are tried. */
const PODS_FOR_ALL = 2000
const LIMITS_OF_MANY = 3

/**
 * A share of a large node is cheapest, because DaemonSets are paid once. But a large node is too much for few pods. So
 * the search is repeated without the largest types, and the cheapest set that holds all pods wins. If none does, the
 * set with the fewest omitted pods wins.
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
