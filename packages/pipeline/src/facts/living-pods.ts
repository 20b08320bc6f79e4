import { groupBy } from '@plimsoll/engine'
import { workloadPath } from '@plimsoll/engine/rules'
import type { FoldState } from '../fold/fold-state.ts'
import { paidUntil, type PodRecord } from '../fold/inventory.ts'

type Snapshot = Pick<FoldState, 'inventory' | 'watermark'>

/** Pods that hold what they ask for, by workload. */
export function podsByWorkload({ inventory, watermark }: Snapshot): Map<string, PodRecord[]> {
  const living = [...inventory.pods.values()].filter((pod) => paidUntil(pod) > watermark)
  return groupBy(living, pathOf)
}

export const pathOf = ({ namespace, workloadKind, workloadName }: PodRecord) =>
  workloadPath(namespace, workloadKind, workloadName)

/** It stands for the others: its template is the one that new ones are made from. */
export const newestOf = (pods: readonly PodRecord[]): PodRecord | undefined =>
  pods.reduce<PodRecord | undefined>((newest, pod) => (newest && !isNewer(pod, newest) ? newest : pod), undefined)

/** Of those of one second one is as good as another, but it has to be the same in every analysis. */
const isNewer = (a: PodRecord, b: PodRecord) => a.boundAt > b.boundAt || (a.boundAt === b.boundAt && a.name < b.name)
