import { expect, test } from 'vitest'
import { isMonth, monthBefore, readMonth } from './month-windows.ts'

const now = new Date('2026-11-18T10:30:00Z')

const spanOf = ({ from, to }: { from: Date; to: Date }) => `${from.toISOString()}/${to.toISOString()}`

test('the current month is open and ends with the last full hour; the same hours of the month before are compared', () => {
  const month = readMonth('2026-11', now)
  expect(month?.state).toBe('open')
  expect(month && spanOf(month.windows.now)).toBe('2026-11-01T00:00:00.000Z/2026-11-18T10:00:00.000Z')
  expect(month && spanOf(month.windows.before)).toBe('2026-10-01T00:00:00.000Z/2026-10-18T10:00:00.000Z')
})

test('a past month is provisional and whole, and the whole month before is compared', () => {
  const month = readMonth('2026-10', now)
  expect(month?.state).toBe('provisional')
  expect(month && spanOf(month.windows.now)).toBe('2026-10-01T00:00:00.000Z/2026-11-01T00:00:00.000Z')
  expect(month && spanOf(month.windows.before)).toBe('2026-09-01T00:00:00.000Z/2026-10-01T00:00:00.000Z')
})

test('a future month has no windows', () => {
  expect(readMonth('2026-12', now)).toBeNull()
})

test.each(['2026-13', '2026-1', '1999-12', '2026-10-01', 'x2026-10', ''])('%j is not a month', (text) => {
  expect(isMonth(text)).toBe(false)
})

test('the month before January is December', () => {
  expect(monthBefore(new Date('2027-01-03T07:00:00Z'))).toBe('2026-12')
  expect(monthBefore(now)).toBe('2026-10')
})
