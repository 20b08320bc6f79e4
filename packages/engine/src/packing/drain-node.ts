import { nameOf } from './find-eviction-blocker.ts'
import { findNode } from './find-node.ts'
import { findObstacle } from './find-obstacle.ts'
import type { Blocker } from './blocker.ts'
import { largestFirst, type Placing } from './placing.ts'
import { kindOf, known, lift, put, restore, retire, type State } from './state.ts'

/** A drained node: where its pods moved, and the pods that ended with it. */
export type Drain = {
  readonly node: number
  readonly moves: readonly { readonly pod: number; readonly to: number }[]
  readonly ended: readonly number[]
}

export type DrainAttempt =
  { readonly kind: 'drained'; readonly drain: Drain } | { readonly kind: 'stuck'; readonly blocker: Blocker }

/** Removes a node and lets the scheduler place its pods. If one pod fits on no node, the state is restored. */
export function drainNode(state: State, node: number, placing: Placing = largestFirst): DrainAttempt {
  let blocker: Blocker | undefined
  const drain = tryDrain(state, node, placing, (pod) => (blocker = explain(state, pod)))
  return drain ? { kind: 'drained', drain } : { kind: 'stuck', blocker: known(blocker) }
}

/** Like `drainNode`, without the filter that rejects the pod. */
export function drainBriefly(state: State, node: number): DrainAttempt {
  let stuck = -1
  const drain = tryDrain(state, node, largestFirst, (pod) => (stuck = pod))
  if (drain) return { kind: 'drained', drain }
  const pod = nameOf(known(state.model.pods[stuck]))
  return { kind: 'stuck', blocker: { code: 'pod-does-not-fit', pod, filter: 'no-other-node', nodes: 0 } }
}

/** Like `drainNode`, without the reason. `onStuck` gets the pod that fits on no node, before the state is restored. */
export function tryDrain(
  state: State,
  node: number,
  placing: Placing,
  onStuck?: (pod: number) => void,
): Drain | undefined {
  const { leavesWithNode } = state.model
  const pods = [...known(state.podsOn[node])]
  const moving = placing.inOrder(
    state,
    pods.filter((pod) => leavesWithNode[pod] === 0),
  )
  retire(state, node)
  const hopeless = onStuck || !placing.mayFit ? findHopeless(state, moving) : findUnfit(state, moving, placing.mayFit)
  if (hopeless !== undefined) {
    onStuck?.(hopeless)
    restore(state, node)
    return undefined
  }
  const isOneByOne = placing.isEvictedOneByOne === true
  for (let at = pods.length - 1; at >= 0; at -= 1) {
    const pod = pods[at] ?? -1
    if (!isOneByOne || leavesWithNode[pod] === 1) lift(state, pod)
  }
  const moves: { pod: number; to: number }[] = []
  const isPlaced = (pod: number) => {
    const to = placing.choose(state, pod)
    if (to < 0) return false
    put(state, pod, to)
    moves.push({ pod, to })
    return true
  }
  // A pod that does not fit yet waits until all other pods are evicted.
  const waiting = isOneByOne
    ? moving.filter((pod) => {
        lift(state, pod)
        return !isPlaced(pod)
      })
    : moving
  for (const pod of waiting) {
    if (!isPlaced(pod)) {
      onStuck?.(pod)
      undoDrain(state, { node, moves, ended: pods.filter((each) => state.nodeOf[each] === -1) })
      return undefined
    }
  }
  return { node, moves, ended: pods.filter((pod) => leavesWithNode[pod] === 1) }
}

/**
 * A quick check that avoids moving all pods of a full node without a result. Only for pods without pod affinity, because running
 * pods still count for affinity.
 */
function findHopeless(state: State, moving: readonly number[]): number | undefined {
  const [first = -1, last = -1] = [moving[0], moving.at(-1)]
  if (first < 0) return undefined
  return isHopeless(state, first) ? first : isHopeless(state, last) ? last : undefined
}

const isHopeless = (state: State, pod: number): boolean => isPlain(state, pod) && findNode(state, pod) < 0

/** Like `findHopeless`, for all pods and only the nodes of the placement. */
const findUnfit = (state: State, moving: readonly number[], mayFit: NonNullable<Placing['mayFit']>) =>
  moving.find((pod) => isPlain(state, pod) && !mayFit(state, pod))

function isPlain({ model }: State, pod: number): boolean {
  const { narrow, broad, ports } = kindOf(model, pod)
  return narrow.length + broad.length + ports.length === 0
}

export function undoDrain(state: State, { node, moves, ended }: Drain): void {
  for (const { pod } of moves.toReversed()) lift(state, pod)
  for (const { pod } of moves) put(state, pod, node)
  for (const pod of ended) put(state, pod, node)
  restore(state, node)
}

/** Repeats a drain that `undoDrain` reverted. */
export function redoDrain(state: State, { node, moves, ended }: Drain): void {
  retire(state, node)
  for (const pod of ended) lift(state, pod)
  for (const { pod } of moves) lift(state, pod)
  for (const { pod, to } of moves) put(state, pod, to)
}

function explain(state: State, pod: number): Blocker {
  const name = nameOf(known(state.model.pods[pod]))
  return { code: 'pod-does-not-fit', pod: name, ...findObstacle(state, pod) }
}
