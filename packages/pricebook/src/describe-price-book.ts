import type { NodeBlock, PriceBook } from './price-book.ts'

export type ProviderCoverage = {
  provider: string
  regions: number
  types: number
  prices: number
  spotPrices: number
  oldestAsOf: string
  newestAsOf: string
}

export type PriceBookDescription = {
  version: string
  schemaVersion: number
  asOf: string
  providers: ProviderCoverage[]
  sources: ({ id: string } & PriceBook['sources'][string])[]
}

/** A summary of a book for users. */
export function describePriceBook(book: PriceBook): PriceBookDescription {
  const { version, schemaVersion, asOf } = book
  const providers = [...book.nodes].map(([provider, blocks]) => coverageOf(book, provider, blocks))
  return {
    version,
    schemaVersion,
    asOf,
    providers,
    sources: Object.entries(book.sources).map(([id, s]) => ({ id, ...s })),
  }
}

function coverageOf(book: PriceBook, provider: string, blocks: readonly NodeBlock[]): ProviderCoverage {
  const used = new Set(blocks.flatMap((block) => [...new Set(block.evidence)]).filter((at) => at > 0))
  const dates = [...used].map((at) => book.evidence[at]?.asOf ?? '').sort()
  return {
    provider,
    regions: new Set(blocks.flatMap((block) => [...block.regions.keys()])).size,
    types: new Set(blocks.flatMap((block) => [...block.types.keys()])).size,
    prices: sum(blocks.map((block) => countPrices(block.onDemandNanoUsd))),
    spotPrices: sum(blocks.map((block) => countPrices(block.spotNanoUsd))),
    oldestAsOf: dates.at(0) ?? '',
    newestAsOf: dates.at(-1) ?? '',
  }
}

function countPrices(prices: Float64Array): number {
  return prices.reduce((count, price) => (price > 0 ? count + 1 : count), 0)
}

function sum(counts: number[]): number {
  return counts.reduce((total, count) => total + count, 0)
}
