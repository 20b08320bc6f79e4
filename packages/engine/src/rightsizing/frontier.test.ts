import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fillCurve, makeCurve } from './curve.ts'
import { cornerAt, fillFrontier, makeFrontier } from './frontier.ts'
import { CPU_SCALE, edgeOf } from './histogram.ts'

const curve = makeCurve()
const frontier = makeFrontier()
const weightsFrom = fc.array(fc.nat(20), { minLength: 1, maxLength: 40 }).filter((own) => own.some((one) => one > 0))

function fill(counts: readonly number[], minuteWeight: number, lo = 200): void {
  const weights = new Float64Array(CPU_SCALE.bucketCount)
  weights.set(counts, lo)
  fillCurve(curve, weights, lo, lo + counts.length - 1)
  fillFrontier(frontier, curve, minuteWeight)
}

/** The definition, evaluated at every edge. */
function costAt(bucket: number, price: number, minuteWeight: number): number {
  const short = minuteWeight * (curve.tail[bucket] ?? 0) + (curve.excess[bucket] ?? 0)
  return edgeOf(bucket) + price * short
}

test('the corner at a price costs no more than any other edge', () => {
  fc.assert(
    fc.property(
      weightsFrom,
      fc.double({ min: 0.1, max: 500, noNaN: true }),
      fc.oneof(fc.nat(20), fc.nat(3000)),
      (counts, price, weight) => {
        fill(counts, weight + 1)
        const best = frontier.buckets[cornerAt(frontier.prices, 0, frontier.count, price)] ?? 0
        const cheapest = Math.min(
          ...counts.map((_, index) => costAt(200 + index, price, weight + 1)).filter((cost) => !Number.isNaN(cost)),
        )
        expect(costAt(best, price, weight + 1)).toBeLessThanOrEqual(cheapest * (1 + 1e-9))
      },
    ),
  )
})

test('a higher price of shortage gives a larger request', () => {
  fc.assert(
    fc.property(weightsFrom, (counts) => {
      fill(counts, 1000)
      for (let corner = 1; corner < frontier.count; corner++) {
        expect(frontier.prices[corner]).toBeGreaterThan(frontier.prices[corner - 1] ?? 0)
        expect(frontier.buckets[corner]).toBeGreaterThan(frontier.buckets[corner - 1] ?? 0)
      }
    }),
  )
})

test('two levels have one price between them', () => {
  // Nine samples in bucket 200 and one in bucket 210: P(use > edge 200) = 0.1.
  fill([9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1], 500)
  expect([...frontier.buckets.subarray(0, frontier.count)]).toEqual([200, 210])
  const excess = 0.1 * (edgeOf(210) / Math.sqrt(1.03) - edgeOf(200))
  expect(frontier.prices[1]).toBeCloseTo((edgeOf(210) - edgeOf(200)) / (500 * 0.1 + excess), 9)
})

test('one sample gives one request', () => {
  fill([1], 500)
  expect(frontier.count).toBe(1)
  expect(frontier.buckets[0]).toBe(200)
})
