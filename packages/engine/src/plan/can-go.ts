import { tryDrain, undoDrain, type Drain } from '../packing/drain-node.ts'
import { findBlocker, type Lift } from '../packing/drain-nodes.ts'
import { largestFirst, type Placing } from '../packing/placing.ts'
import { known } from '../packing/state.ts'
import { commitDrain, rehearseStep, undoCommit, type Work } from './work.ts'

/** Whether the node can be drained now, in the placements that failed before. Restores the simulation afterwards. */
export function canGo(work: Work, node: number, lift: Lift = 'nothing'): boolean {
  return !isBlocked(work, node, lift) && findFailing(work, node) === undefined
}

export type Removal = { readonly lifted?: Lift; readonly changed?: readonly number[] }

/**
 * Whether the node can be drained in every placement, as packing requires, and in every trial. A placement that fails is checked
 * first from then on. `changed`: the changes of the step, which are rolled out before the drain.
 */
export function goesSurely(work: Work, node: number, removal: Removal = {}): boolean {
  return canGo(work, node, removal.lifted) && holdsInOthers(work, node, removal)
}

/** The same, directly after `canGo` confirmed the node in the same state. */
export function holdsInOthers(work: Work, node: number, { changed = [] }: Removal): boolean {
  if (!holdsInUntried(work, node)) return false
  const undo = rehearseStep(work, { changed, nodes: [node] })
  undo?.()
  return undo !== undefined
}

function holdsInUntried(work: Work, node: number): boolean {
  const index = work.untried.findIndex((placing) => fails(work, node, placing))
  if (index >= 0) work.placings.unshift(...work.untried.splice(index, 1))
  return index < 0
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
export function removeNode(work: Work, node: number, { lifted, changed }: Removal = {}): Drain | undefined {
  return canGo(work, node, lifted) && holdsInUntried(work, node) ? removeCheckedNode(work, node, changed) : undefined
}

/** Drains nodes one after the other, each only if that is certain, with the trials of the whole step at the end. */
export function removeNodes(work: Work, nodes: readonly number[], changed: readonly number[]): Drain[] | undefined {
  const drains: Drain[] = []
  const areEmptied = nodes.every((node) => {
    const drain = canGo(work, node) && holdsInUntried(work, node) && tryDrain(work.state, node, largestFirst)
    if (!drain) return false
    commitDrain(work, drain)
    drains.push(drain)
    return true
  })
  if (areEmptied && rehearseStep(work, { changed, nodes })) return drains
  for (const drain of drains.toReversed()) undoCommit(work, drain)
  return undefined
}

/** Drains the node permanently in the plan and in all trials, directly after `canGo` confirmed it in the same state. */
export function removeCheckedNode(work: Work, node: number, changed: readonly number[] = []): Drain | undefined {
  const drain = tryDrain(work.state, node, largestFirst)
  if (!drain) return undefined
  if (!rehearseStep(work, { changed, nodes: [node] })) {
    undoDrain(work.state, drain)
    return undefined
  }
  commitDrain(work, drain)
  return drain
}

export const liveOf = ({ state, live }: Work, node: number) => live.get(known(state.model.poolOf[node]).name) ?? 0
