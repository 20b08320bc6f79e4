import { classRates } from './class-rates.ts'
import type { ClassRate } from './class-rate.ts'
import { parseClassKey } from './node-class.ts'
import { sourceOf } from './price-sources.ts'
import { termsInForce } from './price-terms.ts'
import type { Pricing } from './pricing.ts'

const unitsPerUsd = 1e24

type MaybePriced = { kind: 'unpriced' } | { kind: 'priced'; usdPerUnitSecond: bigint }

const usdOf = (rate: MaybePriced): number | null =>
  rate.kind === 'unpriced' ? null : Number(rate.usdPerUnitSecond) / unitsPerUsd

/** The rate of each node class in the hour of the prices, where no database stores rates. */
export const currentRates = (pricing: Pricing, classKeys: Iterable<string>): Map<string, ClassRate> =>
  new Map([...classKeys].map((key) => [key, currentRate(pricing, key)]))

function currentRate({ book, terms, hour }: Pricing, classKey: string): ClassRate {
  const facts = parseClassKey(classKey)
  const { price, rates, evidence } = classRates(book, facts, termsInForce(terms, hour, facts.query).override)
  const { source, as_of: asOf } = sourceOf(evidence)
  return {
    rateId: classKey,
    nodeUsdPerHour: price.kind === 'unpriced' ? null : Number(price.usdPerHour) / unitsPerUsd,
    cpuUsd: usdOf(rates.cpu),
    memoryUsd: usdOf(rates.memory),
    gpuUsd: usdOf(rates.gpu),
    estimated: price.kind !== 'unpriced' && price.estimated,
    source,
    asOf,
  }
}
