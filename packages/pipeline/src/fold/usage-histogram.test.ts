import { usageBucketEdges, usageBucketOf, usageBuckets } from '@plimsoll/contract'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  decodeHistogram,
  emptyHistogram,
  encodeHistogram,
  mergeHistograms,
  minutesIn,
  percentile,
  type UsageHistogram,
} from './usage-histogram.ts'

const values = fc.array(fc.nat(usageBuckets.cpu.valueMax), { maxLength: 40 })

function histogramOf(samples: readonly number[]): UsageHistogram {
  const counts = new Map<number, number>()
  for (const value of samples) counts.set(usageBucketOf(value), (counts.get(usageBucketOf(value)) ?? 0) + 1)
  const buckets = [...counts.keys()].sort((a, b) => a - b)
  return { buckets, counts: buckets.map((bucket) => counts.get(bucket) ?? 0) }
}

test('decoding returns what was encoded', () => {
  fc.assert(
    fc.property(values, fc.nat(1e9), (samples, many) => {
      const { buckets, counts } = histogramOf(samples)
      const histogram = { buckets, counts: counts.map((count) => count * (many + 1)) }
      expect(decodeHistogram(encodeHistogram(histogram))).toEqual(histogram)
    }),
  )
})

test('an hour of one pod that uses about one core takes few bytes', () => {
  const hour = histogramOf(Array.from({ length: 60 }, (_each, minute) => 10_000 + 20 * minute))
  expect(encodeHistogram(hour).length).toBeLessThanOrEqual(12)
})

test('parts merged in any order equal the whole', () => {
  fc.assert(
    fc.property(values, values, values, (a, b, c) => {
      const [x, y, z] = [histogramOf(a), histogramOf(b), histogramOf(c)]
      const whole = histogramOf([...a, ...b, ...c])
      expect(mergeHistograms(mergeHistograms(x, y), z)).toEqual(whole)
      expect(mergeHistograms(z, mergeHistograms(y, x))).toEqual(whole)
    }),
  )
})

test('a percentile is at most 3 % above the exact value, never below it, and never above the maximum', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 1e8 }), { minLength: 1, maxLength: 60 }),
      fc.integer({ min: 1, max: 100 }),
      (samples, percent) => {
        const sorted = samples.toSorted((a, b) => a - b)
        const exact = sorted[Math.ceil((sorted.length * percent) / 100) - 1] ?? 0
        const max = sorted.at(-1) ?? 0
        const found = percentile(histogramOf(samples), percent / 100, max)
        expect(found).toBeGreaterThanOrEqual(exact)
        expect(found).toBeLessThanOrEqual(Math.min(max, exact * 1.03))
      },
    ),
  )
})

test('an empty histogram has no minutes and no usage', () => {
  expect(minutesIn(emptyHistogram)).toBe(0)
  expect(percentile(emptyHistogram, 0.9, 0)).toBe(0)
  expect(decodeHistogram(encodeHistogram(emptyHistogram))).toEqual(emptyHistogram)
  expect(() => decodeHistogram(Buffer.from([200]))).toThrow(/inside a number/)
})

test('a bucket of the contract ends at its edge', () => {
  expect(percentile({ buckets: [312], counts: [60] }, 0.5, 1e8)).toBe(Math.floor(usageBucketEdges[312] ?? 0))
})
