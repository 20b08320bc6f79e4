import { commitmentFamily } from '../names/instance-family.ts'
import { listRows, type PriceBook } from '../price-book.ts'
import type { Evidence } from '../price.ts'
import { canonicalProvider } from '../names/provider-names.ts'
import { canonicalRegion, parentRegion } from '../names/region-names.ts'

export type CommitmentQuery = { provider: string; region: string; instanceType: string }

/** `discount` is the saved share of the on-demand price, the median of the types of the family in the region. */
export type CommitmentDiscount = { kind: string; term: string; payment: string; discount: number } & Evidence

export function listCommitmentDiscounts(book: PriceBook, query: CommitmentQuery): CommitmentDiscount[] {
  const provider = canonicalProvider(query.provider)
  const region = parentRegion(provider, canonicalRegion(provider, query.region))
  const rows = listRows(book.commitments, provider, region, commitmentFamily(provider, query.instanceType.trim()))
  return rows.map(({ kind, term, payment, discount, source, asOf }) => ({
    kind,
    term,
    payment,
    discount,
    source,
    asOf,
  }))
}
