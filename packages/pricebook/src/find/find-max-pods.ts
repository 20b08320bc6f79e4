import { findRow, type PriceBook } from '../price-book.ts'
import type { Evidence } from '../price.ts'

export type MaxPods = { maxPods: number; maxEnis: number; ipv4PerEni: number } & Evidence

const source = 'kp-aws-limits'

/** The maximum number of pods on an EC2 instance with the VPC CNI and without prefix delegation. */
export function findMaxPods(book: PriceBook, instanceType: string): MaxPods | undefined {
  const row = findRow(book.eniLimits, instanceType.trim())
  if (!row) return undefined
  const { maxPods, maxEnis, ipv4PerEni } = row
  return { maxPods, maxEnis, ipv4PerEni, source, asOf: book.sources[source]?.asOf ?? '' }
}
