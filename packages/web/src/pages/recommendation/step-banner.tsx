import type { RecommendationWithEvidence } from '@plimsoll/contract'
import { Link } from '@tanstack/react-router'
import { stepSentence } from '../../format/plan-words.ts'
import { withUnits } from '../../format/quantity.ts'
import { currentStep } from './current-step.ts'

type Props = {
  recommendation: Pick<RecommendationWithEvidence, 'plan_step' | 'cluster_id' | 'status'>
  clusterName: string | undefined
}

/** The step of the plan that this recommendation is a part of. */
export function StepBanner({ recommendation, clusterName }: Props) {
  const { cluster_id: cluster } = recommendation
  const step = currentStep(recommendation)
  if (!step) return null
  return (
    <div className="step-banner">
      <span className="step-number" data-state="next">
        {step.number}
      </span>
      <div className="min-w-0 grow">
        <p className="font-semibold">{stepSentence(step, clusterName)}</p>
        <p className="text-sm text-ink-2">{withUnits(step.title)}</p>
      </div>
      <Link to="/recommendations" search={{ cluster }} hash={step.id} className="button">
        Open step {step.number}
      </Link>
    </div>
  )
}
