import { expect, test } from 'vitest'
import { joinWords, placeJoinLabels } from './join-labels.ts'

const bounds = { left: 52, right: 700 }

const placesOf = (xs: readonly number[]) =>
  placeJoinLabels(
    xs.map((x) => ({ x, words: 'kontor: first data' })),
    bounds,
  ).map(({ side, edge, line }) => [side, edge, line])

test('up to two clusters are named, more are counted', () => {
  expect(joinWords(['kontor'])).toBe('kontor: first data')
  expect(joinWords(['kontor', 'office'])).toBe('kontor and office: first data')
  expect(joinWords(['a', 'b', 'c'])).toBe('3 clusters: first data')
})

test('a label is before its line at the top, and after it at the bottom where the chart begins', () => {
  expect(placesOf([60, 400])).toEqual([
    ['behind', 'foot', 0],
    ['before', 'top', 0],
  ])
})

test('a label does not overlap the rise of the previous join', () => {
  expect(placesOf([400, 430])).toEqual([
    ['before', 'top', 0],
    ['behind', 'foot', 0],
  ])
})

test('a label at the end of the chart stays inside, and overlapping labels get separate lines', () => {
  expect(placesOf([640, 670, 690])).toEqual([
    ['before', 'top', 0],
    ['before', 'foot', 0],
    ['before', 'foot', 1],
  ])
})
