import type { CostScope } from '@plimsoll/contract'
import type { Decimal } from '@plimsoll/engine'
import type { ScopeHistory } from './evaluate-budget.ts'
import type { ClusterDays } from './count-days.ts'

export type ScopeCost = {
  /** The first day with sums. */
  readonly since: number
  readonly usdOn: (day: number) => Decimal
  /** The cost of a cluster in all days since then. */
  readonly usdOf: (clusterId: string) => number
}

/** A cluster that is silent for longer no longer counts as missing. */
const silentDaysMax = 7

/**
 * The days of a scope. Clusters count in the hours of a day by their usual cost, so that the cost per hour stays the same when
 * a cluster does not report: a gap is not a saving.
 */
export function scopeHistory({ clusters }: CostScope, known: readonly ClusterDays[], cost: ScopeCost): ScopeHistory {
  const own = known
    .filter(({ cluster }) => clusters === undefined || clusters.includes(cluster.id))
    .map(({ cluster, days }) => ({ cluster, days: days.filter(({ day }) => day >= cost.since) }))
    .filter(({ days }) => days.length > 0)
  const end = own.flatMap(({ days }) => days.at(-1)?.end ?? []).reduce(later, null)
  const lastDay = own.reduce((last, { days }) => Math.max(last, days.at(-1)?.day ?? 0), 0)
  const parts = own.map((each) => partOf(each, lastDay, cost))
  const all = [...new Set(own.flatMap(({ days }) => days.map(({ day }) => day)))].sort((a, b) => a - b)
  return { days: all.map((day) => ({ day, usd: cost.usdOn(day), knownHours: hoursOn(day, parts) })), end }
}

const later = (a: Date | null, b: Date): Date => (a === null || b > a ? b : a)

/** A cluster between its first and its last expected day, with its usual cost per hour as weight. */
type Part = { weight: number; from: number; to: number; hours: ReadonlyMap<number, number> }

function partOf({ cluster, days }: ClusterDays, lastDay: number, { usdOf }: ScopeCost): Part {
  const hours = new Map(days.map(({ day, hours: known }) => [day, known]))
  const from = days[0]?.day ?? 0
  const to = days.at(-1)?.day ?? 0
  const total = days.reduce((sum, each) => sum + each.hours, 0)
  return { weight: usdOf(cluster.id) / total, from, to: lastDay - to > silentDaysMax ? to : lastDay, hours }
}

function hoursOn(day: number, parts: readonly Part[]): number {
  let [weights, weighted, most] = [0, 0, 0]
  for (const { weight, from, to, hours } of parts) {
    if (day < from || day > to) continue
    const known = hours.get(day) ?? 0
    most = Math.max(most, known)
    weights += weight
    weighted += weight * known
  }
  return weights > 0 ? Math.round(weighted / weights) : most
}
