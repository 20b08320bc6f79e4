export { deleteOldDays } from './delete-old-days.ts'
export { listTeamBudgets } from './list-team-budgets.ts'
export { loadBudgetStates } from './load-budget-states.ts'
export { evaluateBudgets } from './jobs/evaluate-budgets.ts'
