import { sql } from 'kysely'
import type { CoveredHours, WorkloadName } from '../../ingest/index.ts'
import type { Db } from '../../platform/db/database.ts'

/** Sums of one hour and one rate. The columns depend on the table. */
export type HourlyTotals = { hour: Date; rate_id: string } & Record<string, string | Date>

export type HourlySource =
  | { table: 'cluster_hour' }
  | { table: 'namespace_hour'; namespace: string }
  | { table: 'workload_hour'; workload: WorkloadName }
  | { table: 'node_hour'; nodeUid: string }

export async function sumHourly(
  tx: Db,
  { clusterId, hours }: CoveredHours,
  source: HourlySource,
  columns: readonly string[],
): Promise<HourlyTotals[]> {
  const sums = columns.map((name) => sql`sum(${sql.ref(name)}) as ${sql.ref(name)}`)
  const { rows } = await sql<HourlyTotals>`
    select hour, rate_id, ${sql.join(sums)} from ${sql.table(source.table)}
    where cluster_id = ${clusterId} and hour = any(${hours}) and ${onlyOf(source)}
    group by hour, rate_id order by hour, rate_id`.execute(tx)
  return rows
}

function onlyOf(source: HourlySource) {
  if (source.table === 'namespace_hour') return sql`namespace = ${source.namespace}`
  if (source.table === 'workload_hour') return onlyWorkload(source.workload)
  return source.table === 'node_hour' ? sql`node_uid = ${source.nodeUid}` : sql`true`
}

const onlyWorkload = ({ namespace, kind, name }: WorkloadName) =>
  sql`(namespace, workload_kind, workload_name) = (${namespace}, ${kind}, ${name})`
