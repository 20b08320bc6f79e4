import { outlooks, type Budget, type BudgetList, type Outlook } from '@plimsoll/contract'
import { decimal, groupBy, roundToNumber } from '@plimsoll/engine'
import { withEtag } from '../platform/http/etag.ts'
import { dateOfDay, dateTextOf } from './budget-span.ts'
import type { BudgetRow, PeriodRow } from './queries/budgets.ts'

const pastShownMax = 12

const dateText = (day: number | null) => (day === null ? null : dateTextOf(day))
const numberOf = (usd: string) => roundToNumber(decimal(usd))

/** The budgets and periods that the caller may see, by the IDs of the budgets. */
type Visible = {
  readonly ids: ReadonlySet<string>
  readonly children: ReadonlyMap<string | null, readonly BudgetRow[]>
  readonly periods: ReadonlyMap<string, readonly PeriodRow[]>
}

export const visibleOf = (rows: readonly BudgetRow[], periods: readonly PeriodRow[]): Visible => ({
  ids: new Set(rows.map(({ budget_id: id }) => id)),
  children: groupBy(rows, ({ parent_id: parent }) => parent),
  periods: groupBy(periods, ({ budget_id: id }) => id),
})

export function presentBudget(row: BudgetRow, { ids, children, periods }: Visible): Budget {
  return withEtag(row.revision, {
    id: row.budget_id,
    name: row.name,
    scope: row.scope,
    share: row.counts_shared,
    period: row.period,
    from: dateText(row.first_day),
    to: dateText(row.end_day),
    amount: numberOf(row.amount),
    growth_percent: row.growth_percent,
    amounts: row.amounts,
    thresholds: row.thresholds,
    parent_id: row.parent_id !== null && ids.has(row.parent_id) ? row.parent_id : null,
    current: row.current && { key: row.current.key, amount: row.current.amount, forecast: row.current.forecast },
    unassigned: unassignedOf(row, children.get(row.budget_id) ?? []),
    past: (periods.get(row.budget_id) ?? [])
      .filter(({ key }) => key !== row.current?.key)
      .slice(0, pastShownMax)
      .map(presentPeriod),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  })
}

function unassignedOf(row: BudgetRow, children: readonly BudgetRow[]): number | null {
  if (children.length === 0) return null
  const amountOf = ({ current, amount }: BudgetRow) => current?.amount ?? Number(amount)
  return Math.round((amountOf(row) - children.reduce((sum, child) => sum + amountOf(child), 0)) * 100) / 100
}

const presentPeriod = ({ key, first_day, end_day, amount, usd, is_frozen, known_hours }: PeriodRow) => ({
  key,
  from: dateOfDay(first_day).toISOString(),
  to: dateOfDay(end_day).toISOString(),
  amount: numberOf(amount),
  usd: numberOf(usd),
  frozen: is_frozen,
  hours: (end_day - first_day) * 24,
  hours_with_data: known_hours,
})

export function countOutlooks(rows: readonly Pick<BudgetRow, 'current'>[]): Record<Outlook, number> {
  const counts = Object.fromEntries(outlooks.map((outlook) => [outlook, 0])) as Record<Outlook, number>
  for (const { current } of rows) counts[current?.forecast.outlook ?? 'unknown'] += 1
  return counts
}

export function presentBudgets(rows: readonly BudgetRow[], periods: readonly PeriodRow[]): BudgetList {
  const visible = visibleOf(rows, periods)
  return { budgets: rows.map((row) => presentBudget(row, visible)), counts: countOutlooks(rows) }
}
