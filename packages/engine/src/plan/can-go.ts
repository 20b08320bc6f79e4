import { tryDrain, undoDrain, type Drain } from '../packing/drain-node.ts'
import { findBlocker, type Lift } from '../packing/drain-nodes.ts'
import { largestFirst, type Placing } from '../packing/placing.ts'
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
export function goesSurely(work: Work, node: number, removal: Removal = {}): boolean {
  return canGo(work, node, removal.lifted) && holdsInOthers(work, node, removal)
}

/** The same, directly after `canGo` confirmed the node in the same state. */
export function holdsInOthers(work: Work, node: number, { changed = [] }: Removal): boolean {
  const index = work.untried.findIndex((placing) => fails(work, node, placing))
  if (index >= 0) work.placings.unshift(...work.untried.splice(index, 1))
  return index < 0 && !failsInTrial(work, node, changed)
}

/** A trial that fails is tried first from then on. */
function failsInTrial({ trials }: Work, node: number, changed: readonly number[]): boolean {
  const index = trials.findIndex((trial) => failsIn(trial, node, changed))
  if (index > 0) trials.unshift(...trials.splice(index, 1))
  return index >= 0
}

export type Removal = { readonly lifted?: Lift; readonly changed?: readonly number[] }

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

const fails = (work: Work, node: number, placing: Placing): boolean => rehearse(work, node, placing) === undefined

/** The drain of the node in this placement, if every pod fits. Restores the simulation afterwards. */
export function rehearse(work: Work, node: number, placing: Placing): Drain | undefined {
  const { state } = work
  work.budget -= known(state.podsOn[node]).length
  const drain = tryDrain(state, node, placing)
  if (drain) undoDrain(state, drain)
  return drain
}

/** Drains the node permanently if that is certain. */
export function removeNode(work: Work, node: number, removal: Removal = {}): Drain | undefined {
  return goesSurely(work, node, removal) ? removeCheckedNode(work, node, removal) : undefined
}

/** Drains the node permanently, directly after `goesSurely` confirmed it in the same state. */
export function removeCheckedNode(work: Work, node: number, { changed = [] }: Removal): Drain | undefined {
  const drain = tryDrain(work.state, node, largestFirst)
  if (!drain) return undefined
  commitDrain(work, drain)
  for (const trial of work.trials) carryOut(trial, node, changed)
  return drain
}

export const liveOf = ({ state, live }: Work, node: number) => live.get(known(state.model.poolOf[node]).name) ?? 0
