export {
  capacityEffects,
  capacityTotals,
  idleEffects,
  type CapacityTotals,
  type RatedCapacity,
} from './capacity-change.ts'
export { addLine, emptyLine, type ChangeLine } from './change-line.ts'
export { cloudResourceEffects, type CloudResourceChange } from './cloud-resource-change.ts'
export { findCreditedStep, nodeCredits, waterfallCauses, type CreditedNodes, type StepCredit } from './credit-steps.ts'
export { addEffects, readEffectKey, type EffectSums } from './effect-key.ts'
export { compareTimes, scaledDifference, type Comparison, type Pair } from './known-time.ts'
export { nodeEffects, nodeMovement, type NodeCapacity, type NodeMovement } from './node-changes.ts'
export { addPriced, NOTHING, type Priced } from './quantity-change.ts'
export { clusterRunRate } from './run-rate.ts'
export { giveRest } from './settle.ts'
export { splitByGroup, type GroupCost } from './split-by-group.ts'
export { clusterWaterfall, emptyWaterfall, type Waterfall } from './waterfall.ts'
export {
  workloadEffects,
  workloadTotals,
  type RatedUse,
  type WorkloadTotals,
  type WorkloadUse,
} from './workload-change.ts'
