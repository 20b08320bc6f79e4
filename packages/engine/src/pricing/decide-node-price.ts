import { multiplyDecimals, type Decimal } from '../decimal.ts'
import type { Amounts } from '../units.ts'
import { discounted } from './discount.ts'
import type { UnpricedReason } from './rate.ts'
import { referencePrice, type ReferenceRates } from './split-node-price.ts'

export type NodePriceFacts = {
  readonly capacity: Amounts
  readonly capacityType: 'on-demand' | 'spot'
  readonly os: 'linux' | 'windows'
  /** A custom price of this node, all included, which is used as it is. */
  readonly overrideUsdPerHour?: Decimal
  /** List prices of this type, region and operating system. */
  readonly book?: { readonly onDemandUsdPerHour?: Decimal; readonly spotUsdPerHour?: Decimal }
  /** Spot price as a share of on-demand, for a type whose spot price is not known. */
  readonly spotShare?: Decimal
  readonly discountPercent?: Decimal
  /** A fee per node without discounts, such as that of EKS Auto Mode. */
  readonly surchargeUsdPerHour?: Decimal
  /** For a type without a list price; spot rates for a spot node. */
  readonly fallback?: ReferenceRates
}

export type NodePrice =
  | { kind: 'priced'; usdPerHour: Decimal; estimated: boolean; source: 'override' | 'book' | 'spot-share' | 'fallback' }
  | { kind: 'unpriced'; reason: UnpricedReason }

/** The best known price, or none. An estimate is marked, and a missing price is never 0. */
export function decideNodePrice(facts: NodePriceFacts): NodePrice {
  if (facts.overrideUsdPerHour !== undefined)
    return { kind: 'priced', usdPerHour: facts.overrideUsdPerHour, estimated: false, source: 'override' }

  const list = listPriceOf(facts)
  if (list.kind === 'unpriced') return list

  const usdPerHour = discounted(list.usdPerHour, facts.discountPercent ?? 0n) + (facts.surchargeUsdPerHour ?? 0n)
  return { ...list, usdPerHour }
}

function listPriceOf(facts: NodePriceFacts): NodePrice {
  const { onDemandUsdPerHour, spotUsdPerHour } = facts.book ?? {}
  if (facts.capacityType === 'on-demand' && onDemandUsdPerHour !== undefined) return fromBook(onDemandUsdPerHour)
  if (facts.capacityType === 'spot' && spotUsdPerHour !== undefined) return fromBook(spotUsdPerHour)
  if (facts.capacityType === 'spot' && onDemandUsdPerHour !== undefined) return fromSpotShare(onDemandUsdPerHour, facts)
  return fromFallback(facts)
}

function fromBook(usdPerHour: Decimal): NodePrice {
  return { kind: 'priced', usdPerHour, estimated: false, source: 'book' }
}

/** A spot node without a known price must not be shown at the on-demand price, which may be three times its cost. */
function fromSpotShare(onDemandUsdPerHour: Decimal, { spotShare }: NodePriceFacts): NodePrice {
  if (spotShare === undefined) return { kind: 'unpriced', reason: 'no-spot-price' }
  const usdPerHour = multiplyDecimals(onDemandUsdPerHour, spotShare)
  return { kind: 'priced', usdPerHour, estimated: true, source: 'spot-share' }
}

/** Fallback rates are fitted to Linux nodes. A Windows licence can double a price, so Windows is not estimated. */
function fromFallback({ os, capacity, fallback }: NodePriceFacts): NodePrice {
  if (os === 'windows') return { kind: 'unpriced', reason: 'no-windows-price' }
  if (fallback === undefined) return { kind: 'unpriced', reason: 'not-in-book' }

  const usdPerHour = referencePrice(capacity, fallback)
  if (usdPerHour === 'no-reference-rate') return { kind: 'unpriced', reason: usdPerHour }
  return { kind: 'priced', usdPerHour, estimated: true, source: 'fallback' }
}
