import type { TimeSpan } from '@plimsoll/engine'
import type { PodRequest, SpanColumns, Usage } from '@plimsoll/engine/allocation'
import { addRow, type HourSums, type WorkloadOwner } from './hour-sums.ts'
import type { PodRecord } from './inventory.ts'

export type UsageOf = (pod: PodRecord) => ReadonlyMap<string, Usage>

/** The inputs of the allocation of pods. */
export type PodView = {
  readonly usageOf: UsageOf
  /** The owner of the rows of a pod. */
  readonly ownerOf: (pod: PodRecord) => WorkloadOwner
  readonly untilOf: (pod: PodRecord) => number
}

export type WrittenSpan = {
  pod: PodRecord
  /** Of the rows, in order; the row of the pod follows, if any. */
  containers: PodRequest['containers']
  firstRow: number
  lastRow: number
  from: number
  to: number
}

/** Nearly always one piece: a pod's request changes only by an in-place resize. */
export function cuts({ versions }: PodRecord, from: number, to: number): TimeSpan[] {
  const inside = versions.map((version) => version.from).filter((at) => from < at && at < to)
  const edges = [from, ...inside, to]
  return edges.slice(1).map((edge, index) => ({ from: edges[index] ?? from, to: edge }))
}

export function addPodRows(
  columns: SpanColumns,
  { pod, containers, firstRow, lastRow, from, to }: WrittenSpan,
  { classKey, owner, sums }: { classKey: string; owner: WorkloadOwner; sums: HourSums },
) {
  const row = sums.workload(owner, classKey)
  row.seconds += to - from
  for (let index = firstRow; index < lastRow; index += 1) addRow(row, columns, index, to - from)
  sums.pods.add(columns, { uid: pod.uid, containers, firstRow, lastRow, seconds: to - from })
}
