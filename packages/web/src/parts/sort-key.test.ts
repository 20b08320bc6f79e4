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
    ['node-10', 'Node-2', '', 'cart'],
    ['cart', 'Node-2', 'node-10', ''],
  ],
])('%j is sorted by value', (cells, expected) => {
  expect([...cells].sort((a, b) => compareKeys(sortKeyOf(a), sortKeyOf(b), false))).toEqual(expected)
})

test('unknown values are last in both directions', () => {
  expect(['–', '$5', '$9'].sort((a, b) => compareKeys(sortKeyOf(a), sortKeyOf(b), true))).toEqual(['$9', '$5', '–'])
})
