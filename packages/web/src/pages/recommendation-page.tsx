import type { RecommendationWithEvidence } from '@plimsoll/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { ApiError } from '../api/client.ts'
import type { ChartedContainer } from '../api/helm-paths.ts'
import { moveOne, type Move } from '../api/moves.ts'
import { clustersQuery, historyQuery, recommendationQuery } from '../api/queries.ts'
import { useMay } from '../api/session.ts'
import { targetName } from '../parts/change-words.tsx'
import { Note } from '../parts/marks.tsx'
import { Page } from '../parts/page.tsx'
import { ReasonDialog } from '../parts/reason-dialog.tsx'
import { Section } from '../parts/section.tsx'
import { Loading, QueryState } from '../parts/states.tsx'
import { useToast } from '../parts/toast.tsx'
import { ManifestPanel } from './manifests/manifest-panel.tsx'
import { Actions } from './recommendation/actions.tsx'
import { Backtest } from './recommendation/backtest.tsx'
import { EvidenceFacts } from './recommendation/evidence-facts.tsx'
import { Headline } from './recommendation/headline.tsx'
import { HistoryList } from './recommendation/history-list.tsx'
import { Doubts, Guards, InWords } from './recommendation/in-words.tsx'
import { Receipt } from './recommendation/receipt.tsx'
import { hasUseByHour, Usage } from './recommendation/usage.tsx'

export function RecommendationPage() {
  const { id } = useParams({ from: '/shell/recommendations/$id' })
  const recommendation = useQuery(recommendationQuery(id))
  const clusters = useQuery(clustersQuery)
  const { data } = recommendation
  const cluster = clusters.data?.clusters.find((each) => each.id === data?.cluster_id)
  const name = data ? targetName(data) : { main: 'Recommendation', detail: '' }
  return (
    <Page
      title={name.main}
      heading={
        <>
          <span className="mb-1 block text-sm font-normal tracking-normal text-ink-3">
            <Link to="/recommendations" className="link">
              Recommendations
            </Link>
            {data && ` / ${cluster?.name ?? ''} / ${data.namespace === '' ? data.change.object.kind : data.namespace}`}
          </span>
          {name.main} <span className="font-normal text-ink-2">{name.detail}</span>
        </>
      }
      actions={data && <Moves recommendation={data} />}
    >
      <QueryState query={recommendation} what="This recommendation" loading={<Loading rows={10} />}>
        {(known) => <Details recommendation={known} />}
      </QueryState>
    </Page>
  )
}

function Details({ recommendation }: { recommendation: RecommendationWithEvidence }) {
  const history = useQuery(historyQuery(recommendation.id))
  const { evidence } = recommendation
  // What is no change of an object has no manifest, and what is over needs none.
  const hasManifest =
    recommendation.change.action !== 'investigate' && ['pending', 'approved'].includes(recommendation.status)
  const hasHours = evidence !== null && hasUseByHour(evidence)
  return (
    <div className="grid gap-6">
      <Headline recommendation={recommendation} />
      <div className="grid gap-x-8 gap-y-6 wide:grid-cols-[minmax(0,7fr)_minmax(280px,3fr)]">
        <div className="grid content-start gap-6">
          {evidence && hasHours && <Usage evidence={evidence} savings={recommendation.estimated_savings} />}
          {evidence && <Backtest evidence={evidence} />}
          {!hasHours && <InWords recommendation={recommendation} />}
          {!hasHours && evidence && <Doubts evidence={evidence} />}
          {hasManifest && (
            <Section title="Manifest" meta="change it in Git; nothing is written to the cluster">
              <ManifestPanel
                ids={[recommendation.id]}
                container={containerOf(recommendation)}
                first={isOfChart(recommendation) ? 'helm' : 'kustomize'}
              />
            </Section>
          )}
          {!evidence && <Note>No evidence is stored for this one any more.</Note>}
        </div>
        <div className="grid content-start gap-6">
          {hasHours && <InWords recommendation={recommendation} />}
          <Receipt recommendation={recommendation} />
          {hasHours && evidence && <Doubts evidence={evidence} />}
          <HistoryList query={history} />
          {evidence && <EvidenceFacts evidence={evidence} />}
          {evidence && <Guards evidence={evidence} />}
        </div>
      </div>
    </div>
  )
}

/** Whoever delivers with a chart changes its values; anything else would be undone by the next roll-out. */
const isOfChart = ({ delivered_by: deliverers = [] }: RecommendationWithEvidence) =>
  deliverers.some(({ kind }) => kind === 'Release' || kind === 'HelmRelease')

function containerOf({ cluster_id, namespace, workload }: RecommendationWithEvidence): ChartedContainer | undefined {
  return workload === null || workload.container === '' ? undefined : { cluster_id, namespace, ...workload }
}

function Moves({ recommendation }: { recommendation: RecommendationWithEvidence }) {
  const may = useMay()
  const queries = useQueryClient()
  const toast = useToast()
  const [isRejecting, setRejecting] = useState(false)
  const move = async (action: Move, reason?: string) => {
    try {
      await moveOne(recommendation.id, action, reason)
    } catch (error) {
      // Somebody else was faster: what they did is shown, and said.
      toast({ text: error instanceof ApiError ? error.message : 'That did not work.' })
    }
    await queries.invalidateQueries({ queryKey: ['recommendation', recommendation.id] })
    await queries.invalidateQueries({ queryKey: ['recommendations'] })
    await queries.invalidateQueries({ queryKey: ['overview'] })
  }
  return (
    <>
      <Actions
        allowed={recommendation.allowed_actions}
        may={may}
        onMove={(action) => void move(action)}
        onReject={() => setRejecting(true)}
      />
      {isRejecting && (
        <ReasonDialog
          ids={1}
          onClose={() => setRejecting(false)}
          onReject={(reason) => {
            setRejecting(false)
            void move('reject', reason)
          }}
        />
      )}
    </>
  )
}
