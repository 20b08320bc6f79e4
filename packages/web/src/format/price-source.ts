type Price = {
  kind: string
  source: string | null
  as_of: string | null
  reason: string | null
  note: string | null
  discount_percent: number
}

const set: Record<string, string> = { override: 'a price set here', custom: 'rates set here' }

/** Why an estimate is one, where no note of the price book says it. */
const reasons: Record<string, string> = {
  'provider-not-in-book': 'no list of this provider, so the default rates of any',
  'copied-from-another-region': 'copied from another region of the provider',
  'estimated-by-source': 'its source estimates it',
}

/** Who says what something costs, and of when that is. */
export function priceSource({ kind, source, as_of: asOf, reason, discount_percent: discount }: Price): string {
  const who = source === null ? [] : [`source ${source.replaceAll(';', ', ')}`]
  const when = asOf === null ? [] : [`as of ${asOf}`]
  const why = kind === 'estimated' ? [reasons[reason ?? ''] ?? 'estimated'] : [set[kind] ?? words(kind, source)]
  const off = discount > 0 ? [`${discount} % off`] : []
  return [...why, ...who, ...when, ...off].join(', ')
}

const words = (kind: string, source: string | null) =>
  kind === 'unpriced' ? 'no price' : source === null ? 'listed by nobody' : 'list price'
