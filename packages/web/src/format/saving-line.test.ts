import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lineFormula, sourceWords } from './saving-line.ts'

const aNode = {
  what: '2 nodes of m5.xlarge',
  quantity: 2,
  unit: 'node',
  usd_per_unit: 0.23,
  per: 'hour' as const,
  hours: 730,
  source: 'sky-aws;infracost',
  as_of: '2026-08-22',
  estimated: false,
  usd_per_month: 335.8,
}

test('an hourly price is shown with the hours of a month', () => {
  expect(lineFormula(aNode)).toBe('2 nodes × $0.2300/h × 730 h')
})

test('a new cost is negative, and a monthly price has no hours', () => {
  const gib = {
    ...aNode,
    ...{
      quantity: -100.5,
      unit: 'GiB',
      usd_per_unit: 0.0952,
      per: 'month' as const,
      hours: null,
      usd_per_month: -9.5676,
    },
  }
  expect(lineFormula(gib)).toBe('−100.5 GiB × $0.0952/month')
})

test('the shown factors of a line multiply to its amount', () => {
  const cores = { ...aNode, unit: 'core', per: 'month' as const, hours: null }
  expect(lineFormula({ ...cores, quantity: 4, usd_per_unit: 21.8852, usd_per_month: 87.5408 })).toBe(
    '4 vCPU × $21.885/month',
  )
  fc.assert(
    fc.property(
      fc.double({ min: 0.001, max: 5000, noNaN: true }),
      fc.double({ min: 0.0001, max: 900, noNaN: true }),
      (quantity, price) => {
        const usd = (Math.round(quantity * 1e4) / 1e4) * price
        const text = lineFormula({
          ...cores,
          quantity: Math.round(quantity * 1e4) / 1e4,
          usd_per_unit: price,
          usd_per_month: usd,
        })
        const [many = 0, of = 0] = text.replaceAll(/[,$]/g, '').split(' × ').map(Number.parseFloat)
        // The quantity has six digits and the price has eight, so large amounts may differ by some cents.
        expect(Math.abs(many * of - usd)).toBeLessThan(0.01 + usd * 1e-5)
      },
    ),
  )
})

test('a line without a price has no formula', () => {
  expect(lineFormula({ ...aNode, quantity: null, usd_per_unit: null })).toBe('')
})

test('a list price is shown with its date, and a line without a source has no text', () => {
  expect(sourceWords(aNode)).toBe('list price, as of 22 Aug 2026')
  expect(sourceWords({ ...aNode, estimated: true })).toBe('as of 22 Aug 2026')
  expect(sourceWords({ source: null, as_of: null, estimated: true })).toBe('')
})
