import { expect, test } from 'vitest'
import { areaPath, decades, linear, logarithmic, stepPoints, ticks, unbroken } from './scale.ts'

test('ticks are round and cover the values', () => {
  expect(ticks(40_300, 45_900, 3)).toEqual([40_000, 42_000, 44_000, 46_000])
  expect(ticks(0, 1, 4)).toEqual([0, 0.25, 0.5, 0.75, 1])
  expect(ticks(5, 5, 3)).toEqual([5])
})

test('a value without a range lands at its start', () => {
  expect(linear([2, 2], [10, 20])(2)).toBe(10)
  expect(linear([0, 10], [100, 0])(2.5)).toBe(75)
})

test('in tenfold steps each power of ten takes as much room, and nothing falls below the foot', () => {
  const y = logarithmic([1, 1000], [300, 0])
  expect([1, 10, 100, 1000].map(y)).toEqual([300, 200, 100, 0])
  expect([y(0), y(0.2)]).toEqual([300, 300])
})

test('powers of ten begin below the smallest value and end at the largest', () => {
  expect(decades(4, 1100)).toEqual([1, 10, 100, 1000])
  expect(decades(50, 60)).toEqual([10])
})

test('a gap stays a gap', () => {
  expect(unbroken([1, 2, null, null, 3])).toEqual([
    [
      { index: 0, value: 1 },
      { index: 1, value: 2 },
    ],
    [{ index: 4, value: 3 }],
  ])
})

test('an area goes there and back', () => {
  expect(areaPath([[0, 0]], [[0, 5]])).toBe('M0.0 0.0L0.0 5.0Z')
})

test('in steps, a value holds until the next comes', () => {
  const points = [[0, 9], [5, 4], [8, 1]] as const // prettier-ignore
  expect(stepPoints(points)).toEqual([[0, 9], [5, 9], [5, 4], [8, 4], [8, 1]]) // prettier-ignore
})
