import {
  Budget,
  BudgetHistory,
  BudgetList,
  BudgetPreview,
  budgetsMax,
  CreateBudgetBody,
  Forecast,
  ForecastQuery,
  PreviewBudgetBody,
  UpdateBudgetBody,
} from '../schemas/budgets.ts'
import { IfMatch, NoContent } from '../schemas/common.ts'
import { BudgetParams } from '../schemas/path-params.ts'
import { operation } from './operation.ts'

export const budgetOperations = {
  listBudgets: operation('GET /api/v1/budgets', {
    access: 'budgets:read',
    narrowsToTeams: true,
    tag: 'Budgets',
    summary: 'List budgets with cost, forecast and past periods',
    description:
      'The cost of a budget is the allocated cost of its scope, without shared cost. A limited role sees only budgets within its clusters, namespaces and teams.',
    response: { 200: BudgetList },
  }),

  createBudget: operation('POST /api/v1/budgets', {
    access: 'budgets:write',
    narrowsToTeams: true,
    tag: 'Budgets',
    summary: 'Create a budget',
    description: `At most ${budgetsMax} budgets are possible. Scopes may overlap; each budget counts its whole cost. The scope of a child must have every field of the parent scope, with the same or fewer values.`,
    body: CreateBudgetBody,
    response: { 201: Budget },
  }),

  previewBudget: operation('POST /api/v1/budgets/preview', {
    access: 'budgets:read',
    narrowsToTeams: true,
    tag: 'Budgets',
    summary: 'Show what a scope matches, its forecast and its past periods',
    body: PreviewBudgetBody,
    response: { 200: BudgetPreview },
  }),

  getBudget: operation('GET /api/v1/budgets/:budget_id', {
    access: 'budgets:read',
    narrowsToTeams: true,
    tag: 'Budgets',
    summary: 'Show a budget',
    params: BudgetParams,
    response: { 200: Budget },
  }),

  updateBudget: operation('PATCH /api/v1/budgets/:budget_id', {
    access: 'budgets:write',
    narrowsToTeams: true,
    tag: 'Budgets',
    summary: 'Change a budget',
    description: 'Applies to the current period immediately, never to a frozen period.',
    params: BudgetParams,
    headers: IfMatch,
    body: UpdateBudgetBody,
    response: { 200: Budget },
  }),

  deleteBudget: operation('DELETE /api/v1/budgets/:budget_id', {
    access: 'budgets:delete',
    narrowsToTeams: true,
    tag: 'Budgets',
    summary: 'Delete a budget without children',
    params: BudgetParams,
    headers: IfMatch,
    response: { 204: NoContent },
  }),

  getBudgetHistory: operation('GET /api/v1/budgets/:budget_id/history', {
    access: 'budgets:read',
    narrowsToTeams: true,
    tag: 'Budgets',
    summary: 'List the changes of a budget with user, time and reason',
    params: BudgetParams,
    response: { 200: BudgetHistory },
  }),

  getForecast: operation('GET /api/v1/forecast', {
    access: 'reports:read',
    narrowsToTeams: true,
    tag: 'Budgets',
    summary: 'Forecast the cost of the current month, quarter or year',
    description:
      'Contains the 80 % and 95 % ranges. Recommended savings are not included. A limited role gets the forecast of its clusters, namespaces and teams.',
    query: ForecastQuery,
    response: { 200: Forecast },
  }),
}
