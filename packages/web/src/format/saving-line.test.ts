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

test('what is sold by the hour is shown with its price and the hours of a month', () => {
  expect(lineFormula(aNode)).toBe('2 nodes × $0.2300 /h × 730 h')
})

test('what is paid instead is negative, and what is sold by the month has no hours', () => {
  const gib = { ...aNode, quantity: -100.5, unit: 'GiB', usd_per_unit: 0.0952, per: 'month' as const, hours: null }
  expect(lineFormula(gib)).toBe('−100.5 GiB × $0.0952 /mo')
  expect(lineFormula({ ...gib, quantity: 0.123456, unit: 'core', usd_per_unit: 22.811 })).toBe(
    '0.12346 cores × $22.81 /mo',
  )
})

test('a line without a price has no formula', () => {
  expect(lineFormula({ ...aNode, quantity: null, usd_per_unit: null })).toBe('')
})

test('a source is named with its date, and nothing is said where there is none', () => {
  expect(sourceWords(aNode)).toBe('source sky-aws, infracost, as of 2026-08-22')
  expect(sourceWords({ source: null, as_of: null })).toBe('')
})
