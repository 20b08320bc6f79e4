import fc from 'fast-check'
import { expect, test } from 'vitest'
import { kibibytes, millicores, parseQuantity, parseQuantityNano, wholes } from './quantity.ts'

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
])('%j is rejected with a reason', (text, reason) => {
  expect(parseQuantityNano(text)).toEqual({ kind: 'invalid', reason, text })
})

test.each([
  ['250m', millicores, 250],
  ['0.1', millicores, 100],
  ['1', millicores, 1000],
  [2, millicores, 2000],
  ['1e-4', millicores, 1],
  ['12345678n', millicores, 13],
  ['128Mi', kibibytes, 131_072],
  ['1.5Gi', kibibytes, 1_572_864],
  ['1025', kibibytes, 2],
  ['1G', kibibytes, 976_563],
  ['128974848', kibibytes, 125_952],
  ['1E', kibibytes, 976_562_500_000_000],
  ['1E3', wholes, 1000],
  ['110', wholes, 110],
  ['-1', wholes, undefined],
  ['16Ei', wholes, undefined],
  ['', wholes, undefined],
  ['lots', wholes, undefined],
  ['.', wholes, undefined],
  [undefined, wholes, undefined],
])('%s in whole units', (text, unit, expected) => {
  expect(parseQuantity(text, unit)).toBe(expected)
})

test('whole units are the billionths, rounded up', () => {
  const suffix = fc.constantFrom('', 'n', 'u', 'm', 'k', 'M', 'G', 'T', 'Ki', 'Mi', 'Gi', 'Ti', 'e3', 'E-2')
  const parts = fc.tuple(fc.nat(10 ** 9), fc.option(fc.nat(10 ** 6), { nil: undefined }), suffix)
  fc.assert(
    fc.property(parts, ([whole, fraction, end]) => {
      const text = `${whole}${fraction === undefined ? '' : `.${fraction}`}${end}`
      const nano = parseQuantityNano(text)
      if (nano.kind !== 'ok') return
      const inUnits = (perUnit: bigint) => {
        const units = Number((nano.value + perUnit - 1n) / perUnit)
        return Number.isSafeInteger(units) ? units : undefined
      }
      expect(parseQuantity(text, kibibytes)).toBe(inUnits(1024n * 1_000_000_000n))
      expect(parseQuantity(text, millicores)).toBe(inUnits(1_000_000n))
    }),
  )
})
