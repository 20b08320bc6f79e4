import type { TimeSpan } from '../time.ts'
import { RESOURCES, type Amounts } from '../units.ts'
import { addPodShares, fillDemand } from './pod-share-of-node.ts'
import type { Lanes, SpanColumns } from './span-columns.ts'

export type NodeSize = {
  /** The paid capacity: the nominal size of a known type, so that equal nodes have equal rates. */
  readonly capacity: Amounts
  readonly allocatable: Amounts
}

/**
 * Shares the capacity of a node over a window among the containers of its pods, which are the spans in the columns.
 * Writes unit-seconds to `alloc`, `used` and `total`. The window is cut at every start and end of a span. Most minutes
 * of most nodes have no cut and need one pass.
 */
export function shareNodeAmongPods(columns: SpanColumns, node: NodeSize, window: TimeSpan): void {
  for (const resource of RESOURCES) clearResults(columns.lanes[resource], columns.count)
  const cuts = fillCuts(columns, window)
  for (let index = 0; index + 1 < cuts; index++) {
    allocateBetween(columns, node, columns.cuts[index] ?? 0, columns.cuts[index + 1] ?? 0)
  }
}

function allocateBetween(columns: SpanColumns, node: NodeSize, from: number, to: number): void {
  if (from === to) return
  const count = fillActive(columns, from)
  for (const resource of RESOURCES) {
    const lanes = columns.lanes[resource]
    const capacity = node.capacity[resource]
    // Most nodes have no GPU.
    if (capacity === 0) continue
    fillDemand(lanes, columns, count)
    const allocated = addPodShares(lanes, columns.active, count, capacity, to - from)
    lanes.total.alloc += allocated * (to - from)
    lanes.total.systemReserved += reservedOf(capacity, node.allocatable[resource], allocated) * (to - from)
  }
}

/** System-reserved capacity is a part of idle. Bursting containers may borrow from it, which reduces it. */
function reservedOf(capacity: number, allocatable: number, allocated: number): number {
  return Math.min(Math.max(0, capacity - allocatable), capacity - allocated)
}

function clearResults({ alloc, used, total }: Lanes, count: number): void {
  alloc.fill(0, 0, count)
  used.fill(0, 0, count)
  total.alloc = 0
  total.systemReserved = 0
}

/** Writes the sorted edges of the slices, including those of the window, and returns their number. */
function fillCuts({ from, to, count, cuts }: SpanColumns, window: TimeSpan): number {
  if (window.to <= window.from) return 0
  let length = 0
  cuts[length++] = window.from
  for (let row = 0; row < count; row++) {
    const start = from[row] ?? 0
    const end = to[row] ?? 0
    if (window.from < start && start < window.to) cuts[length++] = start
    if (window.from < end && end < window.to) cuts[length++] = end
  }
  cuts[length++] = window.to
  if (length > 2) cuts.subarray(0, length).sort()
  return length
}

function fillActive({ from, to, count, active }: SpanColumns, second: number): number {
  let length = 0
  for (let row = 0; row < count; row++) {
    if ((from[row] ?? 0) <= second && second < (to[row] ?? 0)) active[length++] = row
  }
  return length
}
