import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fillCurve, makeCurve, shortAt } from './curve.ts'
import { bucketOf, CPU_SCALE, edgeOf, middleOf } from './histogram.ts'

function curveOf(...values: number[]) {
  const weights = new Float64Array(CPU_SCALE.bucketCount)
  const buckets = values.map((value) => bucketOf(CPU_SCALE, value))
  for (const bucket of buckets) weights[bucket] = (weights[bucket] ?? 0) + 1
  const curve = makeCurve()
  fillCurve(curve, weights, Math.min(...buckets), Math.max(...buckets))
  return curve
}

test('a quarter of the time above is a quarter, and the shortage is the mean over all samples', () => {
  const curve = curveOf(100, 100, 100, 400)
  const edge = edgeOf(bucketOf(CPU_SCALE, 100))
  const peak = middleOf(bucketOf(CPU_SCALE, 400))
  expect(shortAt(curve, edge).share).toBeCloseTo(0.25, 12)
  expect(shortAt(curve, edge).units).toBeCloseTo((peak - edge) / 4, 9)
})

test('nothing is short at the maximum and above', () => {
  const curve = curveOf(100, 400)
  expect(shortAt(curve, edgeOf(bucketOf(CPU_SCALE, 400)))).toEqual({ share: 0, units: 0 })
  expect(shortAt(curve, 1e12)).toEqual({ share: 0, units: 0 })
})

test('below the minimum everything is short, by the mean', () => {
  const curve = curveOf(100, 400)
  expect(shortAt(curve, 10)).toEqual({ share: 1, units: curve.mean - 10 })
})

test('a larger request is never shorter', () => {
  const use = fc.double({ min: 0, max: 1e5, noNaN: true })
  fc.assert(
    fc.property(fc.array(use, { minLength: 1, maxLength: 30 }), use, use, (values, one, other) => {
      const curve = curveOf(...values)
      const less = shortAt(curve, Math.min(one, other))
      const more = shortAt(curve, Math.max(one, other))
      expect(more.share).toBeLessThanOrEqual(less.share + 1e-12)
      // Within a bucket, samples count as evenly spread, but sums use the middle: half a bucket of difference.
      expect(more.units).toBeLessThanOrEqual(less.units + 0.03 * Math.max(one, other))
    }),
  )
})
