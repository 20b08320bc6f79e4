import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decimal, divideRounded, formatDecimal, ONE, parseDecimal, roundDecimal, roundToNumber } from './decimal.ts'

test.each(['0', '1', '0.096', '-10', '123456.000000000000000000000001'])('%s keeps every digit', (text) => {
  expect(formatDecimal(decimal(text))).toBe(text)
})

test('a printed number parses', () => {
  expect(parseDecimal(String(1e-7))).toEqual({ kind: 'ok', value: ONE / 10_000_000n })
  expect(parseDecimal(String(1.5e21))).toEqual({ kind: 'ok', value: 15n * 10n ** 20n * ONE })
})

test.each([
  ['', 'not-a-number'],
  ['1,5', 'not-a-number'],
  ['NaN', 'not-a-number'],
  ['Infinity', 'not-a-number'],
  ['.5', 'not-a-number'],
  ['1e-25', 'too-precise'],
  ['1e30', 'too-large'],
])('%j is rejected with a reason', (text, reason) => {
  expect(parseDecimal(text)).toEqual({ kind: 'invalid', reason, text })
})

test('formatting rounds half away from zero, as PostgreSQL does', () => {
  expect(roundDecimal(decimal('0.0000005'))).toBe('0.000001')
  expect(roundDecimal(decimal('-0.0000005'))).toBe('-0.000001')
  expect(roundDecimal(decimal('0.00000049999'))).toBe('0.000000')
  expect(roundDecimal(decimal('2.5'), 0)).toBe('3')
  expect(roundToNumber(decimal('15.1234567'))).toBe(15.123457)
})

test('rounding is never off by more than half a unit', () => {
  fc.assert(
    fc.property(fc.bigInt(), fc.bigInt({ min: 1n }), (dividend, divisor) => {
      const error = 2n * (divideRounded(dividend, divisor) * divisor - dividend)
      expect(error <= divisor && error >= -divisor).toBe(true)
    }),
  )
})

test('an invalid constant throws', () => {
  expect(() => decimal('a lot')).toThrow("'a lot' is not a decimal")
})
