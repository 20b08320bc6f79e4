import { HOURS_PER_MONTH, KIB_PER_GIB, PARTS_PER_WHOLE, SECONDS_PER_HOUR } from '@plimsoll/engine'
import type { PriceRow } from '@plimsoll/engine/rules'
import type { ClassRate } from './class-rate.ts'
import { describeClass } from './describe-class.ts'
import { round } from './pricing.ts'

const secondsPerMonth = HOURS_PER_MONTH * SECONDS_PER_HOUR

/** The price of a node class, as receipts show it. */
export const priceRowOf = (classKey: string, rate: ClassRate): PriceRow => ({
  rateId: rate.rateId,
  nodeClass: describeClass(classKey),
  nodeUsdPerHour: rate.nodeUsdPerHour,
  cpuUsdPerCoreMonth: rate.cpuUsd === null ? null : round(rate.cpuUsd * 1e6 * secondsPerMonth),
  memoryUsdPerGibMonth: rate.memoryUsd === null ? null : round(rate.memoryUsd * KIB_PER_GIB * secondsPerMonth),
  gpuUsdPerGpuMonth: rate.gpuUsd ? round(rate.gpuUsd * PARTS_PER_WHOLE * secondsPerMonth) : null,
  estimated: rate.estimated,
  source: rate.source,
  asOf: rate.asOf,
})
