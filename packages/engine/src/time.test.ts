import { expect, test } from 'vitest'
import { cutAtChanges, intersect, secondsOf, startOfLocalDay } from './time.ts'

test('spans that do not meet have no seconds in common', () => {
  expect(secondsOf(intersect({ from: 0, to: 10 }, { from: 20, to: 30 }))).toBe(0)
  expect(secondsOf(intersect({ from: 20, to: 30 }, { from: 0, to: 10 }))).toBe(0)
})

test('a window is cut where something inside it changes', () => {
  const pieces = cutAtChanges({ from: 0, to: 10 }, [
    { from: -5, to: 4 },
    { from: 4, to: 20 },
    { from: 8, to: 10 },
  ])
  expect(pieces).toEqual([
    { from: 0, to: 4 },
    { from: 4, to: 8 },
    { from: 8, to: 10 },
  ])
})

test('an empty window has no pieces', () => {
  expect(cutAtChanges({ from: 5, to: 5 }, [])).toEqual([])
})

test.each([
  { zone: 'UTC', offset: 0, hour: '2026-03-01T00:00Z', day: '2026-03-01T00:00Z' },
  { zone: 'Berlin', offset: 60, hour: '2026-02-28T23:00Z', day: '2026-02-28T23:00Z' },
  { zone: 'New York', offset: -300, hour: '2026-03-01T04:00Z', day: '2026-02-28T05:00Z' },
  { zone: 'Mumbai, snapped to the hour', offset: 330, hour: '2026-02-28T18:00Z', day: '2026-02-28T18:00Z' },
])('a day in $zone begins at its own midnight', ({ offset, hour, day }) => {
  expect(startOfLocalDay(Date.parse(hour) / 1000, offset)).toBe(Date.parse(day) / 1000)
})
