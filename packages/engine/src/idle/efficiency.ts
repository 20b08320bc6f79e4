import type { Decimal } from '../decimal.ts'
import { usdFor, type Rate } from '../pricing/rate.ts'

export type Demand = { readonly requestUnitSeconds: bigint; readonly usageUnitSeconds: bigint; readonly rate: Rate }

/** Above 1 where more is used than was asked for. */
export type Efficiency =
  | { kind: 'known'; ratio: number; usedUsd: Decimal; requestedUsd: Decimal }
  | { kind: 'unknown'; reason: 'nothing-requested' }

/** What is used per dollar that is reserved: resources count by what they cost, not one core like one GiB. */
export function efficiency(demands: readonly Demand[]): Efficiency {
  const requestedUsd = demands.reduce((sum, { requestUnitSeconds, rate }) => sum + usdFor(requestUnitSeconds, rate), 0n)
  const usedUsd = demands.reduce((sum, { usageUnitSeconds, rate }) => sum + usdFor(usageUnitSeconds, rate), 0n)
  if (requestedUsd === 0n) return { kind: 'unknown', reason: 'nothing-requested' }
  return { kind: 'known', ratio: Number(usedUsd) / Number(requestedUsd), usedUsd, requestedUsd }
}
