import type { TimeSpan } from '@plimsoll/engine'
import { shareNodeAmongPods, clearSpans, writePod, type SpanColumns } from '@plimsoll/engine/allocation'
import { allocateServerless } from './allocate-serverless.ts'
import { addNode, type HourSums } from './hour-sums.ts'
import { addPodRows, cuts, type PodView, type WrittenSpan } from './pod-rows.ts'
import { versionAt, type NodeRecord, type PodRecord } from './inventory.ts'

/**
 * Allocates one node over one window in which its size does not change, and adds the result to the hour. The window is
 * cut at every start, end and change of a pod. Windows of a minute and of an hour give the same sums.
 */
export function allocateWindow(
  columns: SpanColumns,
  node: NodeRecord,
  { window, view, sums }: { window: TimeSpan; view: PodView; sums: HourSums },
): void {
  const version = versionAt(node.versions, window.from)
  if (version?.class.serverless) {
    const { key, serverless: product } = version.class
    return allocateServerless(columns, node, { serverless: { key, product }, window, view, sums })
  }
  const lived = { from: Math.max(window.from, node.bornAt), to: Math.min(window.to, node.endedAt) }
  if (!version || lived.to <= lived.from) return
  clearSpans(columns)
  const written = node.pods.flatMap((pod) => writeSpans(columns, pod, lived, view))
  shareNodeAmongPods(columns, version.class, lived)
  addNode(sums.node(node.uid, version.class.key), columns, version.class, lived.to - lived.from)
  for (const span of written)
    addPodRows(columns, span, { classKey: version.class.key, owner: view.ownerOf(span.pod), sums })
}

function writeSpans(
  columns: SpanColumns,
  pod: PodRecord,
  lived: TimeSpan,
  { usageOf, untilOf }: PodView,
): WrittenSpan[] {
  const from = Math.max(lived.from, pod.boundAt)
  const to = Math.min(lived.to, untilOf(pod))
  if (to <= from) return []
  const usage = usageOf(pod)
  return cuts(pod, from, to).map((span) => {
    const version = versionAt(pod.versions, span.from)
    const firstRow = columns.count
    if (version) writePod(columns, { uid: pod.uid, request: version.request, usage, ...span })
    return { pod, containers: version?.request.containers ?? [], firstRow, lastRow: columns.count, ...span }
  })
}
