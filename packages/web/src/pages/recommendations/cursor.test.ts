import { expect, test } from 'vitest'
import { placeOf } from './cursor.ts'

const rows = ['a', 'b', 'c'].map((id) => ({ id }))

test('the cursor stays on its row, wherever that is now', () => {
  expect(placeOf(rows, { id: 'c', place: 0 })).toBe(2)
})

test('where its row has left the list, it is on the one in its place', () => {
  expect(placeOf(rows, { id: 'gone', place: 1 })).toBe(1)
  expect(placeOf(rows, { id: 'gone', place: 9 })).toBe(2)
  expect(placeOf([], { id: 'gone', place: 9 })).toBe(0)
})

test('before anybody has moved it, it is at the top', () => {
  expect(placeOf(rows, { id: undefined, place: 0 })).toBe(0)
})
