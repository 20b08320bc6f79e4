import type { Prices } from '@plimsoll/contract'
import type { PriceBook } from '@plimsoll/pricebook'
import type { PriceEvidence } from './class-rates.ts'

type Source = { source: string | null; as_of: string | null }

/**
 * Where the list price is from says nothing about a price that somebody set. The book writes `-` where no source lists a price,
 * such as that of a control plane on one's own nodes.
 */
export function sourceOf({ kind, source = '', as_of: asOf = '' }: PriceEvidence): Source {
  const isNamed = kind !== 'override' && kind !== 'custom' && source !== '' && source !== '-'
  return isNamed ? { source, as_of: asOf === '' ? null : asOf } : { source: null, as_of: null }
}

/** What stands behind the ids that prices name; a newer book may have forgotten one. */
export function listSources(book: PriceBook, named: readonly (string | null)[]): Prices['sources'] {
  const ids = new Set(named.flatMap((source) => source?.split(';') ?? []))
  return [...ids].sort().flatMap((id) => {
    const known = book.sources[id]
    return known ? [{ id, repository: known.repo, path: known.path, as_of: known.asOf }] : []
  })
}
