import type { ContainerSample, PodVersion, UsageHour } from '@plimsoll/contract'
import type { Living } from '../facts.ts'
import { HourUsage } from '../shape/hour-usage.ts'
import { nothing } from '../send/cut-history.ts'
import type { HistoryPart } from '../send/history-part.ts'
import type { HistorySource } from '../send/history.ts'
import { podNames } from './pod-names.ts'
import type { Prometheus, Series } from './prometheus-client.ts'
import { EventSteps, killedQuery, restartsQuery } from './prometheus-events.ts'
import { cpuQuery, memoryQuery, nameOf } from './prometheus.ts'

export type HistoryOptions = {
  prometheus: Prometheus
  /** The existing pods and controllers, with their real names. */
  living: () => Pick<Living, 'pods' | 'objects'>
  sleep: (seconds: number, signal: AbortSignal) => Promise<void>
  /** Milliseconds since 1970. */
  now: () => number
  signal: AbortSignal
  /** Replaces names before they are sent; default: unchanged. */
  rename?: (name: string) => string
  /** The timeout of a response. Default 60. */
  patienceSeconds?: number
  /** The maximum number of usage rows. Default 30,000. */
  rowsPerPart?: number
}

const hourSeconds = 3600
const stepSeconds = 300
const stepsPerHour = 12
/** A part is one request, and requests are limited, so a part is a day unless it gets too large. */
const hoursPerPart = 24
const rowsPerPartMax = 30_000
const [cpu, memory, memoryMax] = [0, 1, 2]

/**
 * The hourly usage of containers from Prometheus: enough for recommendations about requests. Restarts and OOM kills
 * need kube-state-metrics. Past cost is not sent, because it would need every past node and pod with its requests.
 */
export function prometheusHistory(options: HistoryOptions): HistorySource {
  return { read: ({ from, to }) => readParts(options, from, to) }
}

async function* readParts(options: HistoryOptions, from: number, to: number): AsyncGenerator<HistoryPart> {
  const { rowsPerPart = rowsPerPartMax } = options
  const workloadOf = podNames(options.living())
  // Nothing is known before the first hour, so no pod counts as started in it.
  let seenBefore: ReadonlySet<string> = new Set()
  let through = from
  while (through < to) {
    const end = Math.min(to, through + hoursPerPart)
    const hours: HistoryPart['hours'][number][] = []
    for (let rows = 0; through < end && rows < rowsPerPart; through += 1) {
      const { read, seen } = await readHour(options, { hour: through, seenBefore }, workloadOf)
      seenBefore = seen
      const usage = read.usageHours().map((row) => renamed(row, options.rename))
      if (usage.length > 0) hours.push({ nodeHours: () => [], usageHours: () => usage })
      rows += usage.length
    }
    yield { through, objects: nothing, hours }
  }
}

function renamed(row: UsageHour, rename: HistoryOptions['rename']): UsageHour {
  if (!rename) return row
  const { namespace, workloadName, container } = row
  return { ...row, namespace: rename(namespace), workloadName: rename(workloadName), container: rename(container) }
}

type WorkloadOf = ReturnType<typeof podNames>

/** `seenBefore`: the containers of the previous hour. */
type HourQuery = { readonly hour: number; readonly seenBefore: ReadonlySet<string> }
type HourRead = { readonly read: HourUsage; readonly seen: ReadonlySet<string> }

async function readHour(
  options: HistoryOptions,
  { hour, seenBefore }: HourQuery,
  workloadOf: WorkloadOf,
): Promise<HourRead> {
  const containers = new Map<string, { labels: Record<string, string>; values: Float64Array }>()
  const startedAt = options.now()
  await askRange(options, {
    hour,
    query: cpuQuery(stepSeconds),
    onSeries: (series) => note(containers, series, hour, cpu),
  })
  const over = (how: string) =>
    memoryQuery.replace('(container', `(${how}_over_time(container`).replace('})', '}[5m]))')
  await askRange(options, { hour, query: over('avg'), onSeries: (series) => note(containers, series, hour, memory) })
  await askRange(options, { hour, query: over('max'), onSeries: (series) => note(containers, series, hour, memoryMax) })
  const steps = new EventSteps()
  await askRange(options, { hour, query: restartsQuery, onSeries: (series) => steps.addRestarts(series), firstStep: 0 })
  await askRange(options, { hour, query: killedQuery, onSeries: (series) => steps.addKilled(series), firstStep: 0 })
  // Pauses as long as the query took, so that other clients get half of the time.
  await options.sleep((options.now() - startedAt) / 1000, options.signal)
  const usage = new HourUsage(hour, stepSeconds / 60)
  let ref = 0
  for (const [key, { labels, values }] of containers) {
    const { namespace, pod, container } = nameOf(labels)
    const workload = workloadOf(namespace, pod)
    const isNew = seenBefore.size > 0 && !seenBefore.has(key)
    if (workload) addContainer(usage, asPod(namespace, workload, container), { podRef: (ref += 1), isNew }, values)
  }
  for (const { namespace, pod, container, restarts, oomKills } of steps.events()) {
    const workload = workloadOf(namespace, pod)
    const event = { podRef: 0, container: 0, at: hour * hourSeconds, restarts, oomKills }
    if (workload) usage.addEvent(event, () => asPod(namespace, workload, container))
  }
  const seen = [...containers].filter(([, { values }]) => hasUsage(values)).map(([key]) => key)
  return { read: usage, seen: new Set(seen) }
}

/** Rates and means describe the time before them, so they start at the first step; compared values start at the hour. */
function askRange(
  { prometheus, signal, patienceSeconds = 60 }: HistoryOptions,
  {
    hour,
    query,
    onSeries,
    firstStep = 1,
  }: { hour: number; query: string; onSeries: (series: Series) => void; firstStep?: number },
) {
  const from = hour * hourSeconds + firstStep * stepSeconds
  const range = { from, to: (hour + 1) * hourSeconds, stepSeconds }
  const patience = AbortSignal.any([signal, AbortSignal.timeout(patienceSeconds * 1000)])
  return prometheus.range(query, range, patience, onSeries)
}

type Containers = Map<string, { labels: Record<string, string>; values: Float64Array }>

function note(containers: Containers, { labels, values }: Series, hour: number, what: number): void {
  const { namespace, pod, container } = nameOf(labels)
  const key = `${namespace}/${pod}/${container}`
  const known = containers.get(key) ?? { labels, values: new Float64Array(3 * stepsPerHour).fill(NaN) }
  containers.set(key, known)
  for (const [time, value] of values) {
    const step = Math.round((time - hour * hourSeconds) / stepSeconds) - 1
    if (step >= 0 && step < stepsPerHour) known.values[what * stepsPerHour + step] = value
  }
}

const stepIndexes = Array.from({ length: stepsPerHour }, (_, step) => step)

const isKnown = (values: Float64Array, step: number) =>
  !Number.isNaN(values[cpu * stepsPerHour + step]) && !Number.isNaN(values[memory * stepsPerHour + step])

/** A container that starts with the next hour may have a first value in this hour, but no usage yet. */
const hasUsage = (values: Float64Array) => stepIndexes.some((step) => isKnown(values, step))

type SeenPod = { readonly podRef: number; readonly isNew: boolean }

/**
 * Adds each container of each pod. Figures are by workload and container. The first step of a new pod is its start:
 * five minutes, as on the server.
 */
function addContainer(usage: HourUsage, pod: PodVersion, { podRef, isNew }: SeenPod, values: Float64Array): void {
  let isStart = isNew
  for (const step of stepIndexes) {
    if (!isKnown(values, step)) continue
    const at = (what: number) => values[what * stepsPerHour + step] ?? NaN
    const memoryMeanKib = Math.round(at(memory) / 1024)
    const sample: ContainerSample = {
      podRef,
      container: 0,
      cpuMeanTenths: Math.round(at(cpu) * 10_000),
      cpuAboveTenths: 0,
      memoryMeanKib,
      memoryAboveKib: Math.max(0, Math.round((at(memoryMax) || 0) / 1024) - memoryMeanKib),
    }
    if (isStart) usage.addStart(pod, sample)
    else usage.addMinute({ nodeRef: 0, samples: [sample] }, () => pod)
    isStart = false
  }
}

/** The fields of a pod that history needs. */
const asPod = (namespace: string, workload: { kind: string; name: string }, container: string): PodVersion => ({
  ref: 0,
  uid: '',
  from: 0,
  name: '',
  namespace,
  nodeRef: 0,
  boundAt: 0,
  phase: 'running',
  shape: { containers: [{ name: container, kind: 'app' }] },
  workloadKind: workload.kind,
  workloadName: workload.name,
  labels: {},
})
