import { histogramOf } from './builders.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  bucketOf,
  BUCKET_GROWTH,
  CPU_SCALE,
  edgeOf,
  isUse,
  MEMORY_SCALE,
  mergeHistograms,
  middleOf,
  sampleCount,
} from './histogram.ts'

const anyCpuUse = fc.double({ min: 0, max: CPU_SCALE.unitsMax, noNaN: true })

test.each([
  { units: 0, bucket: 0 },
  { units: 1, bucket: 0 },
  { units: 1.0001, bucket: 1 },
  { units: 1.03, bucket: 1 },
  { units: 1.0301, bucket: 2 },
  { units: 1.0609, bucket: 2 },
  { units: 100, bucket: 156 }, // 1.03^155 = 97.7, 1.03^156 = 100.6
  { units: 10_000, bucket: 312 }, // one core
  { units: 100_000_000, bucket: 624 }, // 10,000 cores
])('$units units are in bucket $bucket', ({ units, bucket }) => {
  expect(bucketOf(CPU_SCALE, units)).toBe(bucket)
})

test('the last bucket of each scale holds its largest value, and the one before does not', () => {
  for (const scale of [CPU_SCALE, MEMORY_SCALE]) {
    expect(bucketOf(scale, scale.unitsMax)).toBe(scale.bucketCount - 1)
    expect(edgeOf(scale.bucketCount - 1)).toBeGreaterThanOrEqual(scale.unitsMax)
    expect(edgeOf(scale.bucketCount - 2)).toBeLessThan(scale.unitsMax)
  }
})

test('a value lies between the edges of its bucket', () => {
  fc.assert(
    fc.property(anyCpuUse, (units) => {
      const bucket = bucketOf(CPU_SCALE, units)
      expect(units).toBeLessThanOrEqual(edgeOf(bucket))
      if (bucket > 0) expect(units).toBeGreaterThan(edgeOf(bucket - 1))
    }),
  )
})

test('an edge belongs to the bucket that it closes', () => {
  for (let bucket = 0; bucket < CPU_SCALE.bucketCount - 1; bucket++) {
    expect(bucketOf(CPU_SCALE, edgeOf(bucket))).toBe(bucket)
  }
})

test('the middle of a bucket is less than half a bucket from any value in it', () => {
  fc.assert(
    fc.property(anyCpuUse, (units) => {
      const ratio = middleOf(bucketOf(CPU_SCALE, units)) / units
      if (units > 1) expect(Math.max(ratio, 1 / ratio)).toBeLessThanOrEqual(Math.sqrt(BUCKET_GROWTH) + 1e-9)
    }),
  )
})

test.each([Number.NaN, -1, -0.001, Number.POSITIVE_INFINITY, 1e9 * 10_000])('%s is rejected at the border', (units) => {
  expect(isUse(CPU_SCALE, units)).toBe(false)
  expect(() => bucketOf(CPU_SCALE, units)).toThrow(RangeError)
})

test('parts merged in any order equal the whole', () => {
  fc.assert(
    fc.property(fc.array(fc.array(anyCpuUse, { maxLength: 20 }), { maxLength: 8 }), (parts) => {
      const histograms = parts.map((values) => histogramOf(CPU_SCALE, values))
      const whole = histogramOf(CPU_SCALE, parts.flat())
      expect(mergeHistograms(histograms)).toEqual(whole)
      expect(mergeHistograms(histograms.toReversed())).toEqual(whole)
      expect(mergeHistograms([mergeHistograms(histograms.slice(0, 3)), ...histograms.slice(3)])).toEqual(whole)
    }),
  )
})

test('no samples give an empty histogram', () => {
  expect(histogramOf(CPU_SCALE, [])).toEqual(mergeHistograms([]))
  expect(sampleCount(mergeHistograms([]))).toBe(0)
})

test('samples are counted once each', () => {
  const histogram = histogramOf(CPU_SCALE, [0, 0.5, 1, 1.02, 500, 501])
  expect([...histogram.counts]).toEqual([3, 1, 2])
  expect(sampleCount(histogram)).toBe(6)
})
