import { isStandby } from './annotations.ts'
import type { ClusterFacts, ContainerFacts, WorkloadFacts } from './cluster-facts.ts'
import { runsAllTheTime } from './judgeable.ts'
import { maxMillicores } from './max-millicores.ts'
import { policyOf } from './policy.ts'

export const IDLE_DAYS_MIN = 14
/** Usage data for this share of the window is required, or more if the policy sets more. */
export const IDLE_COVERAGE_MIN = 0.9
export const IDLE_SHARE_MAX = 0.05
/** CPU of a process that only answers health checks. */
export const IDLE_MILLICORES_MAX = 5
/** A process must feed a busy GPU: below this CPU usage none does. */
export const FEEDING_MILLICORES_MIN = 20

/** No container used more CPU than health checks need. */
export function isAbandoned(facts: ClusterFacts, workload: WorkloadFacts): boolean {
  if (workload.kind === 'DaemonSet' || workload.kind === 'StatefulSet') return false
  return everyContainer(facts, workload, isIdle)
}

/** No container used enough CPU to feed a GPU. */
export function holdsIdleGpu(facts: ClusterFacts, workload: WorkloadFacts): boolean {
  if (workload.gpu === null || workload.gpu.count <= 0 || workload.kind === 'DaemonSet') return false
  return everyContainer(facts, workload, isUnfed)
}

type IsIdle = (container: ContainerFacts, coverageMin: number) => boolean

function everyContainer({ policies }: ClusterFacts, workload: WorkloadFacts, isIdleIn: IsIdle): boolean {
  if (!runsAllTheTime(workload) || workload.autoscaler !== null || isStandby(workload)) return false
  const running = workload.containers.filter(({ kind }) => kind !== 'init')
  const coverageMin = Math.max(IDLE_COVERAGE_MIN, policyOf(policies, workload.namespace).coverageMin)
  return running.length > 0 && running.every((container) => isIdleIn(container, coverageMin))
}

function isIdle({ usage, cpuRequestMillicores }: ContainerFacts, coverageMin: number): boolean {
  if (!usage || usage.historyDays < IDLE_DAYS_MIN || usage.coverage < coverageMin || usage.restarts > 0) return false
  const max = maxMillicores(usage)
  return max <= IDLE_MILLICORES_MAX && max <= IDLE_SHARE_MAX * (cpuRequestMillicores ?? Infinity)
}

function isUnfed({ usage }: ContainerFacts, coverageMin: number): boolean {
  if (!usage || usage.historyDays < IDLE_DAYS_MIN || usage.coverage < coverageMin) return false
  return maxMillicores(usage) < FEEDING_MILLICORES_MIN
}
