import { findCluster } from '../queries/clusters.ts'
import type { Db } from '../../platform/db/database.ts'
import { enqueue } from '../../platform/jobs/job-queue.ts'
import { failJob, findJob, finishSync, moveJob, type JobRow, type SyncOutcome } from '../queries/sync-jobs.ts'
import type { Deps } from '../../platform/deps.ts'

const agentAnswerSeconds = 90

/**
 * Runs twice: at once, to fold stored batches, and at the deadline, to end a job without a snapshot. No worker waits in
 * between. The fold of the snapshot ends the job.
 */
export async function sync(deps: Deps, { jobId }: { jobId: string }): Promise<void> {
  const job = await findJob(deps.db, jobId)
  if (job?.finished_at !== null) return
  if (job.stage === 'waiting_for_agent') return finish(deps, job, silent)

  await moveJob(deps.db, jobId, 'recalculating', deps.now())
  if (!(await recalculated(deps, job))) return
  const cluster = await findCluster(deps.db, job.cluster_id)
  if (cluster?.agent_last_seen_at === null) return finish(deps, job, neverConnected)
  await deps.db.transaction().execute((tx) => waitForAgent(deps, tx, jobId))
}

/** Reports the failure to the caller, who may retry. The next batch triggers another fold. */
async function recalculated(deps: Deps, { job_id: jobId, cluster_id: clusterId }: JobRow): Promise<boolean> {
  try {
    await deps.folding.fold(clusterId)
    await enqueue(deps.db, 'analyse', { clusterId })
    await enqueue(deps.db, 'evaluate-alerts', { again: true })
    return true
  } catch (error) {
    deps.log.error({ err: error, clusterId, jobId }, 'cannot recalculate stored hours')
    await failJob(deps.db, jobId, 'The recalculation failed. See the log of the service.', deps.now())
    return false
  }
}

const silent: SyncOutcome = {
  agentAnswered: false,
  message: `Recalculated from stored data: the agent sent no snapshot within ${agentAnswerSeconds} seconds.`,
}

const neverConnected: SyncOutcome = {
  agentAnswered: false,
  message: 'No agent has reported for this cluster yet, so there is no data to recalculate.',
}

async function waitForAgent(deps: Deps, tx: Db, jobId: string): Promise<void> {
  await moveJob(tx, jobId, 'waiting_for_agent', deps.now())
  await enqueue(tx, 'sync', { jobId }, { delaySeconds: agentAnswerSeconds })
}

const finish = (deps: Deps, job: JobRow, outcome: SyncOutcome) =>
  finishSync(deps.db, job.cluster_id, outcome, deps.now())
