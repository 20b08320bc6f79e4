import { expect, test } from 'vitest'
import { missingWords, neighboursOf } from './neighbours.ts'

test('stepping follows the order of the list and stops at its ends', () => {
  const ids = ['a', 'b', 'c']
  expect(neighboursOf(ids, 'b')).toEqual({ of: 'b', previous: 'a', next: 'c' })
  expect(neighboursOf(ids, 'a')).toEqual({ of: 'a', previous: undefined, next: 'b' })
  expect(neighboursOf(ids, 'c')).toEqual({ of: 'c', previous: 'b', next: undefined })
})

test('a recommendation outside the list has no neighbours', () => expect(neighboursOf(['a'], 'b')).toBeUndefined())

test('the reason for missing neighbours is shown: it left the list, or the search stopped', () => {
  expect(missingWords(12, false)).toBe('No longer in the list')
  expect(missingWords(3000, true)).toBe('Not in the first 3,000 recommendations of the list')
})
