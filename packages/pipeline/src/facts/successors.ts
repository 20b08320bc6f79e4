import { HOURS_PER_MONTH } from '@plimsoll/engine'
import type { NodeFacts } from '@plimsoll/engine/rules'
import { canonicalProvider, findNodePrice } from '@plimsoll/pricebook'
import { parseClassKey } from '../prices/node-class.ts'
import { nodePrice, type Pricing } from '../prices/pricing.ts'

/** The next generation of the same kind and architecture, with the same sizes. */
const nextFamily: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  aws: {
    m3: 'm5',
    m4: 'm5',
    c3: 'c5',
    c4: 'c5',
    r3: 'r5',
    r4: 'r5',
    t2: 't3',
    i2: 'i3',
  },
}

/** The same size of the next generation, if its list price there is lower. */
export function successorOf(pricing: Pricing, classKey: string, usdPerMonth: number | null): NodeFacts['successor'] {
  const facts = parseClassKey(classKey)
  if (usdPerMonth === null || facts.query.capacityType === 'spot' || facts.query.gpu) return null
  const provider = canonicalProvider(facts.query.provider)
  const [family = '', ...size] = facts.query.instanceType.split('.')
  const next = nextFamily[provider]?.[family]
  if (next === undefined) return null
  const instanceType = [next, ...size].join('.')
  const query = { ...facts.query, instanceType }
  const { nominal } = findNodePrice(pricing.book, query)
  if (nominal.vcpu === undefined) return null
  const price = nodePrice(pricing, { ...facts, query })
  if (price === null || price.usd * HOURS_PER_MONTH >= usdPerMonth) return null
  return { instanceType, usdPerMonth: price.usd * HOURS_PER_MONTH, price }
}
