import { sql } from 'kysely'
import type { HourFigures, JobContainer } from '@plimsoll/pipeline/facts'
import { decodeHistogram, type UsageHistogram } from '@plimsoll/pipeline/fold'
import type { Db } from '../../platform/db/database.ts'

/** Container ids, both ends included: ids are hashes, so ranges have equal size. */
export type IdRange = { first: string; last: string }

/** Rows are packed, because a cluster has millions of them and each would otherwise be an object. */
export type PackedSlots = {
  containerId: string
  /** Per slot, unordered: slot number, bytes of its histogram (4 bytes each), highest memory in KiB (8 bytes). */
  heads: Buffer
  /** The histograms, in the same order. */
  histograms: Buffer
}

export async function listPackedSlots(
  tx: Db,
  clusterId: string,
  { first, last }: IdRange,
  slots: readonly Date[],
): Promise<PackedSlots[]> {
  const { rows } = await sql<PackedSlots>`
    select container_id::text as "containerId",
      string_agg(int4send((date_part('epoch', slot) / 21600)::integer) || int4send(length(cpu_histogram))
        || int8send(memory_max), ''::bytea) as heads,
      string_agg(cpu_histogram, ''::bytea) as histograms
    from usage_histogram
    where cluster_id = ${clusterId} and slot = any(${slots}::timestamptz[])
      and container_id between ${first}::bigint and ${last}::bigint
    group by container_id`.execute(tx)
  return rows
}

export type PackedHours = HourFigures & {
  containerId: string
  /**
   * Per hour of the last week: its number, the mean and the mean of the busiest pod in tenths of a millicore (4 bytes
   * each).
   */
  means: Buffer | null
  /** Per day: its number (4 bytes), typical memory in KiB (8 bytes). */
  days: Buffer | null
  /** Per hour with out-of-memory kills: its number (4 bytes), highest memory in KiB (8 bytes). */
  kills: Buffer | null
}

export async function listPackedHours(
  tx: Db,
  clusterId: string,
  { first, last }: IdRange,
  hours: readonly Date[],
): Promise<PackedHours[]> {
  const weekFrom = hours.at(-7 * 24) ?? hours[0]
  const dayFrom = hours.at(-24) ?? hours[0]
  // If the first observed requests equal the current ones, no change is known.
  const isAsNow = sql`c.shape_since is null or c.shape_since = c.first_seen_at or hour >= c.shape_since`
  const { rows } = await sql<PackedHours>`
    with day as (
      select container_id, floor(date_part('epoch', hour) / 86400)::integer as day, min(hour) as hour,
        sum(pod_minutes) as samples, sum(restarts) as restarts, sum(oom_kills) as kills,
        -- 0: measured, without throttling; null: not reported
        sum(case when ${isAsNow} then cpu_periods else cpu_periods * 0 end) as periods,
        sum(case when ${isAsNow} then throttled_periods else throttled_periods * 0 end) as throttled,
        sum(pod_seconds) filter (where hour >= ${weekFrom}) as week_seconds,
        sum(pod_minutes + startup_minutes) filter (where hour >= ${weekFrom}) as week_minutes,
        sum(pod_seconds) filter (where hour >= ${dayFrom}) as day_seconds,
        sum(restarts) filter (where hour >= ${dayFrom}) as day_restarts,
        count(*) filter (where startup_minutes > 0) as starts, sum(startup_minutes) as start_minutes,
        max(startup_cpu_max) as start_cpu, max(startup_memory_max) as start_memory,
        avg(memory_p50) filter (where pod_minutes > 0) as typical,
        string_agg(int4send((date_part('epoch', hour) / 3600)::integer)
          || float4send((cpu_sum::float8 / greatest(pod_minutes, 1))::float4) || float4send(cpu_hottest::float4), ''::bytea)
          filter (where pod_minutes > 0 and hour >= ${weekFrom}) as means,
        string_agg(int4send((date_part('epoch', hour) / 3600)::integer) || int8send(memory_max), ''::bytea)
          filter (where oom_kills > 0) as kill_hours
      from usage_hour left join workload_container c using (cluster_id, container_id)
      where cluster_id = ${clusterId} and hour = any(${hours}::timestamptz[])
        and container_id between ${first}::bigint and ${last}::bigint
      group by 1, 2)
    select container_id::text as "containerId", sum(samples)::float8 as samples,
      coalesce(sum(week_seconds), 0)::float8 as "weekPodSeconds", coalesce(sum(week_minutes), 0)::float8 as "weekMinutes",
      coalesce(sum(day_seconds), 0)::float8 as "dayPodSeconds",
      coalesce(sum(day_restarts), 0)::float8 as "dayRestarts", sum(restarts)::float8 as restarts,
      sum(kills)::float8 as "oomKills", sum(periods)::float8 as "cpuPeriods", sum(throttled)::float8 as "throttledPeriods",
      sum(starts)::float8 as "startHours", sum(start_minutes)::float8 as "startUpMinutes",
      max(start_cpu)::float8 as "startUpCpuMax", max(start_memory)::float8 as "startUpMemoryMax", min(hour) as "firstHour",
      string_agg(means, ''::bytea) as means, string_agg(kill_hours, ''::bytea) as kills,
      string_agg(int4send(day) || float8send(typical::float8), ''::bytea) filter (where typical is not null) as days
    from day group by container_id`.execute(tx)
  return rows
}

export type HourBand = {
  containerId: string
  hour: Date
  cpu: [p50: number, p90: number, max: number]
  memory: [p50: number, p90: number, max: number]
  oomKills: number
}

/** By hour, for some containers; tenths of a millicore and KiB. */
export async function listBands(
  tx: Db,
  clusterId: string,
  containerIds: readonly string[],
  hours: readonly Date[],
): Promise<HourBand[]> {
  const { rows } = await sql<{ containerId: string; hour: Date; figures: string[] }>`
    select container_id::text as "containerId", u.hour,
      array[cpu_p50, cpu_p90, cpu_max, memory_p50, memory_p90, memory_max, oom_kills]::text[] as figures
    from unnest(${hours}::timestamptz[]) wanted (hour)
    join usage_hour u on u.cluster_id = ${clusterId} and u.hour = wanted.hour and u.container_id = any(${containerIds}::bigint[])
    where pod_minutes > 0`.execute(tx)
  return rows.map(({ containerId, hour, figures }) => {
    const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, oomKills = 0] = figures.map(Number)
    return { containerId, hour, cpu: [a, b, c], memory: [d, e, f], oomKills }
  })
}

export type FailureHour = {
  containerId: string
  hour: Date
  oomKills: number
  restarts: number
  /** Null: not reported. */
  cpuPeriods: number | null
  throttledPeriods: number | null
}

/** Every observed hour of a container, with its OOM kills, restarts and throttling. */
export async function listFailureHours(
  tx: Db,
  clusterId: string,
  containerIds: readonly string[],
  hours: readonly Date[],
): Promise<FailureHour[]> {
  const { rows } = await sql<FailureHour>`
    select container_id::text as "containerId", u.hour, oom_kills as "oomKills", restarts, cpu_periods::float8 as "cpuPeriods",
      throttled_periods::float8 as "throttledPeriods"
    from unnest(${hours}::timestamptz[]) wanted (hour)
    join usage_hour u on u.cluster_id = ${clusterId} and u.hour = wanted.hour and u.container_id = any(${containerIds}::bigint[])`.execute(
    tx,
  )
  return rows
}

export type MemoryOfSlot = { containerId: string; max: number; histogram: UsageHistogram }

export async function listMemoryHistograms(
  tx: Db,
  clusterId: string,
  containerIds: readonly string[],
  slots: readonly Date[],
): Promise<MemoryOfSlot[]> {
  const { rows } = await sql<{ containerId: string; max: number; bytes: Buffer }>`
    select container_id::text as "containerId", memory_max::float8 as max, memory_histogram as bytes
    from unnest(${slots}::timestamptz[]) wanted (slot)
    join usage_histogram u on u.cluster_id = ${clusterId} and u.slot = wanted.slot
      and u.container_id = any(${containerIds}::bigint[])`.execute(tx)
  return rows.map(({ containerId, max, bytes }) => ({ containerId, max, histogram: decodeHistogram(bytes) }))
}

export function listJobContainers(tx: Db, clusterId: string, since: Date): Promise<JobContainer[]> {
  return tx
    .selectFrom('workload_container')
    .select(['namespace', 'workload_kind', 'workload_name', 'container', 'container_kind'])
    .select(['cpu_request', 'cpu_limit', 'memory_request', 'memory_limit'])
    .where('cluster_id', '=', clusterId)
    .where('workload_kind', 'in', ['Job', 'CronJob'])
    .where('container_kind', 'is not', null)
    .where('last_seen_at', '>=', since)
    .orderBy('container_id')
    .execute()
}
