import fc from 'fast-check'
import { expect, test } from 'vitest'
import { absolute } from '../changes/settle.ts'
import type { Decimal } from '../decimal.ts'
import type { DayCost } from './day-cost.ts'
import type { AcceptedStep } from './fit-forecast.ts'
import { forecastPeriod, type PeriodForecast, type PeriodQuestion } from './forecast-period.ts'

const runs = { numRuns: 100 }

/** Roundings of the level at the 24th place, times the days of a period. */
const ROUNDING = 10_000n

const cost: fc.Arbitrary<Decimal> = fc.bigInt({ min: 0n, max: 10n ** 30n })
const knownHours = fc.oneof(
  { weight: 8, arbitrary: fc.constant(24) },
  { weight: 2, arbitrary: fc.integer({ min: 0, max: 24 }) },
)
const first = fc.integer({ min: 19_000, max: 21_000 })

const history = fc
  .tuple(
    first,
    fc.array(fc.record({ usd: cost, knownHours, isMissing: fc.nat(20).map((each) => each === 0) }), { maxLength: 150 }),
  )
  .map(([from, all]) =>
    all.flatMap(({ isMissing, ...each }, index): DayCost[] =>
      isMissing ? [] : [{ ...each, day: from + index, usd: each.knownHours === 0 ? 0n : each.usd }],
    ),
  )

const inputs: fc.Arbitrary<PeriodQuestion> = fc
  .record({
    days: history,
    today: fc.integer({ min: -10, max: 160 }),
    hours: fc.integer({ min: 0, max: 24 }),
    start: fc.integer({ min: -40, max: 40 }),
    length: fc.integer({ min: 1, max: 366 }),
    scope: fc.constantFrom('cluster' as const, 'part' as const),
    step: fc.option(fc.record({ offset: fc.integer({ min: -60, max: 5 }), usdPerDay: cost })),
  })
  .map(({ days, today, hours, start, length, scope, step }) => {
    const day = (days[0]?.day ?? 20_000) + today
    const accepted: AcceptedStep | null = step && {
      at: { day: day + step.offset, hours: 0 },
      usdPerDay: step.usdPerDay,
    }
    const period = { from: day + start, to: day + start + length }
    return { history: { days, ...(accepted && { step: accepted }) }, asOf: { day, hours }, period, scope }
  })

const figures = (forecast: PeriodForecast): Decimal[] =>
  forecast.kind === 'none'
    ? [forecast.spent]
    : [
        ...[forecast.spent, forecast.middle],
        ...[forecast.band80, forecast.band95].flatMap(({ lower, upper }) => [lower, upper]),
      ]

const doubled = ({ history: { days, step }, ...others }: PeriodQuestion): PeriodQuestion => ({
  ...others,
  history: {
    days: days.map((each) => ({ ...each, usd: 2n * each.usd })),
    ...(step && { step: { ...step, usdPerDay: 2n * step.usdPerDay } }),
  },
})

test('doubled costs double the forecast and its bands', () => {
  fc.assert(
    fc.property(inputs, (input) => {
      const [once, twice] = [figures(forecastPeriod(input)), figures(forecastPeriod(doubled(input)))]
      expect(twice.length).toBe(once.length)
      once.forEach((usd, index) => expect(absolute((twice[index] ?? 0n) - 2n * usd)).toBeLessThanOrEqual(ROUNDING))
    }),
    runs,
  )
})

test('a constant past gives that constant', () => {
  fc.assert(
    fc.property(inputs, cost, (input, usd) => {
      const perHour = usd - (usd % 24n)
      const days = input.history.days.map((each) => ({ ...each, usd: (perHour / 24n) * BigInt(each.knownHours) }))
      const forecast = forecastPeriod({ ...input, history: { days } })
      if (forecast.kind === 'none') return
      const first = Math.max(input.period.from, input.asOf.day)
      const over = input.period.from <= input.asOf.day ? input.asOf.hours : 0
      const hours = Math.max(0, (input.period.to - first) * 24 - over)
      expect(forecast.middle).toBe(forecast.spent + (perHour / 24n) * BigInt(hours))
    }),
    runs,
  )
})

test('the lower edge is at most the middle, and the middle at most the upper edge', () => {
  fc.assert(
    fc.property(inputs, (input) => {
      const forecast = forecastPeriod(input)
      if (forecast.kind === 'none') return
      const { spent, middle, band80, band95 } = forecast
      const inOrder = [spent, band95.lower, band80.lower, middle, band80.upper, band95.upper]
      expect(inOrder).toEqual([...inOrder].sort((a, b) => (a < b ? -1 : Number(a > b))))
    }),
    runs,
  )
})

test('days that are over are never forecast', () => {
  fc.assert(
    fc.property(inputs, (input) => {
      const end = input.period.to
      const after = forecastPeriod({ ...input, asOf: { day: end, hours: 0 } })
      const inPeriod = input.history.days.filter(({ day }) => input.period.from <= day && day < end)
      const spent = inPeriod.reduce((sum, { usd }) => sum + usd, 0n)
      expect(figures(after)).toEqual(Array.from({ length: 6 }, () => spent))
    }),
    runs,
  )
})

test('days after the last finalised hour change nothing', () => {
  fc.assert(
    fc.property(inputs, (input) => {
      const days = input.history.days.filter(({ day }) => day <= input.asOf.day)
      expect(forecastPeriod({ ...input, history: { ...input.history, days } })).toEqual(forecastPeriod(input))
    }),
    runs,
  )
})
