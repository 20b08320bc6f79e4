import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type Job, type JobStage, operations } from '@plimsoll/contract'
import { pathOf, routes } from '@plimsoll/contract/routes'
import { recordChange } from '../../audit/index.ts'
import { maySeeCluster } from '../../platform/auth/caller.ts'
import { lockCluster } from '../queries/clusters.ts'
import { enqueue } from '../../platform/jobs/job-queue.ts'
import { holderFlags } from '../queries/fold-holder.ts'
import { findJob, findLiveSync, insertSync, type JobRow } from '../queries/sync-jobs.ts'
import type { Deps } from '../../platform/deps.ts'
import { change } from '../../platform/http/change.ts'
import { requestCaller } from '../../platform/http/request-caller.ts'
import { isId, newId } from '../../platform/ids.ts'
import { Problem, quoted } from '../../platform/http/problem.ts'
import { clusterNotFound, demandWholeCluster, visibleCluster, wholeCluster } from '../cluster-access.ts'
import { handle } from '../../platform/http/handle.ts'

export const syncRoutes: FastifyPluginAsyncTypebox<{ deps: Deps }> = async (app, { deps }) => {
  handle(app, operations.syncCluster, {
    preParsing: [visibleCluster(deps), wholeCluster],
    handler: (request, reply) =>
      change(deps, request, reply, async (tx) => {
        const { cluster_id: clusterId } = request.params
        if (!(await lockCluster(tx, clusterId))) throw clusterNotFound(clusterId)
        const running = await findLiveSync(tx, clusterId)
        if (running) return accepted(running)
        const jobId = newId('job', deps.now())
        await insertSync(tx, { jobId, clusterId, now: deps.now() })
        await enqueue(tx, 'sync', { jobId }, { flags: holderFlags(clusterId) })
        await recordChange(deps, tx, request, {
          action: 'cluster.sync',
          target: { type: 'cluster', id: clusterId },
          detail: { job_id: jobId },
        })
        const job = await findJob(tx, jobId)
        if (!job) throw new Error('the new job is missing')
        return accepted(job)
      }),
  })

  handle(app, operations.getJob, {
    handler: async (request) => {
      const { job_id: jobId } = request.params
      const job = isId('job', jobId) ? await findJob(deps.db, jobId) : undefined
      if (!job || !maySeeCluster(requestCaller(request), job.cluster_id)) throw jobNotFound(jobId)
      demandWholeCluster(request)
      return presentJob(job)
    },
  })
}

const accepted = (job: JobRow) => ({
  status: 202,
  headers: { location: pathOf(routes.getJob, { job_id: job.job_id }) },
  body: presentJob(job),
  resourceId: job.cluster_id,
})

const progressOf: Record<JobStage, number> = { queued: 0, recalculating: 0.1, waiting_for_agent: 0.5, done: 1 }

const presentJob = (row: JobRow): Job => ({
  id: row.job_id,
  kind: row.kind,
  cluster_id: row.cluster_id,
  status: row.finished_at === null ? 'running' : row.error === null ? 'succeeded' : 'failed',
  stage: row.stage,
  progress: progressOf[row.stage],
  result: row.result,
  error: row.error,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
  finished_at: row.finished_at?.toISOString() ?? null,
})

const jobNotFound = (jobId: string) => new Problem('job_not_found', `There is no job ${quoted(jobId)}.`)
