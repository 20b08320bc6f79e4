/**
 * Logarithmic usage histograms: integer counts in buckets of 3 % width. Sums of parts in any order equal the whole, and
 * a percentile is off by at most one bucket.
 *
 * CPU is counted in tenths of a millicore, memory in KiB. Bucket 0 holds values from 0 to 1 unit; bucket `b` those
 * above `edgeOf(b - 1)` up to and including `edgeOf(b)`.
 */
export type Histogram = {
  /** Ascending, without duplicates. */
  readonly buckets: Uint16Array
  /** Number of samples in each of `buckets`, at least 1. */
  readonly counts: Uint32Array
}

export type UsageScale = {
  /** Buckets are numbered from 0 to `bucketCount - 1`. */
  readonly bucketCount: number
  /** No container uses more; a larger value is an error of its source. */
  readonly unitsMax: number
}

export const BUCKET_GROWTH = 1.03

export const CPU_UNITS_PER_MILLICORE = 10

/** 0.1 millicores to 10,000 cores. */
export const CPU_SCALE: UsageScale = { bucketCount: 625, unitsMax: 100_000_000 }

/** 1 KiB to 64 TiB. */
export const MEMORY_SCALE: UsageScale = { bucketCount: 846, unitsMax: 2 ** 36 }

/** By repeated multiplication, because powers and logarithms may differ in the last digit between machines. */
const EDGES = makeEdges(MEMORY_SCALE.bucketCount)
const MIDDLES = EDGES.map((edge, bucket) => (bucket === 0 ? 0.5 : edge / Math.sqrt(BUCKET_GROWTH)))
const LOG_GROWTH = Math.log(BUCKET_GROWTH)

/** The largest value that belongs to the bucket, in units. */
export function edgeOf(bucket: number): number {
  return EDGES[bucket] ?? Number.NaN
}

/** The value of a sample in the bucket: its geometric middle, in units. */
export function middleOf(bucket: number): number {
  return MIDDLES[bucket] ?? Number.NaN
}

/** Throws for values that `isUse` rejects, because a wrong bucket would lead to a wrong request months later. */
export function bucketOf(scale: UsageScale, units: number): number {
  if (!isUse(scale, units)) throw new RangeError(`${units} is not a valid usage value`)
  if (units <= 1) return 0
  let bucket = Math.min(scale.bucketCount - 1, Math.max(0, Math.ceil(Math.log(units) / LOG_GROWTH)))
  while (bucket > 0 && units <= edgeOf(bucket - 1)) bucket--
  while (units > edgeOf(bucket)) bucket++
  return bucket
}

/** Whether a value is plausible usage. Other values are rejected and counted at the border. */
export function isUse(scale: UsageScale, units: number): boolean {
  return units >= 0 && units <= scale.unitsMax
}

/** Merging only adds, so order and grouping do not matter. */
export function mergeHistograms(histograms: Iterable<Histogram>): Histogram {
  const dense = new Float64Array(MEMORY_SCALE.bucketCount)
  for (const { buckets, counts } of histograms) {
    for (let index = 0; index < buckets.length; index++) {
      const bucket = buckets[index] ?? 0
      dense[bucket] = (dense[bucket] ?? 0) + (counts[index] ?? 0)
    }
  }
  return sparse(dense)
}

export function sampleCount({ counts }: Histogram): number {
  let total = 0
  for (const count of counts) total += count
  return total
}

export function sparse(dense: Float64Array): Histogram {
  let length = 0
  for (const count of dense) if (count > 0) length++
  const histogram = { buckets: new Uint16Array(length), counts: new Uint32Array(length) }
  let at = 0
  for (let bucket = 0; bucket < dense.length && at < length; bucket++) {
    const count = dense[bucket] ?? 0
    if (count === 0) continue
    histogram.buckets[at] = bucket
    histogram.counts[at++] = count
  }
  return histogram
}

function makeEdges(count: number): Float64Array {
  const edges = new Float64Array(count)
  let edge = 1
  for (let bucket = 0; bucket < count; bucket++) {
    edges[bucket] = edge
    edge *= BUCKET_GROWTH
  }
  return edges
}
