import { absolute } from '../changes/settle.ts'
import { divideRounded, type Decimal } from '../decimal.ts'
import {
  daysBetween,
  HOURS_PER_DAY,
  isBefore,
  isKnownDay,
  totalOf,
  type AsOf,
  type DayCost,
  type DayNumber,
  type KnownTotal,
} from './day-cost.ts'
import { EVEN_WEEK, EXPECTED_DIVISOR, expectedDividend, weekdayFactors, type ExpectedDay } from './weekday-factors.ts'

/** A new level that a person accepted as normal. */
export type AcceptedStep = {
  /** The new level is normal from this hour on. */
  readonly at: AsOf
  /** The level until the first whole day is known. */
  readonly usdPerDay: Decimal
}

const firstWholeDay = ({ at }: AcceptedStep): DayNumber => (at.hours > 0 ? at.day + 1 : at.day)

export type CostHistory = {
  /** In order, each day once. */
  readonly days: readonly DayCost[]
  readonly step?: AcceptedStep
}

/** `young`: fewer than 28 known days, so the level is their mean and all weekdays are alike. */
export type FittedDay = NoFit | ({ readonly kind: 'young' | 'weekly'; readonly knownDays: number } & ExpectedDay)

export type NoFit = { readonly kind: 'none'; readonly reason: 'too-few-days'; readonly knownDays: number }

const DAYS_MIN = 7
const DAYS_OF_WEEKLY = 28
const SHORT_DAYS = 7
const LONG_DAYS = 28

/** Eight weeks of weekday factors before the first of eight tested weeks. Older days change nothing. */
const HISTORY_DAYS = 112

const TEST_WEEKS = 8
const TEST_DAYS = 7

/** Uses the days before `today` alone, and a step that was accepted by `asOf`. */
export function fitDay(
  { days, step }: CostHistory,
  today: DayNumber,
  asOf: AsOf = { day: today, hours: 0 },
): FittedDay {
  return fitKnown(knownBefore(days, today), step && !isBefore(asOf, step.at) ? step : undefined)
}

const knownBefore = (days: readonly DayCost[], today: DayNumber): readonly DayCost[] =>
  daysBetween(days, today - HISTORY_DAYS, today).filter(isKnownDay)

function fitKnown(known: readonly DayCost[], step: AcceptedStep | undefined): FittedDay {
  const last = known.at(-1)
  if (!last || known.length < DAYS_MIN) return { kind: 'none', reason: 'too-few-days', knownDays: known.length }
  const end = last.day + 1
  const isYoung = known.length < DAYS_OF_WEEKLY
  const factors = isYoung ? EVEN_WEEK : weekdayFactors(known, end)
  const usdPerDay = step ? levelAfter(step, known, end, factors) : levelOf(known, end, isYoung)
  return { kind: isYoung ? 'young' : 'weekly', knownDays: known.length, usdPerDay, factors }
}

/** Fewer than 7 days do not hold all weekdays, so each counts by the factor of its weekday. */
function levelAfter(
  step: AcceptedStep,
  known: readonly DayCost[],
  end: DayNumber,
  factors: ExpectedDay['factors'],
): Decimal {
  const counted = daysBetween(known, firstWholeDay(step), end)
  if (counted.length >= SHORT_DAYS) return levelOf(counted, end, known.length < DAYS_OF_WEEKLY)
  const weight = counted.reduce(
    (sum, { day, knownHours }) => sum + expectedDividend({ usdPerDay: 1n, factors }, day, knownHours),
    0n,
  )
  return weight > 0n ? divideRounded(totalOf(counted).usd * EXPECTED_DIVISOR, weight) : step.usdPerDay
}

/** Half the mean of the last 7 days and half the mean of the last 28 days. Days count by their known hours. */
function levelOf(counted: readonly DayCost[], end: DayNumber, isYoung: boolean): Decimal {
  if (isYoung) return meanOf(totalOf(counted), totalOf(counted))
  return meanOf(
    totalOf(daysBetween(counted, end - SHORT_DAYS, end)),
    totalOf(daysBetween(counted, end - LONG_DAYS, end)),
  )
}

function meanOf(a: KnownTotal, b: KnownTotal): Decimal {
  return divideRounded((a.usd * b.hours + b.usd * a.hours) * BigInt(HOURS_PER_DAY), 2n * a.hours * b.hours)
}

/**
 * The mean of the net errors per day of the 7-day forecasts that this rule would have made over the last 8 weeks, at least 1 %
 * of the level. A week that contains the accepted step does not count: the step is not an error of the rule.
 */
export function errorPerDay({ days, step }: CostHistory, today: DayNumber, { usdPerDay }: ExpectedDay): Decimal {
  const known = knownBefore(days, today)
  const end = (known.at(-1)?.day ?? today) + 1
  let [sum, weeks] = [0n, 0n]
  for (let week = 1; week <= TEST_WEEKS; week += 1) {
    const from = end - week * TEST_DAYS
    if (step && from < firstWholeDay(step) && firstWholeDay(step) < from + TEST_DAYS) continue
    const fitted = fitDay({ days: known, ...(step && { step }) }, from)
    const actual = daysBetween(known, from, from + TEST_DAYS)
    if (fitted.kind === 'none' || actual.length === 0) continue
    sum += weekError(fitted, actual)
    weeks += 1n
  }
  const atLeast = divideRounded(absolute(usdPerDay), 100n)
  const mean = weeks === 0n ? 0n : divideRounded(sum, weeks)
  return mean > atLeast ? mean : atLeast
}

/** The net error of the week per day: errors of single days may cancel out. The bands are calibrated for it. */
function weekError(fitted: ExpectedDay, actual: readonly DayCost[]): Decimal {
  const { usd, hours } = totalOf(actual)
  const expected = actual.reduce((sum, { day, knownHours }) => sum + expectedDividend(fitted, day, knownHours), 0n)
  const difference = absolute(expected - usd * EXPECTED_DIVISOR)
  return divideRounded(difference * BigInt(HOURS_PER_DAY), EXPECTED_DIVISOR * hours)
}
