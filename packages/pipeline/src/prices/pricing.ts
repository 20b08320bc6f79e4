import { HOURS_PER_MONTH, KIB_PER_GIB } from '@plimsoll/engine'
import type { UnitPrice } from '@plimsoll/engine/rules'
import type { PriceBook } from '@plimsoll/pricebook'
import type { CloudResourceClass } from './cloud-resource-class.ts'
import { cloudResourcePrice, type CloudResourcePrice } from './cloud-resource-rates.ts'
import { classRates } from './class-rates.ts'
import type { PriceEvidence } from './price-evidence.ts'
import type { ClassFacts } from './node-class.ts'
import { sourceOf } from './price-sources.ts'
import { cloudResourceTermsInForce, termsInForce, type PriceTerms } from './price-terms.ts'

/** Prices of this hour with all overrides, for existing and possible resources. */
export type Pricing = { book: PriceBook; terms: PriceTerms; hour: Date }

const unitsPerUsd = 1e24

export const nodeUsdPerHour = (pricing: Pricing, facts: ClassFacts): number | null =>
  nodePrice(pricing, facts)?.usd ?? null

export function nodePrice({ book, terms, hour }: Pricing, facts: ClassFacts): UnitPrice | null {
  const { price, evidence } = classRates(book, facts, termsInForce(terms, hour, facts.query).override)
  if (price.kind === 'unpriced') return null
  const usd = Number(price.usdPerHour) / unitsPerUsd
  return { usd, per: 'hour', unit: 'node', ...namedBy(evidence), isEstimated: price.estimated }
}

/** Null where no price is known. */
type CloudResourceCost = { usdPerMonth: number; price: UnitPrice } | null

export const cloudResourceCost = (
  { book, terms, hour }: Pricing,
  facts: CloudResourceClass,
  sizeKib = 0,
): CloudResourceCost =>
  costOf(cloudResourcePrice(book, facts, cloudResourceTermsInForce(terms, hour, facts).override), facts, sizeKib)

/** By the price list, without overrides. */
export const listedCost = ({ book }: Pricing, facts: CloudResourceClass, sizeKib: number): CloudResourceCost =>
  costOf(cloudResourcePrice(book, facts), facts, sizeKib)

function costOf(
  { per, usd, rate, evidence }: CloudResourcePrice,
  facts: CloudResourceClass,
  sizeKib: number,
): CloudResourceCost {
  if (usd === undefined || rate.kind === 'unpriced') return null
  const price: UnitPrice = {
    usd: Number(usd) / unitsPerUsd,
    per: per === 'hour' ? 'hour' : 'month',
    unit: per === 'hour' ? cloudResourceUnits[facts.asset] : per === 'gib-month' ? 'GiB' : 'disk',
    ...namedBy(evidence),
    isEstimated: rate.estimated,
  }
  const quantity = per === 'gib-month' ? sizeKib / KIB_PER_GIB : 1
  return { price, usdPerMonth: round(price.usd * quantity * (per === 'hour' ? HOURS_PER_MONTH : 1)) }
}

const cloudResourceUnits = { volume: 'volume', balancer: 'load balancer', control_plane: 'cluster' } as const

function namedBy(evidence: PriceEvidence): Pick<UnitPrice, 'source' | 'asOf'> {
  const { source, as_of: asOf } = sourceOf(evidence)
  return { source, asOf }
}

export const round = (usd: number) => Number(usd.toFixed(6))
