import { divideRounded, type Decimal } from '../decimal.ts'
import { SECONDS_PER_HOUR } from '../time.ts'
import { KIB_PER_GIB, MICROCORES_PER_CORE, PARTS_PER_WHOLE, RESOURCES, type Amounts, type Resource } from '../units.ts'
import { sameForAll, type NodeRates, type Rate } from './rate.ts'

/** USD per vCPU-hour, GiB-hour and GPU-hour. A provider without GPUs has no GPU rate. */
export type ReferenceRates = { readonly cpu: Decimal; readonly memory: Decimal; readonly gpu?: Decimal }

/**
 * Splits the hourly price of a node into rates of its resources, in proportion to the reference rates, so that capacity
 * × rate is the price: `k = P / (vcpu·c + gib·m + gpus·g)`, and each rate is `k` times its reference.
 *
 * Each rate is rounded once, here. If the node has a resource without a reference rate, nothing of the node is priced.
 */
export function splitNodePrice(
  usdPerHour: Decimal,
  capacity: Amounts,
  reference: ReferenceRates,
  { estimated }: { estimated: boolean },
): NodeRates {
  const list = listPrice(capacity, reference)
  if (list === 'no-reference-rate' || list === 0n) return sameForAll({ kind: 'unpriced', reason: 'no-reference-rate' })

  const rateOf = (resource: Resource): Rate => {
    const perUnitHour = usdPerHour * (reference[resource] ?? 0n) * otherUnits(resource)
    return { kind: 'priced', usdPerUnitSecond: divideRounded(perUnitHour, list * BigInt(SECONDS_PER_HOUR)), estimated }
  }
  return { cpu: rateOf('cpu'), memory: rateOf('memory'), gpu: rateOf('gpu') }
}

/** USD per hour by reference rates: the estimate for an unknown node. */
export function referencePrice(capacity: Amounts, reference: ReferenceRates): Decimal | 'no-reference-rate' {
  const list = listPrice(capacity, reference)
  return list === 'no-reference-rate' ? list : divideRounded(list, ALL_UNITS)
}

/** Base units per vCPU, GiB or GPU, the units of reference prices. */
export const UNITS_PER_QUOTE: Readonly<Record<Resource, bigint>> = {
  cpu: BigInt(MICROCORES_PER_CORE),
  memory: BigInt(KIB_PER_GIB),
  gpu: BigInt(PARTS_PER_WHOLE),
}

/** Amounts have three units; over this common denominator their prices add up without rounding. */
const ALL_UNITS = UNITS_PER_QUOTE.cpu * UNITS_PER_QUOTE.memory * UNITS_PER_QUOTE.gpu

const otherUnits = (resource: Resource) => ALL_UNITS / UNITS_PER_QUOTE[resource]

function listPrice(capacity: Amounts, reference: ReferenceRates): bigint | 'no-reference-rate' {
  let sum = 0n
  for (const resource of RESOURCES) {
    if (capacity[resource] === 0) continue
    const usd = reference[resource]
    if (usd === undefined) return 'no-reference-rate'
    sum += BigInt(capacity[resource]) * usd * otherUnits(resource)
  }
  return sum
}
