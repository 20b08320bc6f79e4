import fc from 'fast-check'
import { expect, test } from 'vitest'
import { roundTable, roundTogether } from './round.ts'

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

/** Of thousandths, without the noise of a binary sum. Halves are rounded away from zero. */
function rounded(value: number): number {
  const thousandths = Math.round(Math.abs(value) * 1000)
  return Math.sign(value) * Math.floor((thousandths + 500) / 1000) + 0
}

/** Thousandths, so that the sums of the test are exact enough to be rounded. */
const amount = fc.integer({ min: -5_000_000, max: 50_000_000 }).map((thousandths) => thousandths / 1000)

test('parts add up to the rounded total, and each is off by less than one', () => {
  fc.assert(
    fc.property(fc.array(amount, { maxLength: 40 }), (parts) => {
      const shown = roundTogether(parts)
      expect(sum(shown)).toBe(rounded(sum(parts)))
      for (const [index, part] of parts.entries()) expect(Math.abs((shown[index] ?? 0) - part)).toBeLessThan(1)
    }),
  )
})

test('a sum with the noise of binary fractions is rounded like the exact sum', () => {
  // In cents: the parts make 5131.49999, the exact total is 5131.5.
  expect(sum(roundTogether([1710.49999, 1710.5, 1710.5]))).toBe(sum(roundTogether([5131.5])))
  expect(sum(roundTogether([0.1, 0.2, 0.2]))).toBe(1)
})

test('the missing unit goes to the part that lost most', () => {
  expect(roundTogether([1.2, 3.4, 5.4])).toEqual([1, 3, 6])
  expect(roundTogether([0.5, 0.5])).toEqual([1, 0])
})

const table = fc.integer({ min: 1, max: 6 }).chain((width) =>
  fc.array(fc.array(fc.oneof(fc.constant(0), amount), { minLength: width, maxLength: width }), {
    minLength: 1,
    maxLength: 30,
  }),
)

test('a table adds up across and down, its totals add up to the rounded sum, and each cell is off by less than two', () => {
  fc.assert(
    fc.property(table, (exact) => {
      const { cells, rows, columns, total } = roundTable(exact)
      expect(total).toBe(rounded(sum(exact.map(sum))))
      expect([sum(rows), sum(columns)]).toEqual([total, total])
      expect(cells.map(sum)).toEqual(rows)
      for (const [index, column] of columns.entries()) expect(sum(cells.map((row) => row[index] ?? 0))).toBe(column)
      exact.forEach((row, at) =>
        row.forEach((value, of) => expect(Math.abs((cells[at]?.[of] ?? 0) - value)).toBeLessThan(2)),
      )
    }),
  )
})

test('an empty table has no sum', () => {
  expect(roundTable([])).toEqual({ cells: [], rows: [], columns: [], total: 0 })
})
