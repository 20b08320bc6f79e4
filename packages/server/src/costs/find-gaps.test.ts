import { expect, test } from 'vitest'
import { findGaps } from './find-gaps.ts'

const hour = (number: number) => new Date(number * 3_600_000)
const gaps = (written: number[], from: number, to: number) =>
  findGaps(written.map(hour), { from: hour(from), to: hour(to) }).map((gap) => [
    gap.from.getTime() / 3_600_000,
    gap.to.getTime() / 3_600_000,
    gap.hours,
  ])

test.each([
  { name: 'nothing is missing', written: [5, 6, 7], expected: [] },
  { name: 'the middle is missing', written: [5, 7], expected: [[6, 7, 1]] },
  { name: 'the start is missing', written: [7], expected: [[5, 7, 2]] },
  { name: 'the end is missing', written: [5], expected: [[6, 8, 2]] },
  { name: 'everything is missing', written: [], expected: [[5, 8, 3]] },
])('where $name', ({ written, expected }) => {
  expect(gaps(written, 5, 8)).toEqual(expected)
})

test('several gaps, the newest first', () => {
  expect(gaps([0, 1, 4, 6], 0, 8)).toEqual([
    [7, 8, 1],
    [5, 6, 1],
    [2, 4, 2],
  ])
})

test('an empty window has no gaps', () => {
  expect(gaps([], 5, 5)).toEqual([])
})
