import type { StepStatus } from '@plimsoll/contract'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { ShownStep } from '../../api/shown-plan.ts'
import {
  changesWords,
  podWords,
  stepKindWords,
  stepStatusLabels,
  teamWords,
  whatLeaves,
} from '../../format/plan-words.ts'
import { withUnits } from '../../format/quantity.ts'
import { Risk, Tag } from '../../parts/state-tags.tsx'
import { keepCluster } from '../../shell/menu-pages.ts'
import { StepActions } from './step-actions.tsx'
import { StepChanges } from './step-changes.tsx'

type Props = {
  step: ShownStep
  isNext: boolean
  isUnsafe: boolean
  hasClusters: boolean
  /** Change of the bill, and the bill then, as shown. */
  change: string
  after: string | null
}

const doneStates: readonly StepStatus[] = ['approved', 'implemented']

/** A step: what to do, what leaves the bill, the risk, the effort and the decision. */
export function StepCard({ step, isNext, isUnsafe, hasClusters, change, after }: Props) {
  const [isOpen, setIsOpen] = useState(false)
  const status = stepStatusLabels[step.status]
  const state = doneStates.includes(step.status) ? 'done' : isNext ? 'next' : 'later'
  const leaves = whatLeaves(step)
  const about = [
    stepKindWords[step.kind],
    hasClusters ? step.cluster_name : '',
    teamWords(step),
    ...podWords(step),
  ].filter((word) => word !== '')
  return (
    <li id={step.id} data-open={isOpen || undefined}>
      <div className="plan-step">
        <span className="step-number" data-state={state}>
          {step.place}
        </span>
        <div className="min-w-0">
          <h3>
            <span>{withUnits(step.title)}</span>
            {isUnsafe && <Tag tone="danger">Failing</Tag>}
            {status && <Tag tone={status.tone}>{status.word}</Tag>}
          </h3>
          {leaves !== '' && <p className="mt-0.5">{leaves}</p>}
          {step.hasFewChecks && step.nodes.length > 0 && (
            <p className="mt-0.5 text-sm text-ink-2">
              The scheduler simulation tried only a few placements, because the cluster has more than 20 nodes. Drain
              the nodes one by one. Before you delete a node, check that no pod is pending.
            </p>
          )}
          <p className="mt-1 text-sm text-ink-3">
            {about.join(' · ')} ·{' '}
            <button type="button" className="link text-ink-2" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
              {isOpen ? 'Hide' : 'Show'} {changesWords(step)}
            </button>
          </p>
        </div>
        <StepRisk step={step} />
        <p className="step-money">
          <b className={step.savings < 0 ? 'tone-danger' : ''}>
            {change}
            <small>/month</small>
          </b>
          {after !== null && <span className="text-sm text-ink-3">bill after this step {after}</span>}
        </p>
        <StepActions step={step} isNext={isNext} />
      </div>
      {isOpen && <StepChanges step={step} />}
    </li>
  )
}

/** The level, and the reason of the recommendation with the largest risk. */
function StepRisk({ step: { risk, risk_reason: reason, changes } }: Pick<Props, 'step'>) {
  return (
    <div className="step-risk">
      <p>
        <Risk level={risk} /> <span className="text-sm text-ink-3">risk</span>
      </p>
      {reason && (
        <p className="text-sm text-ink-2">
          {changes > 1 && (
            <>
              <Link
                to="/recommendations/$id"
                params={{ id: reason.recommendation_id }}
                search={keepCluster}
                className="link"
              >
                {reason.name}
              </Link>
              {': '}
            </>
          )}
          {reason.reason}
        </p>
      )}
    </div>
  )
}
