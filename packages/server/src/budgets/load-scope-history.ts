import type { BudgetPreview, CostScope } from '@plimsoll/contract'
import { dayMs, decimal } from '@plimsoll/engine'
import { listVisibleClusters } from '../clusters/index.ts'
import type { CostDeps, ScopeDaysAnswer } from '../costs/index.ts'
import type { WorkRequester } from '../platform/work-queue.ts'
import { dayNumberOf } from './budget-span.ts'
import { daysCounted } from './count-days.ts'
import type { ScopeHistory } from './evaluate-budget.ts'
import { listDayStates } from './queries/budget-days.ts'
import { scopeHistory } from './scope-history.ts'

type Loaded = { history: ScopeHistory; matches: BudgetPreview['matches'] }

/** The daily cost of any scope, for scopes without a budget. The sums are computed in the thread of the figures. */
export async function loadScopeHistory(
  { db, now, figuring }: Pick<CostDeps, 'db' | 'now' | 'figuring'>,
  { scope, share }: { scope: CostScope; share: boolean },
  requester: WorkRequester,
): Promise<Loaded> {
  const firstDay = dayNumberOf(now()) - daysCounted
  const since = new Date(firstDay * dayMs)
  const known = []
  for (const cluster of await listVisibleClusters(db, scope.clusters ?? null))
    known.push({ cluster, days: await listDayStates(db, cluster.id, since) })
  const clusters = known.flatMap(({ cluster, days }) => {
    const end = days.at(-1)?.end
    return end ? [{ cluster, end }] : []
  })
  const json = await figuring.scopeDays({ scope, share, since, clusters }, requester)
  const answer = JSON.parse(new TextDecoder().decode(json)) as ScopeDaysAnswer
  const byDay = new Map(answer.days.map(({ day, usd }) => [day, decimal(usd)]))
  const byCluster = new Map(answer.clusters.map(({ id, usd }) => [id, usd]))
  const cost = {
    since: firstDay,
    usdOn: (day: number) => byDay.get(day) ?? 0n,
    usdOf: (clusterId: string) => byCluster.get(clusterId) ?? 0,
  }
  return { history: scopeHistory(scope, known, cost), matches: answer.matches }
}
