import { isMeasured, RESOURCES, type Amounts, type Resource } from '../units.ts'
import { isNothing, POD_ROW } from './pod-request.ts'
import type { PodSpan, Usage } from './pod-span.ts'

/** One resource of many spans: what is asked and used per second, and the results in unit-seconds. */
export type Lanes = {
  readonly request: Float64Array
  readonly usage: Float64Array
  /** 1 where the usage was seen. */
  readonly known: Uint8Array
  readonly alloc: Float64Array
  readonly used: Float64Array
  /** Scratch: what a span wants in the slice at hand. */
  readonly demand: Float64Array
  /** Unit-seconds of the node: allocated, and reserved for the system and not borrowed by anybody. */
  readonly total: { alloc: number; systemReserved: number }
}

/**
 * The containers of one node over some time, as columns: a minute of a large cluster is a quarter of a million containers,
 * and plain arrays that are filled anew are the only shape that leaves no garbage behind. Make one per worker and reuse it.
 */
export type SpanColumns = {
  count: number
  /** Whether any span is covered by another. */
  covers: boolean
  readonly from: Float64Array
  readonly to: Float64Array
  /** The row that pays for what a span uses beyond its request: the `(pod)` row of its pod, or itself. */
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

/** The part of what a row used for which there is no usage data: a gap in the metrics, or a resource that nobody measures. */
export function unmeasuredUse({ lanes }: SpanColumns, resource: Resource, row: number): number {
  const { known, used } = lanes[resource]
  return isMeasured(resource) && known[row] === 1 ? 0 : (used[row] ?? 0)
}

/** Starts the next node. Spans are written over, so nothing needs to be wiped. */
export function clearSpans(columns: SpanColumns): void {
  columns.count = 0
  columns.covers = false
}

/** Adds a row for each container of a pod and, if the pod reserves more than they do, its `(pod)` row after them. */
export function writePod(columns: SpanColumns, span: PodSpan): void {
  const { containers, pod } = span.request
  const podRow = isNothing(pod) ? undefined : columns.count + containers.length
  for (const { name, request } of containers) writeRow(columns, span, request, span.usage.get(name), podRow)
  if (podRow !== undefined) writeRow(columns, span, pod, usageOfPodRow(span), undefined)
}

/** The names of the rows that `writePod` adds, in their order. */
export function rowNames({ request: { containers, pod } }: PodSpan): string[] {
  const names = containers.map(({ name }) => name)
  return isNothing(pod) ? names : [...names, POD_ROW]
}

/** It uses nothing by itself. It is known as far as those are whose surplus it covers. */
function usageOfPodRow({ request, usage }: PodSpan): Usage {
  const usageOf = (resource: Resource) => {
    const seen = request.containers.every(({ name }) => (usage.get(name)?.[resource] ?? 'unknown') !== 'unknown')
    return seen ? 0 : 'unknown'
  }
  return { cpu: usageOf('cpu'), memory: usageOf('memory'), gpu: usageOf('gpu') }
}

function writeRow(
  columns: SpanColumns,
  { from, to }: PodSpan,
  request: Amounts,
  usage: Usage | undefined,
  podRow: number | undefined,
): void {
  const row = columns.count++
  // A write past the end of a typed array is lost without a word, and the container would be free.
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

/** A GPU cannot be borrowed from a neighbour: however busy it is, what was requested is what is paid. */
function gpuByRequest(resource: Resource, usage: number, request: Amounts): number {
  return resource === 'gpu' ? Math.min(usage, request.gpu) : usage
}
