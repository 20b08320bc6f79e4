import { BLOCK } from './free-index.ts'
import { listFeasible } from './find-node.ts'
import type { Kind } from './kinds.ts'
import type { Model } from './model.ts'
import { CPU, MEMORY, type Need } from './needs.ts'
import { findBroadObstacle, findNarrowObstacle, isNarrow, kindOf, needOf, type State } from './state.ts'
import { staysEven } from './topology-spread.ts'

/** Nodes that accept a pod: the first `count` entries. Valid until the next search in the same cluster. */
export type Feasible = { readonly nodes: Int32Array; readonly scores: Float64Array; count: number }

type Part = {
  /** A random number that decides which nodes are part of it. */
  readonly seed: number
  /** Of all nodes, between 0 and 1. */
  readonly share: number
  /** By node, 1 if it is left out. */
  readonly except: Uint8Array
}

/**
 * The feasible nodes of a part of the cluster, in any order. If it has none, all feasible nodes. Blocks of nodes that
 * are too full are skipped.
 */
export function sampleBlocks(state: State, pod: number, part: Part): Feasible {
  const found = scan(state, pod, part, ALL)
  return found.count > 0 || part.share >= 1 ? found : scan(state, pod, { ...part, share: 1 }, ALL)
}

const ALL = 2 ** 30

/** Whether a node accepts the pod, except for these nodes. */
export const hasFeasible = (state: State, pod: number, except: Uint8Array): boolean =>
  scan(state, pod, { seed: 0, share: 1, except }, 1).count > 0

/** `countMax`: the search ends after this number of nodes. */
function scan(state: State, pod: number, part: Part, countMax: number): Feasible {
  const buffers = buffersOf(state.model)
  const { feasible } = buffers
  const kind = kindOf(state.model, pod)
  feasible.count = 0
  if (kind.chosen) {
    for (const node of listFeasible(state, pod, part.except)) feasible.nodes[feasible.count++] = node
    return feasible
  }
  buffers.searches += 1
  const { refusedIn, searches } = buffers
  const { seed, share, except } = part
  const narrow = !isNarrow(state.model, pod) ? 'none' : noteRefused(state, pod, kind, buffers) ? 'refused' : 'each'
  const checks: Checks = {
    pod,
    kind,
    need: needOf(state, pod),
    narrow,
    refusedIn,
    searches,
    countMax,
    seed,
    share,
    except,
  }
  scanClasses(state, checks, feasible)
  return feasible
}

/** Reused by each search. */
type Buffers = {
  readonly feasible: Feasible
  /** By node, the last search in which other pods keep the pod away from it. */
  readonly refusedIn: Int32Array
  searches: number
}

const buffersOfNodes = new WeakMap<Model['nodes'], Buffers>()

function buffersOf({ nodes }: Model): Buffers {
  const known = buffersOfNodes.get(nodes)
  if (known) return known
  const made: Buffers = {
    feasible: { nodes: new Int32Array(nodes.length), scores: new Float64Array(nodes.length), count: 0 },
    refusedIn: new Int32Array(nodes.length),
    searches: 0,
  }
  buffersOfNodes.set(nodes, made)
  return made
}

type Checks = Part &
  Pick<Buffers, 'refusedIn' | 'searches'> & {
    readonly pod: number
    readonly kind: Kind
    readonly need: Need
    /** `each`: the filters that depend on the single node are checked for each node. */
    readonly narrow: 'none' | 'refused' | 'each'
    readonly countMax: number
  }

/**
 * Notes the nodes that running pods keep the pod away from. These are few, so this is faster than a check of each node.
 * False: other filters depend on the single node too.
 */
function noteRefused(state: State, pod: number, { ports, narrow }: Kind, { refusedIn, searches }: Buffers): boolean {
  if (ports.length > 0 || (state.model.volumesOf[pod] ?? []).length > 0) return false
  for (const demand of narrow) {
    if (demand.filter === 'pod-affinity') return false
    if (demand.filter === 'pod-anti-affinity') {
      for (const node of demand.tally.keys()) refusedIn[node] = searches
      continue
    }
    // A node without such a pod accepts it: the skew is at most 1.
    if (!demand.topology.complete || demand.rule.maxSkew < 1) return false
    for (const node of demand.rule.group.tally.keys()) {
      if (!staysEven(demand.rule, state, node)) refusedIn[node] = searches
    }
  }
  return true
}

/** One pass with few calls per node, because much of the time of a plan is spent here. */
function scanClasses(state: State, checks: Checks, feasible: Feasible): void {
  const { free } = state
  const { cpu: cpuAt, memory: memoryAt, score, nodeAt, blockCpu, blockMemory, firstBlock } = state.index
  const { pod, kind, need, narrow, refusedIn, searches, seed, share, except, countMax } = checks
  const { nodes } = feasible
  const width = state.model.resources.length
  const cpu = atLeast(need.amounts[CPU] ?? 0)
  const memory = atLeast(need.amounts[MEMORY] ?? 0)
  const isWhole = share >= 1
  const limit = share * 2 ** 32
  // Most pods request CPU and memory, and count as one pod.
  const pods = width - 1
  const isUsual = need.isUsual
  let count = 0
  for (const id of kind.admitted) {
    const lastBlock = firstBlock[id + 1] ?? 0
    let isOpen = kind.broad.length === 0
    let block = firstBlock[id] ?? 0
    for (; block < lastBlock; block += 1) {
      if ((blockCpu[block] ?? 0) < cpu || (blockMemory[block] ?? 0) < memory) continue
      const end = (block + 1) * BLOCK
      for (let slot = block * BLOCK; slot < end; slot += 1) {
        if ((cpuAt[slot] ?? 0) < cpu || (memoryAt[slot] ?? 0) < memory || score[slot] === -Infinity) continue
        const node = nodeAt[slot] ?? -1
        if (except[node] === 1) continue
        if (!isWhole && Math.imul((node + 1) ^ seed, 0x9e3779b1) >>> 0 >= limit) continue
        if (isUsual ? (free[node * width + pods] ?? 0) < 1 : lacksOther(free, node * width, need)) continue
        if (!isOpen) {
          // Broad demands have the same result for all nodes of a class.
          if (findBroadObstacle(state, kind, node)) {
            block = lastBlock
            break
          }
          isOpen = true
        }
        if (narrow !== 'none') {
          if (narrow === 'refused' ? refusedIn[node] === searches : findNarrowObstacle(state, pod, node)) continue
        }
        nodes[count] = node
        count += 1
        if (count >= countMax) {
          feasible.count = count
          return
        }
      }
    }
  }
  feasible.count = count
}

/** An amount that is not requested is never too scarce. */
const atLeast = (amount: number): number => (amount > 0 ? amount : -Infinity)

/** Whether the node lacks a resource other than CPU and memory. */
function lacksOther(free: Float64Array, from: number, { amounts }: Need): boolean {
  for (let index = MEMORY + 1; index < amounts.length; index += 1) {
    const amount = amounts[index] ?? 0
    if (amount > 0 && amount > (free[from + index] ?? 0)) return true
  }
  return false
}
