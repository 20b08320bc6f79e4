import { expect, test } from 'vitest'
import { amountIn, dayNumberOf, spanOn } from './budget-span.ts'
import { editedBudget, newBudget } from './edit-budget.ts'
import { budgetOf } from './jobs/evaluate-budgets.ts'
import type { BudgetRow } from './queries/budgets.ts'

const january = new Date('2026-01-10')
const june = new Date('2026-06-10')

const aRow = (change: Partial<BudgetRow> = {}): BudgetRow => ({
  ...newBudget({ name: 'Shop', period: 'month', amount: 1000, growth_percent: 5 }, 'bud_1', january),
  revision: 1,
  current: null,
  is_counted: true,
  counted_mapping: null,
  updated_at: january,
  ...change,
})

const amountOf = (row: BudgetRow, at: Date) => amountIn(budgetOf(row), spanOn(budgetOf(row), dayNumberOf(at)))

test('a changed amount is the amount of the open period, and grows from there', () => {
  const edited = editedBudget(aRow(), { amount: 2000 }, june)
  expect(amountOf(edited, june)).toBe(amountOf(aRow({ amount: '2000.00' }), january))
  expect(editedBudget(edited, { name: 'Store' }, new Date('2026-09-10')).amount_day).toBe(edited.amount_day)
})

test('a change of the growth alone keeps the amount of the open period', () => {
  const before = aRow({ growth_percent: 10 })
  const edited = editedBudget(before, { growth_percent: 5 }, june)
  expect(amountOf(edited, june)).toBe(amountOf(before, june))
  expect(amountOf(edited, june)).toBeGreaterThan(amountOf(before, january))
  expect(edited).toMatchObject({ amount: '1610.51', growth_percent: 5 })
})

test.each([
  { from: '2026-02-31', to: '2026-04-01', detail: 'is not a valid date' },
  { from: '2025-02-29', to: '2025-04-01', detail: 'is not a valid date' },
  { from: '2024-12-31', to: '2025-03-01', detail: 'must not be before 2025-05-06' },
])('a budget from $from to $to is refused', ({ from, to, detail }) => {
  const body = { name: 'Shop', period: 'once' as const, amount: 1, from, to }
  expect(() => newBudget(body, 'bud_1', june)).toThrow(detail)
})
