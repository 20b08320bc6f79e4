import type { SpanColumns, TimeSpan, Usage } from '@plimsoll/engine'
import { addRow, type HourSums } from './hour-sums.ts'
import type { PodRecord } from './inventory.ts'

/** What is stored of a pod's labels. */
export type LabelsOf = (pod: PodRecord) => Readonly<Record<string, string>>

export type UsageOf = (pod: PodRecord) => ReadonlyMap<string, Usage>

export type WrittenSpan = { pod: PodRecord; firstRow: number; lastRow: number; from: number; to: number }

/** Nearly always one piece: a pod's request changes only by an in-place resize. */
export function cuts({ versions }: PodRecord, from: number, to: number): TimeSpan[] {
  const inside = versions.map((version) => version.from).filter((at) => from < at && at < to)
  const edges = [from, ...inside, to]
  return edges.slice(1).map((edge, index) => ({ from: edges[index] ?? from, to: edge }))
}

export function addPodRows(
  columns: SpanColumns,
  { pod, firstRow, lastRow, from, to }: WrittenSpan,
  classKey: string,
  labels: ReturnType<LabelsOf>,
  sums: HourSums,
) {
  const { namespace, workloadKind, workloadName } = pod
  const row = sums.workload({ namespace, workloadKind, workloadName, labels, classKey })
  row.seconds += to - from
  for (let index = firstRow; index < lastRow; index += 1) addRow(row, columns, index, to - from)
}
