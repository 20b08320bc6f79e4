import { groupBy } from '@plimsoll/engine'
import type { FoldState } from '../fold/fold-state.ts'
import { paidUntil, type PodRecord } from '../fold/inventory.ts'
import { LastSeen } from '../fold/last-seen.ts'
import { newestOf, pathOf } from './living-pods.ts'

const secondsLookedBack = 24 * 3600

export type PeakPod = { like: PodRecord; count: number }

/**
 * Pods that do not run now and ran at a busier time, of the last day by this snapshot or of the last month by stored
 * hours. A node that is empty between two runs of a job is still needed.
 */
export function peakPods(state: FoldState, stored: ReadonlyMap<string, number>): PeakPod[] {
  const { inventory, watermark } = state
  const since = watermark - secondsLookedBack
  const { podUntil } = new LastSeen(state)
  const seen = [...inventory.pods.values()].filter(
    (pod) => pod.workloadKind !== 'DaemonSet' && pod.node !== undefined && podUntil(pod) > since,
  )
  return [...groupBy(seen, pathOf)].flatMap(([key, pods]) => {
    const now = pods.filter((pod) => paidUntil(pod) > watermark).length
    const count = Math.max(mostAtOnce(pods, podUntil), Math.ceil(stored.get(key) ?? 0)) - now
    const like = newestOf(pods)
    return like && count > 0 ? [{ like, count }] : []
  })
}

/** A pod that ends in the second in which another starts makes room for it. */
function mostAtOnce(pods: readonly PodRecord[], untilOf: (pod: PodRecord) => number): number {
  const changes = pods.flatMap((pod) => [
    { at: pod.boundAt, by: 1 },
    { at: Math.max(pod.boundAt, untilOf(pod)), by: -1 },
  ])
  changes.sort((a, b) => a.at - b.at || a.by - b.by)
  let [count, most] = [0, 0]
  for (const { by } of changes) {
    count += by
    most = Math.max(most, count)
  }
  return most
}
