import { gpuPrices } from './gpu-addons.ts'
import type { Capacity, NodeClass } from './node-query.ts'
import { addPrices, type NodeOffer, unpricedOffer } from './node-offer.ts'
import type { PriceBook } from '../price-book.ts'
import { type HourlyPrice, unpriced } from '../price.ts'
import { findReferenceRates } from './reference-rates.ts'

/** An unknown type: the reported capacity at the fallback rates. Without a capacity it is not priced. */
export function ratesOffer(book: PriceBook, node: NodeClass): NodeOffer {
  const { capacity, gpu } = node
  if (!capacity) {
    return unpricedOffer(
      'type-not-in-book',
      `The price list does not have '${node.instanceType}', and its vCPU and memory are unknown.`,
    )
  }
  const onDemand = ratesPrice(book, node, capacity, 'on-demand')
  const spot = ratesPrice(book, node, capacity, 'spot')
  if (!gpu) return { onDemand, spot, nominal: {} }
  const gpus = gpuPrices(book, node, gpu)
  return { onDemand: addPrices(onDemand, gpus.onDemand), spot: addPrices(spot, gpus.spot), nominal: {} }
}

function ratesPrice(
  book: PriceBook,
  node: NodeClass,
  capacity: Capacity,
  capacityType: 'on-demand' | 'spot',
): HourlyPrice {
  const { provider, region } = node
  const rates = findReferenceRates(book, { provider, region, capacityType })
  if (!rates) return unpriced('no-spot-price', `The price list has no ${capacityType} rates for ${provider}.`)

  const { vcpu, memoryGib } = capacity
  const { nanoUsdPerVcpuHour, nanoUsdPerGibHour, scope, source, asOf } = rates
  const whose = { region: `${provider} ${region}`, provider, default: 'any provider' }[scope]
  return {
    kind: 'estimated',
    why: book.nodes.has(provider) ? 'type-not-in-book' : 'provider-not-in-book',
    note: `${vcpu} vCPU and ${memoryGib} GiB at the ${capacityType} rates of ${whose}.`,
    nanoUsdPerHour: Math.round(vcpu * nanoUsdPerVcpuHour + memoryGib * nanoUsdPerGibHour),
    source,
    asOf,
  }
}
