import { canGo, goesSurely } from './can-go.ts'
import type { Question } from './sufficient-changes.ts'
import { tryInTrials, type Trial } from './trials.ts'
import type { Work } from './work.ts'

export type Sufficient = {
  /** Changes that make the node removable, the most preferred first. */
  readonly found: readonly number[]
  /** Trials that failed with fewer changes. */
  readonly hard: Trial[]
}

/**
 * A subset of the changes with which the node is removable, but not without any one of them. Only the placements that
 * failed before are tried for each change, and all of them at the end: a placement that fails then is tried for each
 * change too.
 */
export function leaveOutNeedless(work: Work, question: Question, { found, hard }: Sufficient): readonly number[] {
  for (;;) {
    const left = leaveOutInHard(work, question, { found, hard })
    if (left.length === found.length || isSure(work, question, left)) return left
    const [failing] = work.trials
    if (failing && !hard.includes(failing)) hard.push(failing)
  }
}

/** Whether the node is removable in every placement and in every trial with these changes. */
export const isSure = (work: Work, { node, lift }: Question, items: readonly number[]): boolean =>
  work.changes.with(items, () => goesSurely(work, node, { changed: items, ...(lift ? { lifted: lift } : {}) }))

/**
 * Leaves out the last change first, until none can be left out: a placement can succeed with fewer changes but fail with
 * more.
 */
function leaveOutInHard(work: Work, { node, lift }: Question, { found, hard }: Sufficient): readonly number[] {
  return work.changes.trySets((choose) => {
    const holds = (some: readonly number[]) => {
      choose(some)
      if (!canGo(work, node, lift)) return false
      const undo = tryInTrials(hard, { changed: some, nodes: [node] }, work)
      undo?.()
      return undo !== undefined
    }
    let left = found
    const queue = found.toReversed()
    // The last `needed` changes of the queue cannot be left out.
    for (let needed = 0; needed < left.length;) {
      const item = queue.shift() ?? -1
      const without = left.filter((each) => each !== item)
      const isNeedless = holds(without)
      if (isNeedless) left = without
      else queue.push(item)
      needed = isNeedless ? 0 : needed + 1
    }
    return left
  })
}
