import type { CreateBudgetBody, UpdateBudgetBody } from '@plimsoll/contract'
import { roundToNumber } from '@plimsoll/engine'
import { isDeepStrictEqual } from 'node:util'
import { Problem } from '../platform/http/problem.ts'
import { amountIn, amountsOf, dateTextOf, dayNumberOf, spanOn } from './budget-span.ts'
import { daysCounted } from './count-days.ts'
import type { BudgetRow, NewBudget } from './queries/budgets.ts'

const defaultThresholds = { actual: [80, 100], forecast: true }

export function newBudget(body: CreateBudgetBody, budgetId: string, now: Date): NewBudget {
  const row = {
    budget_id: budgetId,
    name: body.name,
    scope: body.scope ?? {},
    counts_shared: body.share ?? true,
    period: body.period,
    first_day: dayOf(body.from),
    end_day: dayOf(body.to),
    amount: body.amount.toFixed(2),
    amount_day: dayNumberOf(now),
    growth_percent: body.growth_percent ?? 0,
    amounts: body.amounts ?? {},
    thresholds: body.thresholds ?? defaultThresholds,
    parent_id: body.parent_id ?? null,
    created_at: now,
  }
  demandSpan(row)
  demandCounted(row.first_day, now)
  return row
}

/** A new scope or sharing changes the cost of all days, so they are summed up again. */
export function editedBudget(row: BudgetRow, body: UpdateBudgetBody, now: Date): BudgetRow {
  const edited = {
    ...row,
    name: body.name ?? row.name,
    scope: body.scope ?? row.scope,
    counts_shared: body.share ?? row.counts_shared,
    first_day: dayOf(body.from) ?? row.first_day,
    end_day: dayOf(body.to) ?? row.end_day,
    amount: body.amount?.toFixed(2) ?? keptAmount(row, body, now),
    growth_percent: body.growth_percent ?? row.growth_percent,
    amounts: body.amounts ?? row.amounts,
    thresholds: body.thresholds ?? row.thresholds,
    parent_id: body.parent_id === undefined ? row.parent_id : body.parent_id,
  }
  demandSpan(edited)
  if (edited.first_day !== row.first_day) demandCounted(edited.first_day, now)
  const isSameCost = isDeepStrictEqual(edited.scope, row.scope) && edited.counts_shared === row.counts_shared
  const isSameAmount = edited.amount === row.amount && edited.growth_percent === row.growth_percent
  return {
    ...edited,
    amount_day: isSameAmount ? row.amount_day : dayNumberOf(now),
    is_counted: row.is_counted && isSameCost,
  }
}

/** New growth starts with the amount of the current period, so that the growth of the past stays. */
function keptAmount(row: BudgetRow, { growth_percent: growth }: UpdateBudgetBody, now: Date): string {
  if (growth === undefined || growth === row.growth_percent) return row.amount
  const budget = { ...amountsOf(row), amounts: {} }
  return roundToNumber(amountIn(budget, spanOn(budget, dayNumberOf(now)))).toFixed(2)
}

/** JavaScript reads 31 February as 3 March. */
function dayOf(date: string | undefined): number | null {
  if (date === undefined) return null
  const day = dayNumberOf(new Date(date))
  return Number.isNaN(day) || dateTextOf(day) !== date ? NaN : day
}

/** Older days have no sums, so their cost would be missing. */
function demandCounted(firstDay: number | null, now: Date): void {
  const oldest = dayNumberOf(now) - daysCounted
  if (firstDay !== null && firstDay < oldest) throw wrongSpan('/from', `must not be before ${dateTextOf(oldest)}`)
}

const daysMax = 366

function demandSpan({
  period,
  first_day: from,
  end_day: to,
}: Pick<NewBudget, 'period' | 'first_day' | 'end_day'>): void {
  if (period !== 'once') {
    if (from !== null || to !== null)
      throw wrongSpan('/from', 'only a budget with the period `once` has `from` and `to`')
    return
  }
  if (from === null || to === null) throw wrongSpan('/from', 'a budget with the period `once` needs `from` and `to`')
  if (Number.isNaN(from) || Number.isNaN(to)) throw wrongSpan('/from', 'is not a valid date')
  if (from >= to) throw wrongSpan('/from', 'must be before `to`')
  if (to - from > daysMax) throw wrongSpan('/to', `a budget has at most ${daysMax} days`)
}

const wrongSpan = (pointer: string, detail: string) =>
  new Problem('invalid_body', `${pointer}: ${detail}.`, { errors: [{ pointer, code: 'period', detail }] })
