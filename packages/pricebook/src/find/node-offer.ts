import type { NominalCapacity } from '../price-book.ts'
import { type Evidence, type HourlyPrice, joinEvidence, unpriced, type UnpricedReason } from '../price.ts'

/** How often AWS interrupted spot instances of this type in the month of its advice: 0 is under 5 %, 4 over 20 %. */
export type Interruption = { band: number } & Evidence

/** Both prices of an instance type. `nominal` is the capacity by the vendor; empty for an unknown type. */
export type NodeOffer = {
  onDemand: HourlyPrice
  spot: HourlyPrice
  nominal: NominalCapacity
  interruption?: Interruption
}

export function unpricedOffer(why: UnpricedReason, note: string, nominal: NominalCapacity = {}): NodeOffer {
  return { onDemand: unpriced(why, note), spot: unpriced(why, note), nominal }
}

/** The sum is listed only if both parts are; a part that is not priced makes the sum not priced. */
export function addPrices(a: HourlyPrice, b: HourlyPrice): HourlyPrice {
  if (a.kind === 'unpriced') return a
  if (b.kind === 'unpriced') return b
  const sum = { nanoUsdPerHour: a.nanoUsdPerHour + b.nanoUsdPerHour, ...joinEvidence(a, b) }
  const estimate = a.kind === 'estimated' ? a : b
  if (estimate.kind === 'estimated') return { kind: 'estimated', why: estimate.why, note: estimate.note, ...sum }
  return { kind: 'listed', ...sum }
}
