import { sql } from 'kysely'
import { queueMessage } from '../channels/index.ts'
import type { Db } from '../platform/db/database.ts'
import { deleteInChunks } from '../platform/db/delete-in-chunks.ts'
import { alertMessage } from './alert-message.ts'
import { listFiringOf } from './queries/alerts.ts'
import { deleteClusterIncidents } from './queries/cluster-incidents.ts'

/** The cluster is deleted. Receivers that close an alert by its key get its end. Its incidents would open new alerts. */
export async function deleteClusterAlerts(db: Db, clusterId: string, now: Date): Promise<void> {
  await db.transaction().execute((tx) => deleteClusterIncidents(tx, clusterId))
  await db.transaction().execute(async (tx) => {
    for (const row of await listFiringOf(tx, clusterId)) {
      const message = alertMessage({ ...row, resolved_at: now, transition: 'resolved' }, now)
      await queueMessage(tx, { message, transition: 'resolved' }, now)
    }
  })
  await deleteInChunks(db, 'alert', sql`cluster_id = ${clusterId}`)
}

export async function deleteOldAlerts(db: Db, before: Date): Promise<void> {
  await deleteInChunks(db, 'alert', sql`state = 'resolved' and resolved_at < ${before}`)
}
