import { expect, test } from 'vitest'
import { priceSource } from './price-source.ts'

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

test('a list price shows its source and date, whatever notes the price list has', () => {
  expect(priceSource(listed, sources)).toBe('list price, source lam-eks, as of 28 Oct 2025')
  expect(priceSource({ ...listed, discount_percent: 10 }, sources)).toContain('as of 28 Oct 2025, 10 % off')
})

test('each of several sources has its own date', () => {
  const mixed = { ...listed, source: 'lam-nat;terra-ssd' }
  expect(priceSource(mixed, sources)).toBe('list price, sources terra-ssd (1 Feb 2023), lam-nat (28 Oct 2025)')
  expect(priceSource({ ...mixed, discount_percent: 10 }, sources)).toContain('(28 Oct 2025), 10 % off')
})

test('if the date of one source is unknown, the date of the price is shown', () => {
  const forgotten = { ...listed, source: 'lam-nat;gone' }
  expect(priceSource(forgotten, sources)).toBe('list price, source lam-nat, gone, as of 28 Oct 2025')
})

test('the price of a load balancer names no instance types and does not repeat that it is estimated', () => {
  const price = { ...listed, kind: 'estimated', reason: 'estimated-by-source' }
  expect(priceSource(price, sources)).toMatch(/^from similar products, /)
})

test('an estimate shows its reason and its source', () => {
  const estimated = { ...listed, kind: 'estimated', reason: 'copied-from-another-region', source: 'ec2shop-ebs' }
  expect(priceSource(estimated, sources)).toBe(
    'from another region of the provider, source ec2shop-ebs, as of 28 Oct 2025',
  )
})

test('a price override and a missing price name no source', () => {
  const none = { ...listed, source: null, as_of: null }
  expect(priceSource({ ...none, kind: 'custom' }, sources)).toBe('custom rate')
  expect(priceSource({ ...none, kind: 'override' }, sources)).toBe('price override')
  expect(priceSource({ ...none, kind: 'unpriced' }, sources)).toBe('not priced')
  expect(priceSource(none, sources)).toBe('no source')
})
