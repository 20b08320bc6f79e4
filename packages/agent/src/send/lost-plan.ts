import type { EpochProgress } from './progress-file.ts'

/**
 * Records may be dropped or damaged before they are sent. A plan with such a record is given up, because its cuts do
 * not match the remaining records. Its sequence number stays unused, so the server detects the gap. `seqs` are the
 * remaining records; the first is not sent yet. Returns true if a plan was given up.
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
