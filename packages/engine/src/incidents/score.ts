import { divideRounded, type Decimal } from '../decimal.ts'
import { HOURS_PER_DAY } from '../forecast/day-cost.ts'
import { fitDay, type CostHistory } from '../forecast/fit-forecast.ts'
import type { AsOf } from '../forecast/forecast-period.ts'
import { EXPECTED_DIVISOR, expectedDividend } from '../forecast/weekday-factors.ts'

/** The trailing 24 hours of a part. */
export type TrailingCost = { readonly usd: Decimal; readonly knownHours: number }

export type PartScore = {
  /** Cost − expected cost of the trailing 24 hours. */
  readonly excess: Decimal
  /** All 24 hours have data. Without them the excess may be too low, so no incident ends. */
  readonly isComplete: boolean
  /** The part has 28 known days. A younger part can be the place of an incident, but does not open one. */
  readonly isFitted: boolean
}

/**
 * The cost of hours without data is not estimated: a gap lowers the excess and therefore opens no incident. The forecast
 * uses the days before the 24 hours alone. A part with fewer than 7 days is expected to cost nothing.
 */
export function scorePart(history: CostHistory, asOf: AsOf, trailing: TrailingCost): PartScore {
  const firstDay = asOf.hours === HOURS_PER_DAY ? asOf.day : asOf.day - 1
  const fitted = fitDay(history, firstDay)
  const expected =
    fitted.kind === 'none'
      ? 0n
      : divideRounded(
          expectedDividend(fitted, asOf.day - 1, HOURS_PER_DAY - asOf.hours) +
            expectedDividend(fitted, asOf.day, asOf.hours),
          EXPECTED_DIVISOR,
        )
  return {
    excess: trailing.usd - expected,
    isComplete: trailing.knownHours >= HOURS_PER_DAY,
    isFitted: fitted.kind === 'weekly',
  }
}
