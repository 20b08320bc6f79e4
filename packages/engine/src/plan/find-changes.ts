import { known } from '../packing/state.ts'
import { canGo, holdsInOthers } from './can-go.ts'
import { pointsOf } from './effort.ts'
import { extendChanges } from './extend-changes.ts'
import { leaveOutEach, type Removing } from './leave-out-each.ts'
import { leaveOutNeedless } from './leave-out-needless.ts'
import { quickXplain } from './quick-xplain.ts'
import { sufficientChanges, type Question } from './sufficient-changes.ts'
import type { Trial } from './trials.ts'
import { isSmall, type Work } from './work.ts'

/** Larger sets of changes are not tried. */
const CHANGES_MAX = 64
/** Larger clusters try only the likely changes, and leave out each change once, because more takes too long. */
const NODES_FOR_ALL = 50
/** Each round adds a placement in which the previous set was not sufficient. */
const ROUNDS_MAX = 4

export const listPending = ({ changes }: Work): number[] =>
  changes.items.flatMap(({ role }, item) => (role === 'resize' && !changes.isMade(item) ? [item] : []))

/**
 * A minimal set of changes that makes the node removable, among changes to its pods and to pods of possible target nodes.
 */
export function findChanges(work: Work, question: Question): readonly number[] | undefined {
  const hard: Trial[] = []
  const found = findSufficient(work, question, hard)
  return found && leaveOutNeedless(work, question, { found, hard })
}

/** Changes that make the node removable. Adds the trials that fail with fewer changes to `hard`. */
function findSufficient(work: Work, question: Question, hard: Trial[]): readonly number[] | undefined {
  const { node } = question
  for (let round = 1; round <= ROUNDS_MAX; round += 1) {
    const before = work.placings.length
    const found = findLikely(work, question)
    if (!found) return undefined
    if (work.changes.with(found, () => holdsInOthers(work, node, { changed: found }))) return found
    if (work.placings.length === before)
      return isSmall(work) ? undefined : extendChanges(work, question, { found, hard })
  }
  return undefined
}

function findLikely(work: Work, question: Question): readonly number[] | undefined {
  const { node, targets, lift = 'nothing' } = question
  if (canGo(work, node, lift)) return []
  const found = minimal(work, sufficientChanges(work, question) ?? [], { ...question, reduce: leaveOutEach })
  if (found) return found
  if (work.state.model.nodes.length > NODES_FOR_ALL) return undefined
  const near = listNear(work, [node, ...targets])
  const ofAll = { ...question, reduce: halve }
  return minimal(work, near, ofAll) ?? (near.length < CHANGES_MAX ? minimal(work, listPending(work), ofAll) : undefined)
}

type Reducing = Pick<Question, 'node' | 'lift'> & { readonly reduce: typeof leaveOutEach }

function minimal(work: Work, items: readonly number[], { node, lift = 'nothing', reduce }: Reducing) {
  if (items.length === 0 || items.length > CHANGES_MAX) return undefined
  const rounds = work.state.model.nodes.length > NODES_FOR_ALL ? 1 : Infinity
  return reduce(work, inOrder(work, items), { node, lift, rounds })
}

/** By halving: faster if few of the changes are needed. */
function halve(work: Work, items: readonly number[], { node, lift, rounds }: Removing) {
  return work.changes.trySets((choose) => {
    const holds = (some: readonly number[]) => {
      choose(some)
      return canGo(work, node, lift)
    }
    return quickXplain(items, holds, rounds)
  })
}

/** Pending changes to pods on these nodes. */
export function listNear({ state, changes }: Work, nodes: readonly number[]): number[] {
  const found = new Set<number>()
  for (const node of nodes) {
    for (const pod of known(state.podsOn[node])) {
      for (const item of changes.pendingOn(pod)) if (known(changes.items[item]).role === 'resize') found.add(item)
    }
  }
  return [...found]
}

/** Lowest effort first, then the changes that free the most pods. */
function inOrder({ changes }: Work, items: readonly number[]): number[] {
  const keyed = items.map((item) => ({
    item,
    points: pointsOf(known(changes.items[item])),
    usd: known(changes.items[item]).estimatedUsdPerMonth,
  }))
  return keyed
    .sort((a, b) => a.points - b.points || (a.usd === b.usd ? a.item - b.item : a.usd > b.usd ? -1 : 1))
    .map(({ item }) => item)
}
