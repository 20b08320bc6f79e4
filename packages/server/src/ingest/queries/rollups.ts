import { dayMs } from '@plimsoll/engine'
import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { sumUpPods } from './pod-days.ts'
import { nodeSums, workloadSums } from './quantity-columns.ts'
import { forgetRunningTotals } from './running-totals.ts'

type Rollup = {
  from: string
  into: string
  keys: readonly string[]
  sums: readonly string[]
  /** Sums with another name in the source table, or none there. */
  others?: Record<string, RawBuilder<unknown>>
}

const ofNamespaces = { keys: ['namespace', 'rate_id'], sums: workloadSums }
const ofCloudResourceNamespaces = { keys: ['kind', 'owner', 'namespace', 'rate_id'], sums: ['unit_seconds'] }
const bridgedSeconds = sql`coalesce(sum(seconds) filter (where bridged), 0)`

const hourRollups: readonly Rollup[] = [
  {
    from: 'node_hour',
    into: 'cluster_hour',
    keys: ['rate_id'],
    sums: nodeSums,
    others: { bridged_seconds: bridgedSeconds },
  },
  { from: 'workload_hour', into: 'namespace_hour', ...ofNamespaces },
  { from: 'asset_hour', into: 'asset_namespace_hour', ...ofCloudResourceNamespaces },
]

const dayRollups: readonly Rollup[] = [
  { from: 'cluster_hour', into: 'cluster_day', keys: ['rate_id'], sums: ['bridged_seconds', ...nodeSums] },
  { from: 'namespace_hour', into: 'namespace_day', ...ofNamespaces },
  { from: 'node_hour', into: 'node_day', keys: ['node_uid', 'rate_id'], sums: nodeSums },
  {
    from: 'workload_hour',
    into: 'workload_day',
    keys: ['namespace', 'workload_kind', 'workload_name', 'labels', 'labels_hash', 'rate_id'],
    sums: workloadSums,
  },
  { from: 'asset_namespace_hour', into: 'asset_namespace_day', ...ofCloudResourceNamespaces },
  {
    from: 'asset_hour',
    into: 'asset_day',
    keys: ['kind', 'owner', 'namespace', 'workload_kind', 'workload_name', 'labels', 'labels_hash', 'rate_id'],
    sums: ['unit_seconds'],
  },
]

/** In the transaction that writes the hours, so that sums and hours are always consistent. */
export async function sumUpHours(tx: Db, clusterId: string, hours: readonly Date[]): Promise<void> {
  const summed = { column: 'hour', of: sql`hour`, within: sql`hour = any(${hours})`, times: hours } as const
  for (const rollup of hourRollups) await sumUp(tx, clusterId, rollup, summed)
}

/** A day with a new hour is read by hour until it is summed again. */
export async function forgetDaySums(tx: Db, clusterId: string, hours: readonly Date[]): Promise<void> {
  const days = hours.map(startOfDay)
  await sql`delete from folded_day where cluster_id = ${clusterId} and day = any(${days})`.execute(tx)
  await forgetRunningTotals(tx, clusterId, days)
}

/** Completed days with hours but without valid sums. */
export async function listDaysToSumUp(tx: Db, clusterId: string, now: Date): Promise<Date[]> {
  const { rows } = await sql<{ day: Date }>`
    select distinct date_trunc('day', h.hour, 'UTC') as day from folded_hour h
    where h.cluster_id = ${clusterId} and h.hour < ${startOfDay(now)}
      and not exists (
        select from folded_day d where d.cluster_id = h.cluster_id and d.day = date_trunc('day', h.hour, 'UTC'))
    order by day`.execute(tx)
  return rows.map(({ day }) => day)
}

export async function isSummedUp(tx: Db, clusterId: string, day: Date): Promise<boolean> {
  const found = tx.selectFrom('folded_day').select('day').where('cluster_id', '=', clusterId).where('day', '=', day)
  return (await found.executeTakeFirst()) !== undefined
}

/** No hours of the cluster may be written meanwhile: the caller holds the fold lock. */
export async function sumUpDay(tx: Db, clusterId: string, day: Date): Promise<void> {
  const to = new Date(day.getTime() + dayMs)
  const within = sql`hour >= ${day} and hour < ${to}`
  const summed = { column: 'day', of: sql`${day}::timestamptz`, within, times: [day] } as const
  for (const rollup of dayRollups) await sumUp(tx, clusterId, rollup, summed)
  await sumUpPods(tx, clusterId, day)
  await sql`
    insert into folded_day (cluster_id, day, hours)
    select ${clusterId}, ${day}, count(*) from folded_hour
    where cluster_id = ${clusterId} and hour >= ${day} and hour < ${to}
    on conflict (cluster_id, day) do update set hours = excluded.hours`.execute(tx)
}

type Summed = {
  column: 'hour' | 'day'
  /** Which hour or day a row belongs to. */
  of: RawBuilder<unknown>
  within: RawBuilder<unknown>
  /** All times whose sums are written again. */
  times: readonly Date[]
}

async function sumUp(tx: Db, clusterId: string, rollup: Rollup, { column, of, within, times }: Summed): Promise<void> {
  const { from, into, keys, sums, others = {} } = rollup
  const columns = [...keys, ...sums, ...Object.keys(others)].map((name) => sql.ref(name))
  const values = [
    ...keys.map((name) => sql.ref(name)),
    ...sums.map((name) => sql`sum(${sql.ref(name)})`),
    ...Object.values(others),
  ]
  await sql`
    delete from ${sql.table(into)} where cluster_id = ${clusterId} and ${sql.ref(column)} = any(${times})`.execute(tx)
  await sql`
    insert into ${sql.table(into)} (cluster_id, ${sql.ref(column)}, ${sql.join(columns)})
    select ${clusterId}, ${of}, ${sql.join(values)} from ${sql.table(from)}
    where cluster_id = ${clusterId} and ${within}
    group by ${sql.join([sql`2`, ...keys.map((name) => sql.ref(name))])}`.execute(tx)
}

export const startOfDay = (at: Date) => new Date(Math.floor(at.getTime() / dayMs) * dayMs)
