import { decimal, roundToNumber } from '@plimsoll/engine'
import type { Grant } from '../platform/auth/caller.ts'
import type { Db } from '../platform/db/database.ts'
import type { TeamBudget } from '../costs/index.ts'
import { amountIn, dayNumberOf, spanOn } from './budget-span.ts'
import { budgetOf } from './jobs/evaluate-budgets.ts'
import { listBudgets, listPeriodsOf, type BudgetRow } from './queries/budgets.ts'
import { isInside, scopeOfGrant } from './scope-inside.ts'

const month = { period: 'month' as const, firstDay: null, endDay: null }

/** The monthly budgets of single teams, with their amount in the month that contains the time. */
export async function listTeamBudgets(
  db: Db,
  caller: Pick<Grant, 'clusters' | 'namespaces' | 'teams'>,
  at: Date,
): Promise<TeamBudget[]> {
  const limits = scopeOfGrant(caller)
  const budgets = (await listBudgets(db)).flatMap((row) => {
    const team = teamOfBudget(row)
    return team !== null && isInside(row.scope, limits) ? [{ row, team }] : []
  })
  const day = dayNumberOf(at)
  const span = spanOn(month, day)
  const stored = await listPeriodsOf(
    db,
    budgets.map(({ row }) => row.budget_id),
    span.key,
  )
  const periods = new Map(stored.map((period) => [period.budget_id, period]))
  return budgets.flatMap(({ row, team }): TeamBudget[] => {
    const period = periods.get(row.budget_id)
    // A budget has no amount in months before it was created.
    if (!period && span.to <= dayNumberOf(row.created_at)) return []
    // An amount that was set later does not apply to an earlier month.
    const isKept = period && (period.is_frozen || row.amount_day >= span.to)
    const usd = isKept ? decimal(period.amount) : amountIn(budgetOf(row), span)
    return [{ team, id: row.budget_id, name: row.name, amount: roundToNumber(usd), share: row.counts_shared }]
  })
}

/** Null: the budget is not the monthly budget of one whole team. */
function teamOfBudget({ period, scope }: BudgetRow): string | null {
  const { teams, ...others } = scope
  const [team, ...more] = teams ?? []
  if (period !== 'month' || team === undefined || more.length > 0) return null
  return Object.keys(others).length === 0 ? team : null
}
