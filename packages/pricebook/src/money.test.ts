import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatUsd, parseNanoUsd } from './money.ts'

test.each([
  ['0.096', 96_000_000, '0.096'],
  ['0.10', 100_000_000, '0.1'],
  ['0.0000548', 54_800, '0.0000548'],
  ['360.98695', 360_986_950_000, '360.98695'],
  ['0', 0, '0'],
  ['999999.999999999', 999_999_999_999_999, '999999.999999999'],
])('%s dollars are stored exactly', (text, nanoUsd, shown) => {
  expect(parseNanoUsd(text)).toBe(nanoUsd)
  expect(formatUsd(nanoUsd)).toBe(shown)
})

test.each(['-0.1', '+1', '1e3', '.5', '1.', '', ' 1', 'NaN', '0,096', '$1', '1000000', '0.0000000001', 'Infinity'])(
  "'%s' is rejected",
  (text) => {
    expect(() => parseNanoUsd(text)).toThrow(RangeError)
  },
)

test.each([-1, 0.5, NaN, Infinity])('%s cannot be formatted', (nanoUsd) => {
  expect(() => formatUsd(nanoUsd)).toThrow(RangeError)
})

test('every formatted amount parses to itself', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 999_999_999_999_999 }), (nano) => parseNanoUsd(formatUsd(nano)) === nano),
  )
})
