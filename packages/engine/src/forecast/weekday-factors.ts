import type { Decimal } from '../decimal.ts'
import { daysBetween, HOURS_PER_DAY, totalOf, weekdayOf, type DayCost, type DayNumber } from './day-cost.ts'

/**
 * The cost of each weekday compared with the mean day, Sunday first, in units of `FACTOR_ONE`. The mean of the factors is 1.
 * Factors are ratios, so numbers are exact enough for them, and they are rounded before they meet money.
 */
export type WeekdayFactors = readonly bigint[]

const FACTOR_ONE = 10n ** 12n
const DAYS_PER_WEEK = 7
const WEEKS_MAX = 8

/** The weight of a factor of 1, in weeks. A short history therefore changes the factors little. */
const WEEKS_OF_ONE = 6

export const EVEN_WEEK: WeekdayFactors = Array.from({ length: DAYS_PER_WEEK }, () => FACTOR_ONE)

/**
 * For each weekday the median over the last weeks of its cost divided by the mean of its week. Weeks end before `end`.
 * A week counts if all its days are known and it has a cost.
 */
export function weekdayFactors(known: readonly DayCost[], end: DayNumber): WeekdayFactors {
  const ratios: number[][] = EVEN_WEEK.map(() => [])
  let weeks = 0
  for (let back = 1; back <= WEEKS_MAX; back += 1) {
    const from = end - back * DAYS_PER_WEEK
    const week = daysBetween(known, from, from + DAYS_PER_WEEK)
    const { usd, hours } = totalOf(week)
    if (week.length < DAYS_PER_WEEK || usd <= 0n) continue
    weeks += 1
    const usdPerHour = Number(usd) / Number(hours)
    for (const { day, usd: usdOfDay, knownHours } of week) {
      ratios[weekdayOf(day)]?.push(Number(usdOfDay) / knownHours / usdPerHour)
    }
  }
  return weeks === 0 ? EVEN_WEEK : towardsOne(ratios.map(median), weeks)
}

function towardsOne(ratios: readonly number[], weeks: number): WeekdayFactors {
  const mean = ratios.reduce((sum, ratio) => sum + ratio, 0) / DAYS_PER_WEEK
  if (mean <= 0) return EVEN_WEEK
  return ratios.map((ratio) => {
    const factor = (weeks * (ratio / mean) + WEEKS_OF_ONE) / (weeks + WEEKS_OF_ONE)
    return BigInt(Math.round(factor * Number(FACTOR_ONE)))
  })
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return ((sorted[(sorted.length - 1) >> 1] ?? 0) + (sorted[sorted.length >> 1] ?? 0)) / 2
}

/** The expected cost of a day is `usdPerDay` × the factor of its weekday. */
export type ExpectedDay = { readonly usdPerDay: Decimal; readonly factors: WeekdayFactors }

/** The expected cost of some hours of a day × `EXPECTED_DIVISOR`, so that the sum of several days is rounded once. */
export function expectedDividend({ usdPerDay, factors }: ExpectedDay, day: DayNumber, hours: number): bigint {
  return usdPerDay * (factors[weekdayOf(day)] ?? FACTOR_ONE) * BigInt(hours)
}

export const EXPECTED_DIVISOR = FACTOR_ONE * BigInt(HOURS_PER_DAY)
