export { loadPlanSummary, loadUnsafe } from './load-plans.ts'
export { listMemberIds } from './queries/plans.ts'
