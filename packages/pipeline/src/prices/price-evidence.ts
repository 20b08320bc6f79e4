import type { PriceKind } from '@plimsoll/contract'
import type { NodePrice, NodeRates } from '@plimsoll/engine/pricing'

/** Enough to trace the price: price list, source, date, the reason of an estimate, and the override. */
export type PriceEvidence = {
  book: string
  kind: PriceKind
  source?: string
  as_of?: string
  why?: string
  note?: string
  /** By the price list, before overrides. */
  list_usd_per_hour?: string
  override?: string
  discount_percent?: string
}

export type ClassRates = { price: NodePrice; rates: NodeRates; evidence: PriceEvidence }
