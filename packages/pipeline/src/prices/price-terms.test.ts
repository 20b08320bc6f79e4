import { decimal } from '@plimsoll/engine'
import type { NodeQuery } from '@plimsoll/pricebook'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  termsInForce,
  type CustomRatesTerm,
  type DiscountTerm,
  type NodePriceTerm,
  type OverrideTerm,
} from './price-terms.ts'

const hour = (number: number) => new Date(number * 3_600_000)
const books = [
  { version: 'old', asOf: '2026-01-01', effectiveFrom: hour(0) },
  { version: 'new', asOf: '2026-02-01', effectiveFrom: hour(100) },
]

const query: NodeQuery = {
  provider: 'aws',
  region: 'eu-central-1',
  instanceType: 'm5.xlarge',
  capacityType: 'on-demand',
  os: 'linux',
}

const term = { clusterId: null, effectiveFrom: hour(10), effectiveUntil: null, position: 1 }
const anywhere = { provider: null, region: null, capacityType: null, os: 'linux' as const }

const aPrice = (some: Partial<NodePriceTerm> = {}): NodePriceTerm => ({
  id: 'price',
  kind: 'node_price',
  ...term,
  ...anywhere,
  instanceType: 'm5.xlarge',
  usdPerHour: decimal('0.1'),
  ...some,
})
const aDiscount = (some: Partial<DiscountTerm> = {}): DiscountTerm => ({
  id: 'discount',
  kind: 'discount',
  ...term,
  provider: 'aws',
  percent: decimal('10'),
  ...some,
})
const someRates = (some: Partial<CustomRatesTerm> = {}): CustomRatesTerm => ({
  id: 'rates',
  kind: 'custom_rates',
  ...term,
  clusterId: 'cls_1',
  cpu: decimal('20'),
  ...some,
})

const inForce = (overrides: OverrideTerm[], at = 50, node = query) => termsInForce({ books, overrides }, hour(at), node)

test('an hour uses the price list of its time, and earlier hours use the first one', () => {
  expect([inForce([], 99), inForce([], 100)].map(({ key }) => key)).toEqual(['old', 'new'])
  expect(termsInForce({ books: books.slice(1), overrides: [] }, hour(1), query).key).toBe('new')
})

test('an override applies from its first hour until before its last', () => {
  const overrides = [aPrice({ effectiveUntil: hour(20) })]
  expect([9, 10, 19, 20].map((at) => inForce(overrides, at).key)).toEqual(['old', 'old price', 'old price', 'old'])
  expect(inForce(overrides, 10).validFrom).toEqual(hour(10))
  expect(inForce([aPrice()], 150)).toMatchObject({ key: 'new price', validFrom: hour(100) })
})

test.each([
  { name: 'another type', some: { instanceType: 'm5.large' } },
  { name: 'another provider', some: { provider: 'gcp' } },
  { name: 'another region', some: { region: 'us-east-1' } },
  { name: 'spot', some: { capacityType: 'spot' as const } },
  { name: 'Windows', some: { os: 'windows' as const } },
])('a price for $name does not apply to this node', ({ some }) => {
  expect(inForce([aPrice(some)]).override).toBeUndefined()
})

test.each([
  { name: 'the type in another case', some: { instanceType: 'M5.XLARGE' } },
  { name: 'the provider by another name', some: { provider: 'Amazon Web Services' } },
  { name: 'the region by another name', some: { region: 'EU (Frankfurt)' } },
])('$name means the same', ({ some }) => {
  expect(inForce([aPrice(some)]).override?.id).toBe('price')
})

test('a node in a local zone has the price of the zone or of its region', () => {
  const node = { ...query, region: 'us-east-1', zone: 'us-east-1-atl-1a' }
  expect(inForce([aPrice({ region: 'us-east-1' })], 50, node).override?.id).toBe('price')
  expect(inForce([aPrice({ region: 'us-east-1-atl-1a' })], 50, node).override?.id).toBe('price')
})

test('a node price overrides rates, and rates override a discount', () => {
  expect(inForce([aDiscount(), someRates(), aPrice()]).override?.id).toBe('price')
  expect(inForce([aDiscount({ clusterId: 'cls_1' }), someRates()]).override?.id).toBe('rates')
})

test('rates for storage alone do not change nodes', () => {
  const { cpu: _cpu, ...storageOnly } = someRates()
  expect(inForce([storageOnly, aDiscount()]).override?.id).toBe('discount')
})

test.each([
  { name: 'cluster before region', winner: { clusterId: 'cls_1' }, loser: { region: 'eu-central-1', provider: 'aws' } },
  { name: 'region before provider', winner: { region: 'eu-central-1' }, loser: { provider: 'aws' } },
  { name: 'provider before capacity type', winner: { provider: 'aws' }, loser: { capacityType: 'on-demand' as const } },
  { name: 'the later start', winner: { effectiveFrom: hour(20) }, loser: { effectiveFrom: hour(10), position: 9 } },
  { name: 'the newest one', winner: { position: 2 }, loser: { position: 1 } },
])('among prices: $name', ({ winner, loser }) => {
  const overrides = [aPrice({ id: 'winner', ...winner }), aPrice({ id: 'loser', ...loser })]
  expect(inForce(overrides).override?.id).toBe('winner')
  expect(inForce(overrides.reverse()).override?.id).toBe('winner')
})

test('the order of reading does not matter', () => {
  const some = fc.record({
    clusterId: fc.constantFrom(null, 'cls_1'),
    provider: fc.constantFrom(null, 'aws', 'gcp'),
    region: fc.constantFrom(null, 'eu-central-1'),
    effectiveFrom: fc.nat(60).map(hour),
    effectiveUntil: fc.option(fc.nat(90).map(hour)),
  })
  const listed = fc
    .array(some, { maxLength: 6 })
    .map((each) => each.map((one, position) => aPrice({ ...one, id: `${position}`, position })))
  const both = listed.chain((list) => {
    const { length } = list
    return fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: length, maxLength: length }))
  })
  fc.assert(
    fc.property(both, fc.nat(99), ([overrides, shuffled], at) => {
      expect(inForce(shuffled, at)).toEqual(inForce(overrides, at))
    }),
  )
})
