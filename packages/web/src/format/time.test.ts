import { expect, test } from 'vitest'
import {
  ago,
  axisDay,
  clock,
  completeThrough,
  dated,
  day,
  moment,
  momentWithZone,
  month,
  span,
  utc,
  utcAxisDay,
} from './time.ts'

const now = new Date('2026-03-01T12:00:00Z')

test.each([
  ['2026-03-01T11:59:58Z', 'now'],
  ['2026-03-01T11:59:39Z', '21 s ago'],
  ['2026-03-01T11:49:00Z', '11 min ago'],
  ['2026-03-01T07:00:00Z', '5 h ago'],
  ['2026-02-20T12:00:00Z', '9 d ago'],
])('%s was %s', (iso, text) => expect(ago(iso, now)).toBe(text))

test('a clock that runs ahead gives no negative time', () => expect(span(-3000)).toBe('0 s'))

test('days of the figures are UTC days in every time zone', () => {
  expect(utcAxisDay('2026-03-01T00:00:00Z')).toBe('1 Mar')
  expect(utc('2026-03-01T09:30:00.123Z')).toBe('2026-03-01 09:30:00 UTC')
})

test('a month is shown by its name', () => {
  expect(month('2026-11')).toBe('Nov 2026')
  expect(month('2026-09')).toBe('Sep 2026')
})

test('days, instants and axis labels use one date format', () => {
  const noon = '2026-09-04T12:05:00'
  expect(day(noon)).toBe('4 Sep 2026')
  expect(moment(noon)).toBe('4 Sep 2026, 12:05')
  expect([axisDay(noon), clock(noon)]).toEqual(['4 Sep', '12:05'])
  expect(clock('2026-09-04T00:00:00')).toBe('00:00')
})

test('a date without a time is the same day in every time zone, and other text stays unchanged', () => {
  expect(dated('2026-08-22')).toBe('22 Aug 2026')
  expect(dated('2024-07-01 / 2025-07-07')).toBe('1 Jul 2024 / 7 Jul 2025')
  expect(dated('spring 2026')).toBe('spring 2026')
})

test('an instant of a history has its time and its time zone', () => {
  expect(momentWithZone('2026-09-04T12:05:00Z')).toMatch(/^\d+ Sep 2026, \d\d:05 [A-Z]{2,5}([+-]\d+(:\d\d)?)?$/)
})

test('the last complete hour has its time in UTC, and its day unless it is today', () => {
  const now = new Date('2026-11-17T04:20:00Z')
  expect(completeThrough('2026-11-17T04:00:00Z', now)).toBe('Complete through 04:00 UTC')
  expect(completeThrough('2026-11-15T23:00:00.000Z', now)).toBe('Complete through 15 Nov 2026, 23:00 UTC')
})
