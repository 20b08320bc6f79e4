import type { RecommendationWithEvidence } from '@plimsoll/contract'
import { day } from '../../format/time.ts'

const isOpen = ({ status }: Pick<RecommendationWithEvidence, 'status'>) => status === 'pending' || status === 'approved'

type Planned = Pick<RecommendationWithEvidence, 'plan_step' | 'status'>

/** The step that still needs this change. The current figures of a step do not apply to a change that is already done. */
export const currentStep = (recommendation: Planned) => (isOpen(recommendation) ? recommendation.plan_step : null)

type Dated = Pick<RecommendationWithEvidence, 'status' | 'evidence'>

/** Later analyses do not recalculate a closed recommendation, so its calculation has a date. */
export function calculatedOn(recommendation: Dated): string | undefined {
  if (isOpen(recommendation) || recommendation.evidence === null) return undefined
  return `as of ${day(recommendation.evidence.written_at)}`
}
