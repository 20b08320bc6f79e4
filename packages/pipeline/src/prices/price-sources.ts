import type { Prices } from '@plimsoll/contract'
import type { PriceBook } from '@plimsoll/pricebook'
import type { PriceEvidence } from './price-evidence.ts'

type Source = { source: string | null; as_of: string | null; as_of_date: string | null }

/**
 * Where the list price is from says nothing about a price that somebody set. The book writes `-` where no source lists a price,
 * such as that of a control plane on one's own nodes.
 */
export function sourceOf({ kind, source = '', as_of: asOf = '' }: PriceEvidence): Source {
  const isNamed = kind !== 'override' && kind !== 'custom' && source !== '' && source !== '-'
  return isNamed ? { source, ...dated(asOf === '' ? null : asOf) } : { source: null, ...dated(null) }
}

/** Both names of the date: `as_of` is the older one. */
export const dated = (asOf: string | null) => ({
  as_of: asOf,
  as_of_date: asOf === null ? null : (newestDay(asOf) ?? null),
})

/** Sources are dated in several ways, `2024-07-01 / 2025-07-07` among them. */
const newestDay = (text: string): string | undefined =>
  text
    .match(/\d{4}-\d\d-\d\d/g)
    ?.sort()
    .at(-1)

/**
 * No price is newer than the newest of its sources: the date beside it in the book may be that of a later look at another one,
 * which found nothing else.
 */
export function dateOfPrice(book: Pick<PriceBook, 'sources'>, source: string, asOf: string): string {
  const dates = source.split(';').map((id) => newestDay(book.sources[id]?.asOf ?? ''))
  const newest = dates.every((date) => date !== undefined) ? dates.sort().at(-1) : undefined
  return newest !== undefined && newest < asOf ? newest : asOf
}

/** What stands behind the ids that prices name; a newer book may have forgotten one. */
export function listSources(book: PriceBook, named: readonly (string | null)[]): Prices['sources'] {
  const ids = new Set(named.flatMap((source) => source?.split(';') ?? []))
  return [...ids].sort().flatMap((id) => {
    const known = book.sources[id]
    return known ? [{ id, repository: known.repo, path: known.path, ...dated(known.asOf), as_of: known.asOf }] : []
  })
}
