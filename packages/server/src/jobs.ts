import { run, runMigrations, type Runner, type TaskList } from 'graphile-worker'
import type pg from 'pg'
import type { JobPayloads } from './platform/jobs/job-queue.ts'
import type { Deps } from './platform/deps.ts'
import { queueLogger } from './platform/jobs/queue-logger.ts'
import { purgeCluster } from './clusters/jobs/purge-cluster.ts'
import { reprice } from './ingest/jobs/reprice.ts'
import { retention } from './maintenance/retention.ts'
import { sumUpDays } from './ingest/jobs/sum-up-days.ts'
import { sweep } from './maintenance/sweep.ts'
import { sync } from './clusters/jobs/sync.ts'

type Jobs = { [Name in keyof JobPayloads]: (deps: Deps, payload: JobPayloads[Name]) => Promise<void> }

/** Every job. Each is safe to run twice and at the same time as itself: the queue only triggers. */
const jobs: Jobs = {
  analyse: ({ analysing }, { clusterId }) => analysing.analyse(clusterId),
  fold: ({ folding }, { clusterId }) => folding.fold(clusterId),
  'purge-cluster': purgeCluster,
  reprice,
  retention,
  'sum-up-days': sumUpDays,
  sweep,
  sync,
}

const scheduled = ['* * * * * sweep ?max=1', '17 * * * * retention ?max=1'].join('\n')

export async function prepareJobs(pool: pg.Pool): Promise<void> {
  await runMigrations({ pgPool: pool })
}

/** Runs queued jobs, and those that the crontab adds. */
export function startJobs(deps: Deps, pool: pg.Pool, { crontab = scheduled } = {}): Promise<Runner> {
  const taskList: TaskList = Object.fromEntries(
    Object.entries(jobs).map(([name, job]) => [name, (payload: unknown) => job(deps, payload as never)]),
  )
  return run({
    pgPool: pool,
    taskList,
    crontab,
    concurrency: 2,
    noHandleSignals: true,
    logger: queueLogger(deps.log),
    // Without these, stopping does not wait until the end of a job is written down, and the job stays locked for hours.
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
  })
}
