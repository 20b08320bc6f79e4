import type { Cluster, DataQuality } from '@plimsoll/contract'
import { useQuery } from '@tanstack/react-query'
import { clusterQuery } from '../../api/queries.ts'
import { count } from '../../format/quantity.ts'
import { providerName } from '../../format/labels.ts'
import { Icon, type IconName } from '../../parts/icon.tsx'
import { Instant } from '../../parts/instant.tsx'
import { State } from '../../parts/state-tags.tsx'
import { Section } from '../../parts/section.tsx'
import { QueryState } from '../../parts/states.tsx'
import { unpricedText } from './unpriced-text.ts'

type Step = { name: string; state: 'done' | 'partly' | 'waiting' | 'failed'; text: string; at: string | null }

/** Shows what is missing, and updates automatically. */
export function Checklist({ clusterId }: { clusterId: string }) {
  const cluster = useQuery(clusterQuery(clusterId))
  return (
    <QueryState query={cluster} what="The cluster">
      {(known) => <Steps steps={stepsOf(known, known.data_quality ?? undefined)} />}
    </QueryState>
  )
}

const icons: Record<Step['state'], IconName> = { done: 'check', partly: 'alert', waiting: 'clock', failed: 'cross' }
const tones = { done: 'tone-ok', partly: 'tone-warn', waiting: 'tone-muted', failed: 'tone-danger' } as const

function Steps({ steps }: { steps: readonly Step[] }) {
  const failed = steps.filter(({ state }) => state === 'failed').length
  const waiting = steps.filter(({ state }) => state === 'waiting').length
  const partly = steps.filter(({ state }) => state === 'partly').length
  const end =
    failed > 0 ? (
      <State tone="danger">
        {failed} of {steps.length} failed
      </State>
    ) : waiting > 0 ? (
      `${waiting} waiting`
    ) : partly > 0 ? (
      <State tone="warn">{partly} incomplete</State>
    ) : (
      <State tone="ok">complete</State>
    )
  return (
    <Section title="Checklist" meta="updates automatically" end={end}>
      <ol aria-live="polite">
        {steps.map(({ name, state, text, at }) => (
          <li
            key={name}
            className={`grid grid-cols-[22px_minmax(0,1fr)_auto] gap-x-2 gap-y-0.5 border-b border-rule py-2 phone:grid-cols-[22px_160px_minmax(0,1fr)_auto] ${
              state === 'failed' ? 'bg-[var(--danger-tint)]' : ''
            }`}
          >
            <span className={`pt-0.5 ${tones[state]}`}>
              <Icon name={icons[state]} />
              <span className="sr-only">{state}</span>
            </span>
            <b className={state === 'waiting' ? 'font-normal text-ink-2' : 'font-medium'}>{name}</b>
            <span className="col-span-2 col-start-2 row-start-2 text-ink-2 phone:col-span-1 phone:col-start-3 phone:row-start-1">
              {text}
            </span>
            <span className="col-start-3 row-start-1 text-sm text-ink-3 phone:col-start-4">
              {at !== null && <Instant at={at} />}
            </span>
          </li>
        ))}
      </ol>
    </Section>
  )
}

function stepsOf(cluster: Cluster, quality: DataQuality | undefined): Step[] {
  const { agent, conditions } = cluster
  const lastSeenAt = agent.last_seen_at
  const has = (isDone: boolean): Step['state'] => (isDone ? 'done' : 'waiting')
  const condition = (name: string, type: string, waiting: string): Step => {
    const found = conditions.find((each) => each.type === type)
    if (!found) return { name, state: 'waiting', text: waiting, at: null }
    return { name, state: found.ok ? 'done' : 'failed', text: found.message, at: found.since }
  }
  const identity = conditions.find(({ type, ok }) => type === 'identity' && !ok)
  const provider = conditions.find(({ type, ok }) => type === 'provider' && !ok)
  const hours = quality?.hours.with_data ?? 0
  return [
    {
      name: 'Token accepted',
      state: has(lastSeenAt !== null),
      text: lastSeenAt === null ? 'The token has not been used' : `Agent ${agent.version ?? ''} connected`,
      at: lastSeenAt,
    },
    {
      name: 'Cluster identified',
      state: identity ? 'failed' : has(cluster.last_sync_at !== null),
      text:
        identity?.message ??
        provider?.message ??
        (cluster.last_sync_at === null
          ? 'Available after the first report'
          : `${providerName(cluster.provider)}, ${cluster.region}`),
      at: cluster.last_sync_at,
    },
    {
      name: 'Inventory',
      state: has(cluster.last_sync_at !== null && cluster.node_count !== 0),
      text:
        cluster.node_count !== null && cluster.pod_count !== null && cluster.node_count > 0
          ? `${count(cluster.node_count, 'node')}, ${count(cluster.pod_count, 'pod')}`
          : 'Available after the first snapshot',
      at: cluster.last_sync_at,
    },
    matched(condition('Prices matched', 'prices', 'Available after the first snapshot'), quality),
    condition('Usage source', 'usage', 'Kubelets, metrics-server or Prometheus'),
    {
      name: 'First complete hour',
      state: has(hours > 0),
      text: firstHourText(lastSeenAt, quality),
      at: quality?.as_of ?? null,
    },
  ]
}

/** The condition covers nodes; the data quality adds volumes and load balancers without a price. */
function matched(step: Step, quality: DataQuality | undefined): Step {
  const missing = quality ? unpricedText(quality) : null
  if (step.state !== 'done' || missing === null) return step
  return { ...step, state: 'partly', text: `${step.text.split('.', 1).join()}. ${missing}` }
}

function firstHourText(lastSeenAt: string | null, quality: DataQuality | undefined): string {
  if (lastSeenAt !== null && quality === undefined) return 'loading'
  const hours = quality?.hours.with_data ?? 0
  return hours > 0
    ? `${count(hours, 'hour')} of the last 7 days complete`
    : 'Until the first complete hour, cost is estimated from list prices'
}
