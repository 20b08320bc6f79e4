import type { Allocation } from '@plimsoll/contract'
import { expect, test } from 'vitest'
import { comparedPercent, comparisonNote, withComparison } from './comparison.ts'

const known = (hours: number, hoursWithData = hours) => ({ hours, hoursWithData })
const month = known(720)

test.each([
  { name: 'complete data', now: month, before: month, percent: 100, note: null },
  {
    name: 'a new cluster',
    now: month,
    before: known(720, 72),
    percent: null,
    note: 'The compared period has data for 3 of 30 days.',
  },
  {
    name: 'no earlier data',
    now: month,
    before: known(720, 0),
    percent: null,
    note: 'No data in the compared period, so there is no comparison.',
  },
  {
    name: 'a gap now',
    now: known(720, 360),
    before: month,
    percent: null,
    note: 'This period has data for 15 of 30 days.',
  },
  {
    name: 'a few missing hours',
    now: month,
    before: known(720, 717),
    percent: 100,
    note: 'The compared period has data for 717 of 720 hours.',
  },
])('$name', ({ now, before, percent, note }) => {
  expect(comparedPercent({ now, before }, { before: 50, difference: 50 })).toBe(percent)
  expect(comparisonNote({ now, before })).toBe(note)
})

test('31 days at the same cost per day as 28 days are not growth', () => {
  const hours = { now: known(744), before: known(672) }
  expect(comparedPercent(hours, { before: 28, difference: 3 })).toBeCloseTo(0)
  expect(comparisonNote(hours)).toBe('31 days compared with 28 days. Percentages are based on the cost per day.')
})

const allocationOf = (hoursWithData: number) => {
  const compare = { total: 50, difference: 50, percent: 100 }
  return {
    window: { hours: 720 },
    hours_with_data: 720,
    compare: { window: { hours: 720 }, hours_with_data: hoursWithData },
    steps: [
      {
        rows: [{ compare, rows: [{ compare }], rest: { compare } }],
        compare: { total: compare, rest: compare, idle: null, unmounted: null, unattached: null, overhead: compare },
      },
    ],
  } as unknown as Allocation
}

test('with little earlier data, no line has a percentage; without any, there is no comparison', () => {
  expect(JSON.stringify(withComparison(allocationOf(72)))).not.toMatch(/"percent":\d/)
  expect(withComparison(allocationOf(0))).not.toHaveProperty('compare')
  expect(JSON.stringify(withComparison(allocationOf(720)).steps)).toBe(JSON.stringify(allocationOf(720).steps))
})
