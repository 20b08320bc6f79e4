export { deleteOldDays } from './delete-old-days.ts'
export { evaluateBudgets } from './jobs/evaluate-budgets.ts'
