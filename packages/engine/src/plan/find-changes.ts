import type { Lift } from '../packing/drain-nodes.ts'
import { known } from '../packing/state.ts'
import { canGo } from './can-go.ts'
import { pointsOf } from './effort.ts'
import { quickXplain } from './quick-xplain.ts'
import { sufficientChanges } from './sufficient-changes.ts'
import type { Work } from './work.ts'

/**
 * Larger sets of changes are not tried, and large clusters try only the likely changes, because more takes too long.
 */
const CHANGES_MAX = 64
const NODES_FOR_ALL = 50

export const listPending = ({ changes }: Work): number[] =>
  changes.items.flatMap(({ role }, item) => (role === 'resize' && !changes.isMade(item) ? [item] : []))

export type Question = {
  readonly node: number
  /** Nodes that could accept its pods. */
  readonly targets: readonly number[]
  readonly lift?: Lift
}

/**
 * A minimal set of changes that makes the node removable, among changes to its pods and to pods of possible target
 * nodes.
 */
export function findChanges(work: Work, question: Question): readonly number[] | undefined {
  const { node, targets, lift = 'nothing' } = question
  const holds = (items: readonly number[]) => work.changes.with(items, () => canGo(work, node, lift))
  if (holds([])) return []
  const found = minimal(work, sufficientChanges(work, question) ?? [], holds)
  if (found) return found
  if (work.state.model.nodes.length > NODES_FOR_ALL) return undefined
  const near = listNear(work, [node, ...targets])
  return minimal(work, near, holds) ?? (near.length < CHANGES_MAX ? minimal(work, listPending(work), holds) : undefined)
}

function minimal(work: Work, items: readonly number[], holds: (items: readonly number[]) => boolean) {
  return items.length === 0 || items.length > CHANGES_MAX ? undefined : quickXplain(inOrder(work, items), holds)
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
