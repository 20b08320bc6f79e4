import { run, runMigrations, type Runner, type TaskList } from 'graphile-worker'
import type pg from 'pg'
import { jobTable, lanePriority, lanes, type JobName, type JobPayload, type Lane } from './platform/jobs/job-table.ts'
import type { Deps } from './platform/deps.ts'
import { keepRunning } from './platform/jobs/keep-running.ts'
import { queueLogger } from './platform/jobs/queue-logger.ts'
import { purgeCluster } from './clusters/jobs/purge-cluster.ts'
import type { FoldLease } from './ingest/jobs/fold-lease.ts'
import { reprice } from './ingest/jobs/reprice.ts'
import { retention } from './maintenance/retention.ts'
import { sumUpDays } from './ingest/jobs/sum-up-days.ts'
import { sweep } from './maintenance/sweep.ts'
import { sync } from './clusters/jobs/sync.ts'

type Handlers = { [Name in JobName]: (deps: Deps, payload: JobPayload<Name>) => Promise<void> }

/** The function of every job. Each is safe to run twice and at the same time as itself: the queue only triggers. */
const handlers: Handlers = {
  analyse: ({ analysing }, { clusterId }) => analysing.analyse(clusterId),
  fold: ({ folding }, { clusterId }) => folding.fold(clusterId),
  'purge-cluster': purgeCluster,
  reprice,
  retention,
  'sum-up-days': sumUpDays,
  sweep,
  sync,
}

const scheduled = [
  `* * * * * sweep ?max=1&priority=${lanePriority('sweep')}`,
  `17 * * * * retention ?max=1&priority=${lanePriority('retention')}`,
].join('\n')

/** One lane adds the scheduled jobs of all lanes. */
const schedulingLane: Lane = 'maintain'

const laneNames = Object.keys(lanes) as Lane[]

/** Each lane keeps one connection open to hear of new jobs. The others take jobs and write down how they ended. */
export const jobConnections = laneNames.length + 3

export async function prepareJobs(pool: pg.Pool): Promise<void> {
  await runMigrations({ pgPool: pool })
}

type JobOptions = {
  crontab?: string
  /** Without it, this process also folds clusters whose state another replica holds. */
  lease?: Pick<FoldLease, 'others'>
}

/** Runs queued jobs, and those that the crontab adds, in one runner for each lane. */
export async function startJobs(
  deps: Deps,
  pool: pg.Pool,
  options: JobOptions = {},
): Promise<{ stop: () => Promise<void> }> {
  const started = await Promise.allSettled(
    laneNames.map((lane) => keepRunning(() => startLane(deps, pool, lane, options), deps.log)),
  )
  const running = started.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
  const stop = async () => {
    await Promise.all(running.map((lane) => lane.stop()))
  }
  const failed = started.find((each) => each.status === 'rejected')
  if (!failed) return { stop }
  await stop()
  throw failed.reason
}

function startLane(deps: Deps, pool: pg.Pool, lane: Lane, { crontab = scheduled, lease }: JobOptions): Promise<Runner> {
  return run({
    pgPool: pool,
    taskList: tasksOf(deps, lane),
    crontab: lane === schedulingLane ? crontab : '',
    concurrency: lanes[lane].width,
    ...(lease ? { forbiddenFlags: () => [...lease.others] } : {}),
    noHandleSignals: true,
    logger: queueLogger(deps.log),
    // Without these, stopping does not wait until the end of a job is written down, and the job stays locked for hours.
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
  })
}

function tasksOf(deps: Deps, lane: Lane): TaskList {
  const names = (Object.keys(jobTable) as JobName[]).filter((name) => jobTable[name].lane === lane)
  return Object.fromEntries(names.map((name) => [name, (payload: unknown) => handlers[name](deps, payload as never)]))
}
