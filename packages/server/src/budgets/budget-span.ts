import type { BudgetPeriod } from '@plimsoll/contract'
import { dayMs, decimal, type Decimal } from '@plimsoll/engine'
import { periodAround } from '@plimsoll/engine/forecast'
import type { BudgetRow } from './queries/budgets.ts'

/** The days `from` ≤ day < `to`, as days since 1970 in UTC. */
export type BudgetSpan = { readonly key: string; readonly from: number; readonly to: number }

export type SpannedBudget = {
  readonly period: BudgetPeriod
  /** Only of `once`. */
  readonly firstDay: number | null
  readonly endDay: number | null
}

export const dayNumberOf = (at: Date): number => Math.floor(at.getTime() / dayMs)
export const dateOfDay = (day: number): Date => new Date(day * dayMs)

/** Three days after its end, neither the cost nor the amount of a period changes. */
const daysUntilFrozen = 3

export const isFrozenAt = ({ to }: Pick<BudgetSpan, 'to'>, now: Date): boolean =>
  dayNumberOf(now) >= to + daysUntilFrozen

/** As in `2026-03-01`. */
export const dateTextOf = (day: number): string => dateOfDay(day).toISOString().slice(0, 10)

/** The period of the budget that contains the day. A budget that does not recur has one period, with its days as key. */
export function spanOn({ period, firstDay, endDay }: SpannedBudget, day: number): BudgetSpan {
  if (period === 'once') {
    const [from, to] = [firstDay ?? day, endDay ?? day + 1]
    return { key: `${dateTextOf(from)}/${dateTextOf(to)}`, from, to }
  }
  const { from, to } = periodAround(day, period)
  return { key: keyOf(period, from), from, to }
}

function keyOf(period: Exclude<BudgetPeriod, 'once'>, firstDay: number): string {
  const [year = '', month = ''] = dateOfDay(firstDay).toISOString().split('-')
  if (period === 'year') return year
  return period === 'month' ? `${year}-${month}` : `${year}-Q${Math.ceil(Number(month) / 3)}`
}

export type BudgetAmounts = SpannedBudget & {
  readonly amount: string
  readonly growthPercent: number
  readonly amounts: Readonly<Record<string, number>>
  /** A user set the amount on this day. Growth starts with the period of this day. */
  readonly amountDay: number
}

type AmountRow = Pick<
  BudgetRow,
  'period' | 'first_day' | 'end_day' | 'amount' | 'growth_percent' | 'amounts' | 'amount_day'
>

export const amountsOf = (row: AmountRow): BudgetAmounts => ({
  period: row.period,
  firstDay: row.first_day,
  endDay: row.end_day,
  amount: row.amount,
  growthPercent: row.growth_percent,
  amounts: row.amounts,
  amountDay: row.amount_day,
})

const amountMax = 1e15

/** The amount of a period: its own, or the amount with the growth since a user set it. Whole cents. */
export function amountIn(budget: BudgetAmounts, span: BudgetSpan): Decimal {
  const own = budget.amounts[span.key]
  if (own !== undefined) return decimal(own.toFixed(2))
  const grown = Number(budget.amount) * (1 + budget.growthPercent / 100) ** periodsSince(budget, span)
  return budget.growthPercent === 0 ? decimal(budget.amount) : decimal(Math.min(grown, amountMax).toFixed(2))
}

export const monthsOf = { month: 1, quarter: 3, year: 12, once: 1 } as const

function periodsSince(budget: BudgetAmounts, span: BudgetSpan): number {
  if (budget.period === 'once') return 0
  const monthOf = (day: number) => dateOfDay(day).getUTCFullYear() * 12 + dateOfDay(day).getUTCMonth()
  const first = spanOn(budget, budget.amountDay)
  return Math.max(0, (monthOf(span.from) - monthOf(first.from)) / monthsOf[budget.period])
}
