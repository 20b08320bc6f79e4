export { bankByPlan } from './bank-by-plan.ts'
export { plannedNodes } from './planned-nodes.ts'
export { planCluster, startPlan, type StartedPlan } from './plan-cluster.ts'
export {
  STEP_KINDS,
  type Plan,
  type PlanBound,
  type PlanItem,
  type PlanStep,
  type PreviousStep,
  type StepEffort,
  type StepKind,
} from './plan.ts'
