import { sql, type RawBuilder } from 'kysely'
import type { CloudResourceOwner } from '@plimsoll/pipeline/fold'
import type { CloudResourceKind } from '@plimsoll/pipeline/prices'
import { type CoveredHours, type NodeSum, nodeSums, type WorkloadSum, workloadSums } from '../../ingest/index.ts'
import type { Db } from '../../platform/db/database.ts'

/** Integers, as text: they may exceed a safe JavaScript number. */
type Sums<Key extends string, Sum extends string> = Record<Key | Sum, string>

export type NodeTotals = Sums<'node_uid' | 'rate_id', NodeSum>
export type ClusterTotals = Sums<'rate_id', NodeSum | 'bridged_seconds'>
export type NamespaceTotals = Sums<'namespace' | 'rate_id', WorkloadSum>

/** The basis of costs: quantities of one rate. */
export const sumNodes = (tx: Db, cover: CoveredHours) =>
  sums<NodeTotals>(tx, cover, { table: 'node', keys: ['node_uid', 'rate_id'], sums: nodeSums })

/** Of some nodes only, for a page of them. */
export const sumSomeNodes = (tx: Db, cover: CoveredHours, uids: readonly string[]) =>
  sums<NodeTotals>(
    tx,
    cover,
    { table: 'node', keys: ['node_uid', 'rate_id'], sums: nodeSums },
    sql`node_uid = any(${uids})`,
  )

export const sumCluster = (tx: Db, cover: CoveredHours) =>
  sums<ClusterTotals>(tx, cover, { table: 'cluster', keys: ['rate_id'], sums: ['bridged_seconds', ...nodeSums] })

export const sumNamespaces = (tx: Db, cover: CoveredHours) =>
  sums<NamespaceTotals>(tx, cover, { table: 'namespace', keys: ['namespace', 'rate_id'], sums: workloadSums })

export type CloudResourceTotals = { kind: CloudResourceKind; owner: CloudResourceOwner } & Sums<
  'namespace' | 'rate_id',
  'unit_seconds'
>

export const sumCloudResources = (tx: Db, cover: CoveredHours) =>
  sums<CloudResourceTotals>(tx, cover, {
    table: 'asset_namespace',
    keys: ['kind', 'owner', 'namespace', 'rate_id'],
    sums: ['unit_seconds'],
  })

export type Source = {
  table: 'node' | 'cluster' | 'namespace' | 'workload' | 'asset' | 'asset_namespace'
  keys: readonly string[]
  sums: readonly string[]
}

async function sums<Row>(tx: Db, cover: CoveredHours, source: Source, only = sql`true`): Promise<Row[]> {
  const keys = sql.join(source.keys.map((name) => sql.ref(name)))
  const totals = source.sums.map((name) => sql`sum(${sql.ref(name)}) as ${sql.ref(name)}`)
  const { rows } = await sql<Row>`
    select ${keys}, ${sql.join(totals)} from (${coveredRows(cover, source)}) covered
    where ${only} group by ${keys}`.execute(tx)
  return rows
}

/**
 * Excludes workloads that ran only before the window: their total is subtracted from itself. Needs the column `seconds`
 * in the grouped rows.
 */
export const ranInWindow = (...covers: readonly CoveredHours[]): RawBuilder<unknown> =>
  covers.some(({ spans }) => spans && spans.lessDays.length + spans.lessTotals.length > 0)
    ? sql`having sum(seconds) <> 0`
    : sql``

/** The rows of whole days and those of single hours, as one. Rows of days before the window have negative sums. */
export function coveredRows(
  { clusterId, days, hours, spans }: CoveredHours,
  { table, keys, sums }: Source,
): RawBuilder<unknown> {
  const columns = sql.join([...keys, ...sums].map((name) => sql.ref(name)))
  const negative = sql.join([
    ...keys.map((name) => sql.ref(name)),
    ...sums.map((name) => sql`- ${sql.ref(name)} as ${sql.ref(name)}`),
  ])
  const from = (name: string, of: readonly Date[], shown = columns) =>
    sql`select ${shown} from ${sql.table(name)} where cluster_id = ${clusterId} and day = any(${of})`
  const ofDays =
    table === 'workload' && spans
      ? sql`${from('workload_day', spans.days)}
        union all ${from('workload_running_total', spans.totals)}
        union all ${from('workload_day', spans.lessDays, negative)}
        union all ${from('workload_running_total', spans.lessTotals, negative)}`
      : from(`${table}_day`, days)
  return sql`
    ${ofDays}
    union all
    select ${columns} from ${sql.table(`${table}_hour`)} where cluster_id = ${clusterId} and hour = any(${hours})`
}
