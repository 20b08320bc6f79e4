import type { Prices } from '@plimsoll/contract'
import type { PriceBook } from '@plimsoll/pricebook'
import type { PriceEvidence } from './class-rates.ts'

type Source = { source: string | null; as_of: string | null }

export const noSource: Source = { source: null, as_of: null }

/** The book writes `-` where no source lists a price, such as that of a control plane on one's own nodes. */
export function shownSource({ source = '', as_of: asOf = '' }: Pick<PriceEvidence, 'source' | 'as_of'>): Source {
  const isNamed = source !== '' && source !== '-'
  return isNamed ? { source, as_of: asOf === '' ? null : asOf } : noSource
}

/** What stands behind the ids that prices name; a newer book may have forgotten one. */
export function listSources(book: PriceBook, named: readonly (string | null)[]): Prices['sources'] {
  const ids = new Set(named.flatMap((source) => source?.split(';') ?? []))
  return [...ids].sort().flatMap((id) => {
    const known = book.sources[id]
    return known ? [{ id, repository: known.repo, path: known.path, as_of: known.asOf }] : []
  })
}
