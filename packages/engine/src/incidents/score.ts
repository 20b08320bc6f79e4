import { divideRounded, type Decimal } from '../decimal.ts'
import { HOURS_PER_DAY, openDay, type AsOf } from '../forecast/day-cost.ts'
import { fitDay, type CostHistory, type FittedDay } from '../forecast/fit-forecast.ts'
import { EXPECTED_DIVISOR, expectedDividend } from '../forecast/weekday-factors.ts'

/** The last hours of a part: the trailing 24 hours unless a name says otherwise. */
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
  const fitted = fitBeforeTrailing(history, asOf)
  return {
    excess: trailing.usd - expectedTrailing(fitted, asOf),
    isComplete: trailing.knownHours >= HOURS_PER_DAY,
    isFitted: fitted.kind === 'weekly',
  }
}

export const fitBeforeTrailing = (history: CostHistory, asOf: AsOf): FittedDay =>
  fitDay(history, openDay(asOf).day - 1, asOf)

/** The expected cost of the trailing 24 hours. */
export function expectedTrailing(fitted: FittedDay, asOf: AsOf): Decimal {
  if (fitted.kind === 'none') return 0n
  const { day, hours } = openDay(asOf)
  const dividend = expectedDividend(fitted, day - 1, HOURS_PER_DAY - hours) + expectedDividend(fitted, day, hours)
  return divideRounded(dividend, EXPECTED_DIVISOR)
}
