import { drainNode, undoDrain, type Drain } from '../packing/drain-node.ts'
import { findBlocker, type Lift } from '../packing/drain-nodes.ts'
import type { Placing } from '../packing/placing.ts'
import { known } from '../packing/state.ts'
import { commitDrain, type Work } from './work.ts'

/**
 * Whether the node can be drained now, for any order of its pods and any choice of nodes, as packing requires.
 * Restores the simulation afterwards.
 */
export function canGo(work: Work, node: number, lift: Lift = 'nothing'): boolean {
  return !isBlocked(work, node, lift) && findFailing(work, node) === undefined
}

export function isBlocked(work: Work, node: number, lift: Lift): boolean {
  const { state } = work
  if (state.gone[node] === 1 || work.replaced.has(node)) return true
  return findBlocker(state, node, liveOf(work, node), lift) !== undefined
}

/** A way to place the pods of the node in which some pod does not fit. The next call tries the failing way first. */
export function findFailing(work: Work, node: number): Placing | undefined {
  const { state, placings } = work
  const pods = known(state.podsOn[node]).length
  const index = placings.findIndex((placing) => {
    work.budget -= pods
    const attempt = drainNode(state, node, placing)
    if (attempt.kind === 'drained') undoDrain(state, attempt.drain)
    return attempt.kind === 'stuck'
  })
  if (index > 0) placings.unshift(...placings.splice(index, 1))
  return index < 0 ? undefined : placings[0]
}

/** Drains the node permanently if that is certain. */
export function removeNode(work: Work, node: number, lift: Lift = 'nothing'): Drain | undefined {
  if (!canGo(work, node, lift)) return undefined
  const attempt = drainNode(work.state, node)
  if (attempt.kind === 'stuck') return undefined
  commitDrain(work, attempt.drain)
  return attempt.drain
}

export const liveOf = ({ state, live }: Work, node: number) => live.get(known(state.model.poolOf[node]).name) ?? 0
