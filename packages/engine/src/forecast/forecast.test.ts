import { expect, test } from 'vitest'
import { roundDecimal } from '../decimal.ts'
import { dayOf, repeated, someDays, usd } from './builders.ts'
import type { DayCost } from './day-cost.ts'
import { errorPerDay, fitDay, type CostHistory } from './fit-forecast.ts'
import { forecastPeriod, outlookFor, type PeriodQuestion } from './forecast-period.ts'
import { forecastRest, type ForecastScope } from './forecast-rest.ts'
import { periodAround } from './period.ts'

const monday = dayOf('2026-06-01')

function fitted(history: CostHistory, today: number) {
  const fit = fitDay(history, today)
  if (fit.kind === 'none') throw new Error('no fit')
  return fit
}

const levelOf = (history: CostHistory, today: number) => roundDecimal(fitted(history, today).usdPerDay)

/** Middle, then lower and upper edges of 80 % and 95 %. */
function rest(days: readonly DayCost[], today: number, count: number, scope: ForecastScope = 'cluster') {
  const forecast = forecastRest(
    { days },
    { day: today, hours: 0 },
    Array.from({ length: count }, (_, index) => ({ day: today + index, hours: 24 })),
    scope,
  )
  if ('kind' in forecast) return forecast
  const { middle, band80, band95 } = forecast
  return [middle, band80.lower, band80.upper, band95.lower, band95.upper].map((each) => Number(roundDecimal(each, 4)))
}

test('the level is half the mean of 7 days and half the mean of 28 days', () => {
  // 7 days: 140. 28 days: (21 × 100 + 7 × 140) / 28 = 110. Level: 125.
  const days = someDays(monday, [...repeated(100, 21), ...repeated(140, 7)])
  expect(levelOf({ days }, monday + 28)).toBe('125.000000')
})

test('the error is the mean of the weekly errors, and the band is a multiple of it', () => {
  // Three tested weeks have 7 days before them: errors of 0, 0 and 40 a day, so 13.3333. Seven days: 7 × 125 = 875,
  // − 7 × 1.75 × 13.3333, + 7 × 2.3 × 13.3333, − 7 × 2.75 × 13.3333, + 7 × 5.2 × 13.3333.
  const days = someDays(monday, [...repeated(100, 21), ...repeated(140, 7)])
  expect(rest(days, monday + 28, 7)).toEqual([875, 711.6667, 1089.6667, 618.3333, 1360.3333])
})

test('weekdays shrink towards the mean day by the number of weeks', () => {
  // A week of 5 × 110 and 2 × 75 has the mean 100. Four weeks: (4 × 1.1 + 6) / 10 = 1.04, (4 × 0.75 + 6) / 10 = 0.9.
  const week = [...repeated(110, 5), 75, 75]
  const days = someDays(monday, [...week, ...week, ...week, ...week])
  expect(rest(days, monday + 28, 1)).toEqual([104, 102.25, 106.3, 101.25, 109.2])
  // 700 + 3 × 104 = 1012. The error is the minimum, 1 a day.
  expect(rest(days, monday + 28, 10)).toEqual([1012, 994.5, 1035, 984.5, 1064])
  // More than 15 days: 1400 + 5 × 104 + 90 = 2010; upper edges + 20 × 2.7 and + 20 × 6.3.
  expect(rest(days, monday + 28, 20)).toEqual([2010, 1975, 2064, 1955, 2136])
})

test('a series of 7 to 27 days is the mean of its days with a wide band', () => {
  const days = someDays(monday, [...repeated(40, 5), ...repeated(60, 5)])
  expect(rest(days, monday + 10, 4)).toEqual([200, 166, 260, 146, 336])
  expect(rest(days, monday + 10, 4, 'part')).toEqual([200, 120, 370, 74, 584])
})

test('fewer than 7 known days have no forecast', () => {
  const days = someDays(monday, repeated(40, 6))
  expect(rest(days, monday + 6, 4)).toEqual({ kind: 'none', reason: 'too-few-days', knownDays: 6 })
})

test('days count by their known hours, and a day with fewer than 12 is left out', () => {
  // 7 and 28 days at 24 a day, which is 1 an hour. The partial days have the same cost per hour, or are left out.
  const days = someDays(monday, repeated(24, 28))
  const partial = days.map((each, index) => {
    if (index === 25) return { ...each, usd: usd(18), knownHours: 18 }
    return index === 26 ? { ...each, usd: usd(900), knownHours: 11 } : each
  })
  expect(levelOf({ days: partial }, monday + 28)).toBe('24.000000')
  expect(fitted({ days: partial }, monday + 28).knownDays).toBe(27)
  // A day of 12 hours weighs half of a day: 27.5 days × 24 hours; 6.5 days × 24 hours. The cost of the day is 48 a day.
  const half = days.map((each, index) => (index === 27 ? { ...each, knownHours: 12 } : each))
  // 24 × 7 / 6.5 = 25.846154, 24 × 28 / 27.5 = 24.436364, half of the sum: 25.141259.
  expect(levelOf({ days: half }, monday + 28)).toBe('25.141259')
})

test('after an accepted step the level starts at the step', () => {
  const days = someDays(monday, [...repeated(100, 28), 300, 300])
  const step = { at: { day: monday + 28, hours: 0 }, usdPerDay: usd(280) }
  // Without the step: (5 × 100 + 2 × 300) / 7 = 157.142857 and (26 × 100 + 2 × 300) / 28 = 114.285714.
  expect(levelOf({ days }, monday + 30)).toBe('135.714286')
  expect(levelOf({ days, step }, monday + 30)).toBe('300.000000')
  expect(levelOf({ days, step }, monday + 28)).toBe('280.000000')
  expect(levelOf({ days, step }, monday + 27)).toBe('100.000000')
})

test('the level after a step takes the weekdays out of fewer than 7 days', () => {
  // Five weeks give Sunday the factor (5 × 0.75 + 6) / 11. A Sunday of 195 is a level of 220.
  const week = [...repeated(110, 5), 75, 75]
  const days = someDays(monday, [...week, ...week, ...week, ...week, ...repeated(110, 5), 75, 195])
  const step = { at: { day: monday + 33, hours: 5 }, usdPerDay: usd(280) }
  const asOf = (day: number, hours: number) => fitDay({ days, step }, day, { day, hours })
  expect(asOf(monday + 33, 4)).not.toMatchObject({ usdPerDay: usd(280) })
  expect(asOf(monday + 33, 5)).toMatchObject({ usdPerDay: usd(280) })
  expect(levelOf({ days, step }, monday + 35)).toBe('220.000000')
})

test('an accepted step is not an error of the rule', () => {
  const days = someDays(monday, [...repeated(100, 30), ...repeated(300, 5)])
  const step = { at: { day: monday + 30, hours: 0 }, usdPerDay: usd(300) }
  const errorOf = (history: CostHistory) =>
    roundDecimal(errorPerDay(history, monday + 35, fitted(history, monday + 35)))
  expect(errorOf({ days, step })).toBe('3.000000')
  // The week with the step costs 5 × 300 + 2 × 100 and 700 was expected: 142.857143 a day, over four tested weeks.
  expect(errorOf({ days })).toBe('35.714286')
})

const june = { from: dayOf('2026-06-01'), to: dayOf('2026-07-01') }
const flat = someDays(dayOf('2026-05-01'), repeated(100, 41))
const onThe11th: PeriodQuestion = {
  history: { days: flat },
  period: june,
  asOf: { day: dayOf('2026-06-11'), hours: 0 },
  scope: 'cluster',
}

test('a month is what is spent and the forecast of its rest', () => {
  expect(forecastPeriod(onThe11th)).toEqual({
    kind: 'forecast',
    spent: usd(1000),
    middle: usd(3000),
    band80: { lower: usd(2965), upper: usd(3054) },
    band95: { lower: usd(2945), upper: usd(3126) },
  })
})

test('the hours of today that are over are spent, and the others are forecast', () => {
  const today = { day: dayOf('2026-06-11'), usd: usd(31), knownHours: 6 }
  const question = { ...onThe11th, history: { days: [...flat, today] }, asOf: { day: today.day, hours: 6 } }
  expect(forecastPeriod(question)).toMatchObject({ spent: usd(1031), middle: usd(3006) })
})

test('a day whose 24 hours are over is part of the past', () => {
  const today = { day: dayOf('2026-06-11'), usd: usd(380), knownHours: 24 }
  const history = { days: [...flat, today] }
  const at = (asOf: PeriodQuestion['asOf']) => forecastPeriod({ ...onThe11th, history, asOf })
  // Level: (6 × 100 + 380) / 7 = 140 and (27 × 100 + 380) / 28 = 110, so 125 for each of 19 days.
  expect(at({ day: today.day, hours: 24 })).toMatchObject({ spent: usd(1380), middle: usd(1380 + 19 * 125) })
  expect(at({ day: today.day, hours: 24 })).toEqual(at({ day: today.day + 1, hours: 0 }))
})

test('sure is the lower edge, likely the middle for three days, over is spent', () => {
  const outlook = (amount: number, question = onThe11th) => outlookFor(usd(amount), question, forecastPeriod(question))
  expect(outlook(999)).toBe('over')
  expect(outlook(2964)).toBe('sure')
  expect(outlook(2965)).toBe('likely')
  expect(outlook(2999)).toBe('likely')
  expect(outlook(3000)).toBe('within')
  const onThe2nd = { ...onThe11th, asOf: { day: june.from + 1, hours: 0 } }
  expect(outlook(2999, onThe2nd)).toBe('within')
  const onThe3rd = { ...onThe11th, asOf: { day: june.from + 2, hours: 0 } }
  expect(outlook(2999, onThe3rd)).toBe('likely')
  expect(outlook(2999, { ...onThe11th, history: { days: flat.slice(36) } })).toBe('unknown')
})

test('a middle that is above the amount since yesterday is not yet likely', () => {
  // As of the 11th: 1140 + 20 × (120 + 105) / 2 = 3390, lower edge 3390 − 20 × 1.75 × 5 = 3215. As of the 10th:
  // 970 + 21 × (110 + 102.5) / 2 = 3201.25.
  const days = someDays(dayOf('2026-05-01'), [...repeated(100, 39), 170, 170])
  const question = { ...onThe11th, history: { days } }
  const forecast = forecastPeriod(question)
  expect(forecast).toMatchObject({ middle: usd(3390), band80: { lower: usd(3215) } })
  expect(outlookFor(usd(3300), question, forecast)).toBe('within')
  expect(outlookFor(usd(3214), question, forecast)).toBe('sure')
})

test.each([
  ['month', '2026-02-28', '2026-02-01', '2026-03-01'],
  ['month', '2028-02-29', '2028-02-01', '2028-03-01'],
  ['quarter', '2026-12-31', '2026-10-01', '2027-01-01'],
  ['quarter', '2026-04-01', '2026-04-01', '2026-07-01'],
  ['year', '2026-06-30', '2026-01-01', '2027-01-01'],
] as const)('the %s around %s begins on %s and ends before %s', (period, day, from, to) => {
  expect(periodAround(dayOf(day), period)).toEqual({ from: dayOf(from), to: dayOf(to) })
})
