import { expect, test } from 'vitest'
import { parseQuantityNano } from './quantity.ts'

test('exa is a suffix, and an exponent when digits follow', () => {
  expect(parseQuantityNano('1E')).toEqual({ kind: 'ok', value: 10n ** 27n })
  expect(parseQuantityNano('1Ei')).toEqual({ kind: 'ok', value: 2n ** 60n * 10n ** 9n })
  expect(parseQuantityNano('1E2')).toEqual({ kind: 'ok', value: 10n ** 11n })
})

test.each([
  ['', 'not-a-quantity'],
  ['.', 'not-a-quantity'],
  ['m', 'not-a-quantity'],
  ['1 Gi', 'not-a-quantity'],
  ['1gi', 'not-a-quantity'],
  ['1KI', 'not-a-quantity'],
  ['1K', 'not-a-quantity'], // kilo is a small letter
  ['NaN', 'not-a-quantity'],
  ['0x10', 'not-a-quantity'],
  ['1e', 'not-a-quantity'],
  ['-1', 'negative'],
  ['99E', 'too-large'],
  ['1e99', 'too-large'],
  ['1'.repeat(65), 'not-a-quantity'],
])('%j is refused with a reason', (text, reason) => {
  expect(parseQuantityNano(text)).toEqual({ kind: 'invalid', reason, text })
})
