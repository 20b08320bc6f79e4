import { listRows, type PriceBook } from '../price-book.ts'
import { type Priced, priceOfQuality, unpriced } from '../price.ts'
import { canonicalProvider } from '../names/provider-names.ts'

export type ControlPlaneQuery = { provider: string; service?: string | undefined; tier?: string | undefined }

/** Per cluster and hour. A fee of 0 is one that the provider lists as 0. */
export type ControlPlaneFee = Priced<{ nanoUsdPerHour: number; service: string; tier: string; note: string }>

const ownService = new Map([
  ['aws', 'eks'],
  ['gcp', 'gke'],
  ['azure', 'aks'],
  ['oci', 'oke'],
])

/** What a cluster is unless someone says otherwise. AKS and OKE have a free and a paid tier that a cluster does not show. */
const usualTier = new Map([
  ['eks', 'standard-support'],
  ['gke', 'standard'],
  ['managed', 'default'],
  ['self-managed', 'none'],
])

export function findControlPlaneFee(book: PriceBook, query: ControlPlaneQuery): ControlPlaneFee {
  const provider = canonicalProvider(query.provider)
  const service = query.service ?? ownService.get(provider) ?? 'managed'
  const tiers = listRows(book.controlPlane, provider, service)
  if (tiers.length === 0) return unpriced('service-not-in-book', `The book has no fee of '${service}' at ${provider}.`)

  const tier = query.tier ?? usualTier.get(service)
  const names = tiers.map((row) => row.tier).join(', ')
  const row = tiers.find((candidate) => candidate.tier === tier)
  if (!row)
    return unpriced('tier-not-known', `${service} is one of ${names}; this cluster is '${tier ?? 'not known'}'.`)

  const { nanoUsdPerHour, quality, source, asOf = '', note = '' } = row
  if (nanoUsdPerHour === undefined) return unpriced('gap-in-sources', note)
  return priceOfQuality(quality, { nanoUsdPerHour, service, tier: row.tier, note, source, asOf })
}
