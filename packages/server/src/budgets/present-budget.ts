import { outlooks, type Budget, type BudgetList, type Outlook } from '@plimsoll/contract'
import { decimal, roundToNumber } from '@plimsoll/engine'
import { dateOfDay } from './budget-span.ts'
import type { BudgetRow, PeriodRow } from './queries/budgets.ts'

const pastShownMax = 12

const dateText = (day: number | null) => (day === null ? null : dateOfDay(day).toISOString().slice(0, 10))
const numberOf = (usd: string) => roundToNumber(decimal(usd))

/** `children` are the budgets below, as far as the caller may see them. */
export function presentBudget(row: BudgetRow, periods: readonly PeriodRow[], children: readonly BudgetRow[]): Budget {
  return {
    id: row.budget_id,
    name: row.name,
    scope: row.scope,
    period: row.period,
    from: dateText(row.first_day),
    to: dateText(row.end_day),
    amount: numberOf(row.amount),
    growth_percent: row.growth_percent,
    amounts: row.amounts,
    thresholds: row.thresholds,
    parent_id: row.parent_id,
    current: row.current && { key: row.current.key, amount: row.current.amount, forecast: row.current.forecast },
    unassigned: unassignedOf(row, children),
    past: periods
      .filter(({ budget_id, key }) => budget_id === row.budget_id && key !== row.current?.key)
      .slice(0, pastShownMax)
      .map(presentPeriod),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}

function unassignedOf(row: BudgetRow, children: readonly BudgetRow[]): number | null {
  if (children.length === 0) return null
  const amountOf = ({ current, amount }: BudgetRow) => current?.amount ?? Number(amount)
  return Math.round((amountOf(row) - children.reduce((sum, child) => sum + amountOf(child), 0)) * 100) / 100
}

const presentPeriod = ({ key, first_day, end_day, amount, usd, is_frozen }: PeriodRow) => ({
  key,
  from: dateOfDay(first_day).toISOString(),
  to: dateOfDay(end_day).toISOString(),
  amount: numberOf(amount),
  usd: numberOf(usd),
  frozen: is_frozen,
})

export function presentBudgets(rows: readonly BudgetRow[], periods: readonly PeriodRow[]): BudgetList {
  const childrenOf = (id: string) => rows.filter(({ parent_id: parent }) => parent === id)
  const counts = Object.fromEntries(outlooks.map((outlook) => [outlook, 0])) as Record<Outlook, number>
  for (const { current } of rows) counts[current?.forecast.outlook ?? 'unknown'] += 1
  return { budgets: rows.map((row) => presentBudget(row, periods, childrenOf(row.budget_id))), counts }
}
