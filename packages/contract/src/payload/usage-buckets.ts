/**
 * The buckets of usage histograms. CPU in tenths of a millicore and memory in KiB share one scheme, so all histograms
 * can be added up. Bucket 0 contains values up to 1. Bucket `b` contains values above `usageBucketEdges[b - 1]` up to
 * and including `usageBucketEdges[b]`, which is 1.03 times as large.
 */
export const usageBuckets = {
  /** 0.1 millicores to 10,000 cores. */
  cpu: { count: 625, valueMax: 100_000_000 },
  /** 1 KiB to 64 TiB. */
  memory: { count: 846, valueMax: 2 ** 36 },
}

const growth = 1.03
const logGrowth = Math.log(growth)

/** By repeated multiplication: powers and logarithms may differ in the last digit between machines. */
export const usageBucketEdges: Float64Array = makeEdges(usageBuckets.memory.count)

/**
 * Expects a value of at least 0; values above the last edge are in the last bucket. The logarithm is only a first
 * guess.
 */
export function usageBucketOf(value: number): number {
  if (value <= 1) return 0
  const last = usageBucketEdges.length - 1
  let bucket = Math.min(last, Math.ceil(Math.log(value) / logGrowth))
  while (bucket > 0 && value <= (usageBucketEdges[bucket - 1] ?? 0)) bucket -= 1
  while (bucket < last && value > (usageBucketEdges[bucket] ?? 0)) bucket += 1
  return bucket
}

function makeEdges(count: number): Float64Array {
  const edges = new Float64Array(count)
  let edge = 1
  for (let bucket = 0; bucket < count; bucket += 1) {
    edges[bucket] = edge
    edge *= growth
  }
  return edges
}
