import { expect, test } from 'vitest'
import { parsePercent, parsePrice } from './parse-price.ts'

test.each([
  ['0.096', 'nodeHour', 'ok'],
  ['0', 'nodeHour', 'ok'],
  [0.1, 'storageGibMonth', 'ok'],
  ['-0.01', 'nodeHour', 'negative'],
  ['10001', 'nodeHour', 'absurd'],
  ['380000000', 'gibHour', 'absurd'],
  ['free', 'nodeHour', 'not-a-number'],
  [NaN, 'nodeHour', 'not-a-number'],
  [Infinity, 'nodeHour', 'not-a-number'],
] as const)('a price of %s per %s is %s', (input, unit, outcome) => {
  const parsed = parsePrice(input, unit)
  expect(parsed.kind === 'ok' ? 'ok' : parsed.reason).toBe(outcome)
})

test.each([
  ['12.5', 'ok'],
  ['100', 'ok'],
  ['100.1', 'absurd'],
  ['-5', 'negative'],
  ['half', 'not-a-number'],
])('a discount of %s percent is %s', (input, outcome) => {
  const parsed = parsePercent(input)
  expect(parsed.kind === 'ok' ? 'ok' : parsed.reason).toBe(outcome)
})
