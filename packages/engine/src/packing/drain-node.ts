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
  const { leavesWithNode } = state.model
  const pods = [...known(state.podsOn[node])]
  const moving = placing.inOrder(
    state,
    pods.filter((pod) => leavesWithNode[pod] === 0),
  )
  retire(state, node)
  const hopeless = findHopeless(state, moving)
  if (hopeless) {
    restore(state, node)
    return hopeless
  }
  for (const pod of pods) lift(state, pod)
  const moves: { pod: number; to: number }[] = []
  for (const pod of moving) {
    const to = placing.choose(state, pod)
    if (to < 0) {
      const stuck = explain(state, pod)
      undoDrain(state, { node, moves, ended: pods.filter((each) => state.nodeOf[each] === -1) })
      return stuck
    }
    put(state, pod, to)
    moves.push({ pod, to })
  }
  return { kind: 'drained', drain: { node, moves, ended: pods.filter((pod) => leavesWithNode[pod] === 1) } }
}

/**
 * A quick check that avoids moving all pods of a full node in vain. Only for pods without pod affinity, because running
 * pods still count for affinity.
 */
function findHopeless(state: State, [largest]: readonly number[]): DrainAttempt | undefined {
  if (largest === undefined) return undefined
  const { narrow, broad, ports } = kindOf(state.model, largest)
  if (narrow.length + broad.length + ports.length > 0) return undefined
  return findNode(state, largest) < 0 ? explain(state, largest) : undefined
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

function explain(state: State, pod: number): DrainAttempt {
  const name = nameOf(known(state.model.pods[pod]))
  return { kind: 'stuck', blocker: { code: 'pod-does-not-fit', pod: name, ...findObstacle(state, pod) } }
}
