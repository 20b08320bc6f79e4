import { findRow, type PriceBook } from '../price-book.ts'
import { type Priced, unpriced } from '../price.ts'
import { canonicalProvider } from '../names/provider-names.ts'
import { canonicalRegion } from '../names/region-names.ts'

export type ServerlessQuery = {
  provider: string
  region: string
  product: 'eks-fargate' | 'gke-autopilot-general'
  arch?: 'amd64' | 'arm64' | undefined
}

/** Per pod, before the provider's rounding. */
export type ServerlessRates = Priced<{
  nanoUsdPerVcpuHour: number
  nanoUsdPerGibHour: number
  nanoUsdPerEphemeralGibHour: number | undefined
}>

/** The first listed region of each provider. The tables also copy its prices to unknown regions. */
const firstRegion = { 'eks-fargate': 'us-east-1', 'gke-autopilot-general': 'us-central1' }

export function findServerlessRates(book: PriceBook, query: ServerlessQuery): ServerlessRates {
  const provider = canonicalProvider(query.provider)
  const { product, arch = 'amd64' } = query
  const region = canonicalRegion(provider, query.region)
  const here = findRow(book.serverless, provider, region, product)
  const row = here ?? findRow(book.serverless, provider, firstRegion[product], product)
  if (row?.arch !== arch)
    return unpriced('service-not-in-book', `The price list has no rates for ${product} on ${arch} at ${provider}.`)

  const { nanoUsdPerVcpuHour, nanoUsdPerGibHour, nanoUsdPerEphemeralGibHour, source, asOf } = row
  const rates = { nanoUsdPerVcpuHour, nanoUsdPerGibHour, nanoUsdPerEphemeralGibHour, source, asOf }
  if (here) return { kind: 'listed', ...rates }
  const note = `The price list has no rates for ${product} in '${region}'; the rates of ${row.region} apply.`
  return { kind: 'estimated', why: 'copied-from-another-region', note, ...rates }
}
