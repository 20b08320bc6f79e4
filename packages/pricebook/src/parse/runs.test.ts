import fc from 'fast-check'
import { expect, test } from 'vitest'
import { packRuns, unpackRuns } from './runs.ts'

test('equal neighbours are stored once', () => {
  expect(packRuns([7, 7, 7, 0, 5, 0, 0])).toEqual([7, -2, 0, 5, 0, -1])
})

test('packed values unpack to the same values', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 3 })), (values) => {
      const into = new Float64Array(values.length)
      expect(unpackRuns(packRuns(values), 3, into)).toBe(true)
      expect([...into]).toEqual(values)
    }),
  )
})

test.each([
  ['too few', [1, 2]],
  ['too many', [1, 2, 3, 4]],
  ['a run past the end', [1, -3]],
  ['a run of nothing', [-1, 1, 1]],
  ['too high', [1, 2, 11]],
  ['fractions', [1, 2, 0.5]],
  ['text', [1, 2, '3']],
  ['nulls', [1, 2, null]],
  ['no list', { length: 3 }],
])('%s are not three numbers up to ten', (_, packed) => {
  expect(unpackRuns(packed, 10, new Uint8Array(3))).toBe(false)
})
