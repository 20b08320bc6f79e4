import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  addedUp,
  addedUpChanges,
  addedUpGroups,
  addedUpTable,
  change,
  dollars,
  exactDollars,
  rateDollars,
  shortDollars,
  sumDollars,
} from './money.ts'

test.each([
  [44_438.4, '$44,438'],
  [-168.2, '−$168'],
  [0, '$0'],
  [0.001, '$0'],
  [-0.001, '$0'],
  [3.456, '$3.46'],
])('%d reads %s', (value, text) => expect(dollars(value)).toBe(text))

test('a change has a sign, unless it rounds to zero', () => {
  expect([change(12), change(-12), change(0.001)]).toEqual(['+$12', '−$12', '$0'])
})

test('receipts show cents and axes show thousands', () => {
  expect(exactDollars(308.4)).toBe('$308.40')
  expect([shortDollars(44_000), shortDollars(1500), shortDollars(80)]).toEqual(['$44k', '$1.5k', '$80'])
})

test('hourly prices of a column have the same number of decimals', () => {
  expect([0.343875, 0.4935, 0.856].map(rateDollars)).toEqual(['$0.3439', '$0.4935', '$0.8560'])
  expect([0.004055, 0.0041].map(rateDollars)).toEqual(['$0.004055', '$0.004100'])
})

test('amounts of a line add up to the shown total, in one resolution', () => {
  expect(addedUp([2256.5, 2559.4, 5.4])).toEqual({ parts: ['$2,257', '$2,559', '$5'], total: '$4,821' })
  expect(addedUp([0.105, 1.004, 0])).toEqual({ parts: ['$0.11', '$1.00', '$0'], total: '$1.11' })
  expect(addedUp([2000, 0.2])).toEqual({ parts: ['$2,000', '<$1'], total: '$2,000' })
})

test('an amount looks the same alone, in a receipt and as a sum of its parts', () => {
  // The API rounds each part and the total to six decimals, so the parts miss the total by a few millionths.
  const parts = [17.104999, 17.105, 17.105]
  expect([addedUp(parts).total, sumDollars(51.315), exactDollars(51.315)]).toEqual(['$51.32', '$51.32', '$51.32'])
  expect([addedUp([-51.315]).total, exactDollars(-51.315)]).toEqual(['−$51.32', '−$51.32'])
})

test('changes have their sign', () => {
  expect(addedUpChanges([-1277.4, 53.2, 0])).toEqual({ parts: ['−$1,277', '+$53', '$0'], total: '−$1,224' })
})

/** The shown amount as a number. "Less than a dollar" counts as 0. */
const read = (text: string) => (text === '<$1' ? 0 : Number(text.replace('−', '-').replaceAll(/[$,+]/g, '')))
const readSum = (texts: readonly string[]) => Math.round(100 * texts.reduce((sum, text) => sum + read(text), 0))
const cents = (text: string) => Math.round(100 * read(text))
const amount = fc.integer({ min: -100_000_000, max: 100_000_000 }).map((millionths) => millionths / 10_000)

test('shown parts add up to the shown total, whatever they are', () => {
  fc.assert(
    fc.property(fc.array(amount, { minLength: 1, maxLength: 20 }), (exact) => {
      for (const { parts, total } of [addedUp(exact), addedUpChanges(exact)]) expect(readSum(parts)).toBe(cents(total))
    }),
  )
})

test('shown cells add up across and down, whatever they are', () => {
  const cost = fc.oneof(fc.constant(0), amount.map(Math.abs))
  fc.assert(
    fc.property(fc.array(fc.tuple(cost, cost, cost, cost), { minLength: 1, maxLength: 30 }), (exact) => {
      const { cells, rows, columns, total } = addedUpTable(exact)
      expect(readSum(rows)).toBe(cents(total))
      expect(readSum(columns)).toBe(cents(total))
      cells.forEach((row, at) => expect(readSum(row)).toBe(cents(rows[at] ?? '')))
      columns.forEach((column, of) => expect(readSum(cells.map((row) => row[of] ?? ''))).toBe(cents(column)))
      expect(cents(sumDollars(exact.flat().reduce((sum, each) => sum + each, 0)))).toBe(cents(total))
    }),
  )
})

test('nodes add up to their pools, and pools to the total, with one rounding', () => {
  const { groups, items, sumOf } = addedUpGroups([[1000.5, 998.5], [143.5], [256.5]])
  const dollarsIn = (text: string | undefined) => Number(text?.replaceAll(/[$,]/g, ''))
  groups.forEach((group, at) => {
    expect(items[at]?.reduce((sum, item) => sum + dollarsIn(item), 0)).toBe(dollarsIn(group))
  })
  expect(dollarsIn(sumOf([0, 1])) + dollarsIn(groups[2])).toBe(dollarsIn(sumOf([0, 1, 2])))
  expect(items[1]).toEqual([groups[1]])
})

test('a row with a given total has that total, and the table still adds up', () => {
  const { rows, columns, total } = addedUpTable(
    [
      [600.4, 500.3],
      [0, 1076.5],
    ],
    { row: 1, units: 1076 },
  )
  expect({ rows, columns, total }).toEqual({ rows: ['$1,101', '$1,076'], columns: ['$600', '$1,577'], total: '$2,177' })
})
