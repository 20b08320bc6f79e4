import type { Labels } from '@plimsoll/contract'
import { workloadPath } from '@plimsoll/engine'
import type { FoldState } from '../fold/fold-state.ts'
import type { PodRecord } from '../fold/inventory.ts'
import { newestOf, pathOf } from './living-pods.ts'

/** How the pods of CronJobs are labelled, by path; those that ended are remembered for two days. */
export function cronPodLabels({ inventory }: FoldState): Map<string, Labels> {
  const newest = new Map<string, PodRecord>()
  for (const pod of inventory.pods.values()) {
    if (pod.workloadKind !== 'CronJob') continue
    const path = pathOf(pod)
    const before = newest.get(path)
    newest.set(path, newestOf(before ? [before, pod] : [pod]) ?? pod)
  }
  return new Map([...newest].map(([path, { labels }]) => [path, labels]))
}

/** Those of which the picture has no pod, neither now nor of an earlier run. */
export function restingCronJobs(state: FoldState): { namespace: string; name: string }[] {
  const seen = cronPodLabels(state)
  return state.objects
    .living('workload', state.watermark)
    .filter(({ namespace, name, spec }) => {
      return spec.workload_kind === 'CronJob' && !seen.has(workloadPath(namespace, 'CronJob', name))
    })
    .map(({ namespace, name }) => ({ namespace, name }))
}
