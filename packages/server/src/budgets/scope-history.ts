import type { CostScope } from '@plimsoll/contract'
import type { Decimal } from '@plimsoll/engine'
import type { ScopeHistory } from './evaluate-budget.ts'
import type { ClusterDays } from './count-days.ts'

/** The days of a scope. The hours of a day are those of its most complete cluster. */
export function scopeHistory(
  { clusters }: CostScope,
  known: readonly ClusterDays[],
  usdOn: (day: number) => Decimal,
): ScopeHistory {
  const own = known.filter(({ cluster }) => clusters === undefined || clusters.includes(cluster.id))
  const hours = new Map<number, number>()
  let end: Date | null = null
  for (const { days } of own) {
    for (const each of days) {
      hours.set(each.day, Math.max(hours.get(each.day) ?? 0, each.hours))
      if (end === null || each.end > end) end = each.end
    }
  }
  const days = [...hours].sort(([a], [b]) => a - b).map(([day, knownHours]) => ({ day, usd: usdOn(day), knownHours }))
  return { days, end }
}
