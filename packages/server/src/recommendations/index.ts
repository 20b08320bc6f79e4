export type { Permissions } from './allowed-actions.ts'
export { batchResult, moveAsCaller } from './move-as-caller.ts'
export { maySee } from './move-recommendations.ts'
export { presentReference, shownTitle } from './plan-step-reference.ts'
export { presentRecommendations } from './present-recommendation.ts'
export { findAdviceRevision } from './queries/advice-revision.ts'
export { listStanding, listSteps, type StepRow } from './queries/plan-steps.ts'
export { deleteOldSteps } from './queries/plans.ts'
export { listEvidenceDigests } from './queries/evidence.ts'
export { countByRule } from './queries/open-counts.ts'
export { sumSavings } from './queries/savings.ts'
export { sumByGroup } from './queries/recommendation-groups.ts'
export {
  listByIds,
  listRecommendations,
  type RecommendationRow,
  type Sight,
  sumPotentialSavings,
} from './queries/recommendations.ts'
export { listChartLabels, listShapesOf } from './queries/workload-shapes.ts'
export { type CreditedParts, loadCreditedParts } from './step-savings/credited-parts.ts'
