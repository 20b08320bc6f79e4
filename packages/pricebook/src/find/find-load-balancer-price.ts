import { listRows, type PriceBook } from '../price-book.ts'
import { type Priced, priceOfQuality, unpriced } from '../price.ts'
import { canonicalProvider } from '../names/provider-names.ts'
import { canonicalRegion, parentRegion } from '../names/region-names.ts'
import type { Row } from '../parse/table-columns.ts'

/** `nanoUsdPerUnit` is per GiB processed, or per capacity-unit hour at AWS; `note` states which. Absent: unknown. */
export type LoadBalancerPrice = Priced<{ nanoUsdPerHour: number; nanoUsdPerUnit: number | undefined; note: string }>

export type LoadBalancerQuery = { provider: string; region: string; type?: string | undefined }

/** AWS has 'nlb', 'alb' and 'classic-elb'; other providers have one type each, which is optional here. */
export function findLoadBalancerPrice(
  book: PriceBook,
  { provider, region, type }: LoadBalancerQuery,
): LoadBalancerPrice {
  const isIt = (row: Row<'network'>) =>
    type === undefined || [row.balancerType, ...row.balancerType.split('/')].includes(type)
  const row = networkRows(book, provider, region).find(isIt)
  if (!row) return unpriced('class-not-in-book', 'The price list has no load balancer price for this provider.')
  return priceOfQuality(row.balancerQuality, {
    nanoUsdPerHour: row.balancerNanoUsdPerHour,
    nanoUsdPerUnit: row.balancerUnitNanoUsd,
    note: row.note ?? '',
    source: row.source,
    asOf: row.asOf,
  })
}

function networkRows(book: PriceBook, providerName: string, regionName: string): Row<'network'>[] {
  const provider = canonicalProvider(providerName)
  const region = parentRegion(provider, canonicalRegion(provider, regionName))
  const ofRegion = listRows(book.network, provider, region)
  return region === '*' ? ofRegion : [...ofRegion, ...listRows(book.network, provider, '*')]
}
