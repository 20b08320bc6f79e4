import { parseQuantityNano } from '@plimsoll/engine'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { kibibytes, millicores, parseQuantity, tenthsOfMillicores, wholes } from './quantity.ts'

test.each([
  ['250m', millicores, 250],
  ['0.1', millicores, 100],
  ['1', millicores, 1000],
  [2, millicores, 2000],
  ['1e-4', millicores, 1],
  ['12345678n', tenthsOfMillicores, 124],
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
])('%s', (text, unit, expected) => {
  expect(parseQuantity(text, unit)).toBe(expected)
})

test('every quantity is what the engine takes it for, rounded up', () => {
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
