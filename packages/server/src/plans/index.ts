export { loadPlanSummary, loadUnsafe } from './load-plans.ts'
export { listFreedNodes, listMemberIds } from './queries/plans.ts'
