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

const set: Record<string, string> = { override: 'a price set here', custom: 'rates set here' }

/** Why an estimate is one, where no note of the price book says it. */
const reasons: Record<string, string> = {
  'provider-not-in-book': 'no list of this provider, so the default rates of any',
  'copied-from-another-region': 'copied from another region of the provider',
  'estimated-by-source': 'estimated from neighbouring prices',
}

/** Who says what something costs, and of when that is. */
export function priceSource(price: Price, sources: readonly Source[]): string {
  const { kind, source, reason, discount_percent: discount } = price
  const why = kind === 'estimated' ? [reasons[reason ?? ''] ?? 'estimated'] : [set[kind] ?? words(kind, source)]
  const off = discount > 0 ? [`${discount} % off`] : []
  return [...why, ...origin(price, sources), ...off].join(', ')
}

/** Several sources have each a date of its own: that of the price is only one of them, and one may be years older. */
function origin({ source, as_of: asOf }: Price, sources: readonly Source[]): string[] {
  const ids = source?.split(';') ?? []
  const known = sources.filter(({ id }) => ids.includes(id))
  if (ids.length > 1 && known.length === ids.length)
    return [`sources ${known.map(({ id, as_of: date }) => `${id} (${dated(date)})`).join(', ')}`]
  const who = ids.length === 0 ? [] : [`source ${ids.join(', ')}`]
  return asOf === null ? who : [...who, `as of ${dated(asOf)}`]
}

const words = (kind: string, source: string | null) =>
  kind === 'unpriced' ? 'no price' : source === null ? 'listed by nobody' : 'list price'
