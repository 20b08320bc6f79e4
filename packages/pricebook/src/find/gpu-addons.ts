import { canonicalGpuType } from '../names/gpu-names.ts'
import type { NodeClass } from './node-query.ts'
import { addPrices, type NodeOffer } from './node-offer.ts'
import { findRow, type PriceBook } from '../price-book.ts'
import { type HourlyPrice, unpriced } from '../price.ts'
import { providerOf } from '../providers/index.ts'
import { findGpuRate } from './reference-rates.ts'
import { spotFromRatio } from './spot-ratio.ts'

type Gpus = { type: string; count: number }

/** Where GPUs are not sold separately, the listed price includes them. */
export function withGpuAddons(book: PriceBook, node: NodeClass, offer: NodeOffer): NodeOffer {
  const { gpu } = node
  const hasOwn = offer.nominal.gpuType !== undefined || offer.nominal.gpuCount !== undefined
  const sellsApart = providerOf(node.provider).machines?.sellsGpusApart === true
  if (!sellsApart || !gpu || hasOwn || offer.onDemand.kind === 'unpriced') return offer
  const gpus = gpuPrices(book, node, gpu)
  return {
    ...offer,
    onDemand: addPrices(offer.onDemand, gpus.onDemand),
    spot: addPrices(offer.spot, gpus.spot),
    nominal: { ...offer.nominal, gpuCount: gpu.count, gpuType: canonicalGpuType(gpu.type) },
  }
}

/**
 * The price of the GPUs alone: the listed add-on of the region, otherwise the rate of the provider without the host.
 */
export function gpuPrices(
  book: PriceBook,
  node: NodeClass,
  { type, count }: Gpus,
): { onDemand: HourlyPrice; spot: HourlyPrice } {
  const gpuType = canonicalGpuType(type)
  const addon = findRow(book.gpuAddons, node.provider, node.region, gpuType)
  if (!addon) return gpuEstimates(book, node, gpuType, count)
  const { source, asOf } = addon
  const listed = (nanoUsd: number): HourlyPrice => ({
    kind: 'listed',
    nanoUsdPerHour: Math.round(nanoUsd * count),
    source,
    asOf,
  })
  const onDemand = listed(addon.nanoUsdPerHour)
  const { spotNanoUsdPerHour: spot } = addon
  return { onDemand, spot: spot === undefined ? spotFromRatio(book, node, onDemand) : listed(spot) }
}

function gpuEstimates(book: PriceBook, node: NodeClass, gpuType: string, count: number) {
  const rate = findGpuRate(book, { provider: node.provider, region: node.region, gpuType })
  if (!rate) {
    const none = unpriced('gap-in-sources', 'The price list has no GPU rate.')
    return { onDemand: none, spot: none }
  }
  const onDemand: HourlyPrice = {
    kind: 'estimated',
    why: 'gpu-not-listed-in-region',
    note: `${count} ${gpuType} at the ${rate.scope === 'default' ? 'default rate' : `rate of ${node.provider}`}.`,
    nanoUsdPerHour: Math.round(rate.nanoUsdPerHour * count),
    source: rate.source,
    asOf: rate.asOf,
  }
  return { onDemand, spot: spotFromRatio(book, node, onDemand) }
}
