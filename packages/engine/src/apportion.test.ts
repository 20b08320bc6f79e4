import fc from 'fast-check'
import { expect, test } from 'vitest'
import { apportion } from './apportion.ts'

const weighted = fc.uniqueArray(
  fc.record({ key: fc.string({ minLength: 1, maxLength: 4 }), weight: fc.bigInt({ min: 0n, max: 10n ** 30n }) }),
  { minLength: 1, maxLength: 12, selector: ({ key }) => key },
)

test('ten among three with equal weights gives four to the first by name', () => {
  const among = ['b', 'c', 'a'].map((key) => ({ key, weight: 1n }))
  expect(Object.fromEntries(apportion(10n, among))).toEqual({ a: 4n, b: 3n, c: 3n })
})

test('the rest goes to the largest remainder: 3⅓ and 6⅔ become three and seven', () => {
  const among = [
    { key: 'a', weight: 1n },
    { key: 'b', weight: 2n },
  ]
  expect(Object.fromEntries(apportion(10n, among))).toEqual({ a: 3n, b: 7n })
})

test('without weights the parts are even', () => {
  const among = ['a', 'b'].map((key) => ({ key, weight: 0n }))
  expect(Object.fromEntries(apportion(10n, among))).toEqual({ a: 5n, b: 5n })
})

test('without receivers the result is empty', () => {
  expect(apportion(10n, []).size).toBe(0)
})

test('the parts add up to the whole, and their order does not matter', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 30n }), weighted, (whole, among) => {
      const parts = apportion(whole, among)
      expect([...parts.values()].reduce((sum, part) => sum + part, 0n)).toBe(whole)
      expect(new Map(apportion(whole, among.toReversed()))).toEqual(parts)
    }),
  )
})
