import { groupBy } from '@plimsoll/engine'
import { workloadPath } from '@plimsoll/engine/rules'
import type { FoldState } from '../fold/fold-state.ts'
import { paidUntil, type PodRecord } from '../fold/inventory.ts'

type Snapshot = Pick<FoldState, 'inventory' | 'watermark'>

/** Pods that hold their requests, by workload. */
export function podsByWorkload({ inventory, watermark }: Snapshot): Map<string, PodRecord[]> {
  const living = [...inventory.pods.values()].filter((pod) => paidUntil(pod) > watermark)
  return groupBy(living, pathOf)
}

export const pathOf = ({ namespace, workloadKind, workloadName }: PodRecord) =>
  workloadPath(namespace, workloadKind, workloadName)

/** The newest pod stands for the others, because it comes from the current template. */
export const newestOf = (pods: readonly PodRecord[]): PodRecord | undefined =>
  pods.reduce<PodRecord | undefined>((newest, pod) => (newest && !isNewer(pod, newest) ? newest : pod), undefined)

/** Pods of the same second are ordered by uid, so that every analysis picks the same pod. */
const isNewer = (a: PodRecord, b: PodRecord) => a.boundAt > b.boundAt || (a.boundAt === b.boundAt && a.name < b.name)
