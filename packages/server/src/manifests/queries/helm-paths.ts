import type { Selectable } from 'kysely'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { Tables } from '../../platform/db/tables.ts'

export type HelmPathRow = Selectable<Tables['helm_path']>

const keyColumns = ['cluster_id', 'namespace', 'workload_kind', 'workload_name', 'container'] as const

export type HelmPathKey = Pick<HelmPathRow, (typeof keyColumns)[number]>

export function listHelmPaths(db: Db, clusterIds: readonly string[]): Promise<HelmPathRow[]> {
  return selectPaths(db)
    .where('cluster_id', '=', sql<string>`any(${clusterIds})`)
    .execute()
}

const selectPaths = (db: Db) =>
  db
    .selectFrom('helm_path')
    .selectAll()
    .orderBy('cluster_id')
    .orderBy('namespace')
    .orderBy('workload_kind')
    .orderBy('workload_name')
    .orderBy('container')

type HelmPathPage = {
  /** Null: all. */
  namespaces: readonly string[] | null
  /** Namespace, kind, name and container of the last row. */
  after: readonly string[] | undefined
  limit: number
}

export function pageHelmPaths(db: Db, clusterId: string, { namespaces, after, limit }: HelmPathPage) {
  return selectPaths(db)
    .where('cluster_id', '=', clusterId)
    .$if(namespaces !== null, (query) => query.where('namespace', '=', sql<string>`any(${namespaces})`))
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`(namespace, workload_kind, workload_name, container) > (${sql.join(after ?? [])})`),
    )
    .limit(limit)
    .execute()
}

export function lockHelmPath(tx: Db, key: HelmPathKey): Promise<HelmPathRow | undefined> {
  return selectPaths(tx)
    .where((eb) => eb.and(keyOf(key)))
    .forUpdate()
    .executeTakeFirst()
}

/** Returns the revision. */
export async function writeHelmPath(tx: Db, row: Omit<HelmPathRow, 'revision'>): Promise<number> {
  const { values_path, chart, is_verified, proved_chart, updated_at } = row
  const { revision } = await tx
    .insertInto('helm_path')
    .values({ ...row, revision: 1 })
    // Counted on insert: of two concurrent first writes, the later one gets the second revision.
    .onConflict((conflict) =>
      conflict.columns([...keyColumns]).doUpdateSet((eb) => ({
        values_path,
        chart,
        is_verified,
        proved_chart,
        updated_at,
        revision: eb('helm_path.revision', '+', 1),
      })),
    )
    .returning('revision')
    .executeTakeFirstOrThrow()
  return revision
}

export async function deleteHelmPath(tx: Db, key: HelmPathKey): Promise<void> {
  await tx
    .deleteFrom('helm_path')
    .where((eb) => eb.and(keyOf(key)))
    .execute()
}

const keyOf = ({ cluster_id, namespace, workload_kind, workload_name, container }: HelmPathKey) => ({
  cluster_id,
  namespace,
  workload_kind,
  workload_name,
  container,
})
