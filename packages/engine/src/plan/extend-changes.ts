import { canGo, goesSurely } from './can-go.ts'
import { sufficientChanges, type Question } from './sufficient-changes.ts'
import { tryInTrials, type Trial } from './trials.ts'
import { hasEffortLeft, type Work } from './work.ts'

/** Each extension makes one more failing trial succeed. */
const EXTENSIONS_MAX = 4
/** Larger sets are not extended, because each change takes a check. */
const CHANGES_MAX = 24
const NODES_FOR_ALL = 50
/** In larger clusters, up to this number of added changes are left out again one by one. */
const LEFT_OUT_MAX = 4

const isLarge = ({ state }: Work): boolean => state.model.nodes.length > NODES_FOR_ALL

/**
 * The node is removable with these changes, but not in every trial. Adds changes that free capacity in the failing
 * trials, then leaves out changes that these trials do not need. Undefined if more changes do not help.
 */
export function extendChanges(work: Work, question: Question, found: readonly number[]): readonly number[] | undefined {
  const hard: Trial[] = []
  let items = found
  for (let round = 1; round <= EXTENSIONS_MAX && items.length <= CHANGES_MAX && hasEffortLeft(work); round += 1) {
    const [failing] = work.trials
    if (failing && !hard.includes(failing)) hard.push(failing)
    const more = findMore(work, question, items)
    if (!more || more.length === 0) return undefined
    items = leaveOutNeedless(work, question, { items, more, hard })
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

const isSure = (work: Work, { node, lift }: Question, items: readonly number[]): boolean =>
  work.changes.with(items, () => goesSurely(work, node, { changed: items, ...(lift ? { lifted: lift } : {}) }))

type Extended = {
  readonly items: readonly number[]
  readonly more: readonly number[]
  /** The trials that failed. The others succeeded with fewer changes. */
  readonly hard: Trial[]
}

/** The last change first. Large clusters leave out only further changes, because each takes a check. */
function leaveOutNeedless(work: Work, { node, lift }: Question, { items, more, hard }: Extended): readonly number[] {
  return work.changes.trySets((choose) => {
    const holds = (some: readonly number[]) => {
      choose(some)
      if (!canGo(work, node, lift)) return false
      const undo = tryInTrials(hard, { changed: some, nodes: [node] }, work)
      undo?.()
      return undo !== undefined
    }
    const all = [...items, ...more]
    let left: readonly number[] = all
    for (const item of (!isLarge(work) ? all : more.length > LEFT_OUT_MAX ? [] : more).toReversed()) {
      if (left.length === items.length + 1) break
      const without = left.filter((each) => each !== item)
      if (holds(without)) left = without
    }
    return left
  })
}
