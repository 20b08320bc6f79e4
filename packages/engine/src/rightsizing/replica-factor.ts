import { lowerBound, type HourlyMeans } from './usage-state.ts'

const DAYS = 7
const HOURS_MIN = 24
/** Above this, pods do different work, and one request is wrong for most of them. */
export const UNEVENNESS_MAX = 2

/**
 * The ratio of the busiest pod to the mean of all: the median over the hours of the last 7 days, 1 with less than a day
 * of data. A median, because a rollout makes single hours uneven.
 */
export function unevenness({ hours, mean, hottestMean }: HourlyMeans, now: number): number {
  const from = lowerBound(hours, Math.floor(now / 3600) - DAYS * 24)
  const ratios = new Float64Array(hours.length - from)
  let count = 0
  for (let index = from; index < hours.length; index++) {
    const all = mean[index] ?? 0
    const hottest = hottestMean[index] ?? 0
    if (all > 0 && hottest > 0) ratios[count++] = hottest / all
  }
  if (count < HOURS_MIN) return 1
  return Math.max(1, nthSmallest(ratios.subarray(0, count), count >> 1))
}

/** Reorders values: a full sort to read one value would take most of the time of a guard. */
function nthSmallest(values: Float64Array, n: number): number {
  let from = 0
  let to = values.length - 1
  while (from < to) {
    const pivot = values[(from + to) >> 1] ?? 0
    let left = from
    let right = to
    while (left <= right) {
      while ((values[left] ?? 0) < pivot) left++
      while ((values[right] ?? 0) > pivot) right--
      if (left > right) break
      const value = values[left] ?? 0
      values[left++] = values[right] ?? 0
      values[right--] = value
    }
    if (n <= right) to = right
    else if (n >= left) from = left
    else break
  }
  return values[n] ?? 1
}

/** One request applies to all pods, so it is raised for the busiest one by the square root of the ratio. */
export function replicaFactor(uneven: number): number {
  return Math.sqrt(uneven)
}

/**
 * The replica of a StatefulSet with a different load, such as a leader or a hot shard: its mean is more than twice the
 * median of all. `means` are those of the last days, by ordinal.
 */
export function findOrdinalOutlier(means: readonly number[]): number | undefined {
  if (means.length < 2) return undefined
  const others = (ordinal: number) => means.filter((_, index) => index !== ordinal).sort((a, b) => a - b)
  const outlier = means.findIndex((mean, ordinal) => {
    const rest = others(ordinal)
    const median = rest[rest.length >> 1] ?? 0
    return mean > UNEVENNESS_MAX * median && mean > 0
  })
  return outlier === -1 ? undefined : outlier
}
