import type { Prices } from '@plimsoll/contract'
import type { PriceBook } from '@plimsoll/pricebook'
import type { PriceEvidence } from './price-evidence.ts'

type Source = { source: string | null; as_of: string | null; as_of_date: string | null }

/**
 * A custom price has no list source. The price list has `-` where no source lists a price, such as for a self-managed
 * control plane.
 */
export function sourceOf({ kind, source = '', as_of: asOf = '' }: PriceEvidence): Source {
  const isNamed = kind !== 'override' && kind !== 'custom' && source !== '' && source !== '-'
  return isNamed ? { source, ...dated(asOf === '' ? null : asOf) } : { source: null, ...dated(null) }
}

/** Both names of the date: `as_of` is the older name. */
export const dated = (asOf: string | null) => ({
  as_of: asOf,
  as_of_date: asOf === null ? null : (newestDay(asOf) ?? null),
})

/** Sources have dates in several forms, such as `2024-07-01 / 2025-07-07`. */
const newestDay = (text: string): string | undefined =>
  text
    .match(/\d{4}-\d\d-\d\d/g)
    ?.sort()
    .at(-1)

/**
 * No price is newer than its newest source. The date beside the price may come from a later check of another source
 * that found no change.
 */
export function dateOfPrice(book: Pick<PriceBook, 'sources'>, source: string, asOf: string): string {
  const dates = source.split(';').map((id) => newestDay(book.sources[id]?.asOf ?? ''))
  const newest = dates.every((date) => date !== undefined) ? dates.sort().at(-1) : undefined
  return newest !== undefined && newest < asOf ? newest : asOf
}

/** The sources with these ids. A newer price list may lack one. */
export function listSources(book: PriceBook, named: readonly (string | null)[]): Prices['sources'] {
  const ids = new Set(named.flatMap((source) => source?.split(';') ?? []))
  return [...ids].sort().flatMap((id) => {
    const known = book.sources[id]
    return known ? [{ id, repository: known.repo, path: known.path, ...dated(known.asOf), as_of: known.asOf }] : []
  })
}
