import { customOffer, flexibleOffer } from './custom-offer.ts'
import { withGpuAddons } from './gpu-addons.ts'
import { listedOffer, otherRegionsOffer } from './listed-offer.ts'
import { nodeClassOf, type NodeClass, type NodeQuery } from './node-query.ts'
import { type NodeOffer, unpricedOffer } from './node-offer.ts'
import type { PriceBook } from '../price-book.ts'
import type { HourlyPrice } from '../price.ts'
import { providerOf } from '../providers/index.ts'
import { ratesOffer } from './rates-offer.ts'

/** The price of the class that was asked for, with both of its prices for comparison and what the vendor says it has. */
export type NodePrice = HourlyPrice & NodeOffer

/**
 * The list price if the book has it; else the best estimate, saying which and why; else unpriced. A spot node never gets
 * its on-demand price, a Windows node never that of Linux, and nothing is free for lack of knowledge.
 */
export function findNodePrice(book: PriceBook, query: NodeQuery): NodePrice {
  const offer = findOffer(book, nodeClassOf(query))
  const price = query.capacityType === 'spot' ? offer.spot : offer.onDemand
  // Spreading two objects of many shapes takes several times as long, and this is asked for every node.
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
