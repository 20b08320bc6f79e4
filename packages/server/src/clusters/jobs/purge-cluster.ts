import { sql } from 'kysely'
import { notePurged } from '../queries/clusters.ts'
import { listDistributedTables } from '../../platform/db/table-classes.ts'
import { deleteClusterEvents } from '../../platform/events.ts'
import type { Deps } from '../../platform/deps.ts'

const rowsAtOnce = 10_000

/** Removes what a deleted cluster left, from every distributed table there is, in chunks that hold no lock for long. */
export async function purgeCluster({ db, log, now }: Deps, { clusterId }: { clusterId: string }): Promise<void> {
  for (const table of await listDistributedTables(db)) {
    let removed: bigint
    do {
      const result = await sql`
        delete from ${sql.table(table)} where cluster_id = ${clusterId} and ctid = any(array(
          select ctid from ${sql.table(table)} where cluster_id = ${clusterId} limit ${rowsAtOnce}))`.execute(db)
      removed = result.numAffectedRows ?? 0n
    } while (removed > 0n)
  }
  await deleteClusterEvents(db, clusterId)
  await notePurged(db, clusterId, now())
  log.info({ clusterId }, 'cluster purged')
}
