import { findRow, listRows, type PriceBook } from '../price-book.ts'
import { type Priced, priceOfQuality, unpriced } from '../price.ts'
import { canonicalProvider } from '../names/provider-names.ts'
import { canonicalRegion, parentRegion } from '../names/region-names.ts'
import { canonicalStorageClass } from '../names/storage-class-names.ts'
import type { Row } from '../parse/table-columns.ts'

export type StorageQuery = { provider: string; region: string; storageClass: string; sizeGib: number }

/**
 * Most disks have a price per GiB. Azure disks have fixed sizes at a fixed price, so the whole disk has the next larger
 * size.
 */
export type StorageBilling =
  | { per: 'gib-month'; nanoUsd: number }
  | { per: 'disk-month'; nanoUsd: number; tier: string; tierGib: number }
  | { per: 'iops-month'; nanoUsd: number }
  | { per: 'mibps-month'; nanoUsd: number }

export type StoragePrice = Priced<{ billing: StorageBilling; note: string }>

/** The listed monthly price; a month is 730 hours in every conversion. */
export function findStoragePrice(book: PriceBook, query: StorageQuery): StoragePrice {
  const provider = canonicalProvider(query.provider)
  const region = parentRegion(provider, canonicalRegion(provider, query.region))
  const storageClass = canonicalStorageClass(provider, query.storageClass)
  const { sizeGib } = query
  if (!(sizeGib > 0 && sizeGib < 1e9)) return unpriced('size-not-usable', `A volume of ${sizeGib} GiB has no price.`)

  const ofRegion = listRows(book.storage, provider, region, storageClass)
  const rows = ofRegion.length > 0 ? ofRegion : listRows(book.storage, provider, '*', storageClass)
  if (rows.length === 0) return unlistedStorage(book, provider, storageClass)

  const row = rows[0]?.tier === undefined ? rows[0] : smallestThatHolds(rows, sizeGib)
  if (!row) return unpriced('size-above-largest-tier', `${storageClass} has no disk of ${sizeGib} GiB or more.`)
  return storagePrice(row)
}

function smallestThatHolds(rows: Row<'storage'>[], sizeGib: number): Row<'storage'> | undefined {
  return rows
    .filter((row) => (row.tierGib ?? 0) >= sizeGib)
    .reduce<Row<'storage'> | undefined>((best, row) => (tierGib(row) < tierGib(best) ? row : best), undefined)
}

function tierGib(row: Row<'storage'> | undefined): number {
  return row?.tierGib ?? Infinity
}

function storagePrice(row: Row<'storage'>): StoragePrice {
  const billing = billingOf(row)
  const note = row.note ?? ''
  if (!billing) return unpriced('gap-in-sources', note)
  return priceOfQuality(row.quality, { billing, note, source: row.source, asOf: row.asOf })
}

function billingOf(row: Row<'storage'>): StorageBilling | undefined {
  const { tier, tierGib: size, nanoUsdPerDiskMonth: perDisk, nanoUsdPerGibMonth: perGib } = row
  if (tier !== undefined && size !== undefined && perDisk !== undefined) {
    return { per: 'disk-month', nanoUsd: perDisk, tier, tierGib: size }
  }
  if (perGib !== undefined) return { per: 'gib-month', nanoUsd: perGib }
  if (row.nanoUsdPerIopsMonth !== undefined) return { per: 'iops-month', nanoUsd: row.nanoUsdPerIopsMonth }
  if (row.nanoUsdPerMibpsMonth !== undefined) return { per: 'mibps-month', nanoUsd: row.nanoUsdPerMibpsMonth }
  return undefined
}

/**
 * File shares of a provider cost many times its disks, so an unlisted class is not priced. Other volumes get a default
 * rate.
 */
function unlistedStorage(book: PriceBook, provider: string, storageClass: string): StoragePrice {
  const isKnown = book.nodes.has(provider)
  const rate = isKnown ? undefined : findRow(book.fallback, '*', '*', 'on-demand', 'storage_gib')
  if (!rate) return unpriced('class-not-in-book', `The price list has no price for '${storageClass}' of this provider.`)
  const note = 'The default rate for all providers.'
  const billing = { per: 'gib-month' as const, nanoUsd: rate.nanoUsd }
  const asOf = book.sources[rate.source]?.asOf ?? ''
  return { kind: 'estimated', why: 'provider-not-in-book', note, billing, source: rate.source, asOf }
}
