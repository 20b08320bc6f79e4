export { evaluateBudgets } from './jobs/evaluate-budgets.ts'
