import { RESOURCES } from '@plimsoll/engine'
import { sql, type RawBuilder } from 'kysely'
import type { FoldedHour } from '../fold/folded-hours.ts'
import type { NodeRow, WorkloadRow } from '../fold/hour-sums.ts'
import type { Db } from './database.ts'
import { moveAssetRates, writeAssetHour } from './asset-hours.ts'
import { labelsHash } from './labels-hash.ts'
import { columnRefs, forRecords } from './record-sets.ts'
import { nodeSums, workloadSums } from './quantity-columns.ts'
import { forgetDaySums, sumUpHour } from './rollups.ts'
import { hasUsage } from './usage-hours.ts'
import { forgetUsage, writeLiveUsage, writePods } from './usage.ts'

/** Of the classes of nodes in one hour. */
export type RateIds = ReadonlyMap<string, string>

/** Where the figures of an hour come from; see docs/decisions/0010-history.md for whose word counts. */
export type HourOrigin = 'live' | 'bridged' | 'backfill'

/** What was measured is added to what is there; what was bridged replaces it. One transaction with the checkpoint. */
export async function writeHour(
  tx: Db,
  clusterId: string,
  folded: FoldedHour & { otherWorkloads?: number },
  rateIds: RateIds,
  now: Date,
): Promise<void> {
  const hour = new Date(folded.hour * 3_600_000)
  const before = (await findOrigins(tx, clusterId, [hour])).get(folded.hour)
  const isMeasured = folded.measured.nodes.length > 0
  // An hour that was told is better than one in which nobody reported, and worse than one that was measured.
  if (before === 'backfill' && !isMeasured) return
  if (before === 'backfill') await clearHour(tx, clusterId, hour)
  await writeQuantities(tx, clusterId, hour, folded, rateIds)
  const written = { clusterId, hour, isLate: before !== undefined, now }
  const isUsageTold = before !== 'live' && (await hasUsage(tx, clusterId, hour))
  if (isUsageTold && isMeasured) await forgetUsage(tx, clusterId, hour)
  if (isUsageTold && !isMeasured) await writePods(tx, written, folded.usage)
  else await writeLiveUsage(tx, written, folded.usage)
  const origin = isMeasured || before === 'live' ? 'live' : 'bridged'
  await noteHour(tx, clusterId, hour, { origin, otherWorkloads: folded.otherWorkloads ?? 0 }, now)
}

/** What was told of an hour that has no live data. Whoever calls has seen to it that no node-hour comes twice. */
export async function writeToldHour(
  tx: Db,
  clusterId: string,
  folded: FoldedHour & { otherWorkloads?: number },
  rateIds: RateIds,
  now: Date,
): Promise<void> {
  const hour = new Date(folded.hour * 3_600_000)
  await writeQuantities(tx, clusterId, hour, folded, rateIds)
  await writePods(tx, { clusterId, hour, isLate: true, now }, folded.usage)
  await noteHour(tx, clusterId, hour, { origin: 'backfill', otherWorkloads: folded.otherWorkloads ?? 0 }, now)
}

/** Of hours since 1970; those that are not written are not in it. */
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

async function writeQuantities(
  tx: Db,
  clusterId: string,
  hour: Date,
  folded: FoldedHour,
  rateIds: RateIds,
): Promise<void> {
  await sql`delete from workload_hour where cluster_id = ${clusterId} and hour = ${hour} and bridged`.execute(tx)
  await sql`delete from node_hour where cluster_id = ${clusterId} and hour = ${hour} and bridged`.execute(tx)
  for (const bridged of [false, true]) {
    const { workloads, nodes } = bridged ? folded.bridged : folded.measured
    const key = { clusterId, hour, bridged }
    await addRows(tx, workloadTable, key, workloads, (row) => workloadRecord(row, rateIds))
    await addRows(tx, nodeTable, key, nodes, (row) => nodeRecord(row, rateIds))
  }
  await writeAssetHour(tx, clusterId, hour, folded.assets, rateIds)
}

type HourNote = { origin: HourOrigin; otherWorkloads: number }

async function noteHour(tx: Db, clusterId: string, hour: Date, note: HourNote, now: Date): Promise<void> {
  await sql`
    insert into folded_hour (cluster_id, hour, revision, written_at, origin, other_workloads)
    values (${clusterId}, ${hour}, 1, ${now}, ${note.origin}, ${note.otherWorkloads})
    on conflict (cluster_id, hour) do update
    set revision = folded_hour.revision + 1, written_at = excluded.written_at, origin = excluded.origin,
      other_workloads = greatest(folded_hour.other_workloads, excluded.other_workloads)`.execute(tx)
  await sumUpHour(tx, clusterId, hour)
  await forgetDaySums(tx, clusterId, hour)
}

export type RateMove = { hour: Date; from: string; to: string }

/**
 * Gives stored hours other rates. Quantities stay what they are: a row moves, or joins the one that late data has written at
 * the new rate already.
 */
export async function moveRates(tx: Db, clusterId: string, moves: readonly RateMove[], now: Date): Promise<void> {
  for (const table of [workloadTable, nodeTable]) await moveRows(tx, table, clusterId, moves)
  await moveAssetRates(tx, clusterId, moves)
  const hours = [...new Set(moves.map(({ hour }) => hour.getTime()))].map((time) => new Date(time))
  await sql`
    update folded_hour set revision = revision + 1, written_at = ${now}
    where cluster_id = ${clusterId} and hour = any(${hours})`.execute(tx)
  for (const hour of hours) {
    await sumUpHour(tx, clusterId, hour)
    await forgetDaySums(tx, clusterId, hour)
  }
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

type HourKey = { clusterId: string; hour: Date; bridged: boolean }

async function addRows<Row>(
  tx: Db,
  table: HourTable,
  { clusterId, hour, bridged }: HourKey,
  rows: readonly Row[],
  recordOf: (row: Row) => object,
): Promise<void> {
  const own = [...Object.keys(table.keys), ...Object.keys(table.values), ...table.sums]
  const types = { ...table.keys, ...table.values, ...Object.fromEntries(table.sums.map((name) => [name, 'numeric'])) }
  await forRecords(
    tx,
    rows,
    recordOf,
    types,
    (recordset) => sql`
      insert into ${sql.table(table.name)} (cluster_id, hour, bridged, ${columnRefs(own)})
      select ${clusterId}, ${hour}, ${bridged}, ${columnRefs(own)} from ${recordset}
      on conflict (cluster_id, hour, ${columnRefs(Object.keys(table.keys))}, bridged) do update set ${added(table)}`,
  )
}

async function moveRows(tx: Db, table: HourTable, clusterId: string, moves: readonly RateMove[]): Promise<void> {
  const hours = moves.map(({ hour }) => hour.getTime())
  // Which days are touched has to be known before the rows are read, or each of them would be looked into.
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

function workloadRecord(row: WorkloadRow, rateIds: RateIds): object {
  return {
    namespace: row.namespace,
    workload_kind: row.workloadKind,
    workload_name: row.workloadName,
    labels: row.labels,
    labels_hash: labelsHash(row.labels),
    rate_id: rateIds.get(row.classKey),
    seconds: row.seconds,
    container_seconds: row.containerSeconds,
    ...Object.fromEntries(
      RESOURCES.flatMap((resource) => {
        const { request, usage, alloc, used, knownSeconds } = row.use[resource]
        return Object.entries({ request, usage, alloc, used, known: knownSeconds }).map(([sum, value]) => [
          `${resource}_${sum}`,
          value,
        ])
      }),
    ),
  }
}

function nodeRecord(row: NodeRow, rateIds: RateIds): object {
  return {
    node_uid: row.nodeUid,
    rate_id: rateIds.get(row.classKey),
    seconds: row.seconds,
    ...Object.fromEntries(
      RESOURCES.flatMap((resource) => {
        const { capacity, allocatable, alloc, used, systemReserved } = row.use[resource]
        return Object.entries({ capacity, allocatable, alloc, used, reserved: systemReserved }).map(([sum, value]) => [
          `${resource}_${sum}`,
          value,
        ])
      }),
    ),
  }
}
