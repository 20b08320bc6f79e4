import { grouped } from '../../count.ts'
import { SECONDS_PER_DAY } from '../../time.ts'
import type { ClusterFacts, UsageFacts, WorkloadFacts } from './cluster-facts.ts'
import type { Target, Withheld } from '../finding.ts'

/** Jobs run only at times, so their demand comes from their runs. */
export const isJob = ({ kind }: Pick<WorkloadFacts, 'kind'>) => kind === 'Job' || kind === 'CronJob'

export const runsAllTheTime = (workload: WorkloadFacts) => workload.replicas > 0 && !isJob(workload)

/** Regular containers of workloads that always run, each with its workload. */
export const runningContainers = ({ workloads }: ClusterFacts) =>
  workloads
    .filter(runsAllTheTime)
    .flatMap((workload) =>
      workload.containers.filter(({ kind }) => kind !== 'init').map((container) => ({ workload, container })),
    )

/** With this many restarts per day the container is mostly starting, and its usage does not show its demand. */
const RESTARTS_A_DAY_MAX = 10

const daysOf = ({ window }: UsageFacts) => Math.max(1, (window.to - window.from) / SECONDS_PER_DAY)

export const isRestarting = (usage: UsageFacts) => usage.restarts / daysOf(usage) > RESTARTS_A_DAY_MAX

export const restarting = (target: Target, usage: UsageFacts): Withheld => ({
  kind: 'withheld',
  target,
  reason: 'restarting',
  detail: `The container restarted ${grouped(usage.restarts)} times in ${daysOf(usage).toFixed(0)} days, so its usage is mostly start-up.`,
  unlock: 'Fix the restarts and wait a few days.',
})
