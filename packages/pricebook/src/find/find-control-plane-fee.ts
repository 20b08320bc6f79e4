import { listRows, type PriceBook } from '../price-book.ts'
import { type Priced, priceOfQuality, unpriced } from '../price.ts'
import { canonicalProvider } from '../names/provider-names.ts'
import { providerOf } from '../providers/index.ts'

export type ControlPlaneQuery = { provider: string; service?: string | undefined; tier?: string | undefined }

/** Per cluster and hour. A fee of 0 means that the provider lists it as 0. */
export type ControlPlaneFee = Priced<{ nanoUsdPerHour: number; service: string; tier: string; note: string }>

/** Default tiers of services without a provider. */
const usualTier = new Map([
  ['managed', 'default'],
  ['self-managed', 'none'],
])

export function findControlPlaneFee(book: PriceBook, query: ControlPlaneQuery): ControlPlaneFee {
  const provider = canonicalProvider(query.provider)
  const own = providerOf(provider).controlPlane
  const service = query.service ?? own?.service ?? 'managed'
  const tiers = listRows(book.controlPlane, provider, service)
  if (tiers.length === 0)
    return unpriced('service-not-in-book', `The price list has no fee for '${service}' at ${provider}.`)

  const tier = query.tier ?? (service === own?.service ? own.tier : undefined) ?? usualTier.get(service)
  const names = tiers.map((row) => row.tier).join(', ')
  const row = tiers.find((candidate) => candidate.tier === tier)
  if (!row)
    return unpriced(
      'tier-not-known',
      `${service} has the tiers ${names}; the tier of this cluster is '${tier ?? 'unknown'}'.`,
    )

  const { nanoUsdPerHour, quality, source, asOf = '', note = '' } = row
  if (nanoUsdPerHour === undefined) return unpriced('gap-in-sources', note)
  return priceOfQuality(quality, { nanoUsdPerHour, service, tier: row.tier, note, source, asOf })
}
