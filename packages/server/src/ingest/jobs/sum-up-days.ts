import type { Db } from '../../platform/db/database.ts'
import { tryLockFold } from '../queries/fold-queue.ts'
import { lockLiveCluster } from '../../clusters/index.ts'
import { enqueue } from '../../platform/jobs/job-queue.ts'
import { ensureDay } from '../../platform/db/partitions.ts'
import { listDaysToSumUp, sumUpDay } from '../queries/rollups.ts'
import type { Deps } from '../../platform/deps.ts'

const againAfterSeconds = 30

/** Sums completed days, so that long windows do not read each hour. */
export async function sumUpDays(deps: Deps, { clusterId }: { clusterId: string }): Promise<void> {
  for (const day of await listDaysToSumUp(deps.db, clusterId, deps.now())) {
    await ensureDay(deps.db, 'node_day', day)
    await ensureDay(deps.db, 'workload_day', day)
    await ensureDay(deps.db, 'asset_day', day)
    if (!(await deps.db.transaction().execute((tx) => sumUpUnlessLocked(tx, clusterId, day)))) return
  }
}

/** The fold lock prevents writes to the hours during the sum. If it is taken, the job retries later. */
async function sumUpUnlessLocked(tx: Db, clusterId: string, day: Date): Promise<boolean> {
  if (await tryLockFold(tx, clusterId)) {
    if (!(await lockLiveCluster(tx, clusterId))) return false
    await sumUpDay(tx, clusterId, day)
    return true
  }
  await enqueue(tx, 'sum-up-days', { clusterId }, { delaySeconds: againAfterSeconds })
  return false
}
