import { allocateColumns, clearSpans, writePod, type SpanColumns, type TimeSpan, type Usage } from '@plimsoll/engine'
import { addNode, addRow, type HourSums } from './hour-sums.ts'
import { paidUntil, versionAt, type NodeRecord, type PodRecord } from './inventory.ts'

export type UsageOf = (pod: PodRecord) => ReadonlyMap<string, Usage>

type WrittenSpan = { pod: PodRecord; firstRow: number; lastRow: number; from: number; to: number }

/**
 * Allocates one node over one window in which its size does not change, and adds the result to the hour. The window is cut
 * at every start, end and change of a pod, so it may be a minute or an hour: the sums are the same.
 */
export function allocateWindow(
  columns: SpanColumns,
  node: NodeRecord,
  window: TimeSpan,
  usageOf: UsageOf,
  sums: HourSums,
): void {
  const version = versionAt(node.versions, window.from)
  const lived = { from: Math.max(window.from, node.bornAt), to: Math.min(window.to, node.endedAt) }
  if (!version || lived.to <= lived.from) return
  clearSpans(columns)
  const written = node.pods.flatMap((pod) => writeSpans(columns, pod, lived, usageOf))
  allocateColumns(columns, version.class, lived)
  addNode(sums.node(node.uid, version.class.key), columns, version.class, lived.to - lived.from)
  for (const span of written) addPodRows(columns, span, version.class.key, sums)
}

function writeSpans(columns: SpanColumns, pod: PodRecord, lived: TimeSpan, usageOf: UsageOf): WrittenSpan[] {
  const from = Math.max(lived.from, pod.boundAt)
  const to = Math.min(lived.to, paidUntil(pod))
  if (to <= from) return []
  const usage = usageOf(pod)
  return cuts(pod, from, to).map((span) => {
    const version = versionAt(pod.versions, span.from)
    const firstRow = columns.count
    if (version) writePod(columns, { uid: pod.uid, request: version.request, usage, ...span })
    return { pod, firstRow, lastRow: columns.count, ...span }
  })
}

/** Nearly always one piece: a pod's request changes only by an in-place resize. */
function cuts({ versions }: PodRecord, from: number, to: number): TimeSpan[] {
  const inside = versions.map((version) => version.from).filter((at) => from < at && at < to)
  const edges = [from, ...inside, to]
  return edges.slice(1).map((edge, index) => ({ from: edges[index] ?? from, to: edge }))
}

function addPodRows(
  columns: SpanColumns,
  { pod, firstRow, lastRow, from, to }: WrittenSpan,
  classKey: string,
  sums: HourSums,
) {
  const row = sums.workload(pod, classKey)
  row.seconds += to - from
  for (let index = firstRow; index < lastRow; index += 1) addRow(row, columns, index, to - from)
  sums.pods.add(pod.uid, columns, firstRow, lastRow, to - from)
}
