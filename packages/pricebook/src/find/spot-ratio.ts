import { instanceFamily } from '../names/instance-family.ts'
import type { NodeClass } from './node-query.ts'
import { findRow, type PriceBook } from '../price-book.ts'
import { type HourlyPrice, joinEvidence, unpriced } from '../price.ts'

const source = 'pricebook-median'

/**
 * On-demand times the median ratio of the family, or of the provider. Without a ratio it is not priced, because
 * on-demand would be several times too high.
 */
export function spotFromRatio(
  book: PriceBook,
  { provider, instanceType }: NodeClass,
  onDemand: HourlyPrice,
): HourlyPrice {
  if (onDemand.kind === 'unpriced') return onDemand
  const family = instanceFamily(provider, instanceType)
  const ratio = findRow(book.spotRatios, provider, family) ?? findRow(book.spotRatios, provider, '*')
  if (!ratio) return unpriced('no-spot-price', `The price list has no spot prices for ${provider}.`)

  const of = ratio.family === '*' ? `of ${provider}` : `of ${provider} ${ratio.family}`
  return {
    kind: 'estimated',
    why: 'spot-from-median-ratio',
    note: `On-demand × ${ratio.median}, the median ${of} over ${ratio.samples} prices (${ratio.p10} to ${ratio.p90}).`,
    nanoUsdPerHour: Math.round(onDemand.nanoUsdPerHour * ratio.median),
    ...joinEvidence(onDemand, { source, asOf: book.sources[source]?.asOf ?? '' }),
  }
}
