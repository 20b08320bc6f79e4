import type { Decimal } from '../decimal.ts'
import type { Resource } from '../units.ts'

export type UnpricedReason =
  | 'not-in-book'
  | 'no-spot-price'
  | 'no-windows-price'
  | 'no-reference-rate'
  | 'no-custom-rate'
  | 'unknown-storage-class'
  | 'no-size'

/** The price of one base unit for one second. A missing price has a reason. 0 is a price that a user set. */
export type Rate =
  { kind: 'priced'; usdPerUnitSecond: Decimal; estimated: boolean } | { kind: 'unpriced'; reason: UnpricedReason }

export type NodeRates = Readonly<Record<Resource, Rate>>

/** An amount, its estimated part, and whether a part of it has no price. */
export type Charge = { readonly usd: Decimal; readonly estimatedUsd: Decimal; readonly unpriced: boolean }

export const NO_CHARGE: Charge = { usd: 0n, estimatedUsd: 0n, unpriced: false }

export function addCharges(a: Charge, b: Charge): Charge {
  return {
    usd: a.usd + b.usd,
    estimatedUsd: a.estimatedUsd + b.estimatedUsd,
    unpriced: a.unpriced || b.unpriced,
  }
}

/** For sums of money: unpriced parts add nothing here and are reported beside the sum. */
export function usdFor(unitSeconds: bigint, rate: Rate): Decimal {
  return rate.kind === 'priced' ? unitSeconds * rate.usdPerUnitSecond : 0n
}

export const sameForAll = (rate: Rate): NodeRates => ({ cpu: rate, memory: rate, gpu: rate })
