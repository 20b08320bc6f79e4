import type { Decimal } from '../decimal.ts'
import { daysBetween, HOURS_PER_DAY, openDay, totalOf, type AsOf, type DayNumber } from './day-cost.ts'
import { fitDay, type CostHistory, type NoFit } from './fit-forecast.ts'
import {
  forecastRest,
  restMiddle,
  type Band,
  type CostForecast,
  type ForecastScope,
  type RestDay,
} from './forecast-rest.ts'
import type { DaySpan } from './period.ts'

export type PeriodQuestion = {
  readonly history: CostHistory
  readonly period: DaySpan
  readonly asOf: AsOf
  readonly scope: ForecastScope
}

/** The cost at the end of the period: `spent` and the forecast of the rest. */
export type PeriodForecast =
  ({ readonly kind: 'forecast'; readonly spent: Decimal } & CostForecast) | (NoFit & { readonly spent: Decimal })

/**
 * Days that are over are never forecast: an hour without data in the past adds nothing. A period that is over is
 * its cost, with a band of width 0.
 */
export function forecastPeriod(question: PeriodQuestion): PeriodForecast {
  const { history, period, asOf, scope } = question
  const spent = spentBy(question)
  const rest = restDays(period, asOf)
  if (rest.length === 0) return { kind: 'forecast', spent, middle: spent, band80: point(spent), band95: point(spent) }
  const forecast = forecastRest(history, asOf, rest, scope)
  if ('kind' in forecast) return { ...forecast, spent }
  return {
    kind: 'forecast',
    spent,
    middle: spent + forecast.middle,
    band80: shifted(forecast.band80, spent),
    band95: shifted(forecast.band95, spent),
  }
}

function spentBy({ history, period, asOf }: Omit<PeriodQuestion, 'scope'>): Decimal {
  const end = asOf.hours > 0 ? asOf.day + 1 : asOf.day
  return totalOf(daysBetween(history.days, period.from, Math.min(period.to, end))).usd
}

function restDays(period: DaySpan, asOf: AsOf): RestDay[] {
  const first = Math.max(period.from, asOf.day)
  const days = Array.from({ length: Math.max(0, period.to - first) }, (_, index) => first + index)
  return days
    .map((day) => ({ day, hours: day === asOf.day ? HOURS_PER_DAY - asOf.hours : HOURS_PER_DAY }))
    .filter(({ hours }) => hours > 0)
}

const point = (usd: Decimal): Band => ({ lower: usd, upper: usd })
const shifted = ({ lower, upper }: Band, by: Decimal): Band => ({ lower: lower + by, upper: upper + by })

/**
 * `over`: spent more than the amount. `sure`: the lower edge of the 80 % band is above the amount. `likely`: the middle
 * has been above the amount for three days.
 */
export type Outlook = 'over' | 'sure' | 'likely' | 'within' | 'unknown'

const LIKELY_DAYS = 3

export function outlookFor(amount: Decimal, question: PeriodQuestion, forecast: PeriodForecast): Outlook {
  if (forecast.spent > amount) return 'over'
  if (forecast.kind === 'none') return 'unknown'
  if (forecast.band80.lower > amount) return 'sure'
  if (forecast.middle <= amount) return 'within'
  const earlier = Array.from({ length: LIKELY_DAYS - 1 }, (_, index) => openDay(question.asOf).day - index - 1)
  return earlier.every((day) => isMiddleAbove(amount, question, day)) ? 'likely' : 'within'
}

/** As the forecast stood at the beginning of an earlier day of the period. */
function isMiddleAbove(amount: Decimal, { history, period }: PeriodQuestion, day: DayNumber): boolean {
  if (day < period.from) return false
  const fitted = fitDay(history, day)
  if (fitted.kind === 'none') return false
  const asOf = { day, hours: 0 }
  return spentBy({ history, period, asOf }) + restMiddle(fitted, restDays(period, asOf)) > amount
}
