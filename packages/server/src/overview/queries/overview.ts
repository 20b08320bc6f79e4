import { hourMs } from '@plimsoll/engine'
import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { cloudResourceUsd, isUnpriced, unmeasuredUsd, usd } from '../../platform/db/money.ts'
import type { Sight } from '../../recommendations/index.ts'

export type WrittenHours = { clusterId: string; newest: Date; revision: string }

/**
 * For each cluster with hours since then: the newest hour, and a value that changes with each write of an hour or a
 * price.
 */
export async function listWrittenHours(tx: Db, clusterIds: readonly string[], since: Date): Promise<WrittenHours[]> {
  const { rows } = await sql<WrittenHours>`
    select cluster_id as "clusterId", max(hour) as newest,
      concat_ws(' ', count(*), sum(revision), extract(epoch from max(hour)), (select max(rate_id) from rate)) as revision
    from folded_hour where cluster_id = any(${clusterIds}) and hour >= ${since} group by cluster_id`.execute(tx)
  return rows
}

export type DayCost = { day: Date; usd: string; hours: number }

/** The priced cost of a cluster by day. */
export async function listDayCosts(tx: Db, clusterId: string, since: Date): Promise<DayCost[]> {
  const ofDay = sql`date_trunc('day', hour, 'UTC')`
  const hoursLeft = (table: string) => sql`
    ${sql.table(table)} where cluster_id = ${clusterId} and hour >= ${since}
      and not exists (select from folded_day f where f.cluster_id = ${clusterId} and f.day = date_trunc('day', hour, 'UTC'))`
  const daysOf = (table: string) => sql`
    ${sql.table(table)} where cluster_id = ${clusterId} and day >= ${since}
      and exists (select from folded_day f where f.cluster_id = ${clusterId} and f.day = ${sql.ref(`${table}.day`)})`
  const capacity = sql`cpu_capacity, memory_capacity, gpu_capacity`
  const { rows } = await sql<DayCost>`
    with compute as (
      select day, rate_id, ${capacity} from ${daysOf('cluster_day')}
      union all select ${ofDay}, rate_id, ${capacity} from ${hoursLeft('cluster_hour')}),
    assets as (
      select day, rate_id, unit_seconds from ${daysOf('asset_namespace_day')}
      union all select ${ofDay}, rate_id, unit_seconds from ${hoursLeft('asset_namespace_hour')}),
    costs as (
      select day, ${usd('capacity')} as usd from compute join rate using (rate_id)
      union all select day, ${cloudResourceUsd} from assets join rate using (rate_id)),
    written as (
      select ${ofDay} as day, count(*)::int as hours from folded_hour
      where cluster_id = ${clusterId} and hour >= ${since} group by 1)
    select written.day, written.hours, coalesce(sum(costs.usd), 0) as usd
    from written left join costs using (day) group by 1, 2 order by 1`.execute(tx)
  return rows
}

/** The first known hour of a cluster. */
export async function findFirstHour(tx: Db, clusterId: string): Promise<Date | null> {
  const { rows } = await sql<{ first: Date | null }>`
    select min(hour) as first from folded_hour where cluster_id = ${clusterId}`.execute(tx)
  return rows[0]?.first ?? null
}

/** Two compared spans of hours, half-open. */
export type TwoSpans = { before: { from: Date; to: Date }; now: { from: Date; to: Date } }

const within = ({ before, now }: TwoSpans) => sql`
  (hour >= ${before.from} and hour < ${before.to} or hour >= ${now.from} and hour < ${now.to})`

const lastHourOf = ({ to }: { to: Date }) => new Date(to.getTime() - hourMs)

export type Span = 'before' | 'now'

const spanOf = ({ now }: TwoSpans): RawBuilder<Span> => sql`case when hour >= ${now.from} then 'now' else 'before' end`

export async function countHours(tx: Db, clusterId: string, spans: TwoSpans): Promise<Record<Span, number>> {
  const { rows } = await sql<{ span: Span; hours: number }>`
    select ${spanOf(spans)} as span, count(*)::int as hours from folded_hour
    where cluster_id = ${clusterId} and ${within(spans)} group by 1`.execute(tx)
  const hoursOf = (span: Span) => rows.find((row) => row.span === span)?.hours ?? 0
  return { before: hoursOf('before'), now: hoursOf('now') }
}

export type SpanCompute = {
  span: Span
  capacity: string
  alloc: string
  used: string
  unmeasured: string
  nodeSeconds: string
  isUnpriced: boolean
}

export async function sumSpanCompute(tx: Db, clusterId: string, spans: TwoSpans): Promise<SpanCompute[]> {
  const { rows } = await sql<SpanCompute>`
    select ${spanOf(spans)} as span, sum(${usd('capacity')}) as capacity, sum(${usd('alloc')}) as alloc,
      sum(${usd('used')}) as used, sum(${unmeasuredUsd}) as unmeasured, sum(seconds) as "nodeSeconds",
      bool_or(${isUnpriced('capacity')}) as "isUnpriced"
    from cluster_hour join rate using (rate_id)
    where cluster_id = ${clusterId} and ${within(spans)} group by 1`.execute(tx)
  return rows
}

export type SpanCloudResources = {
  span: Span
  kind: 'volume' | 'balancer' | 'control_plane'
  usd: string
  isUnpriced: boolean
}

export async function sumSpanCloudResources(tx: Db, clusterId: string, spans: TwoSpans): Promise<SpanCloudResources[]> {
  const { rows } = await sql<SpanCloudResources>`
    select ${spanOf(spans)} as span, kind, sum(${cloudResourceUsd}) as usd,
      bool_or(unit_seconds > 0 and rate.asset_usd_per_unit_second is null) as "isUnpriced"
    from asset_namespace_hour join rate using (rate_id)
    where cluster_id = ${clusterId} and ${within(spans)} group by 1, 2`.execute(tx)
  return rows
}

/** Of the current span: container time with usage data, and all container time. */
export async function sumCoverage(tx: Db, clusterId: string, { now }: TwoSpans) {
  const { rows } = await sql<{ known: string | null; all: string | null }>`
    select sum(cpu_known) as known, sum(container_seconds) as all from namespace_hour
    where cluster_id = ${clusterId} and hour >= ${now.from} and hour < ${now.to}`.execute(tx)
  return { known: Number(rows[0]?.known ?? 0), all: Number(rows[0]?.all ?? 0) }
}

export type MovedWorkload = {
  namespace: string
  kind: string
  name: string
} & Record<`${Span}${'Usd' | `${'' | 'Last'}${'PodSeconds' | 'CpuRequest' | 'MemoryRequest'}`}`, string>

export type HoursOfSpans = Record<Span, number>

/** The largest changes of the cost per hour; missing hours of one span must not look like savings. */
export async function listMovedWorkloads(
  tx: Db,
  clusterId: string,
  spans: TwoSpans,
  { hours, limit }: { hours: HoursOfSpans; limit: number },
): Promise<MovedWorkload[]> {
  const sum = (column: string, span: Span) => sql`coalesce(sum(${sql.ref(column)}) filter (where span = ${span}), 0)`
  const ofLastHour = (column: string) => sql`
    sum(${sql.ref(column)}) filter (where hour >= ${lastHourOf(spans.now)} or hour >= ${lastHourOf(spans.before)} and hour < ${spans.before.to})
      as ${sql.ref(`last_${column}`)}`
  const requests = (span: Span) => sql`
    ${sum('seconds', span)} as ${sql.ref(`${span}PodSeconds`)}, ${sum('last_seconds', span)} as ${sql.ref(`${span}LastPodSeconds`)},
    ${sum('cpu_request', span)} as ${sql.ref(`${span}CpuRequest`)}, ${sum('last_cpu_request', span)} as ${sql.ref(`${span}LastCpuRequest`)},
    ${sum('memory_request', span)} as ${sql.ref(`${span}MemoryRequest`)},
    ${sum('last_memory_request', span)} as ${sql.ref(`${span}LastMemoryRequest`)}`
  const { rows } = await sql<MovedWorkload>`
    with quantity as (
      select ${spanOf(spans)} as span, namespace, workload_kind, workload_name, rate_id, sum(seconds) as seconds,
        sum(cpu_alloc) as cpu_alloc, sum(memory_alloc) as memory_alloc, sum(gpu_alloc) as gpu_alloc,
        sum(cpu_request) as cpu_request, sum(memory_request) as memory_request,
        ${ofLastHour('seconds')}, ${ofLastHour('cpu_request')}, ${ofLastHour('memory_request')}
      from workload_hour where cluster_id = ${clusterId} and ${within(spans)} group by 1, 2, 3, 4, 5),
    priced as (select quantity.*, ${usd('alloc')} as usd from quantity join rate using (rate_id)),
    moved as (
      select namespace, workload_kind as kind, workload_name as name,
        ${sum('usd', 'before')} as "beforeUsd", ${sum('usd', 'now')} as "nowUsd",
        ${requests('before')}, ${requests('now')}
      from priced group by 1, 2, 3)
    select * from moved
    order by abs("nowUsd" / ${hours.now} - "beforeUsd" / ${hours.before}) desc, namespace, kind, name limit ${limit}`.execute(
    tx,
  )
  return rows
}

export type AdviceSum = {
  status: 'pending' | 'approved'
  isCompute: boolean
  count: number
  estimated: string
  bankable: string | null
}

/** Savings of these categories are not part of the cost of nodes. */
const besidesCompute = ['storage', 'network', 'commitment']

/** Recommendations that are not applied, by approval and by whether they concern compute. */
export async function sumAdvice(tx: Db, clusterIds: readonly string[], now: Date): Promise<AdviceSum[]> {
  const { rows } = await sql<AdviceSum>`
    select status, not category = any(${besidesCompute}) as "isCompute", count(*)::int as count,
      sum(estimated_savings) as estimated, sum(bankable_savings) as bankable
    from recommendation where cluster_id = any(${clusterIds}) and status in ('pending', 'approved')
      and (snoozed_until is null or snoozed_until <= ${now})
    group by 1, 2`.execute(tx)
  return rows
}

export async function countWithheld(tx: Db, { clusters }: Pick<Sight, 'clusters'>): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from recommendation_withheld where cluster_id = any(${clusters ?? []})`.execute(tx)
  return rows[0]?.count ?? 0
}
