import { expect, test } from 'vitest'
import { findControlPlaneFee } from './find-control-plane-fee.ts'
import { loadPriceBook } from '../../test/load-price-book.ts'

const book = loadPriceBook()

test.each([
  { query: { provider: 'eks' }, kind: 'listed', nanoUsdPerHour: 100_000_000 },
  { query: { provider: 'aws', tier: 'extended-support' }, kind: 'listed', nanoUsdPerHour: 600_000_000 },
  { query: { provider: 'aws', service: 'self-managed' }, kind: 'listed', nanoUsdPerHour: 0 },
  { query: { provider: 'gke' }, kind: 'listed', nanoUsdPerHour: 100_000_000 },
  { query: { provider: 'gcp', tier: 'extended-channel' }, kind: 'estimated', nanoUsdPerHour: 600_000_000 },
  { query: { provider: 'aks', tier: 'free' }, kind: 'listed', nanoUsdPerHour: 0 },
  { query: { provider: 'scaleway' }, kind: 'listed', nanoUsdPerHour: 0 },
  { query: { provider: 'exoscale' }, kind: 'listed', nanoUsdPerHour: 63_618_000 },
])('the fee of $query is $kind', ({ query, kind, nanoUsdPerHour }) => {
  expect(findControlPlaneFee(book, query)).toMatchObject({ kind, nanoUsdPerHour })
})

test.each([
  [{ provider: 'aks' }, 'tier-not-known'],
  [{ provider: 'aws', tier: 'gold' }, 'tier-not-known'],
  [{ provider: 'aws', tier: 'auto-mode' }, 'gap-in-sources'],
  [{ provider: 'azure', tier: 'premium' }, 'gap-in-sources'],
  [{ provider: 'aws', service: 'gke' }, 'service-not-in-book'],
  [{ provider: 'nowhere' }, 'service-not-in-book'],
])('the fee of %o is unknown, not 0', (query, why) => {
  expect(findControlPlaneFee(book, query)).toMatchObject({ kind: 'unpriced', why })
})
