import type { Labels } from '@plimsoll/contract'
import { isNonProduction, type NamespaceRhythm, type ScalingHistory } from '@plimsoll/engine/rules'
import type { FoldState } from '../fold/fold-state.ts'
import { currentUsers } from './current-users.ts'
import { restingCronJobs } from './resting-cron-jobs.ts'

/** Days in which the busiest hour of a workload, namespace or node class is looked up. */
export const PEAK_DAYS = 31

export type LastUse = { firstHour: Date; lastUsedHour: Date | null }
export type Scaled = { namespace: string; kind: string; name: string; replicasMin: number }
export type NamespacePeak = { days: number; cpuMillicores: number; memoryKib: number }

/** What stored hours say about objects of the current snapshot. Queried only for objects whose history a rule needs. */
export type History = {
  /** By uid of a volume or load balancer that is unused now. */
  lastUses: ReadonlyMap<string, LastUse>
  /** By namespace, kind and name of a scaled workload, joined with slashes. */
  scaling: ReadonlyMap<string, ScalingHistory>
  rhythms: ReadonlyMap<string, NamespaceRhythm>
  peaks: ReadonlyMap<string, NamespacePeak>
  /** By namespace and name of a CronJob, joined with a slash: USD a month. */
  runCosts: ReadonlyMap<string, number>
  /**
   * By namespace and name of a CronJob without a pod in the snapshot, joined with a slash: the labels of its last pods.
   */
  restingLabels: ReadonlyMap<string, Labels>
  /** By node class: ratio of the requests in the busiest hour of a month to those of the last day. */
  classPeaks: ReadonlyMap<string, number>
  /** By workload that is scaled or runs now and then: the most pods in one hour of the last month. */
  replicaPeaks: ReadonlyMap<string, number>
  /** Of the last week. */
  hoursKnown: number
}

const failuresWorthAsking = 5

/** The objects of a snapshot whose history a rule needs; other objects are not looked up. */
export type HistoryQuestions = {
  unusedUids: readonly string[]
  scaled: readonly Scaled[]
  nonProductionNamespaces: readonly string[]
  quotaNamespaces: readonly string[]
  failingCronJobs: readonly { namespace: string; name: string }[]
  restingCronJobs: readonly { namespace: string; name: string }[]
}

export function historyQuestions(state: FoldState): HistoryQuestions {
  const { cloudResources, objects, watermark } = state
  return {
    unusedUids: [...cloudResources.volumes.values(), ...cloudResources.balancers.values()]
      .filter((each) => each.endedAt > watermark && currentUsers(state, each).length === 0)
      .map(({ uid }) => uid),
    scaled: objects.living('autoscaler', watermark).map(({ namespace, spec }) => ({
      namespace,
      kind: spec.target_kind,
      name: spec.target_name,
      replicasMin: spec.replicas_min,
    })),
    nonProductionNamespaces: [...cloudResources.namespaces.byUid.values()]
      .filter(({ endedAt }) => endedAt > watermark)
      .filter(({ name, versions }) => isNonProduction({ name, labels: versions.at(-1)?.facts.labels ?? {} }))
      .map(({ name }) => name),
    quotaNamespaces: [...new Set(objects.living('quota', watermark).map(({ namespace }) => namespace))],
    failingCronJobs: objects
      .living('workload', watermark)
      .filter(({ spec }) => spec.workload_kind === 'CronJob' && (spec.failures_in_a_row ?? 0) >= failuresWorthAsking),
    restingCronJobs: restingCronJobs(state),
  }
}
