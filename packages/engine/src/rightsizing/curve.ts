import { bucketOf, CPU_SCALE, edgeOf, MEMORY_SCALE, middleOf } from './histogram.ts'

/**
 * The shortage at each bucket edge of a weighted histogram: the share of samples above the edge, and their average
 * excess over all samples. Scratch that is reused; only `lo` to `hi` is valid.
 */
export type Curve = {
  lo: number
  hi: number
  /** 0 if empty; then all other fields are invalid. */
  weight: number
  mean: number
  readonly tail: Float64Array
  readonly excess: Float64Array
}

export type Shortage = { share: number; units: number }

export function makeCurve(size = MEMORY_SCALE.bucketCount): Curve {
  return { lo: 0, hi: -1, weight: 0, mean: 0, tail: new Float64Array(size), excess: new Float64Array(size) }
}

/** Reads `weights` from bucket `lo` to `hi`; all other buckets must be empty. */
export function fillCurve(curve: Curve, weights: Float64Array, lo: number, hi: number): void {
  fillMixedCurve(curve, weights, 1, weights, 0, lo, hi)
}

/** As `fillCurve`, for two histograms at once. Each container needs about fifteen passes, so nothing is built twice. */
// eslint-disable-next-line @typescript-eslint/max-params -- an inner loop: an object per call is garbage
export function fillMixedCurve(
  curve: Curve,
  weights: Float64Array,
  factor: number,
  others: Float64Array,
  otherFactor: number,
  lo: number,
  hi: number,
): void {
  const { tail, excess } = curve
  let [total, otherTotal] = [0, 0]
  for (let bucket = lo; bucket <= hi; bucket++) {
    total += weights[bucket] ?? 0
    otherTotal += others[bucket] ?? 0
  }
  const weight = factor * total + otherFactor * otherTotal
  const scale = weight > 0 ? 1 / weight : 0
  const [part, otherPart] = [scale * factor, scale * otherFactor]
  let share = 0
  let mean = 0
  for (let bucket = hi; bucket >= lo; bucket--) {
    tail[bucket] = share
    const above = mean - share * edgeOf(bucket)
    // Floating-point sums: a 0 may come out slightly negative.
    excess[bucket] = above > 0 ? above : 0
    const own = part * (weights[bucket] ?? 0) + otherPart * (others[bucket] ?? 0)
    share += own
    mean += own * middleOf(bucket)
  }
  curve.lo = lo
  curve.hi = hi
  curve.weight = weight
  curve.mean = mean
}

/** The shortage of a request of `units`. Samples within a bucket count as evenly spread. */
export function shortAt(curve: Curve, units: number): Shortage {
  const bucket = units >= CPU_SCALE.unitsMax ? CPU_SCALE.bucketCount : bucketOf(CPU_SCALE, units)
  const short = { share: 0, units: 0 }
  readShort(curve, bucket, units, short)
  return short
}

/** As `shortAt`, for a caller that has the bucket of `units` and reuses the result object. */
export function readShort(curve: Curve, bucket: number, units: number, short: Shortage): void {
  const { lo, hi, mean, tail, excess } = curve
  if (bucket > hi) {
    short.share = 0
    short.units = 0
  } else if (bucket < lo) {
    short.share = 1
    short.units = Math.max(0, mean - units)
  } else {
    const edge = edgeOf(bucket)
    const below = bucket === 0 ? 0 : edgeOf(bucket - 1)
    const above = tail[bucket] ?? 0
    const own = (bucket === lo ? 1 : (tail[bucket - 1] ?? 0)) - above
    const gap = Math.max(0, edge - units)
    const part = own * (gap / (edge - below))
    short.share = above + part
    short.units = (excess[bucket] ?? 0) + gap * (above + part / 2)
  }
}
