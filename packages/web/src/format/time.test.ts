import { expect, test } from 'vitest'
import { ago, month, span, utc, utcDay } from './time.ts'

const now = new Date('2026-03-01T12:00:00Z')

test.each([
  ['2026-03-01T11:59:58Z', 'now'],
  ['2026-03-01T11:59:39Z', '21 s ago'],
  ['2026-03-01T11:49:00Z', '11 min ago'],
  ['2026-03-01T07:00:00Z', '5 h ago'],
  ['2026-02-20T12:00:00Z', '9 d ago'],
])('%s was %s', (iso, text) => expect(ago(iso, now)).toBe(text))

test('a clock that runs ahead is no negative time', () => expect(span(-3000)).toBe('0 s'))

test('days of the figures are days of UTC, wherever the viewer is', () => {
  expect(utcDay('2026-03-01T00:00:00Z')).toBe('1 Mar')
  expect(utc('2026-03-01T09:30:00.123Z')).toBe('2026-03-01 09:30:00 UTC')
})

test('a month is named as people name it', () => expect(month('2026-11')).toBe('Nov 2026'))
