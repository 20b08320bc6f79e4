import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'

/** Held until the transaction ends, so that a batch in flight does not recreate a deleted cluster. */
export async function lockLiveCluster(
  tx: Db,
  clusterId: string,
): Promise<{ name: string; kubeSystemUid: string | null } | undefined> {
  const { rows } = await sql<{ name: string; kubeSystemUid: string | null }>`
    select name, kube_system_uid as "kubeSystemUid" from cluster where cluster_id = ${clusterId} for key share`.execute(
    tx,
  )
  return rows[0]
}
