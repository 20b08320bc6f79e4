import { expect, test } from 'vitest'
import { minutesText, moneyText, thresholdName, unitOf } from './alert-labels.ts'

test('waits are shown in hours or minutes', () => {
  expect([0, 15, 30, 60, 1_440].map(minutesText)).toEqual(['0 min', '15 min', '30 min', '1 h', '24 h'])
})

test('a threshold has a name and a unit, and an unknown one shows its own name', () => {
  const threshold = { name: 'idle_percent', value: 40, default: 40, minimum: 0, maximum: 100, unit: 'percent' as const }
  expect([thresholdName(threshold), unitOf(threshold)]).toEqual(['Unallocated share', '%'])
  expect(thresholdName({ ...threshold, name: 'new_one' })).toBe('new_one')
})

test('an amount has its period', () => {
  expect(moneyText({ amount: 21.08, per: 'day' })).toBe('$21.08/day')
})
