import { expect, test } from 'vitest'
import { placeOf } from './cursor.ts'

const rows = ['a', 'b', 'c'].map((id) => ({ id }))

test('the cursor stays on its row when the row moves', () => {
  expect(placeOf(rows, { id: 'c', place: 0 })).toBe(2)
})

test('if its row left the list, the cursor is on the row in its place', () => {
  expect(placeOf(rows, { id: 'gone', place: 1 })).toBe(1)
  expect(placeOf(rows, { id: 'gone', place: 9 })).toBe(2)
  expect(placeOf([], { id: 'gone', place: 9 })).toBe(0)
})

test('the cursor starts at the top', () => {
  expect(placeOf(rows, { id: undefined, place: 0 })).toBe(0)
})
