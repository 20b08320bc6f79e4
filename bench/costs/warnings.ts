// Who is warned that a month goes over its amount: the mean of the last three months + 10 %, as the budget form offers.
import { forecastPeriod, outlookFor } from '../../packages/engine/src/forecast/index.ts'
import { mean, median, sum, toDays, toUsd } from './money.ts'
import { monthsOf } from './month-ends.ts'
import { periodAround } from '../../packages/engine/src/forecast/index.ts'
import type { Series } from './read-series.ts'

export const WARNINGS = ['sure', 'likely', 'run rate above the amount'] as const
export type Warning = (typeof WARNINGS)[number]

type Tally = { warned: number; right: number; over: number; found: number; daysAhead: number[] }
export type Tallies = ReadonlyMap<Warning, Tally>

const MONTHS_OF_AMOUNT = 3
const AMOUNT_FACTOR = 1.1

export const emptyTallies = (): Tallies =>
  new Map(WARNINGS.map((name): [Warning, Tally] => [name, { warned: 0, right: 0, over: 0, found: 0, daysAhead: [] }]))

export function judgeWarnings(series: Series, tallies: Tallies): void {
  for (const { start, length } of monthsOf(series)) {
    const before = wholeMonthsBefore(series, start).slice(-MONTHS_OF_AMOUNT)
    const amount = before.length === 0 ? 0 : mean(before) * AMOUNT_FACTOR
    if (amount <= 0) continue
    const isOver = sum(series.values.slice(start, start + length)) > amount
    const firstDays = warnedDays(series, start, length, amount)
    const crossed = firstDays.get('over') ?? length
    for (const [name, tally] of tallies) {
      const day = firstDays.get(name)
      if (isOver) tally.over += 1
      if (day === undefined) continue
      tally.warned += 1
      if (!isOver) continue
      tally.right += 1
      tally.found += 1
      tally.daysAhead.push(crossed - day)
    }
  }
}

function wholeMonthsBefore({ first, values }: Series, start: number): number[] {
  const sums: number[] = []
  for (let at = 0; at < start;) {
    const { from, to } = periodAround(first + at, 'month')
    if (from === first + at) sums.push(sum(values.slice(at, to - first)))
    at = to - first
  }
  return sums
}

/** The first day of the month with each warning, and the first day with more spent than the amount. */
function warnedDays(
  { first, values, part }: Series,
  start: number,
  length: number,
  amount: number,
): Map<string, number> {
  const days = toDays(first, values)
  const period = { from: first + start, to: first + start + length }
  const found = new Map<string, number>()
  const note = (name: string, day: number) => {
    if (!found.has(name)) found.set(name, day)
  }
  for (let passed = 1; passed < length; passed += 1) {
    const at = start + passed
    const spent = sum(values.slice(start, at))
    if ((spent / passed) * length > amount) note('run rate above the amount', passed)
    const question = {
      ...{ history: { days: days.slice(0, at) }, period, asOf: { day: first + at, hours: 0 } },
      scope: part === 'total' ? ('cluster' as const) : ('part' as const),
    }
    const outlook = outlookFor(toUsd(amount), question, forecastPeriod(question))
    if (outlook === 'over') note('over', passed)
    if (outlook === 'over' || outlook === 'sure') note('sure', passed)
    if (outlook !== 'within' && outlook !== 'unknown') note('likely', passed)
  }
  return found
}

export const rightShare = ({ right, warned }: Tally): number => (100 * right) / warned
export const foundShare = ({ found, over }: Tally): number => (100 * found) / over
export const daysAhead = (tally: Tally): number => median(tally.daysAhead)
