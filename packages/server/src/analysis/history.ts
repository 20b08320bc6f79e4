import type { Labels } from '@plimsoll/contract'
import { isNonProduction, type NamespaceRhythm, type ScalingHistory } from '@plimsoll/engine'
import {
  countHoursOfWeek,
  listClassPeaks,
  listLastUses,
  listNamespacePeaks,
  listNamespaceRhythms,
  listReplicaPeaks,
  listRestingLabels,
  listRunCosts,
  listScalingHistories,
  type LastUse,
  type NamespacePeak,
} from '../db/analysis-history.ts'
import type { Db } from '../db/database.ts'
import type { FoldState } from '../fold/fold-state.ts'
import { currentUsers } from './asset-facts.ts'
import { restingCronJobs } from './resting-cron-jobs.ts'

/** What stored hours say about things of the present picture. Asked only for those of which a rule wants to know. */
export type History = {
  /** By uid of a volume or balancer that nobody uses now. */
  lastUses: ReadonlyMap<string, LastUse>
  /** By namespace, kind and name of a workload that is scaled, joined with slashes. */
  scaling: ReadonlyMap<string, ScalingHistory>
  rhythms: ReadonlyMap<string, NamespaceRhythm>
  peaks: ReadonlyMap<string, NamespacePeak>
  /** By namespace and name of a CronJob, joined with a slash: USD a month. */
  runCosts: ReadonlyMap<string, number>
  /** By namespace and name of a CronJob of which the picture has no pod, joined with a slash: what its last pods were labelled. */
  restingLabels: ReadonlyMap<string, Labels>
  /** By class of nodes: how many times as much it carried in the busiest hour of a month as in the last day. */
  classPeaks: ReadonlyMap<string, number>
  /** By workload that comes and goes or is scaled: the most pods it had in an hour of the last month. */
  replicaPeaks: ReadonlyMap<string, number>
  /** Of the last week. */
  hoursKnown: number
}

export const NO_HISTORY: History = {
  lastUses: new Map(),
  scaling: new Map(),
  rhythms: new Map(),
  peaks: new Map(),
  runCosts: new Map(),
  restingLabels: new Map(),
  classPeaks: new Map(),
  replicaPeaks: new Map(),
  hoursKnown: 0,
}

const failuresWorthAsking = 5

export async function loadHistory(tx: Db, clusterId: string, state: FoldState, now: Date): Promise<History> {
  const { assets, objects, watermark } = state
  const unused = [...assets.volumes.values(), ...assets.balancers.values()]
    .filter((asset) => asset.endedAt > watermark && currentUsers(state, asset).length === 0)
    .map(({ uid }) => uid)
  const scaled = objects.living('autoscaler', watermark).map(({ namespace, spec }) => ({
    namespace,
    kind: spec.target_kind,
    name: spec.target_name,
    replicasMin: spec.replicas_min,
  }))
  const quiet = [...assets.namespaces.byUid.values()]
    .filter(({ endedAt }) => endedAt > watermark)
    .filter(({ name, versions }) => isNonProduction({ name, labels: versions.at(-1)?.facts.labels ?? {} }))
    .map(({ name }) => name)
  const quotas = [...new Set(objects.living('quota', watermark).map(({ namespace }) => namespace))]
  const failing = objects
    .living('workload', watermark)
    .filter(({ spec }) => spec.workload_kind === 'CronJob' && (spec.failures_in_a_row ?? 0) >= failuresWorthAsking)
  return {
    lastUses: await listLastUses(tx, clusterId, unused, now),
    scaling: await listScalingHistories(tx, clusterId, scaled, now),
    rhythms: await listNamespaceRhythms(tx, clusterId, quiet, now),
    peaks: await listNamespacePeaks(tx, clusterId, quotas, now),
    runCosts: await listRunCosts(tx, clusterId, failing, now),
    restingLabels: await listRestingLabels(tx, clusterId, restingCronJobs(state), now),
    classPeaks: await listClassPeaks(tx, clusterId, now),
    replicaPeaks: await listReplicaPeaks(tx, clusterId, scaled, now),
    hoursKnown: await countHoursOfWeek(tx, clusterId, now),
  }
}
