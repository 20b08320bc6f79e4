import type { Plan } from './plan.ts'
import type { Series } from './traces.ts'

/** The outcome of one series under one recommender. */
export type Tally = {
  samples: number
  requested: number
  used: number
  short: number
  volume: number
  days: number
  badDays: number
  changes: number
  standing: number
  daySamples: number
  isBadDay: boolean
  dayFrom: number
}

/** Over a fleet: R = requested by used; time = mean over series of the share of samples above the request; volume = demand
 * above the request by use; OOM-days and changes per series-week. */
export type Score = {
  readonly series: number
  readonly r: number
  readonly time: number
  readonly volume: number
  readonly oomDays: number
  readonly changes: number
}

export function makeTally(plan: Plan): Tally {
  return {
    ...{ samples: 0, requested: 0, used: 0, short: 0, volume: 0, days: 0, badDays: 0, changes: 0 },
    ...{ standing: Number.NaN, daySamples: 0, isBadDay: false, dayFrom: plan.warmUp },
  }
}

/** Applies `request` to the samples from `from` to `to`; NaN keeps the previous request. */
export function stand(
  tally: Tally,
  values: Float32Array,
  { from, to, request }: { from: number; to: number; request: number },
): void {
  const units = request > 0 ? request : tally.standing > 0 ? tally.standing : 1e-9
  if (Math.abs(units - tally.standing) > 0.01 * tally.standing) tally.changes++
  tally.standing = units
  for (let index = from; index < to; index++) {
    const used = values[index] ?? Number.NaN
    if (Number.isNaN(used)) continue
    tally.samples++
    tally.daySamples++
    tally.requested += units
    tally.used += used
    if (used <= units * 1.0000001) continue
    tally.short++
    tally.volume += used - units
    tally.isBadDay = true
  }
}

/** Ends the day at sample `to` if it is full or the series ends. A day counts if more than 5 % of it has samples. */
export function endDay(tally: Tally, series: Series, plan: Plan, to: number): void {
  if (to - tally.dayFrom < plan.perDay && to < series.length) return
  const isShortSeries = plan.step < plan.perDay && series.length < 4 * plan.perDay
  if (tally.daySamples > (isShortSeries ? 0 : 0.05 * plan.perDay)) {
    tally.days++
    if (tally.isBadDay) tally.badDays++
  }
  tally.daySamples = 0
  tally.isBadDay = false
  tally.dayFrom = to
}

export function score(tallies: readonly Tally[]): Score {
  const seen = tallies.filter(({ samples }) => samples > 0)
  const sum = (pick: (tally: Tally) => number) => seen.reduce((total, tally) => total + pick(tally), 0)
  const used = sum((tally) => tally.used)
  const weeks = sum((tally) => tally.days) / 7
  return {
    series: seen.length,
    r: sum((tally) => tally.requested) / used,
    time: sum((tally) => tally.short / tally.samples) / seen.length,
    volume: sum((tally) => tally.volume) / used,
    oomDays: sum((tally) => tally.badDays) / weeks,
    changes: sum((tally) => tally.changes) / weeks,
  }
}
