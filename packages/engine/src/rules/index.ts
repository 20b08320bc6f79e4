export type { Action } from './action.ts'
export { RULES, findRule, ruleShortName } from './catalogue.ts'
export { consolidationBlocked } from './catalogue/consolidation-blocked.ts'
export { containerOverprovisioned } from './catalogue/container-overprovisioned.ts'
export { containerUnderprovisioned } from './catalogue/container-underprovisioned.ts'
export { cpuLimitThrottling } from './catalogue/cpu-limit-throttling.ts'
export { gpuIdle } from './catalogue/gpu-idle.ts'
export { workloadAbandoned } from './catalogue/workload-abandoned.ts'
export { runRules, observer, weighFindings, type Observation, type RuleFinding, type RuleWithheld } from './evaluate.ts'
export { ANNOTATIONS } from './facts/annotation-names.ts'
export { annotatedFloors, annotatedHeap } from './facts/annotations.ts'
export {
  FACTS,
  SECONDS_STUCK_MIN,
  type AutoscalerFacts,
  type BalancerFacts,
  type ClusterFacts,
  type ContainerFacts,
  type FactName,
  type NamespaceLimits,
  type CapacityFacts,
  type RegressedChange,
  type ScalingHistory,
  type SizeDecision,
  type UsageFacts,
  type VolumeFacts,
  type WorkloadFacts,
  type WorkloadPrice,
} from './facts/cluster-facts.ts'
export { isJob } from './facts/judgeable.ts'
export { isNonProduction } from './facts/non-production.ts'
export {
  NO_PLACEMENT,
  type CheaperSet,
  type ControlPlaneFacts,
  type CronJobFacts,
  type NamespaceFacts,
  type NamespaceRhythm,
  type NodeFacts,
  type NodeFate,
  type PlacementFacts,
  type PoolFacts,
  type QuotaFacts,
} from './facts/object-facts.ts'
export { podCapacity } from './facts/pod-capacity.ts'
export { DEFAULT_POLICY, isSystemNamespace, policyOf, type Policies, type Policy } from './facts/policy.ts'
export { nodesKeptByPool } from './facts/removable-by-hand.ts'
export { throttledShare } from './facts/throttled.ts'
export { WORKING_HOURS } from './facts/working-hours.ts'
export {
  NO_EVIDENCE,
  targetKey,
  withheldReasons,
  type ContainerSpec,
  type DemandEvidence,
  type Evidence,
  type HourlyBand,
  type Percentiles,
  type PriceRow,
  type SavingLine,
  type Target,
  type UnitPrice,
} from './finding.ts'
export { LEFT_OUT } from './left-out.ts'
export { planPartOf, type PlanPart, type Rule } from './rule.ts'
export { findingKey, listProposals, workloadPath } from './savings/list-proposals.ts'
export { requestUsd } from './savings/request-usd.ts'
export { SEEN_USD_MIN, savingLinesOf } from './savings/saving-lines.ts'
export { severityOf } from './savings/severity.ts'
export { addTrial, type Trial } from './tried-before.ts'
