import type { Lanes, SpanColumns } from './span-columns.ts'

/**
 * The share of each container in one resource of a node, during a time in which nothing changes. The share of a pod is the
 * sum of its containers; its price is the share times the rate of the resource (`pricing/rate.ts`). Adds unit-seconds to `alloc` and `used`
 * of the first `count` spans that `active` names, and returns how much of the capacity they take together.
 *
 *     burst = max(0, usage − request)
 *     alloc = request + ⌊f·burst⌋,  f = min(1, (capacity − Σ request) / Σ burst)
 *     alloc = ⌊request · capacity / Σ request⌋                                      if Σ request > capacity
 *     used  = min(usage, alloc)
 *
 * Amounts are decided per second and only then multiplied by time, so a slice can be cut anywhere and the pieces add up.
 * Divisions are rounded down, and the few units that leaves belong to no container, so they are cluster idle. Hence no order among
 * containers, no ties, and Σ alloc ≤ capacity always: the quotients are off by at most 2⁻⁵² of the capacity in total, and a
 * sum of integers that is less than one above an integer is not above it. Holds while sums of amounts stay below 2⁵².
 */
// eslint-disable-next-line @typescript-eslint/max-params -- an inner loop: an object per call is garbage
export function addPodShares(
  lanes: Lanes,
  active: Int32Array,
  count: number,
  capacity: number,
  seconds: number,
): number {
  const { request, demand, alloc, used } = lanes
  let requested = 0
  let bursting = 0
  for (let index = 0; index < count; index++) {
    const row = rowAt(active, index)
    const reserve = at(request, row)
    requested += reserve
    if (at(demand, row) > reserve) bursting += at(demand, row) - reserve
  }

  const unreserved = capacity - requested
  let allocated = 0
  for (let index = 0; index < count; index++) {
    const row = rowAt(active, index)
    const reserve = at(request, row)
    const want = at(demand, row)
    const burst = want > reserve ? want - reserve : 0
    let share = reserve + burst
    if (unreserved < 0) share = Math.floor((reserve * capacity) / requested)
    else if (bursting > unreserved) share = reserve + Math.floor((burst * unreserved) / bursting)
    allocated += share
    alloc[row] = at(alloc, row) + share * seconds
    used[row] = at(used, row) + Math.min(want, share) * seconds
  }
  return allocated
}

/**
 * The demand of each active span. Unmeasured usage counts as usage of the whole request, so that gaps in the data are
 * not reported as idle. Usage beyond the request of a container comes first from the capacity that its pod reserves
 * beyond its containers.
 */
export function fillDemand(lanes: Lanes, { active, cover, covers }: SpanColumns, count: number): void {
  const { request, usage, known, demand } = lanes
  for (let index = 0; index < count; index++) {
    const row = rowAt(active, index)
    demand[row] = known[row] === 1 ? at(usage, row) : 0
  }
  if (covers) moveSurplus(lanes, active, count, cover)
  for (let index = 0; index < count; index++) {
    const row = rowAt(active, index)
    if (known[row] === 0 && at(demand, row) < at(request, row)) demand[row] = at(request, row)
  }
}

function moveSurplus({ request, demand }: Lanes, active: Int32Array, count: number, cover: Int32Array): void {
  for (let index = 0; index < count; index++) {
    const row = rowAt(active, index)
    const payer = rowAt(cover, row)
    const surplus = at(demand, row) - at(request, row)
    if (payer === row || surplus <= 0) continue
    demand[row] = at(request, row)
    demand[payer] = at(demand, payer) + surplus
  }
}

// Rows are always inside the columns, which the type checker cannot know. One function per array type, because V8
// optimizes reads of a single type best.
function at(column: Float64Array, row: number): number {
  return column[row] ?? 0
}

function rowAt(column: Int32Array, index: number): number {
  return column[index] ?? 0
}
