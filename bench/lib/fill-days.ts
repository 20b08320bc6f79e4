import { sql } from 'kysely'
import type { Db } from '../../packages/server/src/platform/db/database.ts'
import { ensureDay } from '../../packages/server/src/platform/db/partitions.ts'
import { addRunningTotal } from '../../packages/server/src/ingest/queries/running-totals.ts'

export type FilledSize = { nodes: number; workloads: number; namespaces: number; days?: number }

const hourMs = 3_600_000
const dayMs = 24 * hourMs

const startOfDay = (now: Date) => Math.floor(now.getTime() / dayMs) * dayMs

/** Windows of 7 and 30 days read their first day and today by the hour. */
const hourlyDays = (now: Date) => [startOfDay(now) - 30 * dayMs, startOfDay(now) - 7 * dayMs, startOfDay(now)]

export const hourlyHours = (now: Date) =>
  hourlyDays(now).flatMap((day) =>
    Array.from({ length: 24 }, (_each, index) => new Date(day + index * hourMs)).filter(
      (hour) => hour.getTime() + hourMs <= now.getTime(),
    ),
  )

/** A class that every reader of classes understands. */
const classKey = (number: string) => {
  const [start, end] = JSON.stringify({
    query: { provider: 'aws', region: 'eu-central-1', instanceType: 'type-#', capacityType: 'on-demand', os: 'linux' },
    capacity: { cpu: 4_000_000, memory: 16_777_216, gpu: 0 },
  }).split('#')
  return sql`(${start}::text || ${sql.raw(number)} || ${end}::text)`
}

/** Days of a cluster, 31 unless `size` has more, generated in SQL. Only the number of rows matters. */
export async function fillDays(db: Db, clusterId: string, size: FilledSize, now: Date): Promise<void> {
  await db.connection().execute(async (patient) => {
    await sql`set statement_timeout = 0`.execute(patient)
    await fill(patient, clusterId, size, now)
    await sql`reset statement_timeout`.execute(patient)
  })
}

async function fill(db: Db, clusterId: string, size: FilledSize, now: Date): Promise<void> {
  const today = startOfDay(now)
  const { days: count = 31 } = size
  const days = Array.from({ length: count }, (_each, index) => new Date(today - (count - index) * dayMs))
  const hours = hourlyHours(now)
  await sql`
    insert into rate (class_key, price_key, valid_from, node_usd_per_hour, cpu_usd_per_microcore_second, memory_usd_per_kib_second,
      estimated, evidence)
    select ${classKey('n')}, 'bench', '2020-01-01', 0.2, 0.000000000008679750416667 * n, 0.000000000001109521583333 * n, false, '{}'
    from generate_series(1, 3) n`.execute(db)
  for (const day of days) {
    for (const table of ['node_day', 'workload_day', 'workload_running_total'] as const) await ensureDay(db, table, day)
  }
  for (const day of hourlyDays(now)) {
    for (const table of ['node_hour', 'workload_hour'] as const) await ensureDay(db, table, new Date(day))
  }
  await sql`
    insert into node (cluster_id, node_uid, name, facts, first_seen_at)
    select ${clusterId}, 'node-' || n, 'node-' || n,
      jsonb_build_object('pool', 'pool-' || n % 10, 'pods_allocatable', 58, 'class_key', ${classKey('1')},
        'capacity', '{"cpu":4000000,"memory":16777216,"gpu":0}'::jsonb, 'allocatable', '{"cpu":3800000,"memory":15728640,"gpu":0}'::jsonb,
        'provider_id', '', 'instance_type', 'm5.xlarge', 'region', '', 'zone', '', 'capacity_type', '', 'os', '', 'arch', ''),
      '2020-01-01' from generate_series(1, ${size.nodes}::int) n`.execute(db)
  const every = [
    ...days.map((day) => Array.from({ length: 24 }, (_each, hour) => new Date(day.getTime() + hour * hourMs))),
  ]
  await sql`
    insert into folded_hour (cluster_id, hour, revision, written_at)
    select distinct ${clusterId}, hour, 1, ${now}::timestamptz
    from unnest(${[...every.flat(), ...hours]}::timestamptz[]) hour`.execute(db)
  await sql`
    insert into folded_day (cluster_id, day, hours) select ${clusterId}, day, 24 from unnest(${days}::timestamptz[]) day`.execute(
    db,
  )
  for (const hour of hours) await fillRows(db, clusterId, { size, column: 'hour', at: hour })
  for (const day of days) await fillRows(db, clusterId, { size, column: 'day', at: day })
  for (const day of days) await addRunningTotal(db, clusterId, day)
  await fillSums(db, clusterId, { size, column: 'hour', at: hours })
  await fillSums(db, clusterId, {
    size,
    column: 'hour',
    at: every.flat().filter((hour) => !hours.some((each) => each.getTime() === hour.getTime())),
  })
  await fillSums(db, clusterId, { size, column: 'day', at: days })
  await sql`analyze`.execute(db)
}

/** All nodes and workloads, each with a quarter of its size in use. */
async function fillRows(
  db: Db,
  clusterId: string,
  { size, column, at }: { size: FilledSize; column: 'hour' | 'day'; at: Date },
): Promise<void> {
  const seconds = column === 'hour' ? 3600 : 86_400
  const bridged = column === 'hour' ? sql`, bridged` : sql``
  const no = column === 'hour' ? sql`, false` : sql``
  const cores = sql`${4_000_000}::bigint * ${seconds}::bigint`
  const kib = sql`${16_777_216}::bigint * ${seconds}::bigint`
  await sql`
    insert into ${sql.table(`node_${column}`)}
    (cluster_id, ${sql.ref(column)}, node_uid, rate_id, seconds ${bridged}, ${uses('capacity', 'allocatable', 'alloc', 'used', 'reserved')})
    select ${clusterId}, ${at}, 'node-' || n, 1 + n % 3, ${seconds}::int ${no},
      ${cores}, ${cores}, ${cores} / 2, ${cores} / 4, 0, ${kib}, ${kib}, ${kib} / 2, ${kib} / 4, 0, 0, 0, 0, 0, 0
    from generate_series(1, ${size.nodes}::int) n`.execute(db)
  await sql`
    insert into ${sql.table(`workload_${column}`)}
    (cluster_id, ${sql.ref(column)}, namespace, workload_kind, workload_name, labels, labels_hash, rate_id, seconds, container_seconds
      ${bridged}, ${uses('request', 'usage', 'alloc', 'used', 'known')})
    select ${clusterId}, ${at}, 'ns-' || n % ${size.namespaces}::int, 'Deployment', 'workload-' || n,
      jsonb_build_object('app', 'app-' || n, 'team', 'team-' || n % 20), 'h' || n, 1 + n % 3, ${seconds}::int, ${seconds}::int ${no},
      300000::bigint * ${seconds}::int, 150000::bigint * ${seconds}::int, 300000::bigint * ${seconds}::int + n,
      150000::bigint * ${seconds}::int, ${seconds}::int, 1400000::bigint * ${seconds}::int, 700000::bigint * ${seconds}::int,
      1400000::bigint * ${seconds}::int, 700000::bigint * ${seconds}::int, ${seconds}::int, 0, 0, 0, 0, 0
    from generate_series(1, ${size.workloads}::int) n`.execute(db)
}

function uses(...names: string[]) {
  const columns = ['cpu', 'memory', 'gpu'].flatMap((resource) => names.map((name) => `${resource}_${name}`))
  return sql.raw(columns.join(', '))
}

/** Sums of namespaces and of the cluster. Only their number matters, not their values. */
async function fillSums(
  db: Db,
  clusterId: string,
  { size, column, at }: { size: FilledSize; column: 'hour' | 'day'; at: Date[] },
): Promise<void> {
  const seconds = column === 'hour' ? 3600 : 86_400
  const workloads = Math.ceil(size.workloads / size.namespaces / 3) * seconds
  const nodes = Math.ceil(size.nodes / 3) * seconds
  await sql`
    insert into ${sql.table(`namespace_${column}`)}
    (cluster_id, ${sql.ref(column)}, namespace, rate_id, seconds, container_seconds, ${uses('request', 'usage', 'alloc', 'used', 'known')})
    select ${clusterId}, at, 'ns-' || n, rate, q, q, 300000 * q, 150000 * q, 300000 * q, 150000 * q, q,
      1400000 * q, 700000 * q, 1400000 * q, 700000 * q, q, 0, 0, 0, 0, 0
    from unnest(${at}::timestamptz[]) at, generate_series(0, ${size.namespaces}::int - 1) n, generate_series(1, 3) rate,
      (select ${workloads}::bigint as q) quantity`.execute(db)
  await sql`
    insert into ${sql.table(`cluster_${column}`)}
    (cluster_id, ${sql.ref(column)}, rate_id, seconds, bridged_seconds, ${uses('capacity', 'allocatable', 'alloc', 'used', 'reserved')})
    select ${clusterId}, at, rate, q, 0, 4000000 * q, 4000000 * q, 2000000 * q, 1000000 * q, 0,
      16777216 * q, 16777216 * q, 8388608 * q, 4194304 * q, 0, 0, 0, 0, 0, 0
    from unnest(${at}::timestamptz[]) at, generate_series(1, 3) rate, (select ${nodes}::bigint as q) quantity`.execute(
    db,
  )
}
