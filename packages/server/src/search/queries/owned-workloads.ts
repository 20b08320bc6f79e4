import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { Workloads } from './search.ts'

/** The newest whole day and the newest hour with costs, of each cluster. */
type NewestCosts = { days: readonly Newest[]; hours: readonly Newest[] }
type Newest = { clusterId: string; at: Date }

export async function findNewestCosts(db: Db, clusterIds: readonly string[]): Promise<NewestCosts> {
  const newest = (table: 'folded_day' | 'folded_hour', column: 'day' | 'hour') =>
    sql<Newest>`
      select cluster_id as "clusterId", max(${sql.ref(column)}) as at from ${sql.table(table)}
      where cluster_id = any(${clusterIds}) group by cluster_id`.execute(db)
  const [days, hours] = [await newest('folded_day', 'day'), await newest('folded_hour', 'hour')]
  return { days: days.rows, hours: hours.rows }
}

/** Workloads with the labels that decide their team. */
export type OwnerSource = { newest: NewestCosts; namespaces: readonly string[] | null; labelKeys: readonly string[] }

function costRows({ newest, namespaces, labelKeys }: OwnerSource): RawBuilder<unknown> {
  const labels = sql.join(labelKeys.map((key) => sql`labels ->> ${key}`))
  const shown = namespaces === null ? sql`true` : sql`namespace = any(${namespaces})`
  // The list of times lets PostgreSQL skip all other partitions.
  const rowsAt = (table: string, column: string, at: readonly Newest[]) => sql`
    select cluster_id, namespace, workload_kind, workload_name, array[${labels}]::text[] as labels from ${sql.table(table)}
    where ${sql.ref(column)} = any(${at.map((each) => each.at)}) and ${shown} and (cluster_id, ${sql.ref(column)}) in (
      select * from unnest(${at.map(({ clusterId }) => clusterId)}::text[], ${at.map((each) => each.at)}::timestamptz[]))`
  return sql`${rowsAt('workload_day', 'day', newest.days)} union all ${rowsAt('workload_hour', 'hour', newest.hours)}`
}

/** Workloads of a namespace with the same values of these labels have the same team. */
export type Owner = { clusterId: string; namespace: string; labels: (string | null)[]; labelText: string }

export async function listOwners(db: Db, source: OwnerSource, limit: number): Promise<Owner[]> {
  const { rows } = await sql<Owner>`
    select distinct cluster_id as "clusterId", namespace, labels, labels::text as "labelText"
    from (${costRows(source)}) costs limit ${limit}`.execute(db)
  return rows
}

export function ownedWorkloads(source: OwnerSource, owners: readonly Owner[]): Workloads {
  const texts = (value: (owner: Owner) => string) => sql`${owners.map(value)}::text[]`
  return sql`
    select cluster_id, namespace, workload_kind, workload_name, true as is_running from (${costRows(source)}) costs
    where (cluster_id, namespace, labels::text) in (
      select * from unnest(${texts(({ clusterId }) => clusterId)}, ${texts((owner) => owner.namespace)},
        ${texts(({ labelText }) => labelText)}))`
}
