import { sql } from 'kysely'
import { deleteClusterAlerts } from '../../alerts/index.ts'
import { notePurged } from '../queries/clusters.ts'
import { deleteInChunks } from '../../platform/db/delete-in-chunks.ts'
import { listDistributedTables } from '../../platform/db/table-classes.ts'
import { deleteClusterEvents } from '../../platform/events.ts'
import type { Deps } from '../../platform/deps.ts'

/** Deletes the rows of a deleted cluster from every distributed table, in chunks with short locks. */
export async function purgeCluster({ db, log, now }: Deps, { clusterId }: { clusterId: string }): Promise<void> {
  for (const table of await listDistributedTables(db)) {
    await deleteInChunks(db, table, sql`cluster_id = ${clusterId}`)
  }
  await deleteClusterAlerts(db, clusterId, now())
  await deleteClusterEvents(db, clusterId)
  await notePurged(db, clusterId, now())
  log.info({ clusterId }, 'cluster purged')
}
