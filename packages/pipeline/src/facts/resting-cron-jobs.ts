import type { Labels } from '@plimsoll/contract'
import { workloadPath } from '@plimsoll/engine/rules'
import type { FoldState } from '../fold/fold-state.ts'
import type { PodRecord } from '../fold/inventory.ts'
import { newestOf, pathOf } from './living-pods.ts'

/** The pod labels of CronJobs, by path. */
export const cronPodLabels = (state: FoldState): Map<string, Labels> =>
  new Map([...newestCronPods(state)].map(([path, { labels }]) => [path, labels]))

/** The newest pod of each CronJob, by path. The state keeps ended pods for two days. */
function newestCronPods({ inventory }: FoldState): Map<string, PodRecord> {
  const newest = new Map<string, PodRecord>()
  for (const pod of inventory.pods.values()) {
    if (pod.workloadKind !== 'CronJob') continue
    const path = pathOf(pod)
    const before = newest.get(path)
    newest.set(path, newestOf(before ? [before, pod] : [pod]) ?? pod)
  }
  return newest
}

/** The newest pod of each existing CronJob, by path. Between two runs no other object shows its shape. */
export function lastCronPods(state: FoldState): Map<string, PodRecord> {
  const there = new Set(cronJobs(state).map(({ namespace, name }) => workloadPath(namespace, 'CronJob', name)))
  return new Map([...newestCronPods(state)].filter(([path]) => there.has(path)))
}

/** CronJobs without a pod in the snapshot, neither running nor ended. */
export function restingCronJobs(state: FoldState): { namespace: string; name: string }[] {
  const seen = newestCronPods(state)
  return cronJobs(state).filter(({ namespace, name }) => !seen.has(workloadPath(namespace, 'CronJob', name)))
}

const cronJobs = ({ objects, watermark }: FoldState) =>
  objects
    .living('workload', watermark)
    .filter(({ spec }) => spec.workload_kind === 'CronJob')
    .map(({ namespace, name }) => ({ namespace, name }))
