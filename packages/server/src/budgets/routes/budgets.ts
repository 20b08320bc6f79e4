import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { budgetsMax, operations, type Budget } from '@plimsoll/contract'
import { pathOf, routes } from '@plimsoll/contract/routes'
import type { FastifyRequest } from 'fastify'
import { changedFields, recordChange } from '../../audit/index.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Deps } from '../../platform/deps.ts'
import { change } from '../../platform/http/change.ts'
import { demandMatch, sendWithEtag } from '../../platform/http/etag.ts'
import { handle } from '../../platform/http/handle.ts'
import { Problem, quoted } from '../../platform/http/problem.ts'
import { requestUser } from '../../platform/http/request-caller.ts'
import { newId } from '../../platform/ids.ts'
import { endEntity } from '../../alerts/index.ts'
import { enqueue } from '../../platform/jobs/job-queue.ts'
import { demandBudget, maySeeBudget, maySeeScope } from '../budget-access.ts'
import { visibleChanges, withVisibleParents } from '../budget-history.ts'
import { dateTextOf } from '../budget-span.ts'
import { demandTree } from '../budget-tree.ts'
import { editedBudget, newBudget } from '../edit-budget.ts'
import { presentBudget, presentBudgets, visibleOf } from '../present-budget.ts'
import {
  deleteBudget,
  insertBudget,
  listBudgetChanges,
  listBudgets,
  listPeriods,
  lockBudgets,
  recordBudgetChange,
  updateBudget,
  type BudgetRow,
  type PeriodRow,
} from '../queries/budgets.ts'

export const budgetRoutes: FastifyPluginAsyncTypebox<{ deps: Deps }> = async (app, { deps }) => {
  const preParsing = async (request: FastifyRequest) => {
    await demandBudget(deps.db, request)
  }

  handle(app, operations.listBudgets, {
    handler: async (request) => {
      const rows = (await listBudgets(deps.db)).filter((row) => maySeeBudget(request, row))
      return presentBudgets(rows, await visiblePeriods(deps.db, request, rows.map(idOf)))
    },
  })

  handle(app, operations.createBudget, {
    handler: (request, reply) =>
      change(deps, request, reply, async (tx) => {
        const row = newBudget(request.body, newId('bud', deps.now()), deps.now())
        await lockBudgets(tx)
        await demandPossible(tx, request, { row, parentBefore: null })
        await insertBudget(tx, row)
        await record(tx, request, { budgetId: row.budget_id, before: {}, after: shownFields(row) })
        const target = { type: 'budget' as const, id: row.budget_id }
        await recordChange(deps, tx, request, { action: 'budget.create', target, detail: shownFields(row) })
        await enqueue(tx, 'budgets', {})
        const headers = { location: pathOf(routes.getBudget, { budget_id: row.budget_id }) }
        return { status: 201, headers, ...(await shown(tx, request, row.budget_id)), resourceId: row.budget_id }
      }),
  })

  handle(app, operations.getBudget, {
    preParsing,
    handler: async (request, reply) => {
      const { body, revision } = await shown(deps.db, request, request.params.budget_id)
      return sendWithEtag(request, reply, revision, body)
    },
  })

  handle(app, operations.updateBudget, {
    preParsing,
    handler: (request, reply) =>
      change(deps, request, reply, async (tx) => {
        await lockBudgets(tx)
        const row = await demandBudget(tx, request)
        demandMatch(request, row.revision)
        const edited = editedBudget(row, request.body, deps.now())
        await demandPossible(tx, request, { row: edited, parentBefore: row.parent_id })
        const detail = changedFields(shownFields(row), shownFields(edited))
        if (Object.keys(detail.after).length === 0) {
          if (request.body.reason !== undefined) throw nothingChanges()
          return { status: 200, ...(await shown(tx, request, row.budget_id)) }
        }
        await updateBudget(tx, edited, deps.now())
        await record(tx, request, { budgetId: row.budget_id, ...detail })
        const target = { type: 'budget' as const, id: row.budget_id }
        await recordChange(deps, tx, request, { action: 'budget.update', target, detail })
        await enqueue(tx, 'budgets', {})
        return { status: 200, ...(await shown(tx, request, row.budget_id)) }
      }),
  })

  handle(app, operations.deleteBudget, {
    preParsing,
    handler: (request, reply) =>
      change(deps, request, reply, async (tx) => {
        await lockBudgets(tx)
        const row = await demandBudget(tx, request)
        demandMatch(request, row.revision)
        const children = (await listBudgets(tx)).filter(({ parent_id: parent }) => parent === row.budget_id)
        if (children.length > 0) throw hasChildren(row, children)
        await deleteBudget(tx, row.budget_id)
        await endEntity(tx, 'budget_actual', row.budget_id, deps.now())
        await endEntity(tx, 'budget_forecast', row.budget_id, deps.now())
        const target = { type: 'budget' as const, id: row.budget_id }
        await recordChange(deps, tx, request, { action: 'budget.delete', target, detail: shownFields(row) })
        return { status: 204, body: null }
      }),
  })

  handle(app, operations.getBudgetHistory, {
    preParsing,
    handler: async (request) => {
      const { budget_id: id, scope } = await demandBudget(deps.db, request)
      const changes = await listBudgetChanges(deps.db, id)
      const seen = new Set((await listBudgets(deps.db)).filter((row) => maySeeBudget(request, row)).map(idOf))
      const visible = visibleChanges(changes, scope, (each) => maySeeScope(request, each))
      return {
        changes: visible.map(({ at, by, ...each }) => ({
          at: at.toISOString(),
          by: by ?? 'deleted user',
          ...withVisibleParents(each, (budgetId) => seen.has(budgetId)),
        })),
      }
    },
  })

  const record = (tx: Db, request: FastifyRequest, edit: { budgetId: string; before: object; after: object }) => {
    const { reason = null } = request.body as { reason?: string }
    return recordBudgetChange(tx, { ...edit, at: deps.now(), userId: requestUser(request).userId, reason })
  }
}

const idOf = ({ budget_id: id }: BudgetRow) => id

type Written = Omit<BudgetRow, 'revision' | 'current' | 'is_counted' | 'counted_mapping' | 'updated_at'>

/** The checks that need the other budgets. A limited role writes only budgets that it sees. */
async function demandPossible(
  tx: Db,
  request: FastifyRequest,
  { row, parentBefore }: { row: Written; parentBefore: string | null },
): Promise<void> {
  if (!maySeeBudget(request, row)) {
    throw new Problem(
      'role_narrowed',
      'Your role is limited. The scope of the budget must be within the clusters, namespaces and teams of your role.',
    )
  }
  const all = await listBudgets(tx)
  const others = all.filter(({ budget_id: id }) => id !== row.budget_id)
  if (others.length >= budgetsMax)
    throw new Problem('budget_limit', `There are already ${budgetsMax} budgets. Delete an unused one.`)
  if (others.some(({ name }) => name === row.name)) {
    throw new Problem('budget_name_taken', `Another budget has the name ${quoted(row.name)}.`, {
      errors: [{ pointer: '/name', code: 'taken', detail: 'is taken' }],
    })
  }
  demandTree(row, all, { maySee: (each) => maySeeBudget(request, each), parentBefore })
}

/** A period keeps the scope that it had, which may be wider than the scope of today. */
const visiblePeriods = async (db: Db, request: FastifyRequest, budgetIds: readonly string[]): Promise<PeriodRow[]> =>
  (await listPeriods(db, budgetIds)).filter(({ scope }) => maySeeScope(request, scope))

/** The children that a limited role may see count in `unassigned`. */
async function shown(db: Db, request: FastifyRequest, budgetId: string): Promise<{ body: Budget; revision: number }> {
  const rows = (await listBudgets(db)).filter((each) => maySeeBudget(request, each))
  const row = rows.find(({ budget_id: id }) => id === budgetId)
  if (!row) throw new Error('the budget is missing')
  const visible = visibleOf(rows, await visiblePeriods(db, request, [budgetId]))
  return { body: presentBudget(row, visible), revision: row.revision }
}

const shownFields = ({ name, scope, period, amount, growth_percent, amounts, thresholds, ...row }: Written) => ({
  name,
  scope,
  share: row.counts_shared,
  period,
  ...(row.first_day === null || row.end_day === null
    ? {}
    : { from: dateTextOf(row.first_day), to: dateTextOf(row.end_day) }),
  amount: Number(amount),
  growth_percent,
  amounts,
  thresholds,
  parent_id: row.parent_id,
})

const nothingChanges = () =>
  new Problem('invalid_body', '/reason: the request changes no field of the budget.', {
    errors: [{ pointer: '/reason', code: 'unchanged', detail: 'the request changes no field of the budget' }],
  })

const hasChildren = ({ name }: BudgetRow, children: readonly BudgetRow[]) =>
  new Problem(
    'budget_has_children',
    `${quoted(name)} contains ${children
      .slice(0, 5)
      .map((child) => quoted(child.name))
      .join(', ')}. Move or delete these budgets first.`,
  )
