import { expect, test } from 'vitest'
import { findServerlessRates } from './find-serverless-rates.ts'
import { loadPriceBook } from '../../test/load-price-book.ts'

const book = loadPriceBook()

test('Fargate in us-east-1 is listed', () => {
  expect(findServerlessRates(book, { provider: 'aws', region: 'us-east-1', product: 'eks-fargate' })).toEqual({
    kind: 'listed',
    nanoUsdPerVcpuHour: 40_480_000,
    nanoUsdPerGibHour: 4_445_000,
    nanoUsdPerEphemeralGibHour: undefined,
    source: 'lam-eks',
    asOf: '2025-10-28',
  })
})

test('Autopilot is listed in one region and estimated from it elsewhere', () => {
  const autopilot = { provider: 'gke', product: 'gke-autopilot-general' as const }
  expect(findServerlessRates(book, { ...autopilot, region: 'us-central1-a' })).toMatchObject({
    kind: 'listed',
    nanoUsdPerEphemeralGibHour: 54_800,
  })
  expect(findServerlessRates(book, { ...autopilot, region: 'europe-west1' })).toMatchObject({
    kind: 'estimated',
    why: 'copied-from-another-region',
    nanoUsdPerVcpuHour: 44_500_000,
  })
})

test('a service outside the tables is not priced', () => {
  const fargate = { provider: 'aws', region: 'us-east-1', product: 'eks-fargate' as const }
  expect(findServerlessRates(book, { ...fargate, arch: 'arm64' })).toMatchObject({ kind: 'unpriced' })
  expect(findServerlessRates(book, { ...fargate, provider: 'azure' })).toMatchObject({ kind: 'unpriced' })
})
