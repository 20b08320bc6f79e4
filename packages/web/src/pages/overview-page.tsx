import type { Overview } from '@plimsoll/contract'
import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { overviewQuery } from '../api/queries.ts'
import { count } from '../format/quantity.ts'
import { completeThrough, momentWithZone } from '../format/time.ts'
import { useNow } from '../parts/now.ts'
import { Page } from '../parts/page.tsx'
import { Section } from '../parts/section.tsx'
import { Loading, Message, QueryState } from '../parts/states.tsx'
import { UnsafeBanner } from '../shell/unsafe-banner.tsx'
import { useMayOpen } from '../shell/page-access.ts'
import { Advice } from './overview/advice.tsx'
import { Agents } from './overview/agents.tsx'
import { BudgetStates } from './overview/budget-states.tsx'
import { Compute } from './overview/compute.tsx'
import { Incidents } from '../parts/incidents.tsx'
import { Movers } from './overview/movers.tsx'
import { nameIn } from './overview/name-in.ts'
import { PlanSection } from './overview/plan-section.tsx'
import { RunRate } from './overview/run-rate.tsx'

/** Loaded separately, so that the first figures do not wait for the chart code. */
const trendChart = import('../charts/trend-chart.tsx')
const TrendChart = lazy(async () => ({ default: (await trendChart).TrendChart }))

export function OverviewPage() {
  const { cluster } = useSearch({ from: '/shell/' })
  const overview = useQuery(overviewQuery(cluster))
  const { data } = overview
  const now = useNow()
  const nodes = data?.clusters.reduce((sum, each) => sum + each.node_count, 0) ?? 0
  const sub = data && `${count(data.clusters.length, 'cluster')}, ${count(nodes, 'node')}`
  return (
    <Page
      title="Overview"
      sub={sub}
      actions={
        data?.as_of ? (
          <span className="text-sm text-ink-3" title={momentWithZone(data.as_of)}>
            {completeThrough(data.as_of, now)}
          </span>
        ) : undefined
      }
    >
      <QueryState query={overview} what="The overview" loading={<Loading rows={12} />}>
        {(known) => (known.clusters.length === 0 ? <NoClusters /> : <Figures overview={known} />)}
      </QueryState>
    </Page>
  )
}

function Figures({ overview }: { overview: Overview }) {
  const isWaiting = overview.as_of === null && overview.run_rate.total === 0
  if (isWaiting) return <NothingYet overview={overview} />
  const plan = planOf(overview)
  return (
    <div className="grid gap-x-8 gap-y-6">
      {overview.recommendations?.unsafe && (
        <UnsafeBanner unsafe={overview.recommendations.unsafe} steps={plan?.steps ?? []} />
      )}
      {overview.incidents && <Incidents incidents={overview.incidents} />}
      {overview.budgets && <BudgetStates budgets={overview.budgets} />}
      <div className="grid gap-x-8 gap-y-6 mid:grid-cols-[minmax(230px,300px)_minmax(0,1fr)]">
        <RunRate overview={overview} />
        <Section title="Run rate trend" meta="$/month, by UTC day" end={trendEnd(overview)}>
          <Suspense fallback={<div aria-busy className="h-[200px]" />}>
            <TrendChart overview={overview} nameOf={nameIn(overview)} />
          </Suspense>
        </Section>
      </div>
      {plan && <PlanSection plan={plan} hasClusters={overview.clusters.length > 1} />}
      <Compute overview={overview} />
      {plan ? (
        <div className="grid gap-x-8 gap-y-6 mid:grid-cols-2">
          <Movers overview={overview} />
          <Agents overview={overview} />
        </div>
      ) : (
        <div className="grid gap-x-8 gap-y-6 mid:grid-cols-[4fr_5fr] mid:grid-rows-[auto_1fr] wide:grid-cols-[4fr_5fr_3fr] wide:grid-rows-none">
          <Movers overview={overview} />
          <Advice overview={overview} />
          <Agents overview={overview} />
        </div>
      )}
    </div>
  )
}

/** Without steps, the page shows single recommendations, or why there are none. */
function planOf({ recommendations }: Overview) {
  const plan = recommendations?.plan
  return plan && plan.steps.length > 0 ? plan : undefined
}

function trendEnd({ trend }: Overview): string {
  // Days before the first data are not gaps; the last day may have no complete hour yet.
  const isKnown = ({ total }: Overview['trend'][number]) => total !== null
  const gaps = trend.slice(trend.findIndex(isKnown), trend.findLastIndex(isKnown)).filter((day) => !isKnown(day))
  return gaps.length === 0 ? 'the last day is incomplete' : `${count(gaps.length, 'day')} without data`
}

function NoClusters() {
  const mayOpen = useMayOpen()
  return (
    <Section title="No data">
      <Message
        icon="plus"
        title="No cluster connected"
        actions={
          mayOpen('/clusters/new') ? (
            <Link to="/clusters/new" className="button button-primary">
              Add cluster
            </Link>
          ) : undefined
        }
      >
        Cost appears within a minute of the first agent report. The agent has read-only access.
      </Message>
    </Section>
  )
}

function NothingYet({ overview }: { overview: Overview }) {
  const [first] = overview.clusters
  return (
    <Section title="Waiting for the first report">
      <Message
        icon="clock"
        title={overview.clusters.length === 1 ? `${first?.name} has not reported yet` : 'No cluster has reported yet'}
        actions={
          first && (
            <Link to="/clusters/$clusterId" params={{ clusterId: first.id }} className="button">
              Show checklist
            </Link>
          )
        }
      >
        Cost appears within a minute of the first report. Until the hour ends, Nodes, Efficiency and Allocation show
        partial figures.
      </Message>
    </Section>
  )
}
