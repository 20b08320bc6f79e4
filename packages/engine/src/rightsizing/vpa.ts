import { CPU_UNITS_PER_MILLICORE } from './histogram.ts'

/**
 * The Vertical Pod Autoscaler's target, with its own numbers: buckets that start at 10 millicores (10 MB) and widen by 5 %
 * each, a half-life of 24 hours, the 90th percentile plus 15 %, at least 25 millicores (250 MiB).
 */
export type VpaParameters = { readonly firstBucket: number; readonly largest: number; readonly floor: number }

const RATIO = 1.05
const LOG_RATIO = Math.log(RATIO)
export const VPA_PERCENTILE = 0.9
const MARGIN = 1.15
export const VPA_HALF_LIFE_SECONDS = 86_400

const UNITS_PER_CORE = 1000 * CPU_UNITS_PER_MILLICORE
export const VPA_CPU: VpaParameters = {
  firstBucket: UNITS_PER_CORE / 100,
  largest: 1000 * UNITS_PER_CORE,
  floor: 25 * CPU_UNITS_PER_MILLICORE,
}
export const VPA_MEMORY: VpaParameters = { firstBucket: 1e7 / 1024, largest: 1e12 / 1024, floor: 250 * 1024 }

export function vpaBucketCount({ firstBucket, largest }: VpaParameters): number {
  return Math.ceil(Math.log((largest * (RATIO - 1)) / firstBucket + 1) / LOG_RATIO) + 1
}

export function vpaBucketOf(parameters: VpaParameters, value: number): number {
  const { firstBucket } = parameters
  if (value < firstBucket) return 0
  const bucket = Math.floor(Math.log((value * (RATIO - 1)) / firstBucket + 1) / LOG_RATIO)
  return Math.min(bucket, vpaBucketCount(parameters) - 1)
}

/** Where the bucket starts, in the unit of the parameters. */
export function vpaBucketStart({ firstBucket }: VpaParameters, bucket: number): number {
  return (firstBucket * (RATIO ** bucket - 1)) / (RATIO - 1)
}

/** The request of VPA, from its histogram with decayed `weights`. */
export function vpaTarget(parameters: VpaParameters, weights: Float64Array): number {
  let total = 0
  for (const weight of weights) total += weight
  let sum = 0
  let bucket = 0
  for (; bucket < weights.length - 1; bucket++) {
    sum += weights[bucket] ?? 0
    if (sum >= VPA_PERCENTILE * total) break
  }
  // VPA takes the end of the bucket; for the last bucket, which has none, the start.
  const end = bucket < weights.length - 1 ? bucket + 1 : bucket
  return Math.max(parameters.floor, MARGIN * vpaBucketStart(parameters, end))
}

/** The request of VPA if its percentile were in the bucket of `units`. */
export function vpaCpuTarget(units: number): number {
  return Math.max(VPA_CPU.floor, MARGIN * (VPA_CPU_ENDS[vpaBucketOf(VPA_CPU, units)] ?? 0))
}

const VPA_CPU_ENDS = Float64Array.from({ length: vpaBucketCount(VPA_CPU) }, (_, bucket) => {
  return vpaBucketStart(VPA_CPU, Math.min(bucket + 1, vpaBucketCount(VPA_CPU) - 1))
})
