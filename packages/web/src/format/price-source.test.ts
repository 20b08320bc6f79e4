import { expect, test } from 'vitest'
import { priceSource, sourceIds } from './price-source.ts'

const listed = {
  kind: 'listed',
  source: 'lam-eks',
  as_of: '2025-10-28',
  reason: null,
  note: 'per cluster',
  discount_percent: 0,
}

const sources = [
  { id: 'terra-ssd', as_of: '2023-02-01' },
  { id: 'lam-eks', as_of: '2025-10-28' },
  { id: 'lam-nat', as_of: '2025-10-28' },
]

test('a list price shows its date, whatever notes the price list has', () => {
  expect(priceSource(listed)).toBe('list price, as of 28 Oct 2025')
  expect(priceSource({ ...listed, discount_percent: 10 })).toBe('list price, as of 28 Oct 2025, 10 % off')
})

test('the tooltip names each source with its date, if the date is known', () => {
  expect(sourceIds({ source: 'lam-nat;terra-ssd' }, sources)).toBe(
    'Source: lam-nat (28 Oct 2025), terra-ssd (1 Feb 2023)',
  )
  expect(sourceIds({ source: 'lam-nat;gone' }, sources)).toBe('Source: lam-nat (28 Oct 2025), gone')
  expect(sourceIds({ source: null }, sources)).toBeUndefined()
})

test('the price of a load balancer names no instance types and does not repeat that it is estimated', () => {
  expect(priceSource({ ...listed, kind: 'estimated', reason: 'estimated-by-source' })).toMatch(
    /^from similar products, /,
  )
})

test('an estimate shows its reason and its date', () => {
  const estimated = { ...listed, kind: 'estimated', reason: 'copied-from-another-region', source: 'ec2shop-ebs' }
  expect(priceSource(estimated)).toBe('from another region of the provider, as of 28 Oct 2025')
})

test('a price override and a missing price name no date', () => {
  const none = { ...listed, source: null, as_of: null }
  expect(priceSource({ ...none, kind: 'custom' })).toBe('custom rate')
  expect(priceSource({ ...none, kind: 'override' })).toBe('price override')
  expect(priceSource({ ...none, kind: 'unpriced' })).toBe('not priced')
  expect(priceSource(none)).toBe('no source')
})
