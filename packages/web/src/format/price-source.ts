import { dated } from './time.ts'

type Price = {
  kind: string
  source: string | null
  as_of: string | null
  reason: string | null
  note: string | null
  discount_percent: number
}

type Source = { id: string; as_of: string }

const set: Record<string, string> = { override: 'price override', custom: 'custom rate' }

/** Why a price is estimated. The page marks such a price as estimated, so these texts do not repeat the word. */
const reasons: Record<string, string> = {
  'provider-not-in-book': 'from default rates: no price list for this provider',
  'copied-from-another-region': 'from another region of the provider',
  'estimated-by-source': 'from similar products',
}

/** The kind of a price, its date and its discount. */
export function priceSource({ kind, source, reason, as_of: asOf, discount_percent: discount }: Price): string {
  const why = kind === 'estimated' ? reasonOf(reason) : [set[kind] ?? words(kind, source)]
  const date = asOf === null ? [] : [`as of ${dated(asOf)}`]
  const off = discount > 0 ? [`${discount} % off`] : []
  return [...why, ...date, ...off].join(', ')
}

const reasonOf = (reason: string | null) => [reasons[reason ?? ''] ?? []].flat()

/** The ids of the sources, for a tooltip; each of several sources has its own date. */
export function sourceIds({ source }: Pick<Price, 'source'>, sources: readonly Source[]): string | undefined {
  const ids = source?.split(';') ?? []
  if (ids.length === 0) return undefined
  const dates = new Map(sources.map(({ id, as_of: date }) => [id, ` (${dated(date)})`]))
  return `Source: ${ids.map((id) => `${id}${dates.get(id) ?? ''}`).join(', ')}`
}

const words = (kind: string, source: string | null) =>
  kind === 'unpriced' ? 'not priced' : source === null ? 'no source' : 'list price'
