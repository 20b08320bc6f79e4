/** Where a number comes from: an id of `book.sources` (several joined by `;`, `-` for none) and the date of the facts. */
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

/** Something with a price: as listed, or estimated and why. Nothing is ever priced at 0 for lack of knowledge. */
export type Priced<T> =
  | ({ kind: 'listed' } & T & Evidence)
  | ({ kind: 'estimated'; why: EstimateReason; note: string } & T & Evidence)
  | Unpriced

export type HourlyPrice = Priced<{ nanoUsdPerHour: number }>

export function unpriced(why: UnpricedReason, note: string): Unpriced {
  return { kind: 'unpriced', why, note }
}

/** The tables grade their rows: `list` is what the vendor publishes, `default` a copy of the provider's first region. */
export function priceOfQuality<T extends { note: string }>(quality: string, value: T & Evidence): Priced<T> {
  if (quality === 'list') return { kind: 'listed', ...value }
  return {
    kind: 'estimated',
    why: quality === 'default' ? 'copied-from-another-region' : 'estimated-by-source',
    ...value,
  }
}

/** Two facts in one number are as old as the older of them. */
export function joinEvidence(a: Evidence, b: Evidence): Evidence {
  const source = a.source === b.source ? a.source : `${a.source};${b.source}`
  return { source, asOf: a.asOf < b.asOf ? a.asOf : b.asOf }
}
