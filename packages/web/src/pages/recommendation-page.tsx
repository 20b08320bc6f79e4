import type { RecommendationDetail, RecommendationWithEvidence } from '@plimsoll/contract'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useState, type ComponentProps } from 'react'
import type { ChartedContainer } from '../api/helm-paths.ts'
import { useBatch, useMoveOne } from '../parts/moves.ts'
import { clustersQuery, recommendationQuery } from '../api/queries.ts'
import { useMay } from '../api/session.ts'
import { kindName } from '../format/labels.ts'
import { withUnits } from '../format/quantity.ts'
import { ApplyDialog } from '../parts/apply-dialog.tsx'
import { targetName } from '../parts/change-text.tsx'
import { Note } from '../parts/state-tags.tsx'
import { Page } from '../parts/page.tsx'
import { ReasonDialog } from '../parts/reason-dialog.tsx'
import { Section } from '../parts/section.tsx'
import { useDebounced } from '../parts/use-debounced.ts'
import { Loading, QueryState } from '../parts/states.tsx'
import { firstFormat } from './manifests/formats.ts'
import { ManifestPanel } from './manifests/manifest-panel.tsx'
import { Actions } from './recommendation/actions.tsx'
import { AfterChange } from './recommendation/after-change.tsx'
import { AlsoOpen } from './recommendation/also-open.tsx'
import { Backtest } from './recommendation/backtest.tsx'
import { EvidenceFacts } from './recommendation/evidence-facts.tsx'
import { Headline } from './recommendation/headline.tsx'
import { HistoryList } from './recommendation/history-list.tsx'
import { Doubts, Guards, Summary } from './recommendation/summary.tsx'
import { useListFilters } from './recommendation/neighbours.ts'
import { Receipt } from './recommendation/receipt.tsx'
import { SnoozeDialog } from './recommendation/snooze-dialog.tsx'
import { hasUseByHour, Usage } from './recommendation/usage.tsx'
import { StepBanner } from './recommendation/step-banner.tsx'
import { PreviousNext } from './recommendation/previous-next.tsx'

export function RecommendationPage() {
  const { id } = useParams({ from: '/shell/recommendations/$id' })
  const filters = useListFilters()
  const recommendation = useQuery(recommendationQuery(id))
  const clusters = useQuery(clustersQuery)
  const { data } = recommendation
  const cluster = clusters.data?.clusters.find((each) => each.id === data?.cluster_id)
  const title = data ? withUnits(data.title) : 'Recommendation'
  return (
    <Page
      title={title}
      heading={
        <>
          <span className="mb-1 block text-sm font-normal tracking-normal text-ink-3">
            <Link to="/recommendations" search={filters} className="link">
              Recommendations
            </Link>
            {data && ` / ${cluster?.name ?? ''} / ${objectWords(data)}`}
          </span>
          {title}
        </>
      }
      actions={
        <>
          <PreviousNext id={id} />
          {data && <Moves key={id} recommendation={data} />}
        </>
      }
    >
      <QueryState query={recommendation} what="This recommendation" loading={<Loading rows={10} />}>
        {(known) => <Details key={id} recommendation={known} clusterName={cluster?.name} />}
      </QueryState>
    </Page>
  )
}

/** "shop/cart, container web" or "node pool spot". */
function objectWords(recommendation: RecommendationDetail): string {
  const { main, detail } = targetName(recommendation)
  const { workload, change, volume_claim: claim } = recommendation
  if (workload !== null) return workload.container === '' ? main : `${main}, container ${detail}`
  if (claim !== null) return `${main}, volume ${detail}`
  return detail === '' ? main : `${kindName(change.object.kind)} ${main}`
}

type DetailsProps = { recommendation: RecommendationDetail; clusterName: string | undefined }

function Details({ recommendation, clusterName }: DetailsProps) {
  const { evidence } = recommendation
  // Closed recommendations need no manifest; the panel explains changes without one.
  const isOpen = ['pending', 'approved'].includes(recommendation.status)
  const hasHours = evidence !== null && hasUseByHour(evidence)
  return (
    <div className="grid gap-6">
      <StepBanner recommendation={recommendation} clusterName={clusterName} />
      <Headline recommendation={recommendation} />
      <div className="grid gap-x-8 gap-y-6 wide:grid-cols-[minmax(0,7fr)_minmax(280px,3fr)]">
        {/* In one column, the reasons and the risks come before the commands. */}
        <div className="contents content-start gap-6 wide:grid">
          {evidence && hasHours && <Usage evidence={evidence} savings={recommendation.estimated_savings} />}
          {evidence && (
            <Backtest
              evidence={evidence}
              savings={recommendation.estimated_savings}
              risk={{ level: recommendation.risk, reasons: recommendation.risk_reasons }}
            />
          )}
          {!hasHours && <Summary recommendation={recommendation} />}
          {!hasHours && evidence && <Doubts evidence={evidence} />}
          {isOpen && (
            <Section title="Manifest" meta="Plimsoll does not write to the cluster" className="order-1 wide:order-none">
              <ManifestOf
                id={recommendation.id}
                container={containerOf(recommendation)}
                first={firstFormat(isOfChart(recommendation))}
              />
            </Section>
          )}
          {!evidence && <Note>The evidence of this recommendation is no longer stored.</Note>}
        </div>
        <div className="contents content-start gap-6 wide:grid">
          {hasHours && <Summary recommendation={recommendation} />}
          <Receipt recommendation={recommendation} />
          {hasHours && evidence && <Doubts evidence={evidence} />}
          <AfterChange recommendation={recommendation} />
          <div className="order-2 grid content-start gap-6 wide:order-none">
            <AlsoOpen others={recommendation.also_open ?? []} />
            <HistoryList history={recommendation.history ?? []} />
            {evidence && <EvidenceFacts evidence={evidence} />}
            {evidence && <Guards evidence={evidence} />}
          </div>
        </div>
      </div>
    </div>
  )
}

const manifestPauseMs = 1500

/** Loads the manifest only when the section is visible, to save requests while stepping through a list. */
function ManifestOf({ id, ...props }: { id: string } & Omit<ComponentProps<typeof ManifestPanel>, 'source'>) {
  const isLookedAt = useDebounced(id, manifestPauseMs, '') === id
  return isLookedAt ? <ManifestPanel source={{ ids: [id] }} {...props} /> : <Loading rows={5} />
}

/** A workload managed by a chart needs a change of the chart values; the next rollout reverts any other change. */
const isOfChart = ({ delivered_by: deliverers = [] }: RecommendationWithEvidence) =>
  deliverers.some(({ kind }) => kind === 'Release' || kind === 'HelmRelease')

function containerOf({ cluster_id, namespace, workload }: RecommendationWithEvidence): ChartedContainer | undefined {
  return workload === null || workload.container === '' ? undefined : { cluster_id, namespace, ...workload }
}

type Asking = 'reject' | 'snooze' | 'apply' | null

function Moves({ recommendation }: { recommendation: RecommendationWithEvidence }) {
  const { id, allowed_actions: allowed, status } = recommendation
  const may = useMay()
  const [asking, setAsking] = useState<Asking>(null)
  const close = () => setAsking(null)
  const batch = useBatch(close)
  const { reopen, snooze, withdraw } = useMoveOne(id)
  return (
    <>
      <Actions
        allowed={allowed}
        may={may}
        isImplemented={status === 'implemented'}
        onApprove={() => batch.mutate({ action: 'approve', ids: [id] })}
        onReopen={reopen}
        onWithdraw={withdraw}
        onAsk={setAsking}
      />
      {asking === 'reject' && (
        <ReasonDialog
          ids={1}
          onClose={close}
          onReject={(reason) => batch.mutate({ action: 'reject', ids: [id], reason })}
        />
      )}
      {asking === 'apply' && (
        <ApplyDialog ids={1} onClose={close} onApply={() => batch.mutate({ action: 'apply', ids: [id] })} />
      )}
      {asking === 'snooze' && (
        <SnoozeDialog
          onClose={close}
          onSnooze={(until) => {
            close()
            snooze(until)
          }}
        />
      )}
    </>
  )
}
