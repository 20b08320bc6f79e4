import type { Decimal } from '../decimal.ts'
import type { Blocker } from './blocker.ts'
import { drainBriefly, drainNode, undoDrain, type Drain } from './drain-node.ts'
import { findEvictionBlocker } from './find-eviction-blocker.ts'
import { findHaltedDrain } from './find-halted-drain.ts'
import { findPoolBlocker, findScalerBlocker } from './find-pool-blocker.ts'
import { CPU, MEMORY, usdOf } from './needs.ts'
import { NodeQueue } from './node-queue.ts'
import { known, needOf, type State } from './state.ts'

export type Kept = {
  readonly blocker: Blocker
  /** Without the blocker the node could be drained: its pods fit elsewhere. */
  readonly podsFitElsewhere: boolean
}

/** `annotations-and-budgets`: ignores annotations and PodDisruptionBudgets. Limits of the autoscaler still apply. */
export type Lift = 'nothing' | 'annotations-and-budgets'

/** `codes`: only the code of each blocker is used, so its details and the fit of blocked nodes are not searched. */
export type Draining = {
  readonly lift?: Lift
  readonly detail?: 'all' | 'codes'
  /** Default: `usage`, the lowest usage per dollar first. */
  readonly order?: 'usage' | 'given'
}

export type Drains = { readonly drains: readonly Drain[]; readonly kept: ReadonlyMap<number, Kept> }

/**
 * One node after the other, lowest usage per dollar first, as autoscalers do. Placement depends on earlier drains, so
 * nodes whose pods did not fit are retried until a round frees no node. Then no node is left that later proposals could
 * wrongly be credited with.
 */
export function drainNodes(state: State, nodes: readonly number[], how: Draining = {}): Drains {
  const drains: Drain[] = []
  const kept = new Map<number, Kept>()
  const live = countLive(state)
  const keyOf = how.order === 'given' ? placeIn(nodes) : usedPerDollar(state)
  let round = nodes
  while (round.length > 0) {
    const before = drains.length
    const again: number[] = []
    const queue = new NodeQueue(round, keyOf)
    for (let node = queue.next(); node !== undefined; node = queue.next()) {
      const outcome = tryNode(state, node, live, how)
      if ('drain' in outcome) {
        drains.push(outcome.drain)
        kept.delete(node)
      } else {
        kept.set(node, outcome.kept)
        if (outcome.kept.blocker.code === 'pod-does-not-fit') again.push(node)
      }
    }
    round = drains.length > before ? again : []
  }
  return { drains, kept }
}

export function undoDrains(state: State, { drains }: Drains): void {
  for (const drain of drains.toReversed()) undoDrain(state, drain)
}

type Outcome = { readonly drain: Drain } | { readonly kept: Kept }

function tryNode(
  state: State,
  node: number,
  live: Map<string, number>,
  { lift = 'nothing', detail }: Draining,
): Outcome {
  const pool = known(state.model.poolOf[node])
  const left = live.get(pool.name) ?? 0
  const blocker = findBlocker(state, node, left, lift)
  if (blocker && detail === 'codes') return { kept: { blocker, podsFitElsewhere: false } }
  const attempt = detail === 'codes' ? drainBriefly(state, node) : drainNode(state, node)
  if (attempt.kind === 'stuck') {
    return { kept: { blocker: blocker ?? attempt.blocker, podsFitElsewhere: false } }
  }
  if (!blocker) {
    live.set(pool.name, left - 1)
    return { drain: attempt.drain }
  }
  undoDrain(state, attempt.drain)
  return { kept: { blocker, podsFitElsewhere: true } }
}

/**
 * The reason why the node stays, before the placement of its pods is tried. `live` is the current number of nodes of
 * its pool.
 */
export function findBlocker(state: State, node: number, live: number, lift: Lift): Blocker | undefined {
  if (lift === 'annotations-and-budgets') return findScalerBlocker(state, node, live)
  const pool = known(state.model.poolOf[node])
  return (
    findEvictionBlocker(state, pool, known(state.podsOn[node])) ??
    findPoolBlocker(state, node, live) ??
    findHaltedDrain(state, pool, node)
  )
}

export function countLive({ model, gone }: State): Map<string, number> {
  const live = new Map<string, number>()
  model.poolOf.forEach(({ name }, node) => {
    if (gone[node] === 0) live.set(name, (live.get(name) ?? 0) + 1)
  })
  return live
}

function placeIn(nodes: readonly number[]): (node: number) => number {
  const places = new Map(nodes.map((node, place) => [node, place]))
  return (node) => places.get(node) ?? Infinity
}

/** Requests that would have to move per dollar, in shares of all CPU and memory. A node without a price comes last. */
function usedPerDollar(state: State): (node: number) => number {
  const { model, free } = state
  const width = model.resources.length
  const staying = new Float64Array(model.nodes.length)
  const share = (cpu: number, memory: number) => cpu / model.total.cpu + memory / model.total.memory
  state.podsOn.forEach((pods, node) => {
    for (const pod of pods) {
      if (model.leavesWithNode[pod] === 0) continue
      const { amounts } = needOf(state, pod)
      staying[node] = (staying[node] ?? 0) + share(amounts[CPU] ?? 0, amounts[MEMORY] ?? 0)
    }
  })
  const usedOf = (node: number, resource: number) =>
    (model.allocatable[node * width + resource] ?? 0) - (free[node * width + resource] ?? 0)
  const dollars = model.nodes.map((node) => Number(usdOf(node)) / Number(USD))
  return (node) => {
    const used = share(usedOf(node, CPU), usedOf(node, MEMORY)) - (staying[node] ?? 0)
    const usd = dollars[node] ?? 0
    return usd > 0 ? Math.max(0, used) / usd : Infinity
  }
}

const USD: Decimal = 10n ** 24n
