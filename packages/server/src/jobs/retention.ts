import { deleteOldBatches } from '../db/ingest.ts'
import { dropDaysBefore } from '../db/partitions.ts'
import type { Deps } from '../deps.ts'

/** How long things are kept, in days. Bodies outlive their folding by two days, so that a mistake can be looked into. */
const daysKept = { ingest_body: 3, workload_hour: 35, node_hour: 35, asset_hour: 35, ingest_batch: 35 }

/** Old days go by dropping their partitions, which costs nothing. */
export async function retention({ db, now }: Deps): Promise<void> {
  const before = (days: number) => new Date(now().getTime() - days * 86_400_000)
  for (const table of ['ingest_body', 'workload_hour', 'node_hour', 'asset_hour'] as const) {
    await dropDaysBefore(db, table, before(daysKept[table]))
  }
  await deleteOldBatches(db, before(daysKept.ingest_batch))
}
