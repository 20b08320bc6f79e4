import type { CostScope } from '@plimsoll/contract'
import type { FastifyRequest } from 'fastify'
import type { Db } from '../platform/db/database.ts'
import { Problem, quoted } from '../platform/http/problem.ts'
import { requestCaller } from '../platform/http/request-caller.ts'
import { isId } from '../platform/ids.ts'
import { findBudget, type BudgetRow } from './queries/budgets.ts'
import { isInside, scopeOfGrant } from './scope-inside.ts'

/** A limited role sees the budgets whose scope lies inside its limits. */
export const maySeeBudget = (request: FastifyRequest, { scope }: Pick<BudgetRow, 'scope'>): boolean =>
  maySeeScope(request, scope)

/** Null: unknown, so only a role without limits may see it. */
export const maySeeScope = (request: FastifyRequest, scope: CostScope | null): boolean => {
  const limits = scopeOfGrant(requestCaller(request))
  return scope === null ? Object.keys(limits).length === 0 : isInside(scope, limits)
}

/** Missing and invisible budgets get the same response. */
export async function demandBudget(db: Db, request: FastifyRequest): Promise<BudgetRow> {
  const { budget_id: id } = request.params as { budget_id: string }
  const row = isId('bud', id) ? await findBudget(db, id) : undefined
  if (!row || !maySeeBudget(request, row)) throw new Problem('budget_not_found', `There is no budget ${quoted(id)}.`)
  return row
}
