import { canGo } from './can-go.ts'
import { isSure, type Sufficient } from './leave-out-needless.ts'
import { sufficientChanges, type Question } from './sufficient-changes.ts'
import { hasEffortLeft, type Work } from './work.ts'

/** Each extension makes one more failing trial succeed. */
const EXTENSIONS_MAX = 4
/** Larger sets are not extended, because each change takes a check. */
const CHANGES_MAX = 24

/**
 * The node is removable with these changes, but not in every trial. Adds changes that free capacity in the failing
 * trials. Undefined if more changes do not help.
 */
export function extendChanges(
  work: Work,
  question: Question,
  { found, hard }: Sufficient,
): readonly number[] | undefined {
  let items = found
  for (let round = 1; round <= EXTENSIONS_MAX && items.length <= CHANGES_MAX && hasEffortLeft(work); round += 1) {
    const [failing] = work.trials
    if (failing && !hard.includes(failing)) hard.push(failing)
    const more = findMore(work, question, items)
    if (!more || more.length === 0) return undefined
    items = [...items, ...more]
    if (isSure(work, question, items)) return items
  }
  return undefined
}

/** Further changes for the failing placement, or for the failing trial, which is the first one. */
function findMore(work: Work, question: Question, items: readonly number[]): number[] | undefined {
  const { node, lift } = question
  const inWork = work.changes.with(items, () =>
    canGo(work, node, lift) ? undefined : { more: sufficientChanges(work, question) },
  )
  if (inWork) return inWork.more
  const [failing] = work.trials
  if (!failing) return undefined
  const { state, changes, placing } = failing
  const inTrial = { ...work, state, changes, placings: [placing], untried: [], trials: [] }
  const open = items.filter((item) => !changes.isMade(item))
  const more = changes.with(open, () => sufficientChanges(inTrial, question, placing))
  work.budget = inTrial.budget
  return more
}
