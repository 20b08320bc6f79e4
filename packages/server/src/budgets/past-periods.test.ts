import { decimal } from '@plimsoll/engine'
import { expect, test } from 'vitest'
import { dayNumberOf } from './budget-span.ts'
import { pastPeriods, suggestedAmount } from './past-periods.ts'

const first = dayNumberOf(new Date('2025-12-01'))

/** $10 a day from 1 December 2025 through 20 July 2026. */
const days = Array.from({ length: 232 }, (_, index) => ({ day: first + index, usd: decimal('10'), knownHours: 24 }))

const july = dayNumberOf(new Date('2026-07-01'))
const year = dayNumberOf(new Date('2026-01-01'))

test('the past periods of a budget have the length of its period', () => {
  const keysOf = (period: 'month' | 'quarter' | 'year', before: number) =>
    pastPeriods(days, period, before).map(({ key, usd }) => `${key} ${usd / decimal('10')}`)
  expect(keysOf('month', july).slice(0, 2)).toEqual(['2026-06 30', '2026-05 31'])
  expect(keysOf('month', july)).toHaveLength(7)
  expect(keysOf('quarter', july)).toEqual(['2026-Q2 91', '2026-Q1 90'])
  expect(keysOf('year', year)).toEqual([])
})

test('a month with data in half of its days is not a past month', () => {
  expect(pastPeriods(days.slice(15), 'month', july)).toHaveLength(6)
})

test.each([
  { period: 'month', amount: 334 },
  { period: 'quarter', amount: 1001 },
  { period: 'year', amount: 4004 },
] as const)('the suggestion for a $period is $ $amount', ({ period, amount }) => {
  expect(suggestedAmount(pastPeriods(days, 'month', july), period)).toBe(amount)
})

test('there is no suggestion without a complete month', () => {
  expect(suggestedAmount([], 'year')).toBeNull()
})
