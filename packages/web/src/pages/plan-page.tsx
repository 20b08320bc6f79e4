import { useQuery } from '@tanstack/react-query'
import { useLocation, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import { clustersQuery, planQuery } from '../api/queries.ts'
import { useMay } from '../api/session.ts'
import type { ShownPlan } from '../api/shown-plan.ts'
import { billSteps } from '../format/money.ts'
import { count, number } from '../format/quantity.ts'
import { momentWithZone } from '../format/time.ts'
import { Page } from '../parts/page.tsx'
import { Section } from '../parts/section.tsx'
import { Note } from '../parts/state-tags.tsx'
import { Loading, Message, QueryState } from '../parts/states.tsx'
import { UnsafeBanner } from '../shell/unsafe-banner.tsx'
import { BillFigures } from './plan/bill-figures.tsx'
import { PlanStairs } from './plan/plan-stairs.tsx'
import { StepCard } from './plan/step-card.tsx'
import { ViewTabs } from './plan/view-tabs.tsx'

/** What to do first, and what the bill is then. */
export function PlanPage() {
  const { cluster } = useSearch({ from: '/shell/recommendations' })
  const plan = useQuery(planQuery(cluster))
  const { data } = plan
  const open = useOpen(cluster)
  return (
    <Page
      title="Recommendations"
      sub={
        data && (
          <>
            {open !== undefined && `${number(open)} open in `}
            {count(data.clusters, 'cluster')}
            {data.analysed_at !== null && <> · analyzed {momentWithZone(data.analysed_at)}</>}
          </>
        )
      }
    >
      <ViewTabs shown="plan" steps={data?.steps.length} open={open} />
      <QueryState query={plan} what="The plan" loading={<Loading rows={12} />}>
        {(known) => <Steps plan={known} />}
      </QueryState>
    </Page>
  )
}

/** From the list of clusters, which the shell has loaded. */
function useOpen(clusterId: string | undefined): number | undefined {
  const may = useMay()
  const clusters = useQuery({ ...clustersQuery, enabled: may('clusters:read') })
  const shown = clusters.data?.clusters.filter(({ id }) => clusterId === undefined || id === clusterId)
  return shown?.reduce((sum, { open_recommendations: open }) => sum + (open ?? 0), 0)
}

function Steps({ plan }: { plan: ShownPlan }) {
  useScrollToStep()
  const bill = billSteps(plan.run_rate, plan.steps.map(({ savings }) => savings)) // prettier-ignore
  const next = plan.steps.find(({ allowed_actions: allowed }) => allowed.includes('approve'))?.id
  const hasClusters = plan.clusters > 1
  const failing = new Set(plan.unsafe.examples.map(({ recommendation_id: id }) => id))
  const isUnsafe = ({ id, recommendations: members }: ShownPlan['steps'][number]) =>
    (id === plan.unsafe.step?.id && plan.unsafe.workloads > 0) || members.some((member) => failing.has(member.id))
  if (plan.steps.length === 0) return <NoSteps plan={plan} />
  return (
    <div className="grid gap-6">
      <div>
        <UnsafeBanner unsafe={plan.unsafe} steps={plan.steps} />
        <Section title="Monthly bill after each step" meta="each bar includes all earlier steps">
          <BillFigures plan={plan} bill={bill} />
          {plan.run_rate !== null && <PlanStairs steps={plan.steps} runRate={plan.run_rate} bill={bill} />}
        </Section>
      </div>
      <Section title="Steps" meta="Apply the steps in this order. Approving a step does not change the other steps.">
        <ol className="plan-steps">
          {plan.steps.map((step, index) => (
            <StepCard
              key={step.id}
              step={step}
              isNext={step.id === next}
              isUnsafe={isUnsafe(step)}
              hasClusters={hasClusters}
              change={bill.changes[index] ?? ''}
              after={bill.after[index] ?? null}
            />
          ))}
        </ol>
        <p className="plan-total">
          <span>
            <b className="text-ink">Total</b>{' '}
            {count(
              plan.steps.reduce((sum, { changes }) => sum + changes, 0),
              'change',
            )}{' '}
            in {count(plan.steps.length, 'step')}
          </span>
          <span>
            <b className="text-ink">{bill.total}/month</b>
            {bill.after.at(-1) && `, bill after all steps ${bill.after.at(-1)}`}
          </span>
        </p>
        {plan.left_out.steps > 0 && (
          <p className="mt-2 text-sm text-ink-3">
            {count(plan.left_out.steps, 'more step')} not shown. Choose a cluster to see its whole plan.
          </p>
        )}
        {!plan.is_complete && (
          <p className="mt-2 text-sm text-ink-3">
            The analysis reached its time limit. Later analyses may find better steps.
          </p>
        )}
        <Without plan={plan} />
      </Section>
    </div>
  )
}

/** The steps load after the page, so the browser cannot find the anchor itself. */
function useScrollToStep(): void {
  const hash = useLocation({ select: (location) => location.hash })
  useEffect(() => {
    if (hash !== '') document.getElementById(hash)?.scrollIntoView()
  }, [hash])
}

/** Clusters without a plan, because their data is missing. */
function Without({ plan: { without } }: { plan: ShownPlan }) {
  const missing = without.filter(({ code }) => code !== 'nothing_to_do')
  if (missing.length === 0) return null
  return (
    <div className="mt-3 grid gap-2">
      {missing.map(({ name, detail }) => (
        <Note key={name} icon="clock">
          <b>{name}</b> has no plan. {detail}
        </Note>
      ))}
    </div>
  )
}

function NoSteps({ plan }: { plan: ShownPlan }) {
  const [first, ...others] = plan.without
  return (
    <>
      <UnsafeBanner unsafe={plan.unsafe} steps={plan.steps} />
      <Message icon="search" title="The plan has no steps">
        {others.length === 0 ? (first?.detail ?? 'No cluster is connected.') : null}
        {others.length > 0 && <Without plan={plan} />} The tab All lists every recommendation.
      </Message>
    </>
  )
}
