import { weightOf, type Clock } from './clock.ts'
import { middleOf } from './histogram.ts'
import type { SlotHistograms } from './usage-state.ts'

/** The mean forecast usage of each round over a fleet, weighted by replicas. */
export type Survey = { readonly sums: Float64Array; readonly weights: Float64Array }

export function makeSurvey(clock: Clock): Survey {
  const moments = clock.boundaries.length + 1
  return { sums: new Float64Array(moments), weights: new Float64Array(moments) }
}

/** Adds one container: its forecast means at every boundary and now, without building the forecasts. */
export function addToSurvey(
  survey: Survey,
  usage: SlotHistograms,
  { clock, slowShare, replicas }: { clock: Clock; slowShare: number; replicas: number },
) {
  const rounds = clock.boundaries.length
  const { slots, offsets, buckets, counts } = usage
  let next = 0
  let entry = offsets[0] ?? 0
  let [fastUse, fastCount, slowUse, slowCount] = [0, 0, 0, 0]
  for (let k = 0; k <= rounds; k++) {
    const end = k === rounds ? Infinity : (clock.boundaries[k] ?? 0)
    for (; next < slots.length && (slots[next] ?? 0) < end; next++) {
      let use = 0
      let count = 0
      for (const to = offsets[next + 1] ?? 0; entry < to; entry++) {
        const own = counts[entry] ?? 0
        use += own * middleOf(buckets[entry] ?? 0)
        count += own
      }
      const age = clock.openSlot - (slots[next] ?? 0)
      const fast = weightOf(clock.fast, age)
      const slow = weightOf(clock.slow, age)
      fastUse += fast * use
      fastCount += fast * count
      slowUse += slow * use
      slowCount += slow * count
    }
    const fastGrowth = clock.fast.growth[k] ?? 0
    const slowGrowth = slowShare * (clock.slow.growth[k] ?? 0)
    const count = fastGrowth * fastCount + slowGrowth * slowCount
    if (!(count > 0)) continue
    const mean = (fastGrowth * fastUse + slowGrowth * slowUse) / count
    survey.sums[k] = (survey.sums[k] ?? 0) + replicas * mean
    survey.weights[k] = (survey.weights[k] ?? 0) + replicas
  }
}

export function surveyedMean({ sums, weights }: Survey, k: number): number {
  const weight = weights[k] ?? 0
  return weight > 0 ? (sums[k] ?? 0) / weight : 0
}
