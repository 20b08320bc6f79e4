export { visibleClustersAsked } from './asked-clusters.ts'
export type { ScopeDaysAnswer } from './answer-scope-days.ts'
export type { CostDeps } from './compute-in-thread.ts'
export { loadDataQuality } from './data-quality.ts'
export { idleCause, moverCause } from './mover-cause.ts'
export { parseHourWindow, parseWindow, previousWindow, type HourWindow } from './parse-window.ts'
export { loadSplits, type ClusterSplits } from './changes/load-splits.ts'
export { presentClass } from './changes/present-class.ts'
export {
  loadPartCosts,
  loadTeamCosts,
  loadWorkloadCosts,
  type CostPartName,
  type PartCost,
  type RowLimit,
  type TeamCost,
  type WorkloadPart,
} from './part-costs.ts'
export { TooManyRows } from './too-many-rows.ts'
export { labelsOf } from './scope-matcher.ts'
export { noStatement, type StatementsRequest } from './statements/answer-statements.ts'
export type { TeamBudget } from './statements/present-statements.ts'
export { assetFields, type OpencostRequest } from './opencost/opencost-request.ts'
export { accumulations, planSets, type SetPlan } from './opencost/plan-sets.ts'
export type { MetricsRequest } from './metrics/metrics-request.ts'
export { detailStart } from './changes/detail-start.ts'
export { sendJson } from './routes/send-json.ts'
export { sumScopeDays } from './sum-scope-days.ts'
