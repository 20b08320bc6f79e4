import type { PriceKind } from '@plimsoll/contract'
import type { NodePrice, NodeRates } from '@plimsoll/engine/pricing'

/** Enough to find the row again: which book, which source, of when, why it is an estimate, and what somebody set. */
export type PriceEvidence = {
  book: string
  kind: PriceKind
  source?: string
  as_of?: string
  why?: string
  note?: string
  /** By the book, before what somebody set. */
  list_usd_per_hour?: string
  override?: string
  discount_percent?: string
}

export type ClassRates = { price: NodePrice; rates: NodeRates; evidence: PriceEvidence }
