import { expect, test } from 'vitest'
import { joinWords, placeJoinLabels } from './join-labels.ts'

test('one or two are named, more are counted', () => {
  expect(joinWords(['kontor'])).toBe('kontor joins')
  expect(joinWords(['kontor', 'office'])).toBe('kontor and office join')
  expect(joinWords(['a', 'b', 'c'])).toBe('3 clusters join')
})

test('words stand before their line, and behind it where the chart begins', () => {
  const labels = placeJoinLabels(
    [
      { x: 60, words: 'kontor joins' },
      { x: 400, words: 'office joins' },
    ],
    52,
  )
  expect(labels.map(({ side, line }) => [side, line])).toEqual([
    ['behind', 0],
    ['before', 0],
  ])
})

test('words that would lie on each other have lines of their own', () => {
  const joins = [400, 430, 600].map((x) => ({ x, words: 'kontor joins' }))
  expect(placeJoinLabels(joins, 52).map(({ line }) => line)).toEqual([0, 1, 0])
})
