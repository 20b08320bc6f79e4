import { lowerBound, type HourlyMeans } from './usage-state.ts'

const DAYS = 7
const HOURS_MIN = 24
/** Above this the pods do different work, and one request for all of them is wrong for most. */
export const UNEVENNESS_MAX = 2

/**
 * How much more the hottest pod uses than the mean of all: the median over the last 7 days of hours, 1 where less than a day
 * is known. Medians, because a rollout makes single hours uneven.
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

/** Moves values about: sorting all of them to look at one would take most of a guard's time. */
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

/** One request serves all pods, so it is raised for the hottest: by the root, halfway between the mean and the hottest. */
export function replicaFactor(uneven: number): number {
  return Math.sqrt(uneven)
}

/**
 * The replica of a StatefulSet that does other work than its siblings, as a leader or a hot shard does: its mean is more than
 * twice the median of all. `means` are those of the last days, by ordinal.
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
