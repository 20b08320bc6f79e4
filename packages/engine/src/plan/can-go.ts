import { drainNode, undoDrain, type Drain } from '../packing/drain-node.ts'
import { findBlocker, type Lift } from '../packing/drain-nodes.ts'
import type { Placing } from '../packing/placing.ts'
import { known } from '../packing/state.ts'
import { carryOut, failsIn } from './trials.ts'
import { commitDrain, type Work } from './work.ts'

/** Whether the node can be drained now, in the placements that failed before. Restores the simulation afterwards. */
export function canGo(work: Work, node: number, lift: Lift = 'nothing'): boolean {
  return !isBlocked(work, node, lift) && findFailing(work, node) === undefined
}

/**
 * Whether the node can be drained in every placement, as packing requires, and in every trial. A placement that fails is checked
 * first from then on. `changed`: the changes of the step, which are rolled out before the drain.
 */
export function goesSurely(work: Work, node: number, { lifted = 'nothing', changed = [] }: Removal = {}): boolean {
  if (!canGo(work, node, lifted)) return false
  const index = work.untried.findIndex((placing) => fails(work, node, placing))
  if (index >= 0) work.placings.unshift(...work.untried.splice(index, 1))
  return index < 0 && !work.trials.some((trial) => failsIn(trial, node, changed))
}

export type Removal = { readonly lifted?: Lift; readonly changed?: readonly number[] }

/** Like `canGo`, but only for the placement that failed last. */
export function canGoAtWorst(work: Work, node: number, lift: Lift): boolean {
  const [worst] = work.placings
  return !isBlocked(work, node, lift) && (worst === undefined || !fails(work, node, worst))
}

export function isBlocked(work: Work, node: number, lift: Lift): boolean {
  const { state } = work
  if (state.gone[node] === 1 || work.replaced.has(node)) return true
  return findBlocker(state, node, liveOf(work, node), lift) !== undefined
}

/** A way to place the pods of the node in which some pod does not fit. The next call tries the failing way first. */
export function findFailing(work: Work, node: number): Placing | undefined {
  const { placings } = work
  const index = placings.findIndex((placing) => fails(work, node, placing))
  if (index > 0) placings.unshift(...placings.splice(index, 1))
  return index < 0 ? undefined : placings[0]
}

function fails(work: Work, node: number, placing: Placing): boolean {
  const { state } = work
  work.budget -= known(state.podsOn[node]).length
  const attempt = drainNode(state, node, placing)
  if (attempt.kind === 'drained') undoDrain(state, attempt.drain)
  return attempt.kind === 'stuck'
}

/** Drains the node permanently if that is certain. */
export function removeNode(work: Work, node: number, removal: Removal = {}): Drain | undefined {
  if (!goesSurely(work, node, removal)) return undefined
  const attempt = drainNode(work.state, node)
  if (attempt.kind === 'stuck') return undefined
  commitDrain(work, attempt.drain)
  for (const trial of work.trials) carryOut(trial, node, removal.changed ?? [])
  return attempt.drain
}

export const liveOf = ({ state, live }: Work, node: number) => live.get(known(state.model.poolOf[node]).name) ?? 0
