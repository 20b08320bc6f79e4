import type { Curve } from './curve.ts'
import { edgeOf, MEMORY_SCALE } from './histogram.ts'

/**
 * The requests that are best at some price of shortage, smallest first: `buckets[k]` is the best from `prices[k]` up to
 * `prices[k + 1]`. All other bucket edges are never the cheapest, whatever shortage costs.
 */
export type Frontier = { count: number; readonly buckets: Uint16Array; readonly prices: Float64Array }

export function makeFrontier(): Frontier {
  const size = MEMORY_SCALE.bucketCount
  return { count: 0, buckets: new Uint16Array(size), prices: new Float64Array(size) }
}

/**
 * For each price s of shortage, the bucket edge r that minimises r + s · (`timeWeight` · P(use > r) + E[(use − r)+]). Those
 * are the corners of the convex hull of (r, penalty), and the price at which one replaces the one before is the slope.
 */
export function fillFrontier(frontier: Frontier, curve: Curve, timeWeight: number): void {
  const { buckets, prices } = frontier
  const penalty = (bucket: number) => timeWeight * (curve.tail[bucket] ?? 0) + (curve.excess[bucket] ?? 0)
  let count = 0
  for (let bucket = curve.lo; bucket <= curve.hi; bucket++) {
    let price = 0
    while (count > 0) {
      const last = buckets[count - 1] ?? 0
      const gain = penalty(last) - penalty(bucket)
      price = gain > 0 ? (edgeOf(bucket) - edgeOf(last)) / gain : Number.POSITIVE_INFINITY
      // A corner that is replaced no later than it arrives is never the best.
      if (count === 1 || price > (prices[count - 1] ?? 0)) break
      count--
    }
    if (price === Number.POSITIVE_INFINITY) continue
    buckets[count] = bucket
    prices[count] = count === 0 ? 0 : price
    count++
  }
  frontier.count = count
}

/** The index of the best corner at a price. `prices` ascend within `from` ≤ index < `to`, the first being the cheapest. */
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
