// The error of month-end forecasts on the 10th and 20th, and how often the bands contain the outcome. A month counts if the
// series has 28 days before it. The rules see the past alone.
import {
  forecastPeriod,
  forecastRest,
  periodAround,
  type CostForecast,
} from '../../packages/engine/src/forecast/index.ts'
import { fromUsd, mean, median, sum, toDays, toUsd } from './money.ts'
import type { Series } from './read-series.ts'
import { holtWinters, lastWeekAgain, theta } from './rivals.ts'

export const RULES = ['this rule', 'run rate', 'last week again', 'Theta', 'Holt-Winters damped'] as const
export type RuleName = (typeof RULES)[number]

export type Month = { readonly start: number; readonly length: number }

const DAYS_BEFORE = 28
const ORIGINS = [10, 20] as const

/** Whole months with enough days before. `start` is an index of the values. */
export function monthsOf({ first, values }: Series): Month[] {
  const months: Month[] = []
  for (let start = 0; start < values.length;) {
    const { from, to } = periodAround(first + start, 'month')
    const isWhole = from === first + start && to <= first + values.length
    if (isWhole && start >= DAYS_BEFORE) months.push({ start, length: to - from })
    start = to - first
  }
  return months
}

export type Covered = { n: number; in80: number; in95: number }

export function countBand(covered: Covered, { band80, band95 }: CostForecast, actual: number): void {
  const usd = toUsd(actual)
  covered.n += 1
  if (band80.lower <= usd && usd <= band80.upper) covered.in80 += 1
  if (band95.lower <= usd && usd <= band95.upper) covered.in95 += 1
}

type Errors = { absolute: number; actual: number; absolute10: number; actual10: number }

export type SeriesErrors = {
  readonly series: Series
  readonly rules: ReadonlyMap<RuleName, Errors>
  readonly covered: Covered
}

export function judgeMonthEnds(series: Series): SeriesErrors {
  const { first, values } = series
  const days = toDays(first, values)
  const scope = series.part === 'total' ? 'cluster' : 'part'
  const rules = new Map(
    RULES.map((name): [RuleName, Errors] => [name, { absolute: 0, actual: 0, absolute10: 0, actual10: 0 }]),
  )
  const covered = { n: 0, in80: 0, in95: 0 }
  for (const { start, length } of monthsOf(series)) {
    const actual = sum(values.slice(start, start + length))
    for (const origin of ORIGINS) {
      const at = start + origin
      const period = { from: first + start, to: first + start + length }
      const history = { days: days.slice(0, at) }
      const ours = forecastPeriod({ history, period, asOf: { day: first + at, hours: 0 }, scope })
      if (ours.kind === 'none') continue
      if (actual > 0) countBand(covered, ours, actual)
      const past = values.slice(0, at)
      const spent = sum(values.slice(start, at))
      const rest = length - origin
      const forecasts: Record<RuleName, number> = {
        'this rule': fromUsd(ours.middle),
        'run rate': (spent / origin) * length,
        'last week again': spent + sum(lastWeekAgain(past, rest)),
        Theta: spent + sum(theta(past, rest)),
        'Holt-Winters damped': spent + sum(holtWinters(past, rest)),
      }
      for (const name of RULES) addError(rules.get(name), Math.abs(forecasts[name] - actual), actual, origin)
    }
  }
  return { series, rules, covered }
}

function addError(errors: Errors | undefined, absolute: number, actual: number, origin: number): void {
  if (!errors) return
  errors.absolute += absolute
  errors.actual += actual
  if (origin !== ORIGINS[0]) return
  errors.absolute10 += absolute
  errors.actual10 += actual
}

const errorsOf = (all: readonly SeriesErrors[], rule: RuleName): Errors[] =>
  all.flatMap(({ rules }) => rules.get(rule) ?? []).filter(({ actual }) => actual > 0)

/** Sum of errors ÷ sum of costs over some series, in percent. */
export function pooledWape(all: readonly SeriesErrors[], rule: RuleName): number {
  const errors = errorsOf(all, rule)
  return (100 * sum(errors.map(({ absolute }) => absolute))) / sum(errors.map(({ actual }) => actual))
}

export const meanWape = (all: readonly SeriesErrors[], rule: RuleName): number =>
  100 * mean(errorsOf(all, rule).map(({ absolute, actual }) => absolute / actual))

export const medianWape10 = (all: readonly SeriesErrors[], rule: RuleName): number =>
  100 * median(errorsOf(all, rule).map(({ absolute10, actual10 }) => absolute10 / actual10))

export function sumCovered(all: readonly { readonly covered: Covered }[]): Covered {
  const total = { n: 0, in80: 0, in95: 0 }
  for (const { covered } of all) {
    total.n += covered.n
    total.in80 += covered.in80
    total.in95 += covered.in95
  }
  return total
}

/** The bands for a number of days ahead, every seventh day. */
export function judgeHorizon({ first, values, part }: Series, horizon: number): Covered {
  const days = toDays(first, values)
  const covered = { n: 0, in80: 0, in95: 0 }
  for (let at = DAYS_BEFORE; at + horizon <= values.length; at += 7) {
    const rest = Array.from({ length: horizon }, (_, index) => ({ day: first + at + index, hours: 24 }))
    const forecast = forecastRest({ days }, { day: first + at, hours: 0 }, rest, part === 'total' ? 'cluster' : 'part')
    const actual = sum(values.slice(at, at + horizon))
    if (!('kind' in forecast) && actual > 0) countBand(covered, forecast, actual)
  }
  return covered
}
