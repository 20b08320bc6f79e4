import type { BudgetPreview, CostScope } from '@plimsoll/contract'
import { dayMs, hourMs, roundToNumber, type Decimal } from '@plimsoll/engine'
import { listVisibleClusters } from '../clusters/index.ts'
import { sumScopeDays } from '../costs/index.ts'
import { readAtOnce } from '../ingest/index.ts'
import type { Db } from '../platform/db/database.ts'
import { loadTeamMapping } from '../settings/index.ts'
import { daysCounted, type ClusterDays } from './count-days.ts'
import type { ScopeHistory } from './evaluate-budget.ts'
import { listDayStates } from './queries/budget-days.ts'
import { scopeHistory } from './scope-history.ts'

type Loaded = { history: ScopeHistory; matches: BudgetPreview['matches'] }

/** The daily cost of any scope from stored hours, for scopes without a budget. */
export function loadScopeHistory(db: Db, scope: CostScope, now: Date): Promise<Loaded> {
  return readAtOnce(db, async (tx) => {
    const { rules: teams } = await loadTeamMapping(tx)
    const since = new Date(Math.floor(now.getTime() / dayMs - daysCounted) * dayMs)
    const usd = new Map<number, Decimal>()
    const known: ClusterDays[] = []
    const matches = { workloads: 0, usd_per_day: 0 }
    for (const cluster of await listVisibleClusters(tx, scope.clusters ?? null)) {
      const days = await listDayStates(tx, cluster.id, since)
      known.push({ cluster, days })
      const end = days.at(-1)?.end
      if (!end) continue
      const all = await sumScopeDays(tx, { cluster, from: since, to: end, scopes: [scope], teams })
      for (const [day, cost] of all.usd[0] ?? []) usd.set(day, (usd.get(day) ?? 0n) + cost)
      const lastDay = { from: new Date(end.getTime() - 24 * hourMs), to: end }
      const last = await sumScopeDays(tx, { cluster, ...lastDay, scopes: [scope], teams, countsWorkloads: true })
      matches.workloads += last.workloads[0] ?? 0
      matches.usd_per_day += roundToNumber([...(last.usd[0]?.values() ?? [])].reduce((sum, cost) => sum + cost, 0n))
    }
    return { history: scopeHistory(scope, known, (day) => usd.get(day) ?? 0n), matches }
  })
}
