import { makeClock, WINDOW_SLOTS, type Clock } from '../../packages/engine/src/rightsizing/clock.ts'
import { fillCurve, makeCurve, type Curve } from '../../packages/engine/src/rightsizing/curve.ts'
import { DIALS } from '../../packages/engine/src/rightsizing/safety-margin.ts'
import { bucketOf, CPU_SCALE, middleOf } from '../../packages/engine/src/rightsizing/histogram.ts'
import {
  fillForecast,
  makeTimeline,
  quantileBucket,
  walk,
  type Timeline,
} from '../../packages/engine/src/rightsizing/timeline.ts'
import {
  lowerBound,
  SLOT_SECONDS,
  slotOf,
  type HourlyCpu,
  type SlotHistograms,
} from '../../packages/engine/src/rightsizing/usage-state.ts'
import { VPA_PERCENTILE, vpaCpuTarget } from '../../packages/engine/src/rightsizing/vpa.ts'

/** A small daily forecast and VPA histogram, renewed with every slot. */
export type Background = {
  readonly slot: number
  /** Contains all data before this epoch hour. */
  readonly hour: number
  readonly buckets: Uint16Array
  /** The sum is 1, or 0 without data. */
  readonly weights: Float64Array
  readonly vpaWeights: Float64Array
  /** The weight of a new hour in the histogram of VPA. */
  readonly samplesPerHour: number
}

/** Four values and their shares represent the samples of an hour. */
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

export function readBackground(scratch: HourlyScratch, usage: SlotHistograms, hour: number): Background {
  const now = hour * 3600
  const { timeline, curve } = scratch
  const clock = makeClock(now, 1, 0)
  walk(timeline, usage, clock, {
    visitor: {
      judge: () => undefined,
      decide: (k) => fillForecast(timeline, clock, k, DIALS.balanced.slowShare, curve),
    },
  })
  const { vpa, window, lo, hi } = timeline
  const forecast = (bucket: number) => forecastIn(timeline, clock, 0, DIALS.balanced.slowShare, bucket)
  const buckets: number[] = []
  let samples = 0
  for (let bucket = lo; bucket <= hi; bucket++) {
    if (forecast(bucket) > 0) buckets.push(bucket)
    samples += window[bucket] ?? 0
  }
  const hours = (SLOT_SECONDS / 3600) * Math.max(1, Math.min(usage.slots.length, WINDOW_SLOTS))
  return {
    slot: slotOf(now),
    hour,
    buckets: Uint16Array.from(buckets),
    weights: Float64Array.from(buckets, (bucket) => forecast(bucket) / curve.weight),
    vpaWeights: Float64Array.from(buckets, (bucket) => vpa[bucket] ?? 0),
    samplesPerHour: samples / hours,
  }
}

/** The request of VPA at the start of `hour`: its histogram, and the hours since then. */
export function vpaAtHour({ dense }: HourlyScratch, hours: HourlyCpu, background: Background, hour: number): number {
  dense.fill(0)
  background.buckets.forEach((bucket, index) => (dense[bucket] = background.vpaWeights[index] ?? 0))
  const since = Array.from({ length: hour - background.hour }, (_, index) =>
    indexOfHour(hours, background.hour + index),
  )
  const picks = since.map((index) => ({ index, weight: 1 })).filter(({ index }) => index !== -1)
  addHours(dense, hours, picks, picks.length * background.samplesPerHour)
  const total = dense.reduce((sum, weight) => sum + weight, 0)
  return total > 0 ? vpaCpuTarget(middleOf(quantileBucket(dense, 0, dense.length - 1, VPA_PERCENTILE))) : 0
}

/**
 * The forecast for the next hour: the last hours, with small parts of the same hour of the last week and of the daily
 * forecast. `hour` is the epoch hour that starts.
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

/** The q-th of the four values of an hour. */
export function atomOf({ p50, p90, max }: HourlyCpu, index: number, q: number): number {
  const low = p50[index] ?? 0
  const high = p90[index] ?? 0
  if (q === 0) return low
  if (q === 1) return (low + high) / 2
  return q === 2 ? high : (max[index] ?? 0)
}

/** -1 if the hour has no data, as in `indexOf`. */
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

/** The forecast at boundary `k` in one bucket. */
// eslint-disable-next-line @typescript-eslint/max-params -- an inner loop: an object per call is garbage
function forecastIn({ fast, slow }: Timeline, clock: Clock, k: number, slowShare: number, bucket: number): number {
  const slowFactor = slowShare * (clock.slow.growth[k] ?? 0)
  return (clock.fast.growth[k] ?? 0) * (fast[bucket] ?? 0) + slowFactor * (slow[bucket] ?? 0)
}
