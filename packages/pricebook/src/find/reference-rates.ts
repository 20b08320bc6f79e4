import { canonicalGpuType } from '../names/gpu-names.ts'
import { findRow, type PriceBook } from '../price-book.ts'
import type { Evidence } from '../price.ts'
import { canonicalProvider } from '../names/provider-names.ts'
import { canonicalRegion, parentRegion } from '../names/region-names.ts'

/** Rates to split the price of a node, and to price unlisted types. `scope` states their origin. */
export type ReferenceRates = {
  nanoUsdPerVcpuHour: number
  nanoUsdPerGibHour: number
  scope: 'region' | 'provider' | 'default'
} & Evidence

export type RatesQuery = { provider: string; region: string; capacityType: 'on-demand' | 'spot' }

/**
 * The rates of the region, otherwise of the provider, otherwise the default. The default spot rates apply only to
 * providers without any listed type: a listed provider without spot prices has no known spot market.
 */
export function findReferenceRates(book: PriceBook, query: RatesQuery): ReferenceRates | undefined {
  const provider = canonicalProvider(query.provider)
  const region = parentRegion(provider, canonicalRegion(provider, query.region))
  const { capacityType } = query
  const ofRegion = ratesOf(book, { provider, region, capacityType, scope: 'region' })
  const ofProvider = ratesOf(book, { provider, region: '*', capacityType, scope: 'provider' })
  const mayDefault = capacityType === 'on-demand' || !book.nodes.has(provider)
  return (
    ofRegion ??
    ofProvider ??
    (mayDefault ? ratesOf(book, { provider: '*', region: '*', capacityType, scope: 'default' }) : undefined)
  )
}

function ratesOf(
  book: PriceBook,
  {
    provider,
    region,
    capacityType,
    scope,
  }: { provider: string; region: string; capacityType: string; scope: ReferenceRates['scope'] },
): ReferenceRates | undefined {
  const vcpu = findRow(book.fallback, provider, region, capacityType, 'vcpu')
  const gib = findRow(book.fallback, provider, region, capacityType, 'memory_gib')
  if (!vcpu || !gib) return undefined
  const evidence = { source: vcpu.source, asOf: book.sources[vcpu.source]?.asOf ?? '' }
  return { nanoUsdPerVcpuHour: vcpu.nanoUsd, nanoUsdPerGibHour: gib.nanoUsd, scope, ...evidence }
}

export type GpuRate = { nanoUsdPerHour: number; scope: 'region' | 'provider' | 'default' } & Evidence

/** The on-demand price of one GPU without its host. It is the `g` that splits the price of a node. */
export function findGpuRate(
  book: PriceBook,
  query: { provider: string; region: string; gpuType: string },
): GpuRate | undefined {
  const provider = canonicalProvider(query.provider)
  const gpuType = canonicalGpuType(query.gpuType)
  const addon = findRow(book.gpuAddons, provider, canonicalRegion(provider, query.region), gpuType)
  if (addon) return { nanoUsdPerHour: addon.nanoUsdPerHour, scope: 'region', source: addon.source, asOf: addon.asOf }

  const ofProvider = findRow(book.gpuRates, provider, gpuType)
  const row = ofProvider ?? findRow(book.fallback, '*', '*', 'on-demand', 'gpu')
  if (!row) return undefined
  const nanoUsdPerHour = 'nanoUsd' in row ? row.nanoUsd : row.nanoUsdPerHour
  const asOf = book.sources[row.source]?.asOf ?? ''
  return { nanoUsdPerHour, scope: ofProvider ? 'provider' : 'default', source: row.source, asOf }
}
