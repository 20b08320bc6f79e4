import { dayMs, formatDecimal } from '@plimsoll/engine'
import { listVisibleClusters, type ClusterName } from '../clusters/index.ts'
import { sumScopeDays } from '../costs/index.ts'
import { readAtOnce } from '../ingest/index.ts'
import type { Db } from '../platform/db/database.ts'
import { loadTeamMapping, shareTeamMapping } from '../settings/index.ts'
import { dateOfDay, dayNumberOf } from './budget-span.ts'
import {
  listDayStates,
  listReadDays,
  lockReadDay,
  writeDay,
  writeDayRead,
  type DayState,
} from './queries/budget-days.ts'
import { lockRevisions, markCounted, type NewHours } from './queries/budget-state.ts'
import type { BudgetRow } from './queries/budgets.ts'

/** A year of a budget and its forecast need this many days. */
export const daysCounted = 400

/** `isComplete`: no edit made this evaluation skip a day. */
export type CountedDays = { known: ClusterDays[]; isComplete: boolean }

export type ClusterDays = { cluster: ClusterName; days: readonly DayState[] }

type Asked = { budgets: readonly BudgetRow[]; mapping: number; newHours: NewHours; now: Date }

/** All days of the budget are summed up, with this revision of the rules of teams and of sharing. */
export const isCounted = ({ is_counted, scope, counts_shared, counted_mapping }: BudgetRow, mapping: number): boolean =>
  is_counted && ((scope.teams === undefined && !counts_shared) || counted_mapping === mapping)

/**
 * Sums up the cost of all budgets in the days whose hours changed, and of new budgets in all days. Safe to repeat and to
 * interrupt: each day is one transaction. Safe to run twice at a time: a day is written only from the newest state.
 */
export async function countDays(db: Db, { budgets, mapping, newHours, now }: Asked): Promise<CountedDays> {
  const uncounted = budgets.filter((budget) => !isCounted(budget, mapping))
  const since = dayNumberOf(now) - daysCounted
  const result: CountedDays = { known: [], isComplete: true }
  for (const cluster of await listVisibleClusters(db, null)) {
    const readsHours = uncounted.length > 0 || newHours.clusterIds === null || newHours.clusterIds.has(cluster.id)
    const days = readsHours
      ? await listDayStates(db, cluster.id, new Date(since * dayMs))
      : await listReadDays(db, cluster.id, since)
    for (const day of days) {
      const stale = (day.isRead ? uncounted : budgets).filter((budget) => mayContain(budget, cluster))
      if (stale.length === 0 && day.isRead) continue
      const isWritten = await countDay(db, { cluster, state: day, budgets: stale, mapping })
      result.isComplete &&= isWritten
    }
    result.known.push({ cluster, days })
  }
  if (result.isComplete) await markCounted(db, uncounted, mapping)
  return result
}

const mayContain = ({ scope: { clusters } }: BudgetRow, { id }: ClusterName) => clusters?.includes(id) ?? true

type Day = { cluster: ClusterName; state: DayState; budgets: readonly BudgetRow[]; mapping: number }

/** False: a budget, the mapping or the hours changed meanwhile, so the next evaluation sums up the day. */
async function countDay(db: Db, { cluster, state, budgets, mapping }: Day): Promise<boolean> {
  const usd = budgets.length === 0 ? [] : await sumDay(db, { cluster, state, budgets, mapping })
  return db.transaction().execute(async (tx) => {
    const ids = budgets.map(({ budget_id: id }) => id)
    const revisions = await lockRevisions(tx, ids)
    const isEdited = budgets.some(({ budget_id: id, revision }) => (revisions.get(id) ?? revision) !== revision)
    if (isEdited || (await shareTeamMapping(tx)) !== mapping) return false
    if (state.isRead && !(await lockReadDay(tx, cluster.id, state))) return false
    const rows = budgets.flatMap(({ budget_id }, index) =>
      revisions.has(budget_id) ? [{ budget_id, usd: formatDecimal(usd[index] ?? 0n) }] : [],
    )
    await writeDay(tx, cluster.id, state.day, rows)
    if (!state.isRead) await writeDayRead(tx, cluster.id, state)
    return true
  })
}

async function sumDay(db: Db, { cluster, state: { day }, budgets }: Day) {
  const { usd } = await readAtOnce(db, async (tx) => {
    const rules = await loadTeamMapping(tx)
    const scopes = budgets.map(({ scope, counts_shared: share }) => ({ scope, share }))
    return sumScopeDays(tx, { cluster, from: dateOfDay(day), to: dateOfDay(day + 1), scopes, rules })
  })
  return usd.map((days) => days.get(day) ?? 0n)
}
