import type { EpochProgress } from './progress-file.ts'

/**
 * Records may be dropped or damaged before they are sent. What was planned with one of them cannot go out any more, and its
 * cuts would be wrong for what is left; the number that it would have had stays free, so that the server sees that something
 * is missing. `seqs` are those that are left, of which the first is not sent. True when a plan was given up.
 */
export function forgetLost(progress: EpochProgress, seqs: readonly number[]): boolean {
  const [first] = seqs
  if (first === undefined) return false
  const { plan, through } = progress
  const planned = plan ? plan.through - through : 0
  const isWhole = first === through + 1 && seqs.filter((seq) => seq <= through + planned).length === planned
  if (isWhole) return false
  progress.through = first - 1
  progress.extraParts = 0
  if (!plan) return false
  const lost = through + 1 + progress.shift + plan.done
  progress.shift = Math.max(progress.shift, lost + 1 - first)
  delete progress.plan
  return true
}
