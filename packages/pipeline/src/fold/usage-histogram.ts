import { usageBucketEdges } from '@plimsoll/contract'
import { VarintReader, VarintWriter } from './varints.ts'

/** Pod minutes per bucket of the scheme in the contract: the non-empty buckets, ascending. */
export type UsageHistogram = { readonly buckets: readonly number[]; readonly counts: readonly number[] }

export const emptyHistogram: UsageHistogram = { buckets: [], counts: [] }

/** Alternating bucket distances and counts: a typical hour of a container takes about ten bytes. */
export function encodeHistogram({ buckets, counts }: UsageHistogram): Buffer {
  const writer = new VarintWriter()
  let before = 0
  buckets.forEach((bucket, index) => {
    writer.write(bucket - before)
    writer.write(counts[index] ?? 0)
    before = bucket
  })
  return Buffer.from(writer.finish())
}

export function decodeHistogram(bytes: Buffer): UsageHistogram {
  const reader = new VarintReader(bytes)
  const buckets: number[] = []
  const counts: number[] = []
  let bucket = 0
  while (!reader.isAtEnd) {
    bucket += reader.read()
    buckets.push(bucket)
    counts.push(reader.read())
  }
  return { buckets, counts }
}

export function mergeHistograms(one: UsageHistogram, other: UsageHistogram): UsageHistogram {
  if (one.buckets.length === 0) return other
  if (other.buckets.length === 0) return one
  const buckets: number[] = []
  const counts: number[] = []
  let [i, j] = [0, 0]
  while (i < one.buckets.length || j < other.buckets.length) {
    const a = one.buckets[i] ?? Number.POSITIVE_INFINITY
    const b = other.buckets[j] ?? Number.POSITIVE_INFINITY
    buckets.push(Math.min(a, b))
    counts.push((a <= b ? (one.counts[i] ?? 0) : 0) + (b <= a ? (other.counts[j] ?? 0) : 0))
    if (a <= b) i += 1
    if (b <= a) j += 1
  }
  return { buckets, counts }
}

export const minutesIn = ({ counts }: UsageHistogram) => counts.reduce((sum, count) => sum + count, 0)

/**
 * The usage that this share of the minutes did not exceed: the upper edge of its bucket, at most 3 % too high, and
 * never above the maximum.
 */
export function percentile(histogram: UsageHistogram, share: number, max: number): number {
  const wanted = Math.ceil(minutesIn(histogram) * share)
  let seen = 0
  for (const [index, bucket] of histogram.buckets.entries()) {
    seen += histogram.counts[index] ?? 0
    if (seen >= wanted) return Math.min(max, Math.floor(usageBucketEdges[bucket] ?? max))
  }
  return 0
}
