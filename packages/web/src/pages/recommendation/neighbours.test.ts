import { expect, test } from 'vitest'
import { missingWords, neighboursOf } from './neighbours.ts'

test('a list is walked in its order, and ends where it ends', () => {
  const ids = ['a', 'b', 'c']
  expect(neighboursOf(ids, 'b')).toEqual({ of: 'b', previous: 'a', next: 'c' })
  expect(neighboursOf(ids, 'a')).toEqual({ of: 'a', previous: undefined, next: 'b' })
  expect(neighboursOf(ids, 'c')).toEqual({ of: 'c', previous: 'b', next: undefined })
})

test('what is in no list has no neighbours', () => expect(neighboursOf(['a'], 'b')).toBeUndefined())

test('why it has none is said: it has left the list, or nobody looked further', () => {
  expect(missingWords(12, false)).toBe('No longer in the list')
  expect(missingWords(3000, true)).toBe('Not among the first 3,000 of the list')
})
