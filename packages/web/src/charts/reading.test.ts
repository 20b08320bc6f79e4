import { expect, test } from 'vitest'
import { boxAt, nearestPoint, nearestStep, readingText, stepForKey } from './reading.ts'

test('the pointer reads the nearest step', () => {
  const x = (index: number) => 50 + 10 * index
  expect([0, 54, 56, 500].map((position) => nearestStep(position, 5, x))).toEqual([0, 0, 1, 4])
})

test.each([
  ['ArrowLeft', 3, 2],
  ['ArrowLeft', 0, 0],
  ['ArrowRight', 4, 4],
  ['ArrowRight', null, 4],
  ['ArrowDown', 3, 2],
  ['ArrowUp', 3, 4],
  ['PageDown', 3, 0],
  ['Home', 3, 0],
  ['End', 1, 4],
  ['Escape', 1, null],
  ['a', 1, undefined],
])('%s at %s leads to %s', (key, at, expected) => {
  expect(stepForKey(key, at, 5)).toBe(expected)
})

test('a screen reader hears the title and each value', () => {
  const lines = [
    { name: 'shop', value: '$5' },
    { name: 'Total', value: '$9' },
  ]
  expect(readingText({ title: '10 Nov', lines })).toBe('10 Nov: shop $5, Total $9')
})

test('charts without time start at the first value', () => {
  expect(stepForKey('ArrowRight', null, 5, 'first')).toBe(0)
})

test('the pointer reads the nearest dot, and the tile that contains it', () => {
  const dots = [
    { x: 10, y: 10 },
    { x: 10, y: 90 },
  ]
  expect(nearestPoint({ x: 12, y: 80 }, dots)).toBe(1)
  const tiles = [
    { x: 0, y: 0, width: 100, height: 50 },
    { x: 0, y: 50, width: 20, height: 50 },
    { x: 20, y: 50, width: 80, height: 50 },
  ]
  expect(boxAt({ x: 19, y: 60 }, tiles)).toBe(1)
  expect(boxAt({ x: 99, y: 200 }, tiles)).toBe(2)
})
