import { expect, test } from 'vitest'
import { areaPath, decades, linear, linePath, logarithmic, ticks } from './scale.ts'

test('ticks are round and cover the values', () => {
  expect(ticks(40_300, 45_900, 3)).toEqual([40_000, 42_000, 44_000, 46_000])
  expect(ticks(0, 1, 4)).toEqual([0, 0.25, 0.5, 0.75, 1])
  expect(ticks(5, 5, 3)).toEqual([5])
})

test('a domain of a single value starts at the first pixel', () => {
  expect(linear([2, 2], [10, 20])(2)).toBe(10)
  expect(linear([0, 10], [100, 0])(2.5)).toBe(75)
})

test('on a log scale each power of ten has the same height, and no value falls below the axis', () => {
  const y = logarithmic([1, 1000], [300, 0])
  expect([1, 10, 100, 1000].map((value) => Math.round(y(value)))).toEqual([300, 200, 100, 0])
  expect([y(0), y(0.2)]).toEqual([300, 300])
})

test('powers of ten begin below the smallest value and end at the largest', () => {
  expect(decades(4, 1100)).toEqual([1, 10, 100, 1000])
  expect(decades(50, 60)).toEqual([10])
})

const points = [
  { x: 0, y: 9 },
  { x: 5, y: 4.04 },
  { x: 8, y: 1 },
]

test('a line joins its points, in tenths of a pixel', () => {
  expect(linePath(points)).toBe('M0,9L5,4L8,1')
})

test('in steps, a value holds until the next point', () => {
  expect(linePath(points, 'steps')).toBe('M0,9L5,9L5,4L8,4L8,1')
})

test('an unknown value leaves a gap in a line', () => {
  expect(linePath([...points, { x: 9, y: null }, { x: 10, y: 3 }, { x: 11, y: 2 }])).toBe('M0,9L5,4L8,1M10,3L11,2')
})

test('an area follows the upper edge and then the lower edge, and has the gaps of its values', () => {
  const area = [
    { x: 0, top: 2, bottom: 9 },
    { x: 4, top: 3, bottom: 9 },
    { x: 5, top: null, bottom: 9 },
    { x: 6, top: 1, bottom: 8 },
    { x: 7, top: 1, bottom: 9 },
  ]
  expect(areaPath(area)).toBe('M0,2L4,3L4,9L0,9ZM6,1L7,1L7,9L6,8Z')
  expect(areaPath(area.slice(0, 2), 'steps')).toBe('M0,2L4,2L4,3L4,9L4,9L0,9Z')
})
