import type { RateIds } from '../../prices/index.ts'
import { RESOURCES } from '@plimsoll/engine'
import { sql, type RawBuilder } from 'kysely'
import type { FoldedHour, HourQuantities, NodeRow, WorkloadRow } from '@plimsoll/pipeline/fold'
import type { Db } from '../../platform/db/database.ts'
import { moveCloudResourceRates, writeCloudResourceHours } from './cloud-resource-hours.ts'
import { labelsHash } from './labels-hash.ts'
import { columnRefs, forRecords } from '../../platform/db/record-sets.ts'
import { nodeSums, workloadSums } from './quantity-columns.ts'
import type { Rated, RateMove } from './rated-rows.ts'
import { forgetDaySums, sumUpHours } from './rollups.ts'
import { hasUsage } from './usage-hours.ts'
import { forgetUsage, writeLiveUsage, writePods } from './usage.ts'

/** Retention of hours of workloads, nodes and cloud resources, in days; sums of namespaces and of days stay. */
export const detailDaysKept = 35

/** The origin of the figures of an hour; docs/decisions/0010-history.md defines the precedence. */
export type HourOrigin = 'live' | 'bridged' | 'backfill'

/** The content of an hour to write, with the rates of its classes. */
export type RatedHour = { hour: Date; folded: FoldedHour & { otherWorkloads?: number }; rateIds: RateIds }

/** The part that is written to the tables of quantities. */
export type RatedQuantities = Omit<RatedHour, 'folded'> & { folded: HourQuantities }

/** The revision counts how often the hour was written. */
export type WrittenHour = { hour: Date; origin: HourOrigin; revision: number }

/**
 * Measured quantities are added to the stored ones; bridged quantities replace them. In one transaction with the
 * checkpoint.
 */
export async function writeHour(
  tx: Db,
  clusterId: string,
  rated: RatedHour,
  now: Date,
): Promise<readonly WrittenHour[]> {
  const { hour, folded } = rated
  const before = (await findOrigins(tx, clusterId, [hour])).get(folded.hour)
  const isMeasured = folded.measured.nodes.length > 0
  // A backfilled hour takes precedence over a bridged one, and a measured hour over both.
  if (before === 'backfill' && !isMeasured) return []
  if (before === 'backfill') await clearHour(tx, clusterId, hour)
  await writeQuantities(tx, clusterId, [rated])
  const written = { clusterId, hour, isLate: before !== undefined, now }
  const isUsageBackfilled = before !== 'live' && (await hasUsage(tx, clusterId, hour))
  if (isUsageBackfilled && isMeasured) await forgetUsage(tx, clusterId, hour)
  if (isUsageBackfilled && !isMeasured) await writePods(tx, written, folded.usage)
  else await writeLiveUsage(tx, written, folded.usage)
  const origin = isMeasured || before === 'live' ? 'live' : 'bridged'
  return recordHours(tx, clusterId, [rated], { origin, now })
}

/** Backfill of hours without live data. The caller ensures that no node-hour is written twice. */
export async function writeBackfilledHours(
  tx: Db,
  clusterId: string,
  hours: readonly RatedHour[],
  now: Date,
): Promise<readonly WrittenHour[]> {
  await writeQuantities(tx, clusterId, hours)
  // Backfill has no usage of single pods, so nothing is summed.
  for (const { hour, folded } of hours) await writePods(tx, { clusterId, hour, isLate: false, now }, folded.usage)
  return recordHours(tx, clusterId, hours, { origin: 'backfill', now })
}

/** By hours since 1970; unwritten hours are absent. */
export async function findOrigins(tx: Db, clusterId: string, hours: readonly Date[]): Promise<Map<number, HourOrigin>> {
  const rows = await tx
    .selectFrom('folded_hour')
    .select(['hour', 'origin'])
    .where('cluster_id', '=', clusterId)
    .where('hour', 'in', hours.length === 0 ? [new Date(0)] : hours)
    .execute()
  return new Map(rows.map(({ hour, origin }) => [hour.getTime() / 3_600_000, origin]))
}

async function clearHour(tx: Db, clusterId: string, hour: Date): Promise<void> {
  for (const { name } of [workloadTable, nodeTable]) {
    await sql`delete from ${sql.table(name)} where cluster_id = ${clusterId} and hour = ${hour}`.execute(tx)
  }
  await forgetUsage(tx, clusterId, hour)
}

/** All hours at once: a long history has hundreds of hours, and each statement has a cost. */
export async function writeQuantities(tx: Db, clusterId: string, hours: readonly RatedQuantities[]): Promise<void> {
  const times = hours.map(({ hour }) => hour)
  for (const { name } of [workloadTable, nodeTable]) {
    await sql`
      delete from ${sql.table(name)} where cluster_id = ${clusterId} and hour = any(${times}) and bridged`.execute(tx)
  }
  for (const part of ['measured', 'bridged'] as const) {
    const key = { clusterId, bridged: part === 'bridged' }
    await addRows(tx, workloadTable, {
      key,
      rows: ratedRows(hours, ({ folded }) => folded[part].workloads),
      recordOf: workloadRecord,
    })
    await addRows(tx, nodeTable, {
      key,
      rows: ratedRows(hours, ({ folded }) => folded[part].nodes),
      recordOf: nodeRecord,
    })
  }
  const cloudResources = ratedRows(hours, ({ folded }) => folded.cloudResources)
  await writeCloudResourceHours(tx, clusterId, times, cloudResources)
}

const ratedRows = <Row extends { classKey: string }>(
  hours: readonly RatedQuantities[],
  rowsOf: (rated: RatedQuantities) => readonly Row[],
): Rated<Row>[] =>
  hours.flatMap((rated) =>
    rowsOf(rated).map((row) => ({ hour: rated.hour, row, rateId: rated.rateIds.get(row.classKey) })),
  )

type HourRecord = { origin: HourOrigin; now: Date }

async function recordHours(
  tx: Db,
  clusterId: string,
  hours: readonly RatedHour[],
  { origin, now }: HourRecord,
): Promise<readonly WrittenHour[]> {
  const times = hours.map(({ hour }) => hour)
  const otherWorkloads = hours.map(({ folded }) => folded.otherWorkloads ?? 0)
  const { rows } = await sql<WrittenHour>`
    insert into folded_hour (cluster_id, hour, revision, written_at, origin, other_workloads)
    select ${clusterId}, hour, 1, ${now}, ${origin}, others
    from unnest(${times}::timestamptz[], ${otherWorkloads}::integer[]) as written (hour, others)
    on conflict (cluster_id, hour) do update
    set revision = folded_hour.revision + 1, written_at = excluded.written_at, origin = excluded.origin,
      other_workloads = greatest(folded_hour.other_workloads, excluded.other_workloads)
    returning hour, origin, revision::float8 as revision`.execute(tx)
  await sumUpHours(tx, clusterId, times)
  await forgetDaySums(tx, clusterId, times)
  return rows
}

/**
 * Moves stored hours to other rates. Quantities stay the same: a row moves, or is added to a row that late data has
 * written at the new rate.
 */
export async function moveRates(tx: Db, clusterId: string, moves: readonly RateMove[], now: Date): Promise<void> {
  for (const table of [workloadTable, nodeTable]) await moveRows(tx, table, clusterId, moves)
  await moveCloudResourceRates(tx, clusterId, moves)
  const hours = [...new Set(moves.map(({ hour }) => hour.getTime()))].map((time) => new Date(time))
  await sql`
    update folded_hour set revision = revision + 1, written_at = ${now}
    where cluster_id = ${clusterId} and hour = any(${hours})`.execute(tx)
  await sumUpHours(tx, clusterId, hours)
  await forgetDaySums(tx, clusterId, hours)
}

type HourTable = { name: string; keys: Record<string, string>; values: Record<string, string>; sums: readonly string[] }

const workloadTable: HourTable = {
  name: 'workload_hour',
  keys: { namespace: 'text', workload_kind: 'text', workload_name: 'text', labels_hash: 'text', rate_id: 'bigint' },
  values: { labels: 'jsonb' },
  sums: workloadSums,
}

const nodeTable: HourTable = {
  name: 'node_hour',
  keys: { node_uid: 'text', rate_id: 'bigint' },
  values: {},
  sums: nodeSums,
}

type HourKey = { clusterId: string; bridged: boolean }

async function addRows<Row>(
  tx: Db,
  table: HourTable,
  {
    key: { clusterId, bridged },
    rows,
    recordOf,
  }: { key: HourKey; rows: readonly Rated<Row>[]; recordOf: (rated: Rated<Row>) => object },
): Promise<void> {
  const own = ['hour', ...Object.keys(table.keys), ...Object.keys(table.values), ...table.sums]
  const types = {
    hour: 'timestamptz',
    ...table.keys,
    ...table.values,
    ...Object.fromEntries(table.sums.map((name) => [name, 'numeric'])),
  }
  await forRecords(tx, {
    rows,
    recordOf,
    types,
    statement: (recordset) => sql`
      insert into ${sql.table(table.name)} (cluster_id, bridged, ${columnRefs(own)})
      select ${clusterId}, ${bridged}, ${columnRefs(own)} from ${recordset}
      on conflict (cluster_id, hour, ${columnRefs(Object.keys(table.keys))}, bridged) do update set ${added(table)}`,
  })
}

async function moveRows(tx: Db, table: HourTable, clusterId: string, moves: readonly RateMove[]): Promise<void> {
  const hours = moves.map(({ hour }) => hour.getTime())
  // The affected days must be known before the rows are read, or every partition would be scanned.
  const [first, last] = [new Date(Math.min(...hours)), new Date(Math.max(...hours))]
  const kept = [...Object.keys(table.keys).filter((key) => key !== 'rate_id'), ...Object.keys(table.values), 'bridged']
  const sums = table.sums.map((name) => sql`sum(${sql.ref(name)})`)
  await sql`
    with moved as (
      delete from ${sql.table(table.name)} stored
      using jsonb_to_recordset(${JSON.stringify(moves)}::jsonb) as move (hour timestamptz, "from" bigint, "to" bigint)
      where stored.cluster_id = ${clusterId} and stored.hour >= ${first} and stored.hour <= ${last}
        and stored.hour = move.hour and stored.rate_id = move."from"
      returning stored.*, move."to")
    insert into ${sql.table(table.name)} (cluster_id, hour, rate_id, ${columnRefs([...kept, ...table.sums])})
    select cluster_id, hour, "to", ${columnRefs(kept)}, ${sql.join(sums)} from moved group by cluster_id, hour, "to", ${columnRefs(kept)}
    on conflict (cluster_id, hour, ${columnRefs(Object.keys(table.keys))}, bridged) do update set ${added(table)}`.execute(
    tx,
  )
}

function added({ name, sums }: HourTable): RawBuilder<unknown> {
  return sql.join(
    sums.map((sum) => sql`${sql.ref(sum)} = ${sql.ref(`${name}.${sum}`)} + ${sql.ref(`excluded.${sum}`)}`),
  )
}

function workloadRecord({ hour, row, rateId }: Rated<WorkloadRow>): object {
  return {
    hour,
    namespace: row.namespace,
    workload_kind: row.workloadKind,
    workload_name: row.workloadName,
    labels: row.labels,
    labels_hash: labelsHash(row.labels),
    rate_id: rateId,
    seconds: row.seconds,
    container_seconds: row.containerSeconds,
    ...Object.fromEntries(
      RESOURCES.flatMap((resource) => {
        const { request, usage, alloc, used, unmeasured, knownSeconds } = row.use[resource]
        return Object.entries({ request, usage, alloc, used, unmeasured, known: knownSeconds }).map(([sum, value]) => [
          `${resource}_${sum}`,
          value,
        ])
      }),
    ),
  }
}

function nodeRecord({ hour, row, rateId }: Rated<NodeRow>): object {
  return {
    hour,
    node_uid: row.nodeUid,
    rate_id: rateId,
    seconds: row.seconds,
    ...Object.fromEntries(
      RESOURCES.flatMap((resource) => {
        const { capacity, allocatable, alloc, used, unmeasured, systemReserved: reserved } = row.use[resource]
        return Object.entries({ capacity, allocatable, alloc, used, unmeasured, reserved }).map(([sum, value]) => [
          `${resource}_${sum}`,
          value,
        ])
      }),
    ),
  }
}
