import { rowNames } from './row-names.ts'
import { intersect, secondsOf, type TimeSpan } from '../time.ts'
import { RESOURCES, type Resource } from '../units.ts'
import { shareNodeAmongPods, type NodeSize } from '../allocation/share-node-among-pods.ts'
import type { PodSpan } from '../allocation/pod-span.ts'
import { makeSpanColumns, unmeasuredUse, writePod, type SpanColumns } from '../allocation/span-columns.ts'

/** Integer unit-seconds, safe for several days of the largest node; longer times are sums of shorter ones. */
export type Use = {
  readonly request: number
  /** As measured, also beyond the allocation. */
  readonly usage: number
  readonly alloc: number
  readonly used: number
  /** The part of `used` in seconds without usage data. */
  readonly unmeasured: number
  readonly knownSeconds: number
}

export type ContainerUse = {
  readonly uid: string
  readonly container: string
  readonly seconds: number
  readonly use: Readonly<Record<Resource, Use>>
}

export type NodeUse = {
  readonly capacity: number
  readonly alloc: number
  readonly used: number
  readonly unmeasured: number
  readonly clusterIdle: number
  /** A part of `clusterIdle`. */
  readonly systemReserved: number
}

export type NodeAllocation = {
  readonly containers: readonly ContainerUse[]
  readonly node: Readonly<Record<Resource, NodeUse>>
}

/** `shareNodeAmongPods` with names: for one node and any window in which its size does not change. */
export function allocateNode(
  node: NodeSize & { readonly life: TimeSpan },
  pods: readonly PodSpan[],
  window: TimeSpan,
): NodeAllocation {
  const lived = intersect(window, node.life)
  const columns = makeSpanColumns(pods.reduce((rows, { request }) => rows + request.containers.length + 1, 0))
  for (const pod of pods) writePod(columns, pod)
  const rows = pods.flatMap((pod) => rowNames(pod).map((container) => ({ uid: pod.uid, container })))
  shareNodeAmongPods(columns, node, lived)

  const containers = new Map<string, ContainerUse>()
  rows.forEach(({ uid, container }, row) => {
    const key = `${uid}/${container}`
    const use = readRow(columns, row, intersect(lived, spanOf(columns, row)))
    const before = containers.get(key)
    containers.set(key, before ? addUse(before, use) : { uid, container, ...use })
  })
  const nodeUse = (resource: Resource) => readNode(columns, resource, node.capacity[resource] * secondsOf(lived))
  return {
    containers: [...containers.values()].filter(({ seconds }) => seconds > 0),
    node: { cpu: nodeUse('cpu'), memory: nodeUse('memory'), gpu: nodeUse('gpu') },
  }
}

function spanOf({ from, to }: SpanColumns, row: number): TimeSpan {
  return { from: from[row] ?? 0, to: to[row] ?? 0 }
}

function readRow(columns: SpanColumns, row: number, span: TimeSpan): Pick<ContainerUse, 'seconds' | 'use'> {
  const seconds = secondsOf(span)
  const use = (resource: Resource): Use => {
    const { request, usage, known, alloc, used } = columns.lanes[resource]
    return {
      request: (request[row] ?? 0) * seconds,
      usage: (usage[row] ?? 0) * seconds,
      alloc: alloc[row] ?? 0,
      used: used[row] ?? 0,
      unmeasured: unmeasuredUse(columns, resource, row),
      knownSeconds: known[row] === 1 ? seconds : 0,
    }
  }
  return { seconds, use: { cpu: use('cpu'), memory: use('memory'), gpu: use('gpu') } }
}

function readNode(columns: SpanColumns, resource: Resource, capacity: number): NodeUse {
  const { total, used } = columns.lanes[resource]
  let unmeasured = 0
  for (let row = 0; row < columns.count; row++) unmeasured += unmeasuredUse(columns, resource, row)
  return {
    capacity,
    alloc: total.alloc,
    used: used.subarray(0, columns.count).reduce((sum, value) => sum + value, 0),
    unmeasured,
    clusterIdle: capacity - total.alloc,
    systemReserved: total.systemReserved,
  }
}

function addUse(before: ContainerUse, { seconds, use }: Pick<ContainerUse, 'seconds' | 'use'>): ContainerUse {
  const sum = { ...before, seconds: before.seconds + seconds, use: { ...before.use } }
  for (const resource of RESOURCES) {
    const [a, b] = [before.use[resource], use[resource]]
    sum.use[resource] = {
      request: a.request + b.request,
      usage: a.usage + b.usage,
      alloc: a.alloc + b.alloc,
      used: a.used + b.used,
      unmeasured: a.unmeasured + b.unmeasured,
      knownSeconds: a.knownSeconds + b.knownSeconds,
    }
  }
  return sum
}
