import { decimal } from '@plimsoll/engine'
import { expect, test } from 'vitest'
import { budgetConditions } from './budget-conditions.ts'
import type { BudgetEvaluation } from './evaluate-budget.ts'

const forecast = {
  from: '2026-06-01T00:00:00Z',
  to: '2026-07-01T00:00:00Z',
  as_of: '2026-06-11T00:00:00Z',
  spent: 0.4,
  middle: null,
  band80: null,
  band95: null,
  known_days: 3,
  outlook: 'over' as const,
}

/** Crosses each threshold by the same excess. */
const crossed = (id: string, parentId: string | null, excess: number, percents = [100]) => ({
  row: { budget_id: id, name: id, scope: {}, parent_id: parentId },
  evaluation: {
    span: { key: '2026-06', from: 0, to: 30 },
    amount: decimal('0.4'),
    forecast,
    crossings: percents.map((percent) => ({
      kind: 'actual' as const,
      percent,
      isTrue: true as const,
      excess,
      identity: `2026-06 ${percent}`,
    })),
  } satisfies BudgetEvaluation,
})

const sent = (evaluated: ReturnType<typeof crossed>[], isNew?: () => boolean) =>
  budgetConditions(evaluated, 'actual', isNew)
    .filter(({ unsent }) => unsent === undefined)
    .map(({ entity, period }) => `${entity} ${period}`)

test('of several thresholds of a budget, the highest is sent', () => {
  expect(sent([crossed('all', null, 5, [50, 80, 100])])).toEqual(['all 2026-06 100'])
})

test.each([
  { share: 'most', excess: 60, messages: ['shop 2026-06 100'] },
  { share: 'less', excess: 59, messages: ['all 2026-06 100', 'shop 2026-06 100'] },
])('a child with $share of the excess of its parent sends $messages', ({ excess, messages }) => {
  expect(sent([crossed('all', null, 100), crossed('shop', 'all', excess)])).toEqual(messages)
})

test('a parent that crosses later than its child sends its own message', () => {
  expect(sent([crossed('all', null, 100), crossed('shop', 'all', 90)], () => false)).toContain('all 2026-06 100')
})

test('a message shows the cents of a small amount', () => {
  expect(budgetConditions([crossed('all', null, 0)], 'actual')[0]?.content.title).toContain('($0.40, 2026-06)')
})
