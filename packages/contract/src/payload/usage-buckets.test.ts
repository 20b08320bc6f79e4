import fc from 'fast-check'
import { expect, test } from 'vitest'
import { usageBucketEdges, usageBucketOf, usageBuckets } from './usage-buckets.ts'

const amount = fc.oneof(fc.nat(100), fc.nat(), fc.integer({ min: 0, max: 2 ** 36 }))

test('a value is above the edge of the previous bucket, and not above its own edge', () => {
  fc.assert(
    fc.property(amount, (value) => {
      const bucket = usageBucketOf(value)
      expect(value).toBeLessThanOrEqual(usageBucketEdges[bucket] ?? 0)
      if (bucket > 0) expect(value).toBeGreaterThan(usageBucketEdges[bucket - 1] ?? 0)
    }),
  )
})

test.each([
  { value: 0, bucket: 0 },
  { value: 1, bucket: 0 },
  { value: 2, bucket: 24 }, // 1.03^23 = 1.97, 1.03^24 = 2.03
  { value: 100, bucket: 156 }, // 1.03^155 = 97.7, 1.03^156 = 100.6
  { value: 10_000, bucket: 312 }, // one core
])('$value is in bucket $bucket', ({ value, bucket }) => {
  expect(usageBucketOf(value)).toBe(bucket)
})

test('the last bucket of each resource contains the maximum value, and the bucket before does not', () => {
  for (const { count, valueMax } of Object.values(usageBuckets)) {
    expect(usageBucketOf(valueMax)).toBe(count - 1)
    expect(usageBucketEdges[count - 2]).toBeLessThan(valueMax)
  }
  expect(usageBucketOf(1e15)).toBe(usageBuckets.memory.count - 1)
})
