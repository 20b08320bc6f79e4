/** The source of a number: an id of `book.sources` (several joined by `;`, `-` for none) and the date of the facts. */
export type Evidence = { source: string; asOf: string }

export type EstimateReason =
  | 'provider-not-in-book'
  | 'type-not-in-book'
  | 'type-not-listed-in-region'
  | 'local-zone-not-listed'
  | 'custom-machine-type'
  | 'extended-memory-at-standard-rate'
  | 'gpu-not-listed-in-region'
  | 'spot-from-median-ratio'
  | 'copied-from-another-region'
  | 'estimated-by-source'

export type UnpricedReason =
  | 'no-windows-price'
  | 'no-linux-price'
  | 'no-spot-price'
  | 'currency-not-usd'
  | 'type-not-in-book'
  | 'class-not-in-book'
  | 'service-not-in-book'
  | 'capacity-not-known'
  | 'size-not-usable'
  | 'size-above-largest-tier'
  | 'tier-not-known'
  | 'gap-in-sources'

export type Unpriced = { kind: 'unpriced'; why: UnpricedReason; note: string }

/** A value with a price: listed, or estimated with the reason. An unknown price is never 0. */
export type Priced<T> =
  | ({ kind: 'listed' } & T & Evidence)
  | ({ kind: 'estimated'; why: EstimateReason; note: string } & T & Evidence)
  | Unpriced

export type HourlyPrice = Priced<{ nanoUsdPerHour: number }>

export function unpriced(why: UnpricedReason, note: string): Unpriced {
  return { kind: 'unpriced', why, note }
}

/**
 * The grades of table rows: `list` is published by the vendor, `default` is a copy of the first region of the provider.
 */
export function priceOfQuality<T extends { note: string }>(quality: string, value: T & Evidence): Priced<T> {
  if (quality === 'list') return { kind: 'listed', ...value }
  return {
    kind: 'estimated',
    why: quality === 'default' ? 'copied-from-another-region' : 'estimated-by-source',
    ...value,
  }
}

/** Combined evidence has the older of both dates. */
export function joinEvidence(a: Evidence, b: Evidence): Evidence {
  const source = a.source === b.source ? a.source : `${a.source};${b.source}`
  return { source, asOf: a.asOf < b.asOf ? a.asOf : b.asOf }
}
