import { divideRounded, type Decimal } from '../decimal.ts'
import { HOURS_PER_MONTH, SECONDS_PER_HOUR } from '../time.ts'
import type { Resource } from '../units.ts'
import { discounted } from './discount.ts'
import type { NodeRates, Rate } from './rate.ts'
import { UNITS_PER_QUOTE } from './split-node-price.ts'

export type CustomRates = {
  /** Explicit in every set of rates: a monthly price read as hourly is wrong by a factor of 730. */
  readonly per: 'hour' | 'month'
  /** USD per vCPU, GiB and GPU. */
  readonly cpu?: Decimal
  readonly memory?: Decimal
  readonly gpu?: Decimal
  readonly discountPercent?: Decimal
}

/** Custom rates for the resources, instead of a price for the node. */
export function customRates(custom: CustomRates): NodeRates {
  const rateOf = (resource: Resource): Rate => {
    const quoted = custom[resource]
    if (quoted === undefined) return { kind: 'unpriced', reason: 'no-custom-rate' }
    const usd = discounted(quoted, custom.discountPercent ?? 0n)
    return { kind: 'priced', usdPerUnitSecond: perUnitSecond(usd, resource, custom.per), estimated: false }
  }
  return { cpu: rateOf('cpu'), memory: rateOf('memory'), gpu: rateOf('gpu') }
}

function perUnitSecond(usd: Decimal, resource: Resource, per: CustomRates['per']): Decimal {
  const hours = per === 'month' ? HOURS_PER_MONTH : 1
  return divideRounded(usd, UNITS_PER_QUOTE[resource] * BigInt(hours * SECONDS_PER_HOUR))
}
