import type { Selectable } from 'kysely'
import { sql } from 'kysely'
import type { Db } from './database.ts'
import type { Tables } from './tables.ts'

export type HelmPathRow = Selectable<Tables['helm_path']>

export function listHelmPaths(db: Db, clusterIds: readonly string[]): Promise<HelmPathRow[]> {
  return db
    .selectFrom('helm_path')
    .selectAll()
    .where('cluster_id', '=', sql<string>`any(${clusterIds})`)
    .orderBy('cluster_id')
    .orderBy('namespace')
    .orderBy('workload_kind')
    .orderBy('workload_name')
    .orderBy('container')
    .execute()
}

export async function writeHelmPath(tx: Db, row: HelmPathRow): Promise<void> {
  const { values_path, chart, is_verified, proved_chart, updated_at } = row
  await tx
    .insertInto('helm_path')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(['cluster_id', 'namespace', 'workload_kind', 'workload_name', 'container'])
        .doUpdateSet({ values_path, chart, is_verified, proved_chart, updated_at }),
    )
    .execute()
}

export async function deleteHelmPath(
  tx: Db,
  key: Pick<HelmPathRow, 'cluster_id' | 'namespace' | 'workload_kind' | 'workload_name' | 'container'>,
): Promise<void> {
  await tx
    .deleteFrom('helm_path')
    .where('cluster_id', '=', key.cluster_id)
    .where('namespace', '=', key.namespace)
    .where('workload_kind', '=', key.workload_kind)
    .where('workload_name', '=', key.workload_name)
    .where('container', '=', key.container)
    .execute()
}
