import type { Drain } from '../packing/drain-node.ts'
import type { Lift } from '../packing/drain-nodes.ts'
import { findNode } from '../packing/find-node.ts'
import type { Placing } from '../packing/placing.ts'
import { isBlocked, rehearse } from './can-go.ts'
import type { Work } from './work.ts'

export type Removing = { readonly node: number; readonly lift: Lift; readonly rounds: number }

/** A placement, and the drain of the node in it with the current changes. */
type Rehearsal = { readonly placing: Placing; readonly drain: Drain; readonly targets: ReadonlySet<number> }

/**
 * Leaves out each change once, the least preferred first, until a round leaves out none. Undefined if all changes together do not
 * make the node removable. A placement is repeated only if the change can affect it.
 */
export function leaveOutEach(
  work: Work,
  items: readonly number[],
  { rounds, ...removal }: Removing,
): readonly number[] | undefined {
  return work.changes.trySets((choose) => {
    choose(items)
    let rehearsals = rehearseAll(work, removal, [])
    if (!rehearsals) return undefined
    let left = items
    for (let round = 1, before = Infinity; round <= rounds && left.length < before; round += 1) {
      before = left.length
      for (const item of left.toReversed()) {
        const without = left.filter((each) => each !== item)
        choose(without)
        const again = rehearseAll(work, removal, rehearsals, item)
        if (again) [left, rehearsals] = [without, again]
      }
    }
    return left
  })
}

/** The drains of the node in all placements; undefined if one fails, which is then tried first from then on. */
function rehearseAll(
  work: Work,
  { node, lift }: Omit<Removing, 'rounds'>,
  known: readonly Rehearsal[],
  left?: number,
): Rehearsal[] | undefined {
  if (isBlocked(work, node, lift)) return undefined
  const found: Rehearsal[] = []
  for (const [index, placing] of work.placings.entries()) {
    const before = known.find((each) => each.placing === placing)
    if (before && left !== undefined && !isTouched(work, left, before)) {
      found.push(before)
      continue
    }
    const drain = rehearse(work, node, placing)
    if (!drain) {
      work.placings.unshift(...work.placings.splice(index, 1))
      return undefined
    }
    found.push({ placing, drain, targets: new Set(drain.moves.map(({ to }) => to)) })
  }
  return found
}

/**
 * Whether the drain can change once a change is left out. Requests only grow then, so nodes only get worse. If the
 * change concerns no moved pod and no chosen node, the scheduler chooses the same nodes in the same order.
 */
function isTouched({ state, changes }: Work, item: number, { placing, drain, targets }: Rehearsal): boolean {
  if (placing.choose !== findNode || !changes.onlyResizes(item)) return true
  return changes.podsOf(item).some((pod) => {
    const node = state.nodeOf[pod] ?? -1
    return node === drain.node || targets.has(node)
  })
}
