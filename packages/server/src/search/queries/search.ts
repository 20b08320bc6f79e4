import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../platform/db/database.ts'

/** What to find: `text` is the whole text, which names may begin with. */
export type Wanted = { text: string; words: readonly string[]; limit: number }

const contains = (name: RawBuilder<unknown>, { words }: Wanted) =>
  sql.join(
    words.map((word) => sql`strpos(lower(${name}), lower(${word})) > 0`),
    sql` and `,
  )

/** Exact names first, then names that begin with the text. */
const place = (names: readonly RawBuilder<unknown>[], { text }: Wanted) => {
  const some = (test: (name: RawBuilder<unknown>) => RawBuilder<unknown>) => sql.join(names.map(test), sql` or `)
  return sql`case when ${some((name) => sql`lower(${name}) = lower(${text})`)} then 0
    when ${some((name) => sql`starts_with(lower(${name}), lower(${text}))`)} then 1 else 2 end`
}

const name = sql.ref('name')

/** One more than the limit, which shows whether there are more. */
const limitOf = ({ limit }: Wanted) => sql`limit ${limit + 1}::int`

export type FoundCluster = { id: string; name: string; monthlyCost: string | null }

export async function searchClusters(db: Db, clusterIds: readonly string[], wanted: Wanted): Promise<FoundCluster[]> {
  const { rows } = await sql<FoundCluster>`
    select cluster_id as id, name, round(monthly_cost, 6) as "monthlyCost" from cluster join cluster_state using (cluster_id)
    where cluster_id = any(${clusterIds}) and ${contains(name, wanted)}
    order by ${place([name], wanted)}, name ${limitOf(wanted)}`.execute(db)
  return rows
}

/** `names` null: all stored teams. */
export async function searchTeams(
  db: Db,
  names: readonly string[] | null,
  wanted: Wanted,
): Promise<{ name: string }[]> {
  const teams = names === null ? sql`team` : sql`(select distinct unnest(${names}::text[]) as name) team`
  const { rows } = await sql<{ name: string }>`
    select name from ${teams} where ${contains(name, wanted)} order by ${place([name], wanted)}, name ${limitOf(wanted)}`.execute(
    db,
  )
  return rows
}

/** Rows of cluster_id, namespace, workload_kind, workload_name, is_running. */
export type Workloads = RawBuilder<unknown>

export function knownWorkloads(clusterIds: readonly string[], namespaces: readonly string[] | null): Workloads {
  const shown = namespaces === null ? sql`true` : sql`namespace = any(${namespaces})`
  return sql`
    select cluster_id, namespace, workload_kind, workload_name, pods > 0 as is_running from workload_container
    where cluster_id = any(${clusterIds}) and ${shown}`
}

const clusterIds = sql`array_agg(distinct cluster_id order by cluster_id) as cluster_ids`

export type FoundNamespace = { name: string; cluster_ids: string[] }
export type FoundWorkload = { namespace: string; kind: string; name: string; cluster_ids: string[] }

type FoundRow = FoundWorkload & { is_namespace: boolean }

/** One scan for both: the name of a namespace is a part of the shown names of its workloads. */
export async function searchWorkloads(
  db: Db,
  workloads: Workloads,
  wanted: Wanted,
): Promise<{ namespaces: FoundNamespace[]; workloads: FoundWorkload[] }> {
  const shown = sql`(namespace || '/' || workload_name)`
  const namespace = sql.ref('namespace')
  const position = (order: RawBuilder<unknown>) => sql`row_number() over (order by ${order}) as position`
  const byNamespace = sql`${place([namespace], wanted)}, namespace`
  const byWorkload = sql`${place([sql.ref('workload_name'), shown], wanted)}, bool_or(is_running) desc, namespace,
    workload_name, workload_kind`
  const { rows } = await sql<FoundRow>`
    with found as materialized (select * from (${workloads}) known where ${contains(shown, wanted)})
    (select true as is_namespace, namespace, '' as kind, '' as name, ${clusterIds}, ${position(byNamespace)}
      from found where ${contains(namespace, wanted)} group by namespace order by position ${limitOf(wanted)})
    union all
    (select false, namespace, workload_kind, workload_name, ${clusterIds}, ${position(byWorkload)}
      from found group by namespace, workload_kind, workload_name order by position ${limitOf(wanted)})
    order by is_namespace desc, position`.execute(db)
  return {
    namespaces: rows
      .filter((row) => row.is_namespace)
      .map((row) => ({ name: row.namespace, cluster_ids: row.cluster_ids })),
    workloads: rows
      .filter((row) => !row.is_namespace)
      .map(({ namespace: of, kind, name, cluster_ids: ids }) => ({ namespace: of, kind, name, cluster_ids: ids })),
  }
}

export type FoundNode = { name: string; cluster_ids: string[] }

export async function searchNodes(db: Db, ids: readonly string[], wanted: Wanted): Promise<FoundNode[]> {
  const { rows } = await sql<FoundNode>`
    select name, ${clusterIds} from node where cluster_id = any(${ids}) and ${contains(name, wanted)}
    group by name order by ${place([name], wanted)}, bool_or(ended_at is null) desc, name ${limitOf(wanted)}`.execute(
    db,
  )
  return rows
}
