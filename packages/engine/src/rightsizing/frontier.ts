import type { Curve } from './curve.ts'
import { edgeOf, MEMORY_SCALE } from './histogram.ts'

/**
 * The optimal requests by price of shortage, smallest first: `buckets[k]` is optimal from `prices[k]` up to `prices[k +
 * 1]`. All other bucket edges are never optimal.
 */
export type Frontier = {
  count: number
  readonly buckets: Uint16Array
  readonly prices: Float64Array
  readonly penalties: Float64Array
}

export function makeFrontier(): Frontier {
  const size = MEMORY_SCALE.bucketCount
  const [prices, penalties] = [new Float64Array(size), new Float64Array(size)]
  return { count: 0, buckets: new Uint16Array(size), prices, penalties }
}

/**
 * For each price s of shortage, the bucket edge r that minimizes r + s · (`minuteWeight` · P(use > r) + E[(use − r)+]).
 * These are the corners of the convex hull of (r, penalty), and the slope is the price at which one corner replaces the
 * previous one.
 */
export function fillFrontier(frontier: Frontier, { lo, hi, tail, excess }: Curve, minuteWeight: number): void {
  const { buckets, prices, penalties } = frontier
  let count = 0
  let tailBefore = 2
  for (let bucket = lo; bucket <= hi; bucket++) {
    const above = tail[bucket] ?? 0
    // Between samples, a larger request reduces only the volume, linearly, so a corner is at one of the two ends.
    if (above === tailBefore && (bucket === hi || above === tail[bucket + 1])) continue
    tailBefore = above
    const edge = edgeOf(bucket)
    const penalty = minuteWeight * above + (excess[bucket] ?? 0)
    // Rounding may hide the gain of one sample in a million.
    if (count > 0 && penalty >= (penalties[count - 1] ?? 0)) continue
    let price = 0
    while (count > 0) {
      price = (edge - edgeOf(buckets[count - 1] ?? 0)) / ((penalties[count - 1] ?? 0) - penalty)
      // A corner whose range of prices is empty is never optimal.
      if (count === 1 || price > (prices[count - 1] ?? 0)) break
      count--
    }
    buckets[count] = bucket
    prices[count] = count === 0 ? 0 : price
    penalties[count] = penalty
    count++
  }
  frontier.count = count
}

/** The index of the optimal corner at a price. `prices` ascend within `from` ≤ index < `to`. */
export function cornerAt(prices: Float64Array, from: number, to: number, price: number): number {
  let low = from
  let high = to - 1
  while (low < high) {
    const middle = (low + high + 1) >>> 1
    if ((prices[middle] ?? 0) <= price) low = middle
    else high = middle - 1
  }
  return low
}

/**
 * The weight of a minute of shortage against the missing units in it. Users notice the minute, so it has nearly the
 * same weight in every container, slightly more in a large one.
 */
export function timeWeight(ownMean: number, fleetMean: number): number {
  return fleetMean ** FLEET_EXPONENT * Math.max(1, ownMean) ** (1 - FLEET_EXPONENT)
}

const FLEET_EXPONENT = 0.8
