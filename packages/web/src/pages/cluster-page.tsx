import type { Cluster, Job } from '@plimsoll/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { deleteIt, getJson, postJson } from '../api/client.ts'
import { useMay } from '../api/session.ts'
import { dollars } from '../format/money.ts'
import { clusterWords, providerName } from '../format/words.ts'
import { TextField } from '../parts/controls.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Note, State } from '../parts/marks.tsx'
import { Page } from '../parts/page.tsx'
import { Section } from '../parts/section.tsx'
import { useFailure } from '../parts/states.tsx'
import { AgentTokens } from './cluster/agent-tokens.tsx'
import { Checklist } from './cluster/checklist.tsx'

export function ClusterPage() {
  const { clusterId } = useParams({ from: '/shell/clusters/$clusterId' })
  const may = useMay()
  const { data } = useQuery({
    queryKey: ['cluster', clusterId],
    queryFn: () => getJson<Cluster>(`/api/v1/clusters/${clusterId}`),
  })
  const [isDeleting, setDeleting] = useState(false)
  const hasReported = typeof data?.agent.last_seen_at === 'string'
  return (
    <Page
      title={data?.name ?? 'Cluster'}
      sub={data && <Facts cluster={data} />}
      actions={
        <>
          <Link to="/" search={{ cluster: clusterId }} className="button">
            Overview
          </Link>
          {may('clusters:delete') && (
            <button type="button" className="button" onClick={() => setDeleting(true)}>
              Remove…
            </button>
          )}
        </>
      }
    >
      <div className="grid gap-6">
        {may('clusters:write') && hasReported && <Sync clusterId={clusterId} />}
        <Checklist clusterId={clusterId} />
        {may('clusters:token') && <AgentTokens clusterId={clusterId} />}
      </div>
      {isDeleting && data && <RemoveDialog cluster={data} onClose={() => setDeleting(false)} />}
    </Page>
  )
}

function Facts({ cluster }: { cluster: Cluster }) {
  const { tone, word } = clusterWords[cluster.status]
  return (
    <>
      {providerName(cluster.provider)}
      {cluster.region !== 'unknown' && `, ${cluster.region}`} ·{' '}
      {cluster.status !== 'pending' && cluster.monthly_cost !== null && `${dollars(cluster.monthly_cost)}/mo · `}
      <State tone={tone}>{word}</State>
    </>
  )
}

const stages: Record<Job['stage'], string> = {
  queued: 'Waiting for its turn',
  recalculating: 'Stored hours are recalculated',
  waiting_for_agent: 'A fresh snapshot was asked for; the agent answers within a minute',
  done: 'Done',
}

/** Long work shows its stage; the page may be left meanwhile. */
function Sync({ clusterId }: { clusterId: string }) {
  const queries = useQueryClient()
  const [jobId, setJobId] = useState<string | null>(null)
  const [failure, run] = useFailure()
  const job = useQuery({
    queryKey: ['job', jobId],
    queryFn: () => getJson<Job>(`/api/v1/jobs/${jobId ?? ''}`),
    enabled: jobId !== null,
    refetchInterval: ({ state }) => (state.data?.finished_at === null || state.data === undefined ? 3000 : false),
  })
  const start = () =>
    run(async () => {
      const started = await postJson<Job>(`/api/v1/clusters/${clusterId}/sync`)
      setJobId(started.id)
      void queries.invalidateQueries({ queryKey: ['cluster', clusterId] })
    })
  const { data } = job
  const isRunning = data?.status === 'running'
  return (
    <Section title="Sync" meta="recalculate what is stored and ask for a fresh snapshot">
      {data ? (
        <div className="max-w-[560px]">
          <progress className="h-1 w-full" max={1} value={data.progress} aria-label="Progress of the sync" />
          <p className="mt-1 text-ink-2" aria-live="polite">
            {isRunning
              ? `${stages[data.stage]}, ${Math.round(100 * data.progress)} %`
              : (data.result?.message ?? data.error)}
          </p>
        </div>
      ) : null}
      {!isRunning && (
        <button type="button" className="button mt-2" onClick={() => void start()}>
          Sync now
        </button>
      )}
      {failure}
    </Section>
  )
}

function RemoveDialog({ cluster, onClose }: { cluster: Cluster; onClose: () => void }) {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [typed, setTyped] = useState('')
  const [failure, run] = useFailure()
  const remove = async () => {
    const isGone = await run(() => deleteIt(`/api/v1/clusters/${cluster.id}`))
    if (!isGone) return
    await queries.invalidateQueries()
    await navigate({ to: '/clusters', search: {} })
  }
  return (
    <Dialog title={`Remove ${cluster.name}`} onClose={onClose}>
      <Note tone="danger" icon="alert">
        All that is stored of it is deleted, and its token stops working at once. This cannot be taken back.
      </Note>
      <div className="my-4">
        <TextField label="Type its name to go on" value={typed} onChange={setTyped} />
      </div>
      {failure}
      <div className="flex gap-2">
        <button
          type="button"
          className="button button-danger"
          disabled={typed !== cluster.name}
          onClick={() => void remove()}
        >
          Remove for good
        </button>
        <button type="button" className="button button-quiet" onClick={onClose}>
          Cancel
        </button>
      </div>
    </Dialog>
  )
}
