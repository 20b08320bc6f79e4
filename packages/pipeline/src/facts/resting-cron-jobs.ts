import type { Labels } from '@plimsoll/contract'
import { workloadPath } from '@plimsoll/engine/rules'
import type { FoldState } from '../fold/fold-state.ts'
import type { PodRecord } from '../fold/inventory.ts'
import { newestOf, pathOf } from './living-pods.ts'

/** How the pods of CronJobs are labelled, by path. */
export const cronPodLabels = (state: FoldState): Map<string, Labels> =>
  new Map([...newestCronPods(state)].map(([path, { labels }]) => [path, labels]))

/** The newest pod of each CronJob, by path; those that ended are remembered for two days. */
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

/** The newest pod of each CronJob that is still there, by path: between its runs nothing else tells how it is made. */
export function lastCronPods(state: FoldState): Map<string, PodRecord> {
  const there = new Set(cronJobs(state).map(({ namespace, name }) => workloadPath(namespace, 'CronJob', name)))
  return new Map([...newestCronPods(state)].filter(([path]) => there.has(path)))
}

/** Those of which the picture has no pod, neither now nor of an earlier run. */
export function restingCronJobs(state: FoldState): { namespace: string; name: string }[] {
  const seen = newestCronPods(state)
  return cronJobs(state).filter(({ namespace, name }) => !seen.has(workloadPath(namespace, 'CronJob', name)))
}

const cronJobs = ({ objects, watermark }: FoldState) =>
  objects
    .living('workload', watermark)
    .filter(({ spec }) => spec.workload_kind === 'CronJob')
    .map(({ namespace, name }) => ({ namespace, name }))
