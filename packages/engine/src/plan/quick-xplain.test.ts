import fc from 'fast-check'
import { expect, test } from 'vitest'
import { quickXplain } from './quick-xplain.ts'
import { lawRuns } from '../../../../test/rounds.ts'

const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, each) => sum + each, 0)

test('returns the preferred minimal subset: 5 + 3 reach 8, the 4 is not needed', () => {
  expect(quickXplain([5, 3, 4], (some) => sumOf(some) >= 8)).toEqual([5, 3])
})

test('returns an empty set if nothing needs to change, and undefined if no set suffices', () => {
  expect(quickXplain([1, 2], () => true)).toEqual([])
  expect(quickXplain([1, 2], (some) => sumOf(some) > 9)).toBeUndefined()
})

test('no item of the subset can be omitted, even if more items can be worse than fewer', () => {
  const item = fc.record({ frees: fc.integer({ min: -3, max: 9 }) })
  const numbers = fc.array(item, { maxLength: 40 })
  fc.assert(
    fc.property(numbers, fc.integer({ min: 1, max: 30 }), (items, least) => {
      const holds = (some: readonly { frees: number }[]) => sumOf(some.map(({ frees }) => frees)) >= least
      const found = quickXplain(items, holds)
      if (!found) {
        expect(holds(items)).toBe(false)
        return
      }
      expect(holds(found)).toBe(true)
      found.forEach((_item, index) => expect(holds(found.filter((_each, other) => other !== index))).toBe(false))
    }),
    lawRuns(1000),
  )
})
