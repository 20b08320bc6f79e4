import { NO_CHARGE, type Charge, type Rate } from '../pricing/rate.ts'

/** Integer times rate, exactly. A quantity of 0 is never unpriced. */
export function chargeFor(unitSeconds: bigint, rate: Rate): Charge {
  if (rate.kind === 'unpriced') return { ...NO_CHARGE, unpriced: unitSeconds > 0n }
  const usd = unitSeconds * rate.usdPerUnitSecond
  return { usd, estimatedUsd: rate.estimated ? usd : 0n, unpriced: false }
}
