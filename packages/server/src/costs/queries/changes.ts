import { sql, type RawBuilder } from 'kysely'
import type { Pair } from '@plimsoll/engine/changes'
import type { CloudResourceOwner } from '@plimsoll/pipeline/fold'
import type { CloudResourceKind } from '@plimsoll/pipeline/prices'
import type { Resource } from '@plimsoll/engine'
import type { CoveredHours } from '../../ingest/index.ts'
import type { Db } from '../../platform/db/database.ts'
import { coveredRows, ranInWindow, type Source } from './quantities.ts'

/** Integers of both windows, as text: they may exceed a safe JavaScript number. */
type TwoSums<Sum extends string> = Record<`${'before' | 'now'}_${Sum}`, string>

type Covers = Pair<CoveredHours>

export type WorkloadSelection = {
  labelKeys: readonly string[]
  /** Null: all. */
  namespaces: readonly string[] | null
}

const workloadSums = [
  'seconds',
  ...(['request', 'alloc'] as const).flatMap((use) => [`cpu_${use}`, `memory_${use}`, `gpu_${use}`] as const),
] as const

type Named = { namespace: string; kind: string; name: string; labels: (string | null)[]; rateId: string }

export type WorkloadChangeRow = Named & TwoSums<'seconds' | `${Resource}_${'request' | 'alloc'}`>

/** Quantities of each workload and rate in both windows. The rows of a workload follow each other. */
export function streamWorkloads(tx: Db, covers: Covers, { labelKeys, namespaces }: WorkloadSelection) {
  const shown = namespaces === null ? sql`true` : sql`namespace = any(${namespaces})`
  const source = { table: 'workload' as const, keys: [...workloadKeys, ...labelColumn(labelKeys)], sums: workloadSums }
  return stream<WorkloadChangeRow>(
    tx,
    sql`
    select namespace, workload_kind as kind, workload_name as name, ${labelsOf(labelKeys)} as labels,
      rate_id as "rateId", ${twoSums(workloadSums)}
    from (${bothWindows(covers, source)}) covered where ${shown}
    group by 1, 2, 3, 4, 5 ${ranInWindow(covers.before, covers.now)} order by 1, 2, 3`,
  )
}

export type CloudResourceChangeRow = Named & {
  owner: CloudResourceOwner
  resource: CloudResourceKind
} & TwoSums<'unit_seconds'>

/** The same for volumes, load balancers and control planes, by owner. */
export function streamCloudResources(tx: Db, covers: Covers, { labelKeys, namespaces }: WorkloadSelection) {
  const shown = namespaces === null ? sql`true` : sql`(owner <> 'workload' or namespace = any(${namespaces}))`
  const keys = ['owner', 'kind', ...workloadKeys, ...labelColumn(labelKeys)]
  const sums = ['unit_seconds'] as const
  return stream<CloudResourceChangeRow>(
    tx,
    sql`
    select owner, namespace, workload_kind as kind, workload_name as name, covered.kind as resource,
      ${labelsOf(labelKeys)} as labels, rate_id as "rateId", ${twoSums(sums)}
    from (${bothWindows(covers, { table: 'asset', keys, sums })}) covered where ${shown}
    group by 1, 2, 3, 4, 5, 6, 7 order by 1, 2, 3, 4`,
  )
}

const capacitySums = ['cpu_capacity', 'memory_capacity', 'gpu_capacity'] as const
const nodeSums = [...capacitySums, 'cpu_alloc', 'memory_alloc', 'gpu_alloc'] as const

export type CapacityChangeRow = { rateId: string } & TwoSums<`${Resource}_${'capacity' | 'alloc'}`>

/** Capacity of the nodes and its allocated part, by rate. */
export async function sumCapacities(tx: Db, covers: Covers): Promise<CapacityChangeRow[]> {
  const source = { table: 'cluster' as const, keys: ['rate_id'], sums: nodeSums }
  const { rows } = await sql<CapacityChangeRow>`
    select rate_id as "rateId", ${twoSums(nodeSums)} from (${bothWindows(covers, source)}) covered group by 1`.execute(
    tx,
  )
  return rows
}

export type NodeChangeRow = {
  uid: string
  rateId: string
  /** Null: forgotten. */
  name: string | null
  pool: string | null
  firstSeenAt: Date | null
  endedAt: Date | null
} & TwoSums<`${Resource}_capacity`>

/** Capacity of each node and rate. The rows of a node follow each other. */
export function streamNodes(tx: Db, covers: Covers) {
  const source = { table: 'node' as const, keys: ['node_uid', 'rate_id'], sums: capacitySums }
  return stream<NodeChangeRow>(
    tx,
    sql`
    select quantity.*, n.name, n.facts ->> 'pool' as pool, n.first_seen_at as "firstSeenAt", n.ended_at as "endedAt"
    from (
      select node_uid as uid, rate_id as "rateId", ${twoSums(capacitySums)}
      from (${bothWindows(covers, source)}) covered group by 1, 2) quantity
    left join node n on n.cluster_id = ${covers.now.clusterId} and n.node_uid = quantity.uid
    order by quantity.uid`,
  )
}

const workloadKeys = ['namespace', 'workload_kind', 'workload_name', 'rate_id']

const labelColumn = (labelKeys: readonly string[]) => (labelKeys.length > 0 ? ['labels'] : [])

const labelsOf = (labelKeys: readonly string[]) =>
  sql`array[${sql.join(labelKeys.map((key) => sql`labels ->> ${key}`))}]::text[]`

function bothWindows({ before, now }: Covers, source: Source): RawBuilder<unknown> {
  return sql`
    select false as is_now, earlier.* from (${coveredRows(before, source)}) earlier
    union all
    select true as is_now, later.* from (${coveredRows(now, source)}) later`
}

const twoSums = (sums: readonly string[]) =>
  sql.join(
    sums.flatMap((name) => [
      sql`coalesce(sum(${sql.ref(name)}) filter (where not is_now), 0) as ${sql.ref(`before_${name}`)}`,
      sql`coalesce(sum(${sql.ref(name)}) filter (where is_now), 0) as ${sql.ref(`now_${name}`)}`,
    ]),
  )

const rowsPerFetch = 5_000

/**
 * Rows in portions, so that the memory does not grow with the cluster. The cursor needs a transaction. A transaction that
 * fails closes its cursors.
 */
async function* stream<Row>(tx: Db, query: RawBuilder<unknown>): AsyncGenerator<Row> {
  await sql`declare changes no scroll cursor for ${query}`.execute(tx)
  for (let isMore = true; isMore;) {
    const { rows } = await sql<Row>`fetch forward ${sql.lit(rowsPerFetch)} from changes`.execute(tx)
    yield* rows
    isMore = rows.length === rowsPerFetch
  }
  await sql`close changes`.execute(tx)
}
