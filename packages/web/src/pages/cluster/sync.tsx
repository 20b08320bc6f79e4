import type { Job } from '@plimsoll/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { wholePercent } from '../../format/quantity.ts'
import { Section } from '../../parts/section.tsx'
import { useFailure } from '../../parts/states.tsx'

const stages: Record<Job['stage'], string> = {
  queued: 'Queued',
  recalculating: 'Recalculating stored hours',
  waiting_for_agent: 'Waiting for a new snapshot from the agent (up to one minute)',
  done: 'Done',
}

/** Shows the stage of the sync, which continues when the page is closed. */
export function Sync({ clusterId }: { clusterId: string }) {
  const queries = useQueryClient()
  const [jobId, setJobId] = useState<string | null>(null)
  const [failure, run] = useFailure()
  const job = useQuery({
    queryKey: ['job', jobId],
    queryFn: () => api.getJob({ params: { job_id: jobId ?? '' } }),
    enabled: jobId !== null,
    refetchInterval: ({ state }) => (state.data?.finished_at === null || state.data === undefined ? 3000 : false),
  })
  const start = () =>
    run(async () => {
      const started = await api.syncCluster({ params: { cluster_id: clusterId } })
      setJobId(started.id)
      void queries.invalidateQueries({ queryKey: ['cluster', clusterId] })
    })
  const { data } = job
  const isRunning = data?.status === 'running'
  return (
    <Section title="Sync" meta="Recalculates the stored hours and requests a new snapshot from the agent.">
      {data ? (
        <div className="max-w-[560px]">
          <progress className="h-1 w-full" max={1} value={data.progress} aria-label="Progress of the sync" />
          <p className="mt-1 text-ink-2" aria-live="polite">
            {isRunning ? `${stages[data.stage]}, ${wholePercent(data.progress)}` : (data.result?.message ?? data.error)}
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
