import type { BudgetStates } from '@plimsoll/contract'
import type { Caller } from '../platform/auth/caller.ts'
import type { Db } from '../platform/db/database.ts'
import { countOutlooks } from './present-budget.ts'
import { listBudgets, type BudgetRow } from './queries/budgets.ts'
import { isInside, scopeOfGrant } from './scope-inside.ts'

const exceedingMax = 3
const certainty = ['over', 'sure', 'likely']

/** The budgets that the caller may see, or those of one cluster. */
export async function loadBudgetStates(tx: Db, caller: Caller, clusterId: string | undefined): Promise<BudgetStates> {
  const limits = scopeOfGrant(caller)
  const rows = (await listBudgets(tx)).filter(
    ({ scope }) => isInside(scope, limits) && (clusterId === undefined || scope.clusters?.includes(clusterId)),
  )
  return {
    counts: countOutlooks(rows),
    exceeding: rows.flatMap(exceedingOf).sort(mostCertainFirst).slice(0, exceedingMax),
  }
}

type Exceeding = BudgetStates['exceeding'][number]

function exceedingOf({ budget_id: id, name, current }: BudgetRow): Exceeding[] {
  const outlook = current?.forecast.outlook ?? null
  if (!current || outlook === null || !certainty.includes(outlook)) return []
  const { spent, middle } = current.forecast
  return [{ id, name, outlook, amount: current.amount, spent, expected: middle }]
}

const excessOf = ({ expected, spent, amount }: Exceeding) => (expected ?? spent) - amount

const mostCertainFirst = (a: Exceeding, b: Exceeding) =>
  certainty.indexOf(a.outlook) - certainty.indexOf(b.outlook) || excessOf(b) - excessOf(a)
