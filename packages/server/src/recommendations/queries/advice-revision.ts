import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'

/**
 * Marks the recommendations of these clusters as changed, in the transaction of the change. Concurrent changes wait
 * here until it ends, so it is called last, after all other locks.
 */
export async function noteAdviceChange(tx: Db, clusterIds: readonly string[]): Promise<void> {
  for (const clusterId of [...new Set(clusterIds)].sort()) {
    await sql`
      insert into advice_revision (cluster_id, revision) values (${clusterId}, 1)
      on conflict (cluster_id) do update set revision = advice_revision.revision + 1`.execute(tx)
  }
}

/** While it is the same, all recommendations of the cluster and their snoozes are unchanged. */
export async function findAdviceRevision(db: Db, clusterId: string, now: Date): Promise<string> {
  const { rows } = await sql<{ revision: string }>`
    select concat(
      (select revision from advice_revision where cluster_id = ${clusterId}), ' ',
      (select extract(epoch from min(snoozed_until)) from recommendation
        where cluster_id = ${clusterId} and snoozed_until > ${now})) as revision`.execute(db)
  return rows[0]?.revision ?? ''
}
