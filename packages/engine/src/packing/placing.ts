import { groupBy } from '../group-by.ts'
import { findNode, listFeasible } from './find-node.ts'
import type { Model } from './model.ts'
import { hasFeasible, sampleBlocks, type Feasible } from './sample-blocks.ts'
import { countInZone, scoreNodes } from './scheduler-scores.ts'
import { emptiness, needOf, type State } from './state.ts'

/** The order of the pods in the scheduler, and the choice among feasible nodes. */
export type Placing = {
  readonly inOrder: (state: State, pods: readonly number[]) => number[]
  /** -1: no feasible node. */
  readonly choose: (state: State, pod: number) => number
  /** Whether the placement has a feasible node. Faster than `choose`. Default: `findNode` decides. */
  readonly mayFit?: (state: State, pod: number) => boolean
  /** Controllers replace each evicted pod before the next eviction. Default: all pods of a node are evicted at once. */
  readonly isEvictedOneByOne?: boolean
  /** The order in which changes of several workloads are rolled out. Default: all workloads at once. */
  readonly rollout?: 'in-step-order' | 'in-any-order'
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

/** Controllers create pods in any order. This one is nearly the worst: a pod of up to one and a half times the size may come first. */
const nearlySmallestFirst =
  (salt: number): Placing['inOrder'] =>
  (state, pods) =>
    byPriority(state, pods, (pod) => needOf(state, pod).size * (1 + scramble(pod, salt) / 2 ** 33))

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
  inOrder: salt % ORDERS === 0 ? shuffled(salt).inOrder : nearlySmallestFirst(salt),
  isEvictedOneByOne: scramble(salt, 1) % 2 === 0,
  ...ROLLOUTS[scramble(salt, 2) % ROLLOUTS.length],
  choose: (state, pod) => {
    const { nodes } = state.model
    const isWhole = nodes.length <= NODES_FOR_WHOLE
    const feasible = sampleBlocks(state, pod, {
      seed: scramble(pod, salt),
      share: isWhole ? 1 : Math.min(1, SAMPLE / nodes.length),
      except: reserve(state.model, salt),
    })
    if (feasible.count < 2) return feasible.count === 0 ? -1 : (feasible.nodes[0] ?? -1)
    const tiePoints = TIE_POINTS[scramble(salt, 3) % TIE_POINTS.length] ?? 0
    const least = scoreNodes(state, pod, feasible) - tiePoints
    return drawBest(feasible, least, scramble(pod, -salt))
  },
  mayFit: (state, pod) => hasFeasible(state, pod, reserve(state.model, salt)),
})

/**
 * Of each pool, this share of the nodes accepts no pods. A plan of a large pool has more steps, so its share is larger. A small
 * pool has one such node in some placements.
 */
const NODES_PER_RESERVED = 33
const NODES_PER_RESERVED_OF_LARGE = [
  { nodes: 200, perReserved: 17 },
  { nodes: 100, perReserved: 25 },
]
const NODES_FOR_RESERVE = 21
const PLACEMENTS_PER_RESERVE = 3

function countReserved(nodes: number, salt: number): number {
  if (nodes < NODES_FOR_RESERVE) return 0
  if (nodes < NODES_PER_RESERVED) return salt % PLACEMENTS_PER_RESERVE === 0 ? 1 : 0
  const large = NODES_PER_RESERVED_OF_LARGE.find((each) => nodes >= each.nodes)
  return Math.floor(nodes / (large?.perReserved ?? NODES_PER_RESERVED))
}

const reserves = new WeakMap<Model['nodes'], Map<number, Uint8Array>>()

/** By node, 1 if it accepts no pods: a step must not need the whole free capacity of the cluster. */
function reserve({ nodes, poolOf }: Model, salt: number): Uint8Array {
  const bySalt = reserves.get(nodes) ?? new Map<number, Uint8Array>()
  reserves.set(nodes, bySalt)
  const known = bySalt.get(salt)
  if (known) return known
  const reserved = new Uint8Array(nodes.length)
  const byPool = groupBy([...nodes.keys()], (node) => poolOf[node]?.name)
  for (const own of byPool.values()) {
    const byChance = own.sort((a, b) => scramble(a, salt) - scramble(b, salt) || a - b)
    for (const node of byChance.slice(0, countReserved(own.length, salt))) reserved[node] = 1
  }
  bySalt.set(salt, reserved)
  return reserved
}

/** One of the nodes with at least this score. The choice does not depend on the order of the nodes. */
function drawBest({ nodes, scores, count }: Feasible, score: number, pick: number): number {
  let [best, least] = [-1, Infinity]
  for (let index = 0; index < count; index += 1) {
    if ((scores[index] ?? 0) < score) continue
    const node = nodes[index] ?? -1
    const drawn = scramble(node, pick)
    if (drawn > least || (drawn === least && node > best)) continue
    ;[best, least] = [node, drawn]
  }
  return best
}

/** The scheduler prefers zones with few pods of the same workload; any node of these zones is possible. */
const spreadOut = (salt: number): Placing => ({
  inOrder: shuffled(salt).inOrder,
  choose: (state, pod) => {
    const feasible = listFeasible(state, pod)
    const countAt = countInZone(state, pod)
    const least = feasible.reduce((fewest, node) => Math.min(fewest, countAt(node)), Infinity)
    const nodes = feasible.filter((node) => countAt(node) === least)
    return nodes[scramble(pod, -salt) % Math.max(1, nodes.length)] ?? -1
  },
})

const byEmptiness = (state: State, nodes: readonly number[]): number[] =>
  [...nodes].sort((a, b) => emptiness(state, b) - emptiness(state, a) || a - b)

/** Limits for all trials together: placed pods, and visited nodes and pods. */
const PLACED_MAX = 8_000
const LOOKS_MAX = 400_000
const SPREAD_MAX = 60
const SCORED_MAX = 30
/** In half of the placements only equal scores are ties; in the others nearly equal scores too. */
const TIE_POINTS = [0, 0, 3, 6]
const ROLLOUTS: readonly Pick<Placing, 'rollout'>[] = [{}, { rollout: 'in-step-order' }, { rollout: 'in-any-order' }]
/** The scheduler scores a part of the nodes of a large cluster. So many nodes are looked at, and the feasible ones are scored. */
const SAMPLE = 200
/** Larger clusters try only samples. */
const NODES_FOR_WHOLE = 1000
/** One of so many placements has a random order of pods. */
const ORDERS = 4

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
