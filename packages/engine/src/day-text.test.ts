import { expect, test } from 'vitest'
import { dayText } from './day-text.ts'

test('a date in a sentence has the format of the dashboard, in UTC', () => {
  expect(dayText(Date.parse('2026-09-04T23:59:59Z') / 1000)).toBe('4 Sep 2026')
  expect(dayText(Date.parse('2026-12-31T00:00:00Z') / 1000)).toBe('31 Dec 2026')
})
