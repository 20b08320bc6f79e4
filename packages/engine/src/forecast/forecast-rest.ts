import { absolute } from '../changes/settle.ts'
import { divideRounded, type Decimal } from '../decimal.ts'
import { HOURS_PER_DAY, openDay, type AsOf, type DayNumber } from './day-cost.ts'
import { errorPerDay, fitDay, type CostHistory, type NoFit } from './fit-forecast.ts'
import { EXPECTED_DIVISOR, expectedDividend, type ExpectedDay } from './weekday-factors.ts'

export type Band = { readonly lower: Decimal; readonly upper: Decimal }

/** A forecast with the bands that contain 80 % and 95 % of the outcomes. */
export type CostForecast = { readonly middle: Decimal; readonly band80: Band; readonly band95: Band }

/** The hours of a day that are still to come. */
export type RestDay = { readonly day: DayNumber; readonly hours: number }

/** The young band of a whole cluster is narrower than that of its parts. */
export type ForecastScope = 'cluster' | 'part'

/** Distances from the middle, in hundredths of the unit. `aboveLong` applies to more than 15 days. */
type Distances = { readonly below: bigint; readonly above: bigint; readonly aboveLong: bigint }

/** The unit is the error per day. Calibrated on the daily costs of 13 fleets. */
const WEEKLY = {
  band80: { below: 175n, above: 230n, aboveLong: 270n },
  band95: { below: 275n, above: 520n, aboveLong: 630n },
}

/** The unit is the level. The 95 % band widens the 80 % band as `WEEKLY` does. */
const YOUNG = {
  cluster: {
    band80: { below: 17n, above: 30n, aboveLong: 30n },
    band95: { below: 27n, above: 68n, aboveLong: 68n },
  },
  part: {
    band80: { below: 40n, above: 85n, aboveLong: 85n },
    band95: { below: 63n, above: 192n, aboveLong: 192n },
  },
}

const LONG_REST_HOURS = 15 * HOURS_PER_DAY

/** The cost of the hours to come, from the days that are over. Without a fit there is no forecast. */
export function forecastRest(
  history: CostHistory,
  asOf: AsOf,
  rest: readonly RestDay[],
  scope: ForecastScope,
): CostForecast | NoFit {
  const today = openDay(asOf).day
  const fitted = fitDay(history, today, asOf)
  if (fitted.kind === 'none') return fitted
  const middle = restMiddle(fitted, rest)
  const hours = rest.reduce((sum, each) => sum + each.hours, 0)
  const isYoung = fitted.kind === 'young'
  const unit = isYoung ? absolute(fitted.usdPerDay) : errorPerDay(history, today, fitted)
  const { band80, band95 } = isYoung ? YOUNG[scope] : WEEKLY
  return { middle, band80: bandAround(middle, unit, hours, band80), band95: bandAround(middle, unit, hours, band95) }
}

export function restMiddle(fitted: ExpectedDay, rest: readonly RestDay[]): Decimal {
  const dividend = rest.reduce((sum, { day, hours }) => sum + expectedDividend(fitted, day, hours), 0n)
  return divideRounded(dividend, EXPECTED_DIVISOR)
}

/** Costs are positive, so the band of a positive middle ends at 0. */
function bandAround(middle: Decimal, unit: Decimal, hours: number, distances: Distances): Band {
  const times = (hundredths: bigint) => divideRounded(unit * hundredths * BigInt(hours), 100n * BigInt(HOURS_PER_DAY))
  const lower = middle - times(distances.below)
  const upper = middle + times(hours > LONG_REST_HOURS ? distances.aboveLong : distances.above)
  return { lower: middle >= 0n && lower < 0n ? 0n : lower, upper }
}
