import { divideRounded, type Decimal } from '../decimal.ts'
import { HOURS_PER_MONTH, SECONDS_PER_HOUR } from '../time.ts'
import { KIB_PER_GIB, PARTS_PER_WHOLE } from '../units.ts'
import type { Rate } from './rate.ts'

/** Disks are sold per GiB, or in fixed sizes that are billed as a whole (Azure P10, P15 …). */
export type StoragePrice =
  | { kind: 'per-gib'; usdPerGibMonth: Decimal; estimated: boolean }
  | { kind: 'per-disk'; usdPerMonth: Decimal; estimated: boolean }
  | { kind: 'unknown' }

/** Per KiB and second. A class without a price is not priced: 0 would mean free. */
export function storageRate(price: StoragePrice, sizeKib: number): Rate {
  if (price.kind === 'unknown') return { kind: 'unpriced', reason: 'unknown-storage-class' }
  if (price.kind === 'per-gib') return perSecond(price.usdPerGibMonth, KIB_PER_GIB, HOURS_PER_MONTH, price)
  if (sizeKib === 0) return { kind: 'unpriced', reason: 'no-size' }
  return perSecond(price.usdPerMonth, sizeKib, HOURS_PER_MONTH, price)
}

/** Per part and second, for resources billed per hour as a whole: load balancers, control planes, NAT. */
export function cloudResourceRate(usdPerHour: Decimal, { estimated }: { estimated: boolean }): Rate {
  return perSecond(usdPerHour, PARTS_PER_WHOLE, 1, { estimated })
}

function perSecond(usd: Decimal, units: number, hours: number, { estimated }: { estimated: boolean }): Rate {
  const usdPerUnitSecond = divideRounded(usd, BigInt(units) * BigInt(hours * SECONDS_PER_HOUR))
  return { kind: 'priced', usdPerUnitSecond, estimated }
}
