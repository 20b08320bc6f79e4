import { expect, test } from 'vitest'
import { compareKeys, sortKeyOf } from './sort-key.ts'

test.each([
  [
    ['$1,200', '−$5', '<$1', '$20', '–'],
    ['−$5', '<$1', '$20', '$1,200', '–'],
  ],
  [
    ['2 GiB', '512 MiB', '1.5 GiB'],
    ['512 MiB', '1.5 GiB', '2 GiB'],
  ],
  [
    ['3 d ago', '5 min ago', '2 h ago'],
    ['5 min ago', '2 h ago', '3 d ago'],
  ],
  [
    ['4 Nov 2026', '30 Oct 2026', '1 Jan 2027'],
    ['30 Oct 2026', '4 Nov 2026', '1 Jan 2027'],
  ],
  [
    ['+12.5 %', '−2.0 %', '+3.7 %'],
    ['−2.0 %', '+3.7 %', '+12.5 %'],
  ],
  [
    ['3d-render', '2048-game', '10.0.3.7', '10.0.3.10'],
    ['3d-render', '10.0.3.7', '10.0.3.10', '2048-game'],
  ],
  [
    ['$1.2k', '$900/month', '750m', '12 pods'],
    ['750m', '12 pods', '$900/month', '$1.2k'],
  ],
  [
    ['node-10', 'Node-2', '', 'cart'],
    ['cart', 'Node-2', 'node-10', ''],
  ],
])('%j is sorted by value', (cells, expected) => {
  expect([...cells].sort((a, b) => compareKeys(sortKeyOf(a), sortKeyOf(b), false))).toEqual(expected)
})

test('unknown values are last in both directions', () => {
  expect(['–', '$5', '$9'].sort((a, b) => compareKeys(sortKeyOf(a), sortKeyOf(b), true))).toEqual(['$9', '$5', '–'])
})

test('a day without a year is in the past year', () => {
  const now = new Date('2026-02-01T00:00:00Z')
  const days = ['3 Jan', '28 Dec', '16 Jan'].sort((a, b) => compareKeys(sortKeyOf(a, now), sortKeyOf(b, now), false))
  expect(days).toEqual(['28 Dec', '3 Jan', '16 Jan'])
})
