import type { Decimal } from '../decimal.ts'
import { volumesFit } from './attach-limits.ts'
import type { NodeType, PackingNode } from './cluster.ts'
import type { Kept } from './drain-nodes.ts'
import { capacityOf, usdOf } from './needs.ts'
import { kindOf, known, needOf, type State } from './state.ts'
import { findStaticObstacle, onType } from './static-filters.ts'

export type Replacement = { readonly node: number; readonly type: string; readonly saved: Decimal }

/**
 * Karpenter also swaps a node for a cheaper one that holds the same pods. The new node is in the same zone, so demands
 * between pods still hold. Spot nodes are not swapped, because Karpenter does not replace spot with spot by default.
 */
export function listReplacements(state: State, kept: ReadonlyMap<number, Kept>): Replacement[] {
  const found: Replacement[] = []
  for (const [node, { blocker }] of kept) {
    // Its pods stay together on the new node, so their fit elsewhere does not matter.
    if (blocker.code !== 'pod-does-not-fit' && blocker.code !== 'pod-may-not-fit') continue
    const replacement = findReplacement(state, node)
    if (replacement) found.push(replacement)
  }
  return found.sort((a, b) => a.node - b.node)
}

export function findReplacement(state: State, number: number): Replacement | undefined {
  const pool = known(state.model.poolOf[number])
  const node = known(state.model.nodes[number])
  if (pool.kind !== 'karpenter' || node.spot || node.usdPerHour === 'unpriced') return undefined
  let best: NodeType | undefined
  for (const type of pool.types ?? []) {
    if (type.usdPerHour >= node.usdPerHour || (best && !isCheaper(type, best))) continue
    if (carries(state, number, node, type)) best = type
  }
  return best && { node: number, type: best.name, saved: usdOf(node) - best.usdPerHour }
}

function isCheaper(a: NodeType, b: NodeType): boolean {
  return a.usdPerHour < b.usdPerHour || (a.usdPerHour === b.usdPerHour && a.name < b.name)
}

function carries(state: State, number: number, node: PackingNode, type: NodeType): boolean {
  const place = onType(node, type)
  if (!place) return false
  const capacity = capacityOf(type.allocatable, state.model.resources)
  for (const pod of known(state.podsOn[number])) {
    needOf(state, pod).amounts.forEach((amount, resource) => (capacity[resource] = (capacity[resource] ?? 0) - amount))
    if (state.model.leavesWithNode[pod] === 0 && findStaticObstacle(kindOf(state.model, pod).constraints, place))
      return false
  }
  const volumes = known(state.podsOn[number]).flatMap((pod) => known(state.model.volumesOf[pod]))
  return capacity.every((left) => left >= 0) && volumesFit(type.attachLimits ?? {}, undefined, volumes)
}
