import { sql } from 'kysely'
import type { Db } from '../src/platform/db/database.ts'
import { ensureDay } from '../src/platform/db/partitions.ts'
import { containerIdOf } from '../src/ingest/queries/usage-rows.ts'
import { type ContainerKey, encodeHistogram } from '@plimsoll/pipeline/fold'
import { usageBucketOf } from '@plimsoll/contract'
import type { TestApp } from './test-app.ts'

export type UsedPast = {
  /** Whole days before `until`. */
  days: number
  /** Per pod, constant in every minute. */
  millicores: number
  mib: number
  pods?: number
  /** By hours before `until`, from 0: other values for the hour; null omits it. */
  hour?: (ago: number) => Partial<HourOfPast> | null
}

export type HourOfPast = {
  pods: number
  /** The measured share of all minutes. */
  known: number
  millicores: number
  mib: number
  hottestFactor: number
  oomKills: number
  restarts: number
  /** Throttled periods per ten thousand of each pod; null: not reported. */
  throttled: number | null
}

/** Inserts a history as folding would: hours of the last two weeks, slots of all of it. */
export async function writePast(
  t: Pick<TestApp, 'db'>,
  clusterId: string,
  {
    key,
    until,
    past: { days, millicores, mib, pods = 2, hour = () => ({}) },
  }: { key: ContainerKey; until: number; past: UsedPast },
): Promise<void> {
  const end = Math.floor(until / 3600)
  const hours = Array.from({ length: days * 24 }, (_, ago) => {
    const own = hour(ago)
    const usual = { pods, known: 1, millicores, mib, hottestFactor: 1, oomKills: 0, restarts: 0, throttled: null }
    return own === null ? undefined : rowOf(end - 1 - ago, { ...usual, ...own })
  }).flatMap((row) => row ?? [])
  for (let day = 0; day <= days + 1; day += 1) await ensureUsageDay(t.db, new Date((until - day * 86_400) * 1000))
  const containerId = containerIdOf(key)
  // The state of the last hour is not part of this.
  await sql`delete from usage_hour where cluster_id = ${clusterId} and container_id = ${containerId}`.execute(t.db)
  const recent = hours.filter(({ at }) => at >= until - 14 * 86_400)
  await sql`
    insert into usage_hour (cluster_id, hour, container_id, pod_seconds, pod_minutes, oom_kills, restarts, cpu_periods, throttled_periods, cpu_sum, cpu_p50,
      cpu_p90, cpu_p99, cpu_max, cpu_hottest, cpu_histogram, memory_sum, memory_p50, memory_p90, memory_p99, memory_max,
      memory_hottest, memory_histogram, startup_minutes, startup_cpu_sum, startup_cpu_max, startup_memory_max)
    select ${clusterId}, to_timestamp(at), ${containerId}, seconds, minutes, kills, restarts, periods, throttled, minutes * cpu, cpu, cpu, cpu, cpu,
      hottest, decode(cpu_histogram, 'hex'), minutes * memory, memory, memory, memory, memory, memory,
      decode(memory_histogram, 'hex'), 0, 0, 0, 0
    from jsonb_to_recordset(${JSON.stringify(recent)}::jsonb) as r (at bigint, seconds bigint, minutes bigint, kills integer,
      restarts integer, periods bigint, throttled bigint, cpu bigint, hottest bigint, memory bigint, cpu_histogram text, memory_histogram text)`.execute(
    t.db,
  )
  // One hour represents its slot.
  const slots = new Map(hours.filter(({ minutes }) => minutes > 0).map((each) => [each.at - (each.at % 21_600), each]))
  await sql`delete from usage_histogram where cluster_id = ${clusterId} and container_id = ${containerId}`.execute(t.db)
  await sql`
    insert into usage_histogram (cluster_id, slot, container_id, hours, cpu_max, cpu_histogram, memory_max, memory_histogram)
    select ${clusterId}, to_timestamp(at - at % 21600), ${containerId}, 63, cpu, decode(cpu_histogram, 'hex'), memory,
      decode(memory_histogram, 'hex')
    from jsonb_to_recordset(${JSON.stringify([...slots.values()])}::jsonb) as r (at bigint, cpu bigint, memory bigint,
      cpu_histogram text, memory_histogram text)`.execute(t.db)
}

/** Days that have partitions. Asking the database again takes longer than writing the rows. */
const daysOf = new WeakMap<Db, Set<string>>()

async function ensureUsageDay(db: Db, at: Date): Promise<void> {
  const days = daysOf.get(db) ?? new Set()
  daysOf.set(db, days)
  const day = at.toISOString().slice(0, 10)
  if (days.has(day)) return
  for (const table of ['usage_hour', 'usage_histogram'] as const) await ensureDay(db, table, at)
  days.add(day)
}

function rowOf(hour: number, own: HourOfPast) {
  const minutes = Math.round(own.pods * 60 * own.known)
  const [cpu, memory] = [Math.round(own.millicores * 10), Math.round(own.mib * 1024)]
  const histogram = (value: number) =>
    minutes === 0 ? '' : encodeHistogram({ buckets: [usageBucketOf(value)], counts: [minutes] }).toString('hex')
  return {
    at: hour * 3600,
    seconds: own.pods * 3600,
    minutes,
    kills: own.oomKills,
    restarts: own.restarts,
    periods: own.throttled === null ? null : own.pods * 10_000,
    throttled: own.throttled === null ? null : own.pods * own.throttled,
    cpu,
    hottest: Math.round(cpu * own.hottestFactor),
    memory,
    cpu_histogram: histogram(cpu),
    memory_histogram: histogram(memory),
  }
}
