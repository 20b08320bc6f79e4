import { customOffer, flexibleOffer } from './custom-offer.ts'
import { withGpuAddons } from './gpu-addons.ts'
import { listedOffer, otherRegionsOffer } from './listed-offer.ts'
import { nodeClassOf, type NodeClass, type NodeQuery } from './node-query.ts'
import { type NodeOffer, unpricedOffer } from './node-offer.ts'
import type { PriceBook } from '../price-book.ts'
import type { HourlyPrice } from '../price.ts'
import { providerOf } from '../providers/index.ts'
import { ratesOffer } from './rates-offer.ts'

/** The price of the requested class, with both prices for comparison and the nominal capacity. */
export type NodePrice = HourlyPrice & NodeOffer

/**
 * The list price if the book has it, otherwise the best estimate with its reason, otherwise not priced. A spot node
 * never gets its on-demand price, and a Windows node never gets a Linux price. An unknown price is never 0.
 */
export function findNodePrice(book: PriceBook, query: NodeQuery): NodePrice {
  const offer = findOffer(book, nodeClassOf(query))
  const price = query.capacityType === 'spot' ? offer.spot : offer.onDemand
  // Spreading two objects of many shapes is several times slower, and this runs for every node.
  return Object.assign({}, price, offer)
}

function findOffer(book: PriceBook, node: NodeClass): NodeOffer {
  const notInUsd = providerOf(node.provider).regions?.notInUsd?.(node.region)
  if (notInUsd !== undefined) return unpricedOffer('currency-not-usd', notInUsd)
  const listed = listedOffer(book, node)
  if (listed) return withGpuAddons(book, node, listed)
  if (node.isWindows)
    return unpricedOffer('no-windows-price', `${node.instanceType} has no Windows price in the price list.`)

  const estimated = customOffer(book, node) ?? flexibleOffer(book, node) ?? otherRegionsOffer(book, node)
  if (estimated) return withGpuAddons(book, node, estimated)
  return ratesOffer(book, node)
}
