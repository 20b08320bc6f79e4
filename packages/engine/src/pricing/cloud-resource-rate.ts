import { divideRounded, type Decimal } from '../decimal.ts'
import { HOURS_PER_MONTH, SECONDS_PER_HOUR } from '../time.ts'
import { KIB_PER_GIB, PARTS_PER_WHOLE } from '../units.ts'
import type { Rate } from './rate.ts'

/** Disks are sold by the GiB, or in sizes of which one pays the whole (Azure's P10, P15 …). */
export type StoragePrice =
  | { kind: 'per-gib'; usdPerGibMonth: Decimal; estimated: boolean }
  | { kind: 'per-disk'; usdPerMonth: Decimal; estimated: boolean }
  | { kind: 'unknown' }

/** Per KiB and second. A class that no table knows is unpriced: 0 would say that it is free. */
export function storageRate(price: StoragePrice, sizeKib: number): Rate {
  if (price.kind === 'unknown') return { kind: 'unpriced', reason: 'unknown-storage-class' }
  if (price.kind === 'per-gib') return perSecond(price.usdPerGibMonth, KIB_PER_GIB, HOURS_PER_MONTH, price)
  if (sizeKib === 0) return { kind: 'unpriced', reason: 'no-size' }
  return perSecond(price.usdPerMonth, sizeKib, HOURS_PER_MONTH, price)
}

/** Per part and second, of what is sold whole by the hour: load balancers, control planes, NAT. */
export function cloudResourceRate(usdPerHour: Decimal, { estimated }: { estimated: boolean }): Rate {
  return perSecond(usdPerHour, PARTS_PER_WHOLE, 1, { estimated })
}

function perSecond(usd: Decimal, units: number, hours: number, { estimated }: { estimated: boolean }): Rate {
  const usdPerUnitSecond = divideRounded(usd, BigInt(units) * BigInt(hours * SECONDS_PER_HOUR))
  return { kind: 'priced', usdPerUnitSecond, estimated }
}
