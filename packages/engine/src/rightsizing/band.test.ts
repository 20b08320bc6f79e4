import { expect, test } from 'vitest'
import { DAILY_BAND, keepWithin } from './band.ts'

test.each([
  { next: 104, kept: 100 },
  { next: 106, kept: 106 },
  { next: 86, kept: 100 },
  { next: 84, kept: 84 },
])('with 100 standing, $next becomes $kept', ({ next, kept }) => {
  expect(keepWithin(DAILY_BAND, 100, next)).toBe(kept)
})

test('without a standing value the next value is taken', () => {
  expect(keepWithin(DAILY_BAND, undefined, 50)).toBe(50)
  expect(keepWithin(DAILY_BAND, 0, 50)).toBe(50)
})
