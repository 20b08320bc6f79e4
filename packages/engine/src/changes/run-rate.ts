import { HOURS_PER_MONTH, SECONDS_PER_HOUR } from '../time.ts'
import type { Decimal } from '../decimal.ts'
import type { Comparison, Pair } from './known-time.ts'

/** The bill of a cluster per month, and an effect on it per month. */
export type RunRate = { readonly usd: Pair<Decimal>; readonly perMonth: (effect: Decimal) => Decimal }

export type KnownBill = {
  readonly usd: Pair<Decimal>
  /** The time with data. */
  readonly seconds: Pair<number>
  readonly comparison: Comparison
}

const SECONDS_PER_MONTH = BigInt(HOURS_PER_MONTH * SECONDS_PER_HOUR)

/**
 * From the hours with data only. All effects except `hours` are scaled to the mean of these hours, so per month they add
 * up to the difference of the run rates. Null: a gap hides one of the windows, so the rates cannot be compared.
 */
export function clusterRunRate({ usd, seconds, comparison }: KnownBill): RunRate | null {
  const isSingle = comparison.kind === 'single'
  if (isSingle && comparison.effect === 'hours') return null
  const rateOf = (side: 'before' | 'now') =>
    seconds[side] === 0 ? 0n : (usd[side] * SECONDS_PER_MONTH) / BigInt(seconds[side])
  const [windows, known] = [isSingle ? 1n : 2n, BigInt(seconds.before + seconds.now)]
  return {
    usd: { before: rateOf('before'), now: rateOf('now') },
    perMonth: (effect) => (effect * SECONDS_PER_MONTH * windows) / known,
  }
}
