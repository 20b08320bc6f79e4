import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CountTable } from './count-table.ts'

test('counts added values in key order, at any size', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(2 ** 27), fc.integer({ min: 1, max: 60 })), { maxLength: 3000 }), (added) => {
      const table = new CountTable()
      const expected = new Map<number, number>()
      for (const [key, count] of added) {
        table.add(key, count)
        expected.set(key, (expected.get(key) ?? 0) + count)
      }
      const found: [number, number][] = []
      table.forEach((key, count) => found.push([key, count]))
      expect(found).toEqual([...expected].sort(([a], [b]) => a - b))
      expect(table.size).toBe(expected.size)
    }),
    { numRuns: 20 },
  )
})
