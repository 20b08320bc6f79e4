import { SECONDS_PER_DAY } from '../time.ts'
import type { DayNumber } from './day-cost.ts'

export type RecurringPeriod = 'month' | 'quarter' | 'year'

/** The days `from` ≤ day < `to`. A budget that does not recur names its days itself. */
export type DaySpan = { readonly from: DayNumber; readonly to: DayNumber }

const MONTHS: Record<RecurringPeriod, number> = { month: 1, quarter: 3, year: 12 }

/** The month, quarter or year that contains the day. */
export function periodAround(day: DayNumber, period: RecurringPeriod): DaySpan {
  const at = new Date(day * SECONDS_PER_DAY * 1000)
  const months = MONTHS[period]
  const first = at.getUTCMonth() - (at.getUTCMonth() % months)
  const firstDay = (month: number): DayNumber => Date.UTC(at.getUTCFullYear(), month, 1) / 1000 / SECONDS_PER_DAY
  return { from: firstDay(first), to: firstDay(first + months) }
}
