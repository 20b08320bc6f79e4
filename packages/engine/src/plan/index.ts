export { bankByPlan } from './bank-by-plan.ts'
export { plannedNodes } from './planned-nodes.ts'
export { planCluster, startPlan, type StartedPlan } from './plan-cluster.ts'
export type { Plan, PlanItem, PlanStep, PreviousStep, StepEffort, StepKind } from './plan.ts'
