import type { Decimal } from '../decimal.ts'

/** Days since 1 January 1970, in the time zone of the installation. Day 0 is a Thursday. */
export type DayNumber = number

/** The cost of one day. `knownHours` counts the hours with data, 0 to 24. */
export type DayCost = { readonly day: DayNumber; readonly usd: Decimal; readonly knownHours: number }

export const HOURS_PER_DAY = 24

/** The last finalised hour: the first `hours` hours of `day` are over. */
export type AsOf = { readonly day: DayNumber; readonly hours: number }

/** A day whose 24 hours are over is the past: 0 hours of the next day are over. */
export const openDay = ({ day, hours }: AsOf): AsOf =>
  hours === HOURS_PER_DAY ? { day: day + 1, hours: 0 } : { day, hours }

export const isBefore = (a: AsOf, b: AsOf): boolean => a.day * HOURS_PER_DAY + a.hours < b.day * HOURS_PER_DAY + b.hours

/** A day with fewer hours of data is left out. */
const KNOWN_HOURS_MIN = 12

export const isKnownDay = ({ knownHours }: DayCost): boolean => knownHours >= KNOWN_HOURS_MIN

/** 0 is Sunday, as in JavaScript dates. */
export const weekdayOf = (day: DayNumber): number => (((day + 4) % 7) + 7) % 7

/** The days `from` ≤ day < `to`. `days` are in order. */
export function daysBetween(days: readonly DayCost[], from: DayNumber, to: DayNumber): readonly DayCost[] {
  return days.slice(indexOfDay(days, from), indexOfDay(days, to))
}

/** The index of the first day that is not before `day`. */
function indexOfDay(days: readonly DayCost[], day: DayNumber): number {
  let [low, high] = [0, days.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((days[middle]?.day ?? day) < day) low = middle + 1
    else high = middle
  }
  return low
}

export type KnownTotal = { readonly usd: Decimal; readonly hours: bigint }

export function totalOf(days: readonly DayCost[]): KnownTotal {
  let [usd, hours] = [0n, 0]
  for (const day of days) {
    usd += day.usd
    hours += day.knownHours
  }
  return { usd, hours: BigInt(hours) }
}
