import { isMeasured, RESOURCES, type Amounts, type Resource } from '../units.ts'
import { isNothing } from './pod-request.ts'
import type { PodSpan, Usage } from './pod-span.ts'

/** One resource of many spans: request and usage per second, and the results in unit-seconds. */
export type Lanes = {
  readonly request: Float64Array
  readonly usage: Float64Array
  /** 1 where usage was measured. */
  readonly known: Uint8Array
  readonly alloc: Float64Array
  readonly used: Float64Array
  /** Scratch: the demand of a span in the current slice. */
  readonly demand: Float64Array
  /** Unit-seconds of the node: allocated, and system-reserved without the borrowed part. */
  readonly total: { alloc: number; systemReserved: number }
}

/**
 * The containers of one node over a time, as columns. A minute of a large cluster has a quarter of a million
 * containers, and reused typed arrays create no garbage. Create one per worker and reuse it.
 */
export type SpanColumns = {
  count: number
  /** Whether any span is covered by another. */
  covers: boolean
  readonly from: Float64Array
  readonly to: Float64Array
  /** The row that covers usage beyond the request of a span: the `(pod)` row of its pod, or the span itself. */
  readonly cover: Int32Array
  readonly active: Int32Array
  readonly cuts: Float64Array
  readonly lanes: Readonly<Record<Resource, Lanes>>
}

export function makeSpanColumns(size: number): SpanColumns {
  const lanes = (): Lanes => ({
    request: new Float64Array(size),
    usage: new Float64Array(size),
    known: new Uint8Array(size),
    alloc: new Float64Array(size),
    used: new Float64Array(size),
    demand: new Float64Array(size),
    total: { alloc: 0, systemReserved: 0 },
  })
  return {
    count: 0,
    covers: false,
    from: new Float64Array(size),
    to: new Float64Array(size),
    cover: new Int32Array(size),
    active: new Int32Array(size),
    cuts: new Float64Array(2 * size + 2),
    lanes: { cpu: lanes(), memory: lanes(), gpu: lanes() },
  }
}

/** The part of `used` without usage data: a gap in the metrics, or a resource that is not measured. */
export function unmeasuredUse({ lanes }: SpanColumns, resource: Resource, row: number): number {
  const { known, used } = lanes[resource]
  return isMeasured(resource) && known[row] === 1 ? 0 : (used[row] ?? 0)
}

/** Starts the next node. Spans are overwritten, so nothing is cleared. */
export function clearSpans(columns: SpanColumns): void {
  columns.count = 0
  columns.covers = false
}

/** Adds a row for each container of a pod. If the pod reserves more than its containers, its `(pod)` row follows. */
export function writePod(columns: SpanColumns, span: PodSpan): void {
  const { containers, pod } = span.request
  const podRow = isNothing(pod) ? undefined : columns.count + containers.length
  for (const { name, request } of containers) writeRow(columns, span, request, span.usage.get(name), podRow)
  if (podRow !== undefined) writeRow(columns, span, pod, usageOfPodRow(span), undefined)
}

/** The pod row has no usage. It is known if the usage of all its containers is known. */
function usageOfPodRow({ request, usage }: PodSpan): Usage {
  const usageOf = (resource: Resource) => {
    const seen = request.containers.every(({ name }) => (usage.get(name)?.[resource] ?? 'unknown') !== 'unknown')
    return seen ? 0 : 'unknown'
  }
  return { cpu: usageOf('cpu'), memory: usageOf('memory'), gpu: usageOf('gpu') }
}

// eslint-disable-next-line @typescript-eslint/max-params -- an inner loop: an object per call is garbage
function writeRow(
  columns: SpanColumns,
  { from, to }: PodSpan,
  request: Amounts,
  usage: Usage | undefined,
  podRow: number | undefined,
): void {
  const row = columns.count++
  // A typed array ignores writes past its end, and the container would be free.
  if (row >= columns.from.length) throw new Error(`columns of ${columns.from.length} spans are full`)
  columns.from[row] = from
  columns.to[row] = to
  columns.cover[row] = podRow ?? row
  if (podRow !== undefined) columns.covers = true

  for (const resource of RESOURCES) {
    const lanes = columns.lanes[resource]
    const seen = usage?.[resource] ?? 'unknown'
    lanes.request[row] = request[resource]
    lanes.usage[row] = seen === 'unknown' ? 0 : gpuByRequest(resource, seen, request)
    lanes.known[row] = seen === 'unknown' ? 0 : 1
  }
}

/** A GPU cannot be borrowed: its request is paid, whatever its usage. */
function gpuByRequest(resource: Resource, usage: number, request: Amounts): number {
  return resource === 'gpu' ? Math.min(usage, request.gpu) : usage
}
