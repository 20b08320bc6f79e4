import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findStoragePrice, type StorageQuery } from './find-storage-price.ts'
import { loadPriceBook } from '../../test/load-price-book.ts'

const book = loadPriceBook()

function aVolume(query: Partial<StorageQuery> = {}): StorageQuery {
  return { provider: 'aws', region: 'us-east-1', storageClass: 'gp3', sizeGib: 100, ...query }
}

test.each([
  { query: {}, kind: 'listed', billing: { per: 'gib-month', nanoUsd: 80_000_000 } },
  { query: { storageClass: 'gp2' }, kind: 'listed', billing: { per: 'gib-month', nanoUsd: 100_000_000 } },
  { query: { region: 'us-east-1a' }, kind: 'listed', billing: { per: 'gib-month', nanoUsd: 80_000_000 } },
  { query: { region: 'xx-new-1' }, kind: 'estimated', billing: { per: 'gib-month', nanoUsd: 80_000_000 } },
  { query: { storageClass: 'gp3-iops' }, kind: 'listed', billing: { per: 'iops-month', nanoUsd: 5_000_000 } },
  { query: { storageClass: 'gp3-throughput' }, kind: 'listed', billing: { per: 'mibps-month', nanoUsd: 40_000_000 } },
  {
    query: { provider: 'gke', region: 'us-central1', storageClass: 'standard-rwo' },
    kind: 'listed',
    billing: { per: 'gib-month', nanoUsd: 100_000_000 },
  },
  {
    query: { provider: 'gcp', region: 'us-central1', storageClass: 'hyperdisk-balanced' },
    kind: 'estimated',
    billing: { per: 'gib-month', nanoUsd: 80_000_000 },
  },
  {
    query: { provider: 'azure', region: 'West Europe', storageClass: 'managed-csi-premium' },
    kind: 'listed',
    billing: { per: 'disk-month', nanoUsd: 21_680_000_000, tier: 'P10', tierGib: 128 },
  },
  {
    query: { provider: 'azure', region: 'westeurope', storageClass: 'Premium_LRS', sizeGib: 129 },
    kind: 'listed',
    billing: { per: 'disk-month', nanoUsd: 41_811_000_000, tier: 'P15', tierGib: 256 },
  },
  {
    query: { provider: 'hetzner', region: 'fsn1', storageClass: 'hcloud-volumes' },
    kind: 'listed',
    billing: { per: 'gib-month', nanoUsd: 78_771_000 },
  },
  {
    query: { provider: 'onprem', region: '', storageClass: 'local-path' },
    kind: 'estimated',
    billing: { per: 'gib-month', nanoUsd: 40_000_000 },
  },
])('a volume of $query', ({ query, kind, billing }) => {
  const price = findStoragePrice(book, aVolume(query))
  expect(price).toMatchObject({ kind, billing, source: expect.stringMatching(/./) as string })
})

test.each([
  [{ storageClass: 'efs-sc' }, 'class-not-in-book'],
  [{ provider: 'hetzner', storageClass: 'nfs' }, 'class-not-in-book'],
  [{ sizeGib: 0 }, 'size-not-usable'],
  [{ sizeGib: NaN }, 'size-not-usable'],
  [{ provider: 'azure', region: 'eastus', storageClass: 'Premium_LRS', sizeGib: 40_000 }, 'size-above-largest-tier'],
])('%o is not priced, with the reason', (query, why) => {
  expect(findStoragePrice(book, aVolume(query))).toMatchObject({ kind: 'unpriced', why })
})

test('Azure Premium SSD is marked as estimated outside six regions', () => {
  const premium = (region: string) =>
    findStoragePrice(book, aVolume({ provider: 'azure', region, storageClass: 'Premium_LRS' }))
  expect(premium('japaneast')).toMatchObject({ kind: 'estimated', why: 'estimated-by-source' })
  expect(premium('westeurope')).toMatchObject({ kind: 'listed' })
})

test('every query has a result, and never a negative or fractional amount', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.constantFrom('gp3', 'Premium_LRS', '', '*'), fc.double(), (...any) => {
      const [provider, region, storageClass, sizeGib] = any
      for (const known of [provider, 'aws', 'azure', '*']) {
        const price = findStoragePrice(book, { provider: known, region, storageClass, sizeGib })
        if (price.kind !== 'unpriced') expect(Number.isSafeInteger(price.billing.nanoUsd)).toBe(true)
      }
    }),
  )
})
