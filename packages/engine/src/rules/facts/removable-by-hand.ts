import { groupBy } from '../../group-by.ts'
import type { ClusterFacts } from './cluster-facts.ts'
import type { NodeFacts } from './object-facts.ts'

export const SYSTEM_NODES_MIN = 2
export const ZONES_MIN = 2

/** Nodes of pools without a node autoscaler whose pods fit elsewhere, by pool. */
export function idleByPool({ nodes }: Pick<ClusterFacts, 'nodes'>): Map<string, NodeFacts[]> {
  const idle = nodes.filter(({ fate }) => fate?.kind === 'by_hand' && fate.why !== 'committed')
  return groupBy(idle, ({ pool }) => pool)
}

/** The nodes that can go together. The cheapest come first, so the savings are not overstated. */
export function nodesToRemove(facts: ClusterFacts, pool: string, idle: readonly NodeFacts[]): readonly NodeFacts[] {
  const all = facts.nodes.filter((node) => node.pool === pool)
  const least = minimumOf(facts, pool, all.length)
  const going = new Set<NodeFacts>()
  for (const node of idle.toSorted(byPrice)) {
    const left = all.filter((each) => each !== node && !going.has(each))
    if (left.length >= least.nodes && zonesOf(left) >= least.zones) going.add(node)
  }
  return [...going]
}

/** Why a pool keeps nodes whose pods fit elsewhere: the end of a sentence after "but". */
export function whyPoolKeepsNodes(facts: ClusterFacts, pool: string): string {
  const { systemWorkloads, spreadWorkloads } = residentsOf(facts, pool)
  if (systemWorkloads.length > 0)
    return `system workloads run in this pool (${listNames(systemWorkloads)}): they need ${SYSTEM_NODES_MIN} nodes.`
  return spreadWorkloads.length > 0
    ? `${listNames(spreadWorkloads)} run in several zones, and only one zone would remain in the pool.`
    : 'one node must remain: some providers do not allow empty pools.'
}

/** By node, why it stays although its pods fit elsewhere. */
export function nodesKeptByPool(facts: ClusterFacts): Map<string, string> {
  return new Map(
    [...idleByPool(facts)].flatMap(([pool, idle]) => {
      const going = nodesToRemove(facts, pool, idle)
      const why = whyPoolKeepsNodes(facts, pool)
      return idle.filter((node) => !going.includes(node)).map(({ name }): [string, string] => [name, why])
    }),
  )
}

const NAMED_MAX = 3

export const listNames = (names: readonly string[]) =>
  names.length <= NAMED_MAX + 1
    ? names.join(', ')
    : `${names.slice(0, NAMED_MAX).join(', ')} and ${names.length - NAMED_MAX} more`

export function residentsOf({ pools }: ClusterFacts, pool: string) {
  const { systemWorkloads = [], spreadWorkloads = [] } = pools.find(({ name }) => name === pool) ?? {}
  return { systemWorkloads, spreadWorkloads }
}

/** The nodes and zones that the pool must keep. */
function minimumOf(facts: ClusterFacts, pool: string, size: number): { nodes: number; zones: number } {
  const { systemWorkloads, spreadWorkloads } = residentsOf(facts, pool)
  return {
    nodes: systemWorkloads.length > 0 ? SYSTEM_NODES_MIN : size > 1 ? 1 : 0,
    zones: spreadWorkloads.length > 0 ? ZONES_MIN : 0,
  }
}

const byPrice = (a: NodeFacts, b: NodeFacts) =>
  (a.usdPerMonth ?? 0) - (b.usdPerMonth ?? 0) || (a.name < b.name ? -1 : 1)

const zonesOf = (nodes: readonly NodeFacts[]) => new Set(nodes.flatMap(({ zone }) => zone ?? [])).size
