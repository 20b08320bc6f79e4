import { run, runMigrations, type Runner, type TaskList } from 'graphile-worker'
import type pg from 'pg'
import type { JobPayloads } from '../db/job-queue.ts'
import type { Deps } from '../deps.ts'
import { fold } from './fold.ts'
import { queueLogger } from './queue-logger.ts'
import { purgeCluster } from './purge-cluster.ts'
import { reprice } from './reprice.ts'
import { sweep } from './sweep.ts'

type Jobs = { [Name in keyof JobPayloads]: (deps: Deps, payload: JobPayloads[Name]) => Promise<void> }

/** Every job. Each is safe to run twice and at the same time as itself: the queue only triggers. */
const jobs: Jobs = { fold, 'purge-cluster': purgeCluster, reprice, sweep }

const crontab = '* * * * * sweep ?max=1'

export async function prepareJobs(pool: pg.Pool): Promise<void> {
  await runMigrations({ pgPool: pool })
}

export function startJobs(deps: Deps, pool: pg.Pool): Promise<Runner> {
  const taskList: TaskList = Object.fromEntries(
    Object.entries(jobs).map(([name, job]) => [name, (payload: unknown) => job(deps, payload as never)]),
  )
  return run({ pgPool: pool, taskList, crontab, concurrency: 2, noHandleSignals: true, logger: queueLogger(deps.log) })
}
