import type { CostScope, Forecast } from '@plimsoll/contract'
import { decimal, hourMs, roundToNumber, type Decimal } from '@plimsoll/engine'
import { forecastPeriod, outlookFor, type DayCost } from '@plimsoll/engine/forecast'
import type { StoredOutlook } from '../platform/db/tables/budgets.ts'
import {
  amountIn,
  dateOfDay,
  dayNumberOf,
  isFrozenAt,
  spanOn,
  type BudgetAmounts,
  type BudgetSpan,
} from './budget-span.ts'

export type EvaluatedBudget = BudgetAmounts & {
  readonly scope: CostScope
  readonly thresholds: { readonly actual: readonly number[]; readonly forecast: boolean }
}

/** A threshold that the cost or the forecast of a period has reached. */
export type Crossing = {
  readonly kind: 'actual' | 'forecast'
  readonly percent: number
  /** Null: an open alert stays open, and no alert fires. */
  readonly isTrue: true | null
  /** The cost above the threshold, in US dollars. */
  readonly excess: number
  /** Unique for the period, the threshold and the amount: each is sent once, and again if the amount changes. */
  readonly identity: string
}

export type BudgetEvaluation = {
  readonly span: BudgetSpan
  readonly amount: Decimal
  readonly forecast: Forecast
  readonly crossings: readonly Crossing[]
}

/** The days of a scope in order, each once; `end` is the end of the last finalised hour. */
export type ScopeHistory = { readonly days: readonly DayCost[]; readonly end: Date | null }

/** Without data for longer than this, the open period is the current one. */
const delayMsMax = 24 * hourMs

/** Hours are finalised with a delay: the last hour of a period counts in it. */
export function openHour({ end }: ScopeHistory, now: Date): Date {
  return end && now.getTime() - end.getTime() < delayMsMax ? new Date(end.getTime() - hourMs) : now
}

/** The open period of a budget: the one that contains the last finalised hour. */
export function evaluateBudget(budget: EvaluatedBudget, history: ScopeHistory, now: Date): BudgetEvaluation {
  const span = spanOn(budget, dayNumberOf(openHour(history, now)))
  const amount = amountIn(budget, span)
  const forecast = forecastScope({ scope: budget.scope, span, history, amount })
  const crossings = isFrozenAt(span, now) ? [] : crossingsOf(budget, { span, amount, forecast })
  return { span, amount, forecast, crossings }
}

/**
 * A budget that does not recur keeps the result of its first evaluation after it was frozen: the cost of its days is deleted later.
 * Undefined: there is no such result.
 */
export function frozenEvaluation(
  budget: EvaluatedBudget,
  current: StoredOutlook | null,
  now: Date,
): BudgetEvaluation | undefined {
  if (budget.period !== 'once' || current === null) return undefined
  const span = spanOn(budget, dayNumberOf(now))
  const wasFrozen = isFrozenAt(span, dateOfDay(current.evaluatedOn ?? 0))
  if (!wasFrozen || current.key !== span.key) return undefined
  return { span, amount: decimal(current.amount.toFixed(2)), forecast: current.forecast, crossings: [] }
}

type Asked = { scope: CostScope; span: BudgetSpan; history: ScopeHistory; amount: Decimal | null }

export function forecastScope({ scope, span, history: { days, end }, amount }: Asked): Forecast {
  const period = { from: dateOfDay(span.from).toISOString(), to: dateOfDay(span.to).toISOString() }
  if (!end)
    return {
      ...period,
      ...noForecast,
      as_of: null,
      spent: 0,
      known_days: 0,
      outlook: amount === null ? null : 'unknown',
    }
  const asOf = { day: dayNumberOf(end), hours: (end.getTime() - dateOfDay(dayNumberOf(end)).getTime()) / hourMs }
  const question = {
    history: { days },
    period: span,
    asOf,
    scope: isWholeCluster(scope) ? ('cluster' as const) : ('part' as const),
  }
  const found = forecastPeriod(question)
  const known = days.filter(({ day, knownHours }) => knownHours >= 12 && day < asOf.day && day >= asOf.day - 112)
  return {
    ...period,
    as_of: end.toISOString(),
    spent: roundToNumber(found.spent),
    ...(found.kind === 'none'
      ? noForecast
      : { middle: roundToNumber(found.middle), band80: bandOf(found.band80), band95: bandOf(found.band95) }),
    known_days: known.length,
    outlook: amount === null ? null : outlookFor(amount, question, found),
  }
}

const noForecast = { middle: null, band80: null, band95: null }

const bandOf = ({ lower, upper }: { lower: Decimal; upper: Decimal }) => ({
  lower: roundToNumber(lower),
  upper: roundToNumber(upper),
})

const isWholeCluster = ({ namespaces, teams, labels, workloads }: CostScope) =>
  !namespaces && !teams && !labels && !workloads

type Figures = Pick<BudgetEvaluation, 'span' | 'amount' | 'forecast'>

function crossingsOf({ thresholds }: EvaluatedBudget, { span, amount, forecast }: Figures): Crossing[] {
  const spent = decimal(String(forecast.spent.toFixed(6)))
  const reached = thresholds.actual.filter(
    (percent) => spent > 0n && spent * 100_000n >= amount * BigInt(Math.round(percent * 1_000)),
  )
  const usd = roundToNumber(amount)
  const crossing = (kind: Crossing['kind'], percent: number, cost: number): Crossing => ({
    kind,
    percent,
    isTrue: true,
    excess: cost - (usd * percent) / 100,
    identity: `${span.key} ${kind} ${percent} ${usd}`,
  })
  const actual = reached.map((percent) => crossing('actual', percent, forecast.spent))
  if (!thresholds.forecast || (forecast.outlook !== 'sure' && forecast.outlook !== 'over')) return actual
  const expected = crossing('forecast', 100, forecast.middle ?? forecast.spent)
  const isSpent = forecast.outlook === 'over' && reached.some((percent) => percent >= 100)
  return [...actual, isSpent ? { ...expected, isTrue: null } : expected]
}
