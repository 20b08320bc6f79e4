import { dayMs, formatDecimal } from '@plimsoll/engine'
import { listVisibleClusters, type ClusterName } from '../clusters/index.ts'
import { sumScopeDays } from '../costs/index.ts'
import { readAtOnce } from '../ingest/index.ts'
import type { Db } from '../platform/db/database.ts'
import { loadTeamMapping } from '../settings/index.ts'
import { dateOfDay } from './budget-span.ts'
import { listDayStates, markCounted, writeDayRead, writeDays, type DayState } from './queries/budget-days.ts'
import { listBudgets, type BudgetRow } from './queries/budgets.ts'

/** A year of a budget and its forecast need this many days. */
export const daysCounted = 400

/** `hasChanged`: some sums are new. */
export type CountedDays = { known: ClusterDays[]; hasChanged: boolean }

export type ClusterDays = { cluster: ClusterName; days: readonly DayState[] }

/**
 * Sums up the cost of all budgets in the days whose hours changed, and of new budgets in all days. Safe to repeat and to
 * interrupt: each day is one transaction.
 */
export async function countDays(db: Db, now: Date): Promise<CountedDays> {
  const budgets = await listBudgets(db)
  const known: ClusterDays[] = []
  if (budgets.length === 0) return { known, hasChanged: false }
  let hasChanged = false
  const since = new Date(Math.floor(now.getTime() / dayMs - daysCounted) * dayMs)
  for (const cluster of await listVisibleClusters(db, null)) {
    const days = await listDayStates(db, cluster.id, since)
    for (const day of days) {
      const stale = day.isRead ? budgets.filter((budget) => !budget.is_counted) : budgets
      if (stale.length === 0) continue
      await countDay(db, cluster, day, stale)
      hasChanged = true
    }
    known.push({ cluster, days })
  }
  await markCounted(
    db,
    budgets.filter((budget) => !budget.is_counted),
  )
  return { known, hasChanged }
}

async function countDay(db: Db, cluster: ClusterName, state: DayState, budgets: readonly BudgetRow[]): Promise<void> {
  const window = { from: dateOfDay(state.day), to: dateOfDay(state.day + 1) }
  const { usd } = await readAtOnce(db, async (tx) => {
    const { rules: teams } = await loadTeamMapping(tx)
    return sumScopeDays(tx, { cluster, ...window, scopes: budgets.map(({ scope }) => scope), teams })
  })
  const rows = budgets.map(({ budget_id }, index) => ({
    budget_id,
    day: state.day,
    usd: formatDecimal(usd[index]?.get(state.day) ?? 0n),
  }))
  await db.transaction().execute(async (tx) => {
    await writeDays(tx, cluster.id, rows)
    if (!state.isRead) await writeDayRead(tx, cluster.id, state)
  })
}
