import type { EstimatedState, EstimatedWorkload, EstimateNote, PodShape, ReplicaSource } from '@plimsoll/contract'
import {
  BYTES_PER_KIB,
  countRuns,
  HOURS_PER_MONTH,
  MICROCORES_PER_CORE,
  RESOURCES,
  runsPerMonth,
  SECONDS_PER_HOUR,
  type Amounts,
  type CronSchedule,
} from '@plimsoll/engine'
import { workloadPath } from '@plimsoll/engine/rules'
import { requestOf } from '../fold/request-of.ts'
import type { LiveCluster, LiveWorkload, UnitRates } from './live-workloads.ts'
import type { AskedState, AskedWorkload } from './read-workloads.ts'
import { shapeOf, templateNames } from './shape-of.ts'

const secondsPerMonth = SECONDS_PER_HOUR * HOURS_PER_MONTH

/** Stored hours in which a workload ran. */
export type WorkloadPast = {
  hours: number
  podSeconds: number
  /** Means over these hours. Null: not measured. */
  cpuMicrocores: number | null
  memoryKib: number | null
  /** The first of these hours, and the end of the last finalised hour. */
  from: Date
  to: Date
}

/** Pods after the change, where the change is part of the simulation. */
export type TargetState = { shape: PodShape; replicas: number | null; source: ReplicaSource }

export type WorkloadEstimate = {
  path: string
  shown: EstimatedWorkload
  live: LiveWorkload | null
  /** Null: removed. */
  target: TargetState | null
}

export type EstimateContext = {
  cluster: LiveCluster
  past: ReadonlyMap<string, WorkloadPast>
  /** Nodes that a DaemonSet without constraints runs on. */
  nodes: number
}

type Subject = AskedWorkload & { path: string; live: LiveWorkload | null; context: EstimateContext; rates: UnitRates }

export function estimateWorkload(asked: AskedWorkload, context: EstimateContext): WorkloadEstimate {
  const { kind, namespace, name } = asked
  const path = workloadPath(namespace, kind, name)
  const live = context.cluster.find(path)
  const { from, rates } = context.cluster.ratesOf(live?.pods ?? [])
  const subject: Subject = { ...asked, path, live, context, rates }
  const [before, after] = [beforeOf(subject), asked.after && stateOf(subject, asked.after)]
  const change = changeOf(before, after)
  const past = context.past.get(path)
  return {
    path,
    live,
    target: after && { shape: after.shape, replicas: after.shown.replicas, source: after.shown.replicas_from },
    shown: {
      ...{ kind, namespace, name, change },
      before: before?.shown ?? null,
      after: after?.shown ?? null,
      monthly_change: difference(before, after),
      rates: from,
      usage: past ? usageOf(past) : null,
      notes: notesOf(subject, before, after),
    },
  }
}

type State = {
  shown: EstimatedState
  shape: PodShape
  request: Amounts
  isPriced: boolean
  /** Undefined: not a CronJob. */
  runs: CronSchedule | 'suspended' | undefined
}

/** The state in the cluster applies where the request has none. */
function beforeOf(subject: Subject): State | null {
  const { before, live } = subject
  if (before) return stateOf(subject, before)
  return before === null || !live ? null : finish(subject, live.shape, null)
}

function stateOf(subject: Subject, asked: AskedState): State {
  const { live, before, namespace, context } = subject
  const known = before
    ? new Set(before.containers.map(({ name }) => name))
    : live
      ? templateNames(live.shape)
      : new Set<string>()
  const shape = shapeOf(asked, { live: live?.shape, known, defaults: context.cluster.defaultsOf(namespace) })
  return finish(subject, shape, asked)
}

type Replicas = { replicas: number | null; source: ReplicaSource }

function replicasOf(subject: Subject, asked: AskedState | null): Replicas {
  const { kind, path, live, context } = subject
  if (kind === 'CronJob') return { replicas: meanRuns(subject, asked), source: 'schedule' }
  if (kind === 'Job') return { replicas: null, source: 'default' }
  if (kind === 'DaemonSet') return { replicas: live?.replicas ?? context.nodes, source: 'nodes' }
  if (context.cluster.autoscalerOf(path)) {
    const past = context.past.get(path)
    const replicas = past ? meanReplicas(past) : live?.replicas
    if (replicas !== undefined) return { replicas, source: 'autoscaler' }
  }
  if (asked?.replicas !== undefined) return { replicas: asked.replicas, source: 'request' }
  return live ? { replicas: live.replicas, source: 'cluster' } : { replicas: 1, source: 'default' }
}

const meanReplicas = ({ podSeconds, hours }: WorkloadPast) => podSeconds / (hours * SECONDS_PER_HOUR)

/** Null asks for the state in the cluster. */
function runsOf({ before, live, kind }: Subject, asked: AskedState | null): State['runs'] {
  if (kind !== 'CronJob') return undefined
  const isSuspended = asked ? asked.isSuspended : live?.isSuspended === true
  return isSuspended ? 'suspended' : (asked?.schedule ?? live?.schedule ?? before?.schedule)
}

/** Mean pods at the same time: the runs of a month × the mean time of the pods of a past run. */
function meanRuns(subject: Subject, asked: AskedState | null): number | null {
  const { before, live, context, path } = subject
  const schedule = runsOf(subject, asked)
  if (schedule === 'suspended') return 0
  const past = context.past.get(path)
  const earlier = live?.schedule ?? before?.schedule
  if (!past || !earlier || !schedule) return null
  const runs = countRuns(earlier, past.from, past.to)
  return runs === 0 ? null : (runsPerMonth(schedule) * (past.podSeconds / runs)) / secondsPerMonth
}

function finish(subject: Subject, shape: PodShape, asked: AskedState | null): State {
  const { live, rates } = subject
  const { replicas, source } = replicasOf(subject, asked)
  const { containers, pod } = requestOf(shape, live?.gpu).request
  const all = [...containers.map(({ request }) => request), pod]
  const total = (of: (amounts: Amounts) => number) => all.reduce((sum, each) => sum + of(each), 0)
  const request = { cpu: total(({ cpu }) => cpu), memory: total(({ memory }) => memory), gpu: total(({ gpu }) => gpu) }
  const usd = usdPerMonth(request, rates)
  const cost = replicas === 0 ? 0 : replicas === null || usd === null ? null : round(usd * replicas)
  return {
    shape,
    request,
    runs: runsOf(subject, asked),
    isPriced: usd !== null,
    shown: {
      replicas: replicas === null ? null : Number(replicas.toFixed(6)),
      replicas_from: source,
      cpu_cores: request.cpu / MICROCORES_PER_CORE,
      memory_bytes: request.memory * BYTES_PER_KIB,
      monthly_cost: cost,
    },
  }
}

/** Null: a requested resource has no price. */
function usdPerMonth(request: Amounts, rates: UnitRates): number | null {
  let usd = 0
  for (const resource of RESOURCES) {
    const rate = rates[resource]
    if (request[resource] > 0 && rate === null) return null
    usd += request[resource] * (rate ?? 0) * secondsPerMonth
  }
  return usd
}

function changeOf(before: State | null, after: State | null): EstimatedWorkload['change'] {
  if (!before) return after ? 'added' : 'unchanged'
  if (!after) return 'removed'
  return isSame(before, after) ? 'unchanged' : 'changed'
}

const isSame = (a: State, b: State) =>
  a.shown.replicas === b.shown.replicas &&
  runsText(a) === runsText(b) &&
  RESOURCES.every((resource) => a.request[resource] === b.request[resource])

const runsText = ({ runs }: State) =>
  JSON.stringify(runs, (_name, value: unknown) => (value instanceof Set ? [...value].sort() : value))

function difference(before: State | null, after: State | null): number | null {
  const cost = (state: State | null) => (state ? state.shown.monthly_cost : 0)
  const [was, is] = [cost(before), cost(after)]
  if (before && after && isSame(before, after)) return 0
  return was === null || is === null ? null : round(is - was)
}

export const round = (usd: number) => Number(usd.toFixed(6))

function usageOf(past: WorkloadPast): EstimatedWorkload['usage'] {
  const { cpuMicrocores, memoryKib, hours } = past
  return {
    cpu_cores: cpuMicrocores === null ? null : round(cpuMicrocores / MICROCORES_PER_CORE),
    memory_bytes: memoryKib === null ? null : Math.round(memoryKib * BYTES_PER_KIB),
    replicas: round(meanReplicas(past)),
    hours,
  }
}

function notesOf(subject: Subject, before: State | null, after: State | null): EstimateNote[] {
  const { kind, live, context, path } = subject
  const states = [before, after].filter((state) => state !== null)
  const isUnknown = states.some(({ shown }) => shown.replicas === null)
  const autoscaler = context.cluster.autoscalerOf(path)
  const notes: [boolean, EstimateNote['code'], string][] = [
    [
      states.some(({ isPriced }) => !isPriced),
      'not_priced',
      'A node that runs its pods has no price for a requested resource.',
    ],
    [
      kind === 'CronJob' && isUnknown,
      'run_time_unknown',
      'No run of the last 31 days is known, so the run time is unknown.',
    ],
    [kind === 'Job', 'one_off_job', 'A Job runs once, so it has no monthly cost.'],
    [subject.before !== null && !live, 'not_in_cluster', 'The cluster does not run this workload.'],
    [
      subject.before === null && live !== null,
      'in_cluster',
      'The request says that the workload is new, but the cluster already runs it.',
    ],
    [
      autoscaler !== undefined,
      'scaled_by_autoscaler',
      'An autoscaler sets the replicas, so the estimate uses their mean.',
    ],
    [
      autoscaler !== undefined && isScaledByChange(autoscaler, before, after),
      'scales_on_requests',
      'The autoscaler scales on utilization, a share of the request. Other requests lead to other replicas, which the estimate does not contain.',
    ],
    [
      subject.before !== undefined && live !== null && before !== null && !runsAs(live, before),
      'differs_from_cluster',
      'The cluster runs other requests or replicas than the state before the change. The bill starts from the cluster.',
    ],
  ]
  return [...notes.flatMap(([applies, code, detail]) => (applies ? [{ code, detail }] : [])), ...missingRequests(after)]
}

type Autoscaler = NonNullable<ReturnType<LiveCluster['autoscalerOf']>>

function isScaledByChange(spec: Autoscaler, before: State | null, after: State | null): boolean {
  if (!before || !after) return false
  return (
    (spec.cpu_target_percent !== undefined && before.request.cpu !== after.request.cpu) ||
    (spec.memory_target_percent !== undefined && before.request.memory !== after.request.memory)
  )
}

function runsAs(live: LiveWorkload, { request, shown }: State): boolean {
  const { containers, pod } = requestOf(live.shape, live.gpu).request
  const running = (resource: 'cpu' | 'memory') =>
    pod[resource] + containers.reduce((sum, each) => sum + each.request[resource], 0)
  const isSameCount = shown.replicas_from !== 'request' || shown.replicas === live.replicas
  return isSameCount && running('cpu') === request.cpu && running('memory') === request.memory
}

function missingRequests(after: State | null): EstimateNote[] {
  if (!after) return []
  return after.shape.containers.flatMap(({ name, kind, cpu_request, memory_request }) => {
    const missing = [...(cpu_request === undefined ? ['CPU'] : []), ...(memory_request === undefined ? ['memory'] : [])]
    if (missing.length === 0 || kind === 'init' || isOfPod(after.shape)) return []
    const detail = `Container \`${name}\` has no ${missing.join(' and no ')} request, so the cost does not contain its usage.`
    return [{ code: 'no_request' as const, detail }]
  })
}

const isOfPod = ({ pod_cpu_request, pod_memory_request }: PodShape) =>
  pod_cpu_request !== undefined && pod_memory_request !== undefined
