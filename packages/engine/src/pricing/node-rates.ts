import { decideNodePrice, type NodePrice, type NodePriceFacts } from './decide-node-price.ts'
import { sameForAll, type NodeRates } from './rate.ts'
import { splitNodePrice, type ReferenceRates } from './split-node-price.ts'

/** The price of a node with its reason, and the resulting rates of its resources. */
export function nodeRates(facts: NodePriceFacts, reference: ReferenceRates): { price: NodePrice; rates: NodeRates } {
  const price = decideNodePrice(facts)
  if (price.kind === 'unpriced') return { price, rates: sameForAll(price) }
  return { price, rates: splitNodePrice(price.usdPerHour, facts.capacity, reference, price) }
}
