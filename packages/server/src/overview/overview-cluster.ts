import {
  decimal,
  HOURS_PER_MONTH,
  roundToNumber,
  SECONDS_PER_HOUR,
  type Decimal,
  hourMs,
  dayMs,
} from '@plimsoll/engine'
import type { Mover, Overview } from '@plimsoll/contract'
import type { Db } from '../platform/db/database.ts'
import {
  countHours,
  findFirstHour,
  listDayCosts,
  listMovedWorkloads,
  sumCoverage,
  sumSpanCloudResources,
  sumSpanCompute,
  type DayCost,
  type HoursOfSpans,
  type MovedWorkload,
  type Span,
  type SpanCloudResources,
  type SpanCompute,
  type TwoSpans,
} from './queries/overview.ts'
import { idleCause, moverCause } from '../costs/index.ts'

export const moversMax = 8
export const trendDays = 30

/** Costs per month, by the known hours of a span. */
export type MonthlyCosts = {
  used: Decimal
  /** A part of `used`. */
  unmeasured: Decimal
  alloc: Decimal
  capacity: Decimal
  storage: Decimal
  balancers: Decimal
  overhead: Decimal
}

/** The lines of the run-rate. */
type CostPart = Overview['run_rate']['unpriced_parts'][number]

const partOf = { volume: 'storage', balancer: 'load_balancer', control_plane: 'overhead' } as const

/** The parts of the overview that depend only on the hours of one cluster. */
export type ClusterPast = {
  /** Its first hour. */
  first: Date
  hours: HoursOfSpans
  now: MonthlyCosts
  before: MonthlyCosts
  /** Of the current span. */
  unpricedParts: readonly CostPart[]
  coverage: number | null
  days: readonly DayCost[]
  movers: readonly Mover[]
}

export async function loadClusterPast(tx: Db, clusterId: string, newest: Date, today: Date): Promise<ClusterPast> {
  const spans = spansUntil(newest)
  const hours = await countHours(tx, clusterId, spans)
  const compute = await sumSpanCompute(tx, clusterId, spans)
  const cloudResources = await sumSpanCloudResources(tx, clusterId, spans)
  const { known, all } = await sumCoverage(tx, clusterId, spans)
  const since = new Date(Math.floor(today.getTime() / dayMs) * dayMs - trendDays * dayMs)
  const before = monthlyCosts('before', hours, compute, cloudResources)
  const now = monthlyCosts('now', hours, compute, cloudResources)
  const hasBoth = isComparable(hours)
  const workloads = hasBoth ? await listMovedWorkloads(tx, clusterId, spans, { hours, limit: moversMax }) : []
  return {
    first: (await findFirstHour(tx, clusterId)) ?? newest,
    hours,
    now,
    before,
    unpricedParts: listUnpricedParts(compute, cloudResources),
    coverage: all === 0 ? null : known / all,
    days: await listDayCosts(tx, clusterId, since),
    movers: hasBoth
      ? [
          ...workloads.map((each) => workloadMover(clusterId, each, hours)),
          ...unownedMovers(clusterId, { before, now, nodes: nodesOf(compute, hours) }),
        ]
      : [],
  }
}

export const isComparable = ({ before, now }: HoursOfSpans) => before > 0 && now > 0

/** The last 24 existing hours, and the same hours a week before. */
function spansUntil(newest: Date): TwoSpans {
  const to = newest.getTime() + hourMs
  const span = (end: number) => ({ from: new Date(end - dayMs), to: new Date(end) })
  return { now: span(to), before: span(to - 7 * dayMs) }
}

/** Missing hours must not look like savings: the mean of the known hours, per month. */
const perMonth = (usd: string | undefined, hours: number): Decimal =>
  hours === 0 ? 0n : (decimal(usd ?? '0') * BigInt(HOURS_PER_MONTH)) / BigInt(hours)

function monthlyCosts(
  span: Span,
  hours: HoursOfSpans,
  compute: readonly SpanCompute[],
  cloudResources: readonly SpanCloudResources[],
): MonthlyCosts {
  const own = compute.find((row) => row.span === span)
  const cloudResource = (kind: SpanCloudResources['kind']) =>
    perMonth(cloudResources.find((row) => row.span === span && row.kind === kind)?.usd, hours[span])
  return {
    used: perMonth(own?.used, hours[span]),
    unmeasured: perMonth(own?.unmeasured, hours[span]),
    alloc: perMonth(own?.alloc, hours[span]),
    capacity: perMonth(own?.capacity, hours[span]),
    storage: cloudResource('volume'),
    balancers: cloudResource('balancer'),
    overhead: cloudResource('control_plane'),
  }
}

function listUnpricedParts(compute: readonly SpanCompute[], cloudResources: readonly SpanCloudResources[]): CostPart[] {
  const isMissing = (row: { span: Span; isUnpriced: boolean }) => row.span === 'now' && row.isUnpriced
  return [
    ...(compute.some(isMissing) ? (['compute'] as const) : []),
    ...cloudResources.filter(isMissing).map(({ kind }) => partOf[kind]),
  ]
}

export const totalOf = ({ capacity, storage, balancers, overhead }: MonthlyCosts) =>
  capacity + storage + balancers + overhead

function nodesOf(compute: readonly SpanCompute[], hours: HoursOfSpans): Record<Span, number> {
  const mean = (span: Span) => {
    const seconds = Number(compute.find((row) => row.span === span)?.nodeSeconds ?? 0)
    return hours[span] === 0 ? 0 : seconds / SECONDS_PER_HOUR / hours[span]
  }
  return { before: mean('before'), now: mean('now') }
}

function mover(
  clusterId: string,
  {
    before,
    now,
    ...what
  }: Pick<Mover, 'kind' | 'cause'> &
    Partial<Pick<Mover, 'namespace' | 'workload_kind' | 'name'>> & { before: Decimal; now: Decimal },
): Mover {
  return {
    cluster_id: clusterId,
    namespace: '',
    workload_kind: '',
    name: '',
    ...what,
    before: roundToNumber(before),
    now: roundToNumber(now),
    change: roundToNumber(now - before),
  }
}

/** Sums are in microcores and KiB, over seconds. */
const perPod = (podSeconds: number, cpu: string, memory: string) => ({
  cpuMillicores: podSeconds === 0 ? 0 : Number(cpu) / podSeconds / 1000,
  memoryMib: podSeconds === 0 ? 0 : Number(memory) / podSeconds / 1024,
})

function workloadMover(clusterId: string, row: MovedWorkload, hours: HoursOfSpans): Mover {
  const then = (span: Span) => {
    const podSeconds = Number(row[`${span}PodSeconds`])
    const lastPodSeconds = Number(row[`${span}LastPodSeconds`])
    return {
      pods: podSeconds / SECONDS_PER_HOUR / hours[span],
      ...perPod(podSeconds, row[`${span}CpuRequest`], row[`${span}MemoryRequest`]),
      inTheEnd:
        lastPodSeconds === 0
          ? null
          : perPod(lastPodSeconds, row[`${span}LastCpuRequest`], row[`${span}LastMemoryRequest`]),
    }
  }
  return mover(clusterId, {
    kind: 'workload',
    namespace: row.namespace,
    workload_kind: row.kind,
    name: row.name,
    before: perMonth(row.beforeUsd, hours.before),
    now: perMonth(row.nowUsd, hours.now),
    cause: moverCause(then('before'), then('now')),
  })
}

type Unowned = { before: MonthlyCosts; now: MonthlyCosts; nodes: Record<Span, number> }

function unownedMovers(clusterId: string, { before, now, nodes }: Unowned): Mover[] {
  const idle = ({ capacity, alloc }: MonthlyCosts) => capacity - alloc
  return [
    mover(clusterId, {
      kind: 'cluster_idle',
      before: idle(before),
      now: idle(now),
      cause: idleCause(nodes.before, nodes.now),
    }),
    mover(clusterId, {
      kind: 'storage',
      before: before.storage,
      now: now.storage,
      cause: 'Volumes were added or removed',
    }),
    mover(clusterId, {
      kind: 'load_balancer',
      before: before.balancers,
      now: now.balancers,
      cause: 'Load balancers were added or removed',
    }),
    mover(clusterId, { kind: 'overhead', before: before.overhead, now: now.overhead, cause: 'Control planes' }),
  ]
}
