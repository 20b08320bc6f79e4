import { sql } from 'kysely'
import { notePurged } from '../queries/clusters.ts'
import { deleteInChunks } from '../../platform/db/delete-in-chunks.ts'
import { listDistributedTables } from '../../platform/db/table-classes.ts'
import { deleteClusterEvents } from '../../platform/events.ts'
import type { Deps } from '../../platform/deps.ts'

/** Removes what a deleted cluster left, from every distributed table there is, in chunks that hold no lock for long. */
export async function purgeCluster({ db, log, now }: Deps, { clusterId }: { clusterId: string }): Promise<void> {
  for (const table of await listDistributedTables(db)) {
    await deleteInChunks(db, table, sql`cluster_id = ${clusterId}`)
  }
  await deleteClusterEvents(db, clusterId)
  await notePurged(db, clusterId, now())
  log.info({ clusterId }, 'cluster purged')
}
