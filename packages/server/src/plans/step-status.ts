import type { RecommendationStatus, StepAction, StepStatus } from '@plimsoll/contract'

export type StatusCounts = Partial<Record<RecommendationStatus, number>>

/** From the status of its recommendations. Rejected ones leave the step with the next analysis, so they count only alone. */
export function stepStatus(counts: StatusCounts): StepStatus {
  const of = (...statuses: RecommendationStatus[]) => statuses.reduce((sum, each) => sum + (counts[each] ?? 0), 0)
  const done = of('implemented', 'resolved')
  const undecided = of('pending')
  const approved = of('approved')
  if (done > 0) return undecided + approved > 0 ? 'partly_implemented' : 'implemented'
  if (approved > 0) return undecided > 0 ? 'partly_approved' : 'approved'
  return undecided === 0 && of('rejected') > 0 ? 'rejected' : 'open'
}

/** The recommendations of a step that an action applies to. */
export const movedStatuses: Record<StepAction, readonly RecommendationStatus[]> = {
  approve: ['pending', 'approved'],
  reject: ['pending', 'approved', 'rejected'],
  withdraw: ['approved'],
}

const changing: Record<StepAction, readonly RecommendationStatus[]> = {
  approve: ['pending'],
  reject: ['pending', 'approved'],
  withdraw: ['approved'],
}

/** The actions that change at least one recommendation of the step. */
export const stepActionsFrom = (counts: StatusCounts): StepAction[] =>
  (Object.keys(changing) as StepAction[]).filter((action) => changing[action].some((each) => (counts[each] ?? 0) > 0))
