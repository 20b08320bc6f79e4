export { deleteOldDays } from './delete-old-days.ts'
export { loadBudgetStates } from './load-budget-states.ts'
export { evaluateBudgets } from './jobs/evaluate-budgets.ts'
