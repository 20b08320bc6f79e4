import type { PriceBook } from './price-book.ts'

export type PriceChange = {
  provider: string
  region: string
  instanceType: string
  beforeNanoUsdPerHour: number
  afterNanoUsdPerHour: number
}

export type PriceBookComparison = { added: number; removed: number; same: number; changed: PriceChange[] }

/**
 * The changes of on-demand node prices in a newer book, largest relative change first. For a review before the import.
 */
export function comparePriceBooks(before: PriceBook, after: PriceBook): PriceBookComparison {
  const old = pricesOf(before)
  const comparison: PriceBookComparison = { added: 0, removed: 0, same: 0, changed: [] }
  for (const [key, price] of pricesOf(after)) {
    const known = old.get(key)
    old.delete(key)
    if (known === undefined) comparison.added += 1
    else if (known === price) comparison.same += 1
    else comparison.changed.push(changeOf(key, known, price))
  }
  comparison.removed = old.size
  comparison.changed.sort((a, b) => relativeChange(b) - relativeChange(a))
  return comparison
}

function pricesOf(book: PriceBook): Map<string, number> {
  const prices = new Map<string, number>()
  for (const [provider, blocks] of book.nodes) {
    for (const block of blocks) {
      for (const [region, row] of block.regions) {
        block.typeNames.forEach((type, column) => {
          const price = block.onDemandNanoUsd[row * block.types.size + column] ?? 0
          if (price > 0) prices.set(`${provider}|${region}|${type}`, price)
        })
      }
    }
  }
  return prices
}

function changeOf(key: string, beforeNanoUsdPerHour: number, afterNanoUsdPerHour: number): PriceChange {
  const [provider = '', region = '', instanceType = ''] = key.split('|')
  return { provider, region, instanceType, beforeNanoUsdPerHour, afterNanoUsdPerHour }
}

/** Doubling and halving are the same distance. */
function relativeChange({ beforeNanoUsdPerHour, afterNanoUsdPerHour }: PriceChange): number {
  return Math.abs(Math.log(afterNanoUsdPerHour / beforeNanoUsdPerHour))
}
