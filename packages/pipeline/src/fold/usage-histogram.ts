import { usageBucketEdges } from '@plimsoll/contract'
import { VarintReader, VarintWriter } from './varints.ts'

/** Minutes of pods per bucket of the contract's scheme: the buckets that are not empty, ascending. */
export type UsageHistogram = { readonly buckets: readonly number[]; readonly counts: readonly number[] }

export const emptyHistogram: UsageHistogram = { buckets: [], counts: [] }

/** Distances between buckets and counts, in turn: a usual hour of a container takes some ten bytes. */
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
 * What the use did not exceed in this share of the minutes: the upper edge of the bucket that it falls into, at most 3 % too
 * high, and never above the highest use there was.
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
