import { HOURS_PER_MONTH, KIB_PER_GIB } from '@plimsoll/engine'
import type { PriceBook } from '@plimsoll/pricebook'
import type { AssetClass } from '../prices/asset-class.ts'
import { assetPrice } from '../prices/asset-rates.ts'
import { classRates } from '../prices/class-rates.ts'
import type { ClassFacts } from '../prices/node-class.ts'
import { assetTermsInForce, termsInForce, type PriceTerms } from '../prices/price-terms.ts'

/** What things cost in this hour, with all that somebody set: for things that are there and for those that could be. */
export type Pricing = { book: PriceBook; terms: PriceTerms; hour: Date }

const unitsPerUsd = 1e24

export function nodeUsdPerHour({ book, terms, hour }: Pricing, facts: ClassFacts): number | null {
  const { price } = classRates(book, facts, termsInForce(terms, hour, facts.query).override)
  return price.kind === 'unpriced' ? null : Number(price.usdPerHour) / unitsPerUsd
}

export function assetUsdPerMonth({ book, terms, hour }: Pricing, facts: AssetClass, sizeKib = 0): number | null {
  const { per, usd, rate } = assetPrice(book, facts, assetTermsInForce(terms, hour, facts).override)
  if (usd === undefined || rate.kind === 'unpriced') return null
  const price = Number(usd) / unitsPerUsd
  if (per === 'hour') return round(price * HOURS_PER_MONTH)
  return round(per === 'gib-month' ? (price * sizeKib) / KIB_PER_GIB : price)
}

export const round = (usd: number) => Number(usd.toFixed(6))
