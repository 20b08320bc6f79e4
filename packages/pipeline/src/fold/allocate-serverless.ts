import { NO_AMOUNTS, type Amounts, type TimeSpan } from '@plimsoll/engine'
import {
  shareNodeAmongPods,
  autopilotSize,
  clearSpans,
  fargateSize,
  serverlessPod,
  wholeRequest,
  writePod,
  type PodRequest,
  type SpanColumns,
} from '@plimsoll/engine/allocation'
import type { ServerlessProduct } from '@plimsoll/pricebook'
import { addPodRows, cuts, type PodView } from './pod-rows.ts'
import { addNode, type HourSums } from './hour-sums.ts'
import { versionAt, type NodeRecord, type PodRecord } from './inventory.ts'

type Serverless = { key: string; product: ServerlessProduct }

/**
 * Serverless pods: each pod counts as its own node of the size that the provider sells. All of it is allocated, and
 * only requested-but-unused capacity is idle.
 */
export function allocateServerless(
  columns: SpanColumns,
  node: NodeRecord,
  {
    serverless: { key, product },
    window,
    view: { usageOf, ownerOf, untilOf },
    sums,
  }: { serverless: Serverless; window: TimeSpan; view: PodView; sums: HourSums },
): void {
  for (const pod of node.pods) {
    const from = Math.max(window.from, pod.boundAt)
    const to = Math.min(window.to, billedUntil(pod, product, untilOf(pod)))
    if (to <= from) continue
    for (const span of cuts(pod, from, to)) {
      const request = versionAt(pod.versions, span.from)?.request
      if (!request) continue
      const billed = serverlessPod(request, billedSize(pod, request, product))
      clearSpans(columns)
      writePod(columns, { uid: pod.uid, request: billed.request, usage: usageOf(pod), ...span })
      shareNodeAmongPods(columns, billed.node, span)
      addNode(sums.node(node.uid, key), columns, billed.node, span.to - span.from)
      addPodRows(
        columns,
        { pod, containers: billed.request.containers, firstRow: 0, lastRow: columns.count, ...span },
        { classKey: key, owner: ownerOf(pod), sums },
      )
    }
  }
}

/** Fargate bills at least one minute, even for a shorter pod. */
const billedUntil = ({ boundAt }: PodRecord, product: ServerlessProduct, until: number) =>
  product === 'eks-fargate' ? Math.max(until, boundAt + 60) : until

/** Autopilot does not charge for its own system pods. */
const isOfAutopilot = (namespace: string) =>
  namespace === 'kube-system' || namespace === 'gmp-system' || namespace.startsWith('gke-')

export function billedSize(pod: PodRecord, request: PodRequest, product: ServerlessProduct): Amounts {
  const requested = wholeRequest(request)
  if (product === 'eks-fargate') {
    const found = fargateSize(requested)
    return found.kind === 'size' ? found.size : requested
  }
  if (isOfAutopilot(pod.namespace)) return NO_AMOUNTS
  const found = autopilotSize(requested)
  return found.kind === 'size' ? found.size : requested
}
