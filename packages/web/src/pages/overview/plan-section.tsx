import type { PlanSummary } from '@plimsoll/contract'
import { Link } from '@tanstack/react-router'
import { billSteps, type BillSteps } from '../../format/money.ts'
import { plannedWords, podWords, stepKindWords } from '../../format/plan-words.ts'
import { count, signedPercent, withUnits } from '../../format/quantity.ts'
import { Section } from '../../parts/section.tsx'
import { keepCluster } from '../../shell/menu-pages.ts'
import { PlanStairs } from '../plan/plan-stairs.tsx'

type Step = PlanSummary['steps'][number]

const shownMax = 3

/** What to do first, and what the bill is then. */
export function PlanSection({ plan, hasClusters }: { plan: PlanSummary; hasClusters: boolean }) {
  const { steps, run_rate: runRate, savings, step_count: many, changes } = plan
  const bill = billSteps(runRate, steps.map(({ savings: usd }) => usd)) // prettier-ignore
  const next = steps.find(({ status }) => status === 'open' || status === 'partly_approved')
  return (
    <Section
      title="Plan"
      meta={`${count(many, 'step')}, ${count(changes, 'change')}`}
      end={
        <>
          <b className="text-ink">{bill.total}/month</b> bankable savings of {plannedWords(steps)}
          {runRate !== null && runRate > 0 && `, ${signedPercent(-savings / runRate)}`} ·{' '}
          <Link to="/recommendations" search={keepCluster} className="link text-ink">
            Open plan
          </Link>
        </>
      }
    >
      <div className="grid gap-x-8 gap-y-4 wide:grid-cols-2">
        {runRate !== null && <PlanStairs steps={steps} runRate={runRate} bill={bill} />}
        <div className="min-w-0">
          {next && <NextStep step={next} hasClusters={hasClusters} />}
          <FirstSteps plan={plan} bill={bill} />
        </div>
      </div>
    </Section>
  )
}

function NextStep({ step, hasClusters }: { step: Step; hasClusters: boolean }) {
  const about = [
    stepKindWords[step.kind],
    hasClusters ? step.cluster_name : '',
    `${step.risk} risk`,
    ...podWords(step),
  ].filter((word) => word !== '')
  return (
    <div className="step-banner">
      <span className="step-number" data-state="next">
        {step.place}
      </span>
      <div className="min-w-0 grow">
        <p className="font-semibold">Next step: {withUnits(step.title)}</p>
        <p className="text-sm text-ink-2">{about.join(' · ')}</p>
      </div>
      <Link to="/recommendations" search={keepCluster} hash={step.id} className="button button-primary">
        Review step {step.place}
      </Link>
    </div>
  )
}

/** The first steps by order with the bill after each, and the total. */
function FirstSteps({ plan: { steps, step_count: many }, bill }: { plan: PlanSummary; bill: BillSteps }) {
  const shown = steps.slice(0, shownMax)
  const end = bill.after.at(-1)
  return (
    <ol className="first-steps">
      {shown.map((step, index) => (
        <li key={step.id} className="linked-row relative">
          <span className="text-ink-3">{step.place}</span>
          <Link to="/recommendations" search={keepCluster} hash={step.id} className="row-link">
            {withUnits(step.title)}
          </Link>
          <span className="first-steps-money">
            <b className={step.savings < 0 ? 'tone-danger' : ''}>{bill.changes[index]}</b>
            {bill.after[index] && <span className="text-sm text-ink-3">bill after {bill.after[index]}</span>}
          </span>
        </li>
      ))}
      {many > shown.length && (
        <li className="linked-row relative">
          <span />
          <Link to="/recommendations" search={keepCluster} className="row-link text-ink-2">
            {count(many - shown.length, 'more step')}
          </Link>
          {end && <span className="first-steps-money text-sm text-ink-3">bill after {end}</span>}
        </li>
      )}
      <li className="first-steps-total">
        <span />
        <b>Total</b>
        <span className="first-steps-money">
          <b>{bill.total}/month</b>
        </span>
      </li>
    </ol>
  )
}
