import type { BudgetPeriod } from '@plimsoll/contract'
import { roundToNumber, type Decimal } from '@plimsoll/engine'
import type { DayCost } from '@plimsoll/engine/forecast'
import { monthsOf, spanOn } from './budget-span.ts'

export type RecurringPeriod = Exclude<BudgetPeriod, 'once'>

export type PastPeriod = { readonly key: string; readonly usd: Decimal }

const periodsMax = 12
const monthsForSuggestion = 3
const shareKnownMin = 0.9

/**
 * The periods that ended by the day `before`, newest first. A period with many days without data does not count: its cost
 * is not the cost of a whole period.
 */
export function pastPeriods(days: readonly DayCost[], period: RecurringPeriod, before: number): PastPeriod[] {
  const periods: PastPeriod[] = []
  for (let end = before; periods.length < periodsMax;) {
    const span = spanOn({ period, firstDay: null, endDay: null }, end - 1)
    const own = days.filter(({ day }) => day >= span.from && day < span.to)
    if (own.length < shareKnownMin * (span.to - span.from)) break
    periods.push({ key: span.key, usd: own.reduce((sum, { usd }) => sum + usd, 0n) })
    end = span.from
  }
  return periods
}

/** The mean of the last three months + 10 %, for all months of a period, in whole dollars. */
export function suggestedAmount(months: readonly PastPeriod[], period: RecurringPeriod): number | null {
  const last = months.slice(0, monthsForSuggestion)
  if (last.length === 0) return null
  const mean = roundToNumber(last.reduce((sum, { usd }) => sum + usd, 0n) / BigInt(last.length))
  return Math.ceil(mean * 1.1 * monthsOf[period])
}
