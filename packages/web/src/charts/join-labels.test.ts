import { expect, test } from 'vitest'
import { joinWords, placeJoinLabels } from './join-labels.ts'

const room = { left: 52, right: 700 }

const placesOf = (xs: readonly number[]) =>
  placeJoinLabels(
    xs.map((x) => ({ x, words: 'kontor joined' })),
    room,
  ).map(({ side, edge, line }) => [side, edge, line])

test('one or two are named, more are counted', () => {
  expect(joinWords(['kontor'])).toBe('kontor joined')
  expect(joinWords(['kontor', 'office'])).toBe('kontor and office joined')
  expect(joinWords(['a', 'b', 'c'])).toBe('3 clusters joined')
})

test('words stand before their line at the top, and behind it at the foot where the chart begins', () => {
  expect(placesOf([60, 400])).toEqual([
    ['behind', 'foot', 0],
    ['before', 'top', 0],
  ])
})

test('words do not lie on the rise of the join before', () => {
  expect(placesOf([400, 430])).toEqual([
    ['before', 'top', 0],
    ['behind', 'foot', 0],
  ])
})

test('words at the end of the chart stay in it, and those that would lie on each other have lines of their own', () => {
  expect(placesOf([640, 670, 690])).toEqual([
    ['before', 'top', 0],
    ['before', 'foot', 0],
    ['before', 'foot', 1],
  ])
})
