import type { Db } from '../../platform/db/database.ts'
import { tryLockFold } from '../queries/fold-queue.ts'
import { lockLiveCluster } from '../../clusters/index.ts'
import { enqueue } from '../../platform/jobs/job-queue.ts'
import { ensureDay } from '../../platform/db/partitions.ts'
import { isSummedUp, listDaysToSumUp, sumUpDay } from '../queries/rollups.ts'
import { addRunningTotal, listDaysToTotal } from '../queries/running-totals.ts'
import type { Deps } from '../../platform/deps.ts'

const againAfterSeconds = 30

/** Sums completed days, so that long windows do not read each hour. */
export async function sumUpDays(deps: Deps, { clusterId }: { clusterId: string }): Promise<void> {
  for (const day of await listDaysToSumUp(deps.db, clusterId, deps.now())) {
    await ensureDay(deps.db, 'node_day', day)
    await ensureDay(deps.db, 'workload_day', day)
    await ensureDay(deps.db, 'asset_day', day)
    await ensureDay(deps.db, 'pod_day', day)
    if (!(await whileLocked(deps.db, clusterId, (tx) => sumUpDay(tx, clusterId, day)))) return
  }
  for (const day of await listDaysToTotal(deps.db, clusterId, deps.now())) {
    await ensureDay(deps.db, 'workload_running_total', day)
    if (!(await whileLocked(deps.db, clusterId, (tx) => totalUnlessForgotten(tx, clusterId, day)))) return
  }
}

/** A new hour can remove the sums of the day before the job reaches it. */
async function totalUnlessForgotten(tx: Db, clusterId: string, day: Date): Promise<void> {
  if (await isSummedUp(tx, clusterId, day)) await addRunningTotal(tx, clusterId, day)
}

/** The fold lock prevents writes to the hours during the sum. If it is taken, the job retries later. */
const whileLocked = (db: Db, clusterId: string, work: (tx: Db) => Promise<void>): Promise<boolean> =>
  db.transaction().execute(async (tx) => workUnlessLocked(tx, clusterId, work))

async function workUnlessLocked(tx: Db, clusterId: string, work: (tx: Db) => Promise<void>): Promise<boolean> {
  if (await tryLockFold(tx, clusterId)) {
    if (!(await lockLiveCluster(tx, clusterId))) return false
    await work(tx)
    return true
  }
  await enqueue(tx, 'sum-up-days', { clusterId }, { delaySeconds: againAfterSeconds })
  return false
}
