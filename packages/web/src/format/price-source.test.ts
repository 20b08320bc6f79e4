import { expect, test } from 'vitest'
import { priceSource } from './price-source.ts'

const listed = {
  kind: 'listed',
  source: 'lam-eks;infracost',
  as_of: '2025-10-28',
  reason: null,
  note: 'per cluster',
  discount_percent: 0,
}

test('a list price says its source and its date, whatever the price book notes beside', () => {
  expect(priceSource(listed)).toBe('list price, source lam-eks, infracost, as of 2025-10-28')
  expect(priceSource({ ...listed, discount_percent: 10 })).toContain('as of 2025-10-28, 10 % off')
})

test('an estimate says why it is one, and still where it is from', () => {
  const estimated = { ...listed, kind: 'estimated', reason: 'copied-from-another-region', source: 'ec2shop-ebs' }
  expect(priceSource(estimated)).toBe(
    'copied from another region of the provider, source ec2shop-ebs, as of 2025-10-28',
  )
})

test('what somebody set, and what no list has, names no source', () => {
  const none = { ...listed, source: null, as_of: null }
  expect(priceSource({ ...none, kind: 'custom' })).toBe('rates set here')
  expect(priceSource({ ...none, kind: 'override' })).toBe('a price set here')
  expect(priceSource({ ...none, kind: 'unpriced' })).toBe('no price')
  expect(priceSource(none)).toBe('listed by nobody')
})
