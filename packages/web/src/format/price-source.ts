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

/** The source of a price and its date. */
export function priceSource(price: Price, sources: readonly Source[]): string {
  const { kind, source, reason, discount_percent: discount } = price
  const why = kind === 'estimated' ? reasonOf(reason) : [set[kind] ?? words(kind, source)]
  const off = discount > 0 ? [`${discount} % off`] : []
  return [...why, ...origin(price, sources), ...off].join(', ')
}

const reasonOf = (reason: string | null) => [reasons[reason ?? ''] ?? []].flat()

/** Each of several sources has its own date, so each date is shown. */
function origin({ source, as_of: asOf }: Price, sources: readonly Source[]): string[] {
  const ids = source?.split(';') ?? []
  const known = sources.filter(({ id }) => ids.includes(id))
  if (ids.length > 1 && known.length === ids.length)
    return [`sources ${known.map(({ id, as_of: date }) => `${id} (${dated(date)})`).join(', ')}`]
  const who = ids.length === 0 ? [] : [`source ${ids.join(', ')}`]
  return asOf === null ? who : [...who, `as of ${dated(asOf)}`]
}

const words = (kind: string, source: string | null) =>
  kind === 'unpriced' ? 'not priced' : source === null ? 'no source' : 'list price'
