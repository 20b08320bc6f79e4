import { ZONE_LABEL } from './cluster.ts'
import { findNode, listFeasible } from './find-node.ts'
import type { Model } from './model.ts'
import { countSiblings, scoreNodes } from './scheduler-scores.ts'
import { emptiness, needOf, type State } from './state.ts'

/** The order of the pods in the scheduler, and the choice among feasible nodes. */
export type Placing = {
  readonly inOrder: (state: State, pods: readonly number[]) => number[]
  /** -1: no feasible node. */
  readonly choose: (state: State, pod: number) => number
}

/** The order of the scheduler queue: highest priority first. Ties: the largest pod, which fits on the fewest nodes. */
export const inQueue = (state: State, pods: readonly number[]): number[] =>
  byPriority(state, pods, (pod) => -needOf(state, pod).size)

/** Each pod goes to the node with the most free capacity. */
export const largestFirst: Placing = { inOrder: inQueue, choose: findNode }

/** The worst order: small pods take the capacity that a large pod needs. */
const smallestFirst: Placing = {
  inOrder: (state, pods) => byPriority(state, pods, (pod) => needOf(state, pod).size),
  choose: findNode,
}

/** Controllers create pods in any order. */
const shuffled = (salt: number): Placing => ({
  inOrder: (state, pods) => byPriority(state, pods, (pod) => scramble(pod, salt)),
  choose: findNode,
})

/**
 * The scores of the scheduler depend on unreported facts, and ties are broken at random: any feasible node is possible.
 */
const scattered = (salt: number): Placing => ({
  inOrder: shuffled(salt).inOrder,
  choose: (state, pod) => {
    const feasible = listFeasible(state, pod)
    const good = Math.ceil((feasible.length + 1) / 2)
    return byEmptiness(state, feasible)[scramble(pod, -salt) % good] ?? -1
  },
})

/**
 * The choice of the default scheduler by all its scores. Ties are broken at random. Unreported facts such as image
 * locality change a score by a few points, so some trials treat nearly equal scores as ties.
 */
const scored = (salt: number): Placing => ({
  inOrder: shuffled(salt).inOrder,
  choose: (state, pod) => {
    const feasible = listFeasible(state, pod)
    if (feasible.length < 2) return feasible[0] ?? -1
    const scores = scoreNodes(state, pod, feasible)
    const enough = Math.max(...scores) - (salt % TIE_KINDS) * TIE_POINTS
    const best = feasible.filter((_node, index) => (scores[index] ?? 0) >= enough)
    return best[scramble(pod, -salt) % best.length] ?? -1
  },
})

/** The scheduler prefers zones with few pods of the same workload; any node of these zones is possible. */
const spreadOut = (salt: number): Placing => ({
  inOrder: shuffled(salt).inOrder,
  choose: (state, pod) => {
    const feasible = listFeasible(state, pod)
    const siblings = countSiblings(state, pod, ZONE_LABEL)
    const countAt = (node: number) => siblings.get(zoneOf(state, node)) ?? 0
    const least = Math.min(...feasible.map(countAt))
    const nodes = feasible.filter((node) => countAt(node) === least)
    return nodes[scramble(pod, -salt) % Math.max(1, nodes.length)] ?? -1
  },
})

const zoneOf = ({ model }: State, node: number) => model.nodes[node]?.labels[ZONE_LABEL] ?? ''

const byEmptiness = (state: State, nodes: readonly number[]): number[] =>
  [...nodes].sort((a, b) => emptiness(state, b) - emptiness(state, a) || a - b)

/** Limits for all trials together: placed pods, and visited nodes and pods. */
const PLACED_MAX = 8_000
const LOOKS_MAX = 400_000
const SPREAD_MAX = 60
const SCORED_MAX = 30
/** By salt, nodes with at most 0, 3 or 6 points less than the best are ties. */
const TIE_KINDS = 3
const TIE_POINTS = 3

/** Other possible placements of the scheduler; fewer if they take long, but at least one. */
export function listPlacings({ nodes, pods }: Model, moved: number): Placing[] {
  const most = (limit: number, each: number) => Math.floor(limit / Math.max(1, each))
  const orders = [smallestFirst, ...salts(8).map(shuffled)].slice(0, Math.max(1, most(PLACED_MAX, moved)))
  return [
    ...orders,
    ...listScored(Math.min(SCORED_MAX, most(LOOKS_MAX, moved * nodes.length))),
    ...salts(Math.min(60, most(LOOKS_MAX, moved * nodes.length))).map(scattered),
    ...salts(Math.min(SPREAD_MAX, most(LOOKS_MAX, moved * pods.length))).map(spreadOut),
  ]
}

/** Every feasible node is equally likely: less like the scheduler than the others, and finds rare failures sooner. */
const anywhere = (salt: number): Placing => ({
  inOrder: shuffled(salt).inOrder,
  choose: (state, pod) => {
    const feasible = listFeasible(state, pod)
    return feasible[scramble(pod, -salt) % Math.max(1, feasible.length)] ?? -1
  },
})

export const listAnywhere = (count: number): Placing[] => salts(count).map(anywhere)

/** Placements by the scores of the default scheduler, which differ in pod order and in the choice between ties. */
export const listScored = (count: number): Placing[] => salts(count).map(scored)

const salts = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

function byPriority(state: State, pods: readonly number[], key: (pod: number) => number): number[] {
  const { priority } = state.model
  return pods
    .map((pod) => ({ pod, key: key(pod), priority: priority[pod] ?? 0 }))
    .sort((a, b) => b.priority - a.priority || a.key - b.key || a.pod - b.pod)
    .map(({ pod }) => pod)
}

/** A pseudo-random number that is the same in every run. */
function scramble(pod: number, salt: number): number {
  let mixed = Math.imul(pod + 1, 0x9e3779b1) ^ Math.imul(salt + 1, 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d)
  mixed = Math.imul(mixed ^ (mixed >>> 12), 0x297a2d39)
  return (mixed ^ (mixed >>> 15)) >>> 0
}
