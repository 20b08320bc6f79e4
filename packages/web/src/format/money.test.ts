import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addedUp, change, dollars, exactDollars, rateDollars, roundTogether, shortDollars } from './money.ts'

test.each([
  [44_438.4, '$44,438'],
  [-168.2, '−$168'],
  [0, '$0'],
  [0.001, '$0'],
  [-0.001, '$0'],
  [3.456, '$3.46'],
])('%d reads %s', (value, text) => expect(dollars(value)).toBe(text))

test('a change carries its sign, and none when there is nothing to see', () => {
  expect([change(12), change(-12), change(0.001)]).toEqual(['+$12', '−$12', '$0'])
})

test('receipts have cents and axes have thousands', () => {
  expect(exactDollars(308.4)).toBe('$308.40')
  expect([shortDollars(44_000), shortDollars(1500), shortDollars(80)]).toEqual(['$44k', '$1.5k', '$80'])
})

test('prices of an hour have as many digits in each row of a column', () => {
  expect([0.343875, 0.4935, 0.856].map(rateDollars)).toEqual(['$0.3439', '$0.4935', '$0.8560'])
  expect([0.004055, 0.0041].map(rateDollars)).toEqual(['$0.004055', '$0.004100'])
})

test('shown parts add up to the shown total, whatever they are', () => {
  expect(roundTogether([1.4, 1.4, 1.4])).toEqual([2, 1, 1])
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 1e6, noNaN: true }), { minLength: 1, maxLength: 20 }), (parts) => {
      const rounded = roundTogether(parts)
      expect(rounded.reduce((sum, part) => sum + part, 0)).toBe(Math.round(parts.reduce((sum, part) => sum + part, 0)))
      rounded.forEach((part, index) => expect(Math.abs(part - (parts[index] ?? 0))).toBeLessThanOrEqual(1))
    }),
  )
})

test('the amounts of a line of sums add up to its total as they are shown', () => {
  expect(addedUp([2256.5, 2559.4, 5.4])).toEqual({ parts: ['$2,257', '$2,559', '$5'], total: '$4,821' })
  expect(addedUp([0.105, 1.004, 0])).toEqual({ parts: ['$0.11', '$1.00', '$0.00'], total: '$1.11' })
})
