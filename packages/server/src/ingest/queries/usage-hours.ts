import { sql } from 'kysely'
import { decodeHistogram } from '@plimsoll/pipeline/fold'
import type { Db } from '../../platform/db/database.ts'
import { columnRefs, forRecords, replaced, type RecordTypes } from '../../platform/db/record-sets.ts'
import { usageRecord, type StoredUsage } from './usage-rows.ts'

const ofResource = (resource: string): RecordTypes => ({
  [`${resource}_sum`]: 'bigint',
  [`${resource}_p50`]: 'bigint',
  [`${resource}_p90`]: 'bigint',
  [`${resource}_p99`]: 'bigint',
  [`${resource}_max`]: 'bigint',
  [`${resource}_hottest`]: 'bigint',
  [`${resource}_histogram`]: 'bytea',
})

const values: RecordTypes = {
  pod_seconds: 'bigint',
  pod_minutes: 'bigint',
  oom_kills: 'integer',
  restarts: 'integer',
  cpu_periods: 'bigint',
  throttled_periods: 'bigint',
  ...ofResource('cpu'),
  ...ofResource('memory'),
  startup_minutes: 'bigint',
  startup_cpu_sum: 'bigint',
  startup_cpu_max: 'bigint',
  startup_memory_max: 'bigint',
}

export type HourlyUsage = StoredUsage & { hour: Date }

export async function putUsageHours(tx: Db, clusterId: string, rows: readonly HourlyUsage[]): Promise<void> {
  const names = ['hour', 'container_id', ...Object.keys(values)]
  await forRecords(tx, {
    rows,
    recordOf: (row) => ({ hour: row.hour, ...usageRecord(row) }),
    types: { hour: 'timestamptz', container_id: 'bigint', ...values },
    statement: (recordset) => sql`
      insert into usage_hour (cluster_id, ${columnRefs(names)})
      select ${clusterId}, ${columnRefs(names)} from ${recordset}
      on conflict (cluster_id, hour, container_id) do update set ${replaced(Object.keys(values))}`,
  })
}

type Selected = Record<string, number | null> & {
  hour: Date
  containerId: string
  cpu_histogram: Buffer
  memory_histogram: Buffer
}

export type UsageOfHour = HourlyUsage & { podMinutes: number }

/** For some containers, or for all. Hours are half-open. */
export async function listUsageHours(
  tx: Db,
  clusterId: string,
  { from, to }: { from: Date; to: Date },
  containerIds: readonly string[] | null = null,
): Promise<UsageOfHour[]> {
  const numbers = Object.keys(values).filter((name) => values[name] !== 'bytea')
  const { rows } = await sql<Selected>`
    select hour, container_id::text as "containerId", cpu_histogram, memory_histogram,
      ${sql.join(numbers.map((name) => sql`${sql.ref(name)}::float8 as ${sql.ref(name)}`))}
    from usage_hour
    where cluster_id = ${clusterId} and hour >= ${from} and hour < ${to}
      and (${containerIds}::bigint[] is null or container_id = any(${containerIds}::bigint[]))
    order by hour, container_id`.execute(tx)
  return rows.map(present)
}

function present(row: Selected): UsageOfHour {
  const useOf = (resource: 'cpu' | 'memory') => ({
    sum: row[`${resource}_sum`] ?? 0,
    max: row[`${resource}_max`] ?? 0,
    hottest: row[`${resource}_hottest`] ?? 0,
    histogram: decodeHistogram(row[`${resource}_histogram`]),
  })
  return {
    hour: row.hour,
    containerId: row.containerId,
    podSeconds: row.pod_seconds ?? 0,
    podMinutes: row.pod_minutes ?? 0,
    oomKills: row.oom_kills ?? 0,
    restarts: row.restarts ?? 0,
    throttling: presentThrottling(row),
    cpu: useOf('cpu'),
    memory: useOf('memory'),
    startUp: {
      minutes: row.startup_minutes ?? 0,
      cpuSum: row.startup_cpu_sum ?? 0,
      cpuMax: row.startup_cpu_max ?? 0,
      memoryMax: row.startup_memory_max ?? 0,
    },
  }
}

const presentThrottling = ({ cpu_periods: periods, throttled_periods: throttledPeriods }: Selected) =>
  periods == null || throttledPeriods == null ? null : { periods, throttledPeriods }

export async function deleteUsageHour(tx: Db, clusterId: string, hour: Date): Promise<void> {
  await sql`delete from usage_hour where cluster_id = ${clusterId} and hour = ${hour}`.execute(tx)
}

/** Whether that hour has any usage data. */
export async function hasUsage(tx: Db, clusterId: string, hour: Date): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (
      select from usage_hour
      where cluster_id = ${clusterId} and hour = ${hour}
        and (cpu_histogram <> '' or memory_histogram <> '')) as found`.execute(tx)
  return rows[0]?.found === true
}
