import { expect, test } from 'vitest'
import { amounts } from '../allocation/builders.ts'
import { decimal } from '../decimal.ts'
import { decideNodePrice, type NodePriceFacts } from './decide-node-price.ts'
import { nodeRates } from './node-rates.ts'

const reference = { cpu: decimal('0.03'), memory: decimal('0.004') }

function facts(some: Partial<NodePriceFacts> = {}): NodePriceFacts {
  return { capacity: amounts({ cores: 2, gib: 8 }), capacityType: 'on-demand', os: 'linux', ...some }
}

const book = { onDemandUsdPerHour: decimal('0.096'), spotUsdPerHour: decimal('0.035') }

test.each([
  {
    name: 'is in the price list',
    some: { book },
    expected: { usdPerHour: decimal('0.096'), source: 'book', estimated: false },
  },
  { name: 'is spot', some: { book, capacityType: 'spot' as const }, expected: { usdPerHour: decimal('0.035') } },
  {
    name: 'has an override, which applies as it is',
    some: { book, overrideUsdPerHour: decimal('0.05'), discountPercent: decimal('50') },
    expected: { usdPerHour: decimal('0.05'), source: 'override' },
  },
  { name: 'is free because of an override', some: { book, overrideUsdPerHour: 0n }, expected: { usdPerHour: 0n } },
  {
    name: 'is discounted by 12.5 %',
    some: { book, discountPercent: decimal('12.5') },
    expected: { usdPerHour: decimal('0.084') },
  },
  {
    name: 'runs in EKS Auto Mode, whose surcharge has no discount',
    some: { book, discountPercent: decimal('50'), surchargeUsdPerHour: decimal('0.01152') },
    expected: { usdPerHour: decimal('0.05952') },
  },
  {
    name: 'is not in the price list',
    some: { fallback: reference },
    expected: { usdPerHour: decimal('0.092'), source: 'fallback', estimated: true },
  },
])('a node that $name', ({ some, expected }) => {
  expect(decideNodePrice(facts(some))).toMatchObject({ kind: 'priced', ...expected })
})

test.each([
  { name: 'is unknown everywhere', some: {}, reason: 'not-in-book' },
  {
    name: 'runs Windows without a Windows price',
    some: { os: 'windows' as const, fallback: reference },
    reason: 'no-windows-price',
  },
  {
    name: 'has a GPU that the fallback rates do not contain',
    some: { capacity: amounts({ cores: 2, gib: 8, gpus: 1 }), fallback: reference },
    reason: 'no-reference-rate',
  },
])('a node that $name is not priced and not 0', ({ some, reason }) => {
  expect(decideNodePrice(facts(some))).toEqual({ kind: 'unpriced', reason })
  expect(nodeRates(facts(some), reference).rates.memory).toEqual({ kind: 'unpriced', reason })
})

test('an estimated node has estimated rates', () => {
  const { price, rates } = nodeRates(facts({ fallback: reference }), reference)
  expect(price).toMatchObject({ source: 'fallback' })
  expect(rates.cpu).toMatchObject({ kind: 'priced', estimated: true })
})
