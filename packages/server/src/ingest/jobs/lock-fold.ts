import type { Db } from '../../platform/db/database.ts'
import { lockLiveCluster } from '../../clusters/index.ts'
import { foldLater } from '../fold-later.ts'
import { tryLockFold } from '../queries/fold-queue.ts'

/** The holder of the lock may sum days or reprice, and does not look for new batches. */
const lockedSeconds = 2

/** Whether the cluster exists and is locked for this fold; if another process holds it, the fold is retried later. */
export async function lockOrTryLater(tx: Db, clusterId: string): Promise<boolean> {
  if (await tryLockFold(tx, clusterId)) return (await lockLiveCluster(tx, clusterId)) !== undefined
  await foldLater(tx, clusterId, { delaySeconds: lockedSeconds })
  return false
}
