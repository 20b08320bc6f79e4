import { expect, test } from 'vitest'
import { nearestStep, readingText, stepForKey } from './reading.ts'

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
