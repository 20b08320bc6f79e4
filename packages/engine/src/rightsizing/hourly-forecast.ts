import { makeClock } from './clock.ts'
import { fillCurve, makeCurve, type Curve } from './curve.ts'
import { DIALS } from './dial.ts'
import { bucketOf, CPU_SCALE } from './histogram.ts'
import { fillForecast, makeTimeline, shadowVpa, walk, type Timeline } from './timeline.ts'
import { lowerBound, type HourlyCpu, type SlotHistograms } from './usage-state.ts'

/** The daily forecast in small, and what VPA would ask for: renewed with every slot. */
export type Background = {
  readonly slot: number
  readonly buckets: Uint16Array
  /** Sum to 1, or to 0 where nothing is known. */
  readonly weights: Float64Array
  readonly vpaUnits: number
}

/** An hour stands for its samples by four values and their shares. */
export const ATOM_SHARES = [0.5, 0.3, 0.12, 0.08] as const

const RECENT_HOURS = 5
const SEASON_SHARE = 0.1
const BACKGROUND_SHARE = 0.1
const RECENT_SHARE = 1 - SEASON_SHARE - BACKGROUND_SHARE
const RECENT_WEIGHTS = Array.from({ length: RECENT_HOURS }, (_, age) => 2 ** -age)
const SEASON = Array.from({ length: 7 }, (_, index) => index + 1).flatMap((day) =>
  [-1, 0, 1].map((offset) => ({
    hoursBack: 24 * day - offset,
    weight: (offset === 0 ? 1 : 0.5) * 2 ** (-(day - 1) / 4),
  })),
)

export type HourlyScratch = { readonly dense: Float64Array; readonly timeline: Timeline; readonly curve: Curve }

export function makeHourlyScratch(): HourlyScratch {
  return { dense: new Float64Array(CPU_SCALE.bucketCount), timeline: makeTimeline(), curve: makeCurve() }
}

export function readBackground(scratch: HourlyScratch, usage: SlotHistograms, slot: number, now: number): Background {
  const { timeline, curve } = scratch
  const clock = makeClock(now, 1, 0)
  walk(timeline, usage, clock, {
    judge: () => undefined,
    decide: (k) => fillForecast(timeline, clock, k, DIALS.balanced.slowShare, curve),
  })
  const { forecast, lo, hi } = timeline
  const buckets: number[] = []
  for (let bucket = lo; bucket <= hi; bucket++) if ((forecast[bucket] ?? 0) > 0) buckets.push(bucket)
  return {
    slot,
    buckets: Uint16Array.from(buckets),
    weights: Float64Array.from(buckets, (bucket) => (forecast[bucket] ?? 0) / curve.weight),
    vpaUnits: curve.weight > 0 ? shadowVpa(timeline) : 0,
  }
}

/**
 * The forecast for the hour that starts now: the last hours, a little of the same hour of the last week, and a little of the
 * daily forecast. `hour` is the epoch hour that starts.
 */
export function fillHourlyForecast(
  scratch: HourlyScratch,
  hours: HourlyCpu,
  background: Background,
  hour: number,
): void {
  const { dense, curve } = scratch
  dense.fill(0)
  const recent = RECENT_WEIGHTS.map((weight, age) => ({ index: indexOfHour(hours, hour - 1 - age), weight }))
  const season = SEASON.map(({ hoursBack, weight }) => ({ index: indexOfHour(hours, hour - hoursBack), weight }))
  addHours(dense, hours, recent, RECENT_SHARE)
  addHours(dense, hours, season, SEASON_SHARE)
  background.buckets.forEach((bucket, index) => {
    dense[bucket] = (dense[bucket] ?? 0) + BACKGROUND_SHARE * (background.weights[index] ?? 0)
  })
  let lo = 0
  let hi = dense.length - 1
  while (lo < dense.length && dense[lo] === 0) lo++
  while (hi >= lo && dense[hi] === 0) hi--
  fillCurve(curve, dense, lo, hi)
}

/** The q-th of the four values that stand for an hour. */
export function atomOf({ p50, p90, max }: HourlyCpu, index: number, q: number): number {
  const low = p50[index] ?? 0
  const high = p90[index] ?? 0
  if (q === 0) return low
  if (q === 1) return (low + high) / 2
  return q === 2 ? high : (max[index] ?? 0)
}

/** -1 where the hour was not seen, as `indexOf` has it. */
export function indexOfHour({ hours }: HourlyCpu, hour: number): number {
  const at = lowerBound(hours, hour)
  return hours[at] === hour ? at : -1
}

function addHours(
  dense: Float64Array,
  hours: HourlyCpu,
  picks: readonly { index: number; weight: number }[],
  share: number,
): void {
  const total = picks.reduce((sum, { index, weight }) => (index === -1 ? sum : sum + weight), 0)
  for (const { index, weight } of picks) {
    if (index === -1) continue
    ATOM_SHARES.forEach((part, q) => {
      const bucket = bucketOf(CPU_SCALE, Math.min(CPU_SCALE.unitsMax, atomOf(hours, index, q)))
      dense[bucket] = (dense[bucket] ?? 0) + (share * weight * part) / total
    })
  }
}
