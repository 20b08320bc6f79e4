import { parseCrontab, run, runMigrations, type Runner, type TaskList } from 'graphile-worker'
import type pg from 'pg'
import { jobTable, lanePriority, lanes, type JobName, type JobPayload, type Lane } from './platform/jobs/job-lanes.ts'
import type { CostDeps } from './costs/index.ts'
import { keepRunning } from './platform/jobs/keep-running.ts'
import { queueLogger } from './platform/jobs/queue-logger.ts'
import { notify } from './alerts/jobs/notify.ts'
import { deliverChannel } from './channels/jobs/deliver.ts'
import { evaluateBudgets } from './budgets/index.ts'
import { purgeCluster } from './clusters/jobs/purge-cluster.ts'
import type { FoldLease } from './ingest/jobs/fold-lease.ts'
import { reprice } from './ingest/jobs/reprice.ts'
import { evaluateAlerts } from './monitoring/jobs/evaluate-alerts.ts'
import { retention } from './maintenance/retention.ts'
import { sendStatements } from './statements/jobs/send-statements.ts'
import { sumUpDays } from './ingest/jobs/sum-up-days.ts'
import { sweep } from './maintenance/sweep.ts'
import { sync } from './clusters/jobs/sync.ts'

type Handlers = { [Name in JobName]: (deps: CostDeps, payload: JobPayload<Name>) => Promise<void> }

/** The function of every job. Each is idempotent and safe to run concurrently with itself: the queue only triggers. */
const handlers: Handlers = {
  analyse: ({ analysing }, { clusterId }) => analysing.analyse(clusterId),
  budgets: evaluateBudgets,
  deliver: (deps, { channelId }) =>
    deps.delivering.start(channelId, (isStopping) => deliverChannel(deps, channelId, isStopping)),
  'evaluate-alerts': evaluateAlerts,
  fold: ({ folding }, { clusterId }) => folding.fold(clusterId),
  notify,
  'purge-cluster': purgeCluster,
  reprice,
  retention,
  'send-statements': sendStatements,
  'sum-up-days': sumUpDays,
  sweep,
  sync,
}

const scheduled = [
  `* * * * * sweep ?max=1&priority=${lanePriority('sweep')}`,
  `*/5 * * * * budgets ?max=1&priority=${lanePriority('budgets')}`,
  `17 * * * * retention ?max=1&priority=${lanePriority('retention')}`,
].join('\n')

/** One lane adds the scheduled jobs of all lanes. */
const schedulingLane: Lane = 'sweep'

const laneNames = Object.keys(lanes) as Lane[]

/** Each lane keeps one connection open to receive new jobs. A running job uses at most two. */
export const jobConnections = laneNames.length + 2 * laneNames.reduce((sum, lane) => sum + lanes[lane].width, 0)

export async function prepareJobs(pool: pg.Pool): Promise<void> {
  await runMigrations({ pgPool: pool })
}

type JobOptions = {
  /** False: the clock adds no job. */
  isScheduling?: boolean
  /** Without it, this process also folds clusters whose state another replica holds. */
  lease?: Pick<FoldLease, 'others'>
}

/** Runs queued and scheduled jobs, in one runner for each lane. */
export async function startJobs(
  deps: CostDeps,
  pool: pg.Pool,
  options: JobOptions = {},
): Promise<{ stop: () => Promise<void> }> {
  const started = await Promise.allSettled(
    laneNames.map((lane) => startLane({ ...deps, log: deps.log.child({ lane }) }, pool, lane, options)),
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

function startLane(
  deps: CostDeps,
  pool: pg.Pool,
  lane: Lane,
  options: JobOptions,
): Promise<{ stop: () => Promise<void> }> {
  return keepRunning(() => runLane(deps, pool, lane, options), deps.log)
}

function runLane(
  deps: CostDeps,
  pool: pg.Pool,
  lane: Lane,
  { isScheduling = true, lease }: JobOptions,
): Promise<Runner> {
  return run({
    pgPool: pool,
    taskList: tasksOf(deps, lane),
    // Never a crontab text: when that is empty, the queue reads a file 'crontab' of the working directory.
    parsedCronItems: lane === schedulingLane && isScheduling ? parseCrontab(scheduled) : [],
    concurrency: lanes[lane].width,
    ...(lease ? { forbiddenFlags: () => [...lease.others] } : {}),
    noHandleSignals: true,
    logger: queueLogger(deps.log),
    // Without these, stopping does not wait until the end of a job is written down, and the job stays locked for hours.
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
  })
}

function tasksOf(deps: CostDeps, lane: Lane): TaskList {
  const names = (Object.keys(jobTable) as JobName[]).filter((name) => jobTable[name].lane === lane)
  return Object.fromEntries(names.map((name) => [name, (payload: unknown) => handlers[name](deps, payload as never)]))
}
