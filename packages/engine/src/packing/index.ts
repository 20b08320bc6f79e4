export { packCluster, type JointOutcome, type KeptNode, type Packing } from './bankable-savings.ts'
export { blockerBasis, blockingObjects, describeBlocker, isLiftable } from './blocker.ts'
export { cheapestNodeSet } from './cheapest-node-set.ts'
export { cheapestOfSets } from './cheapest-of-sets.ts'
export type {
  DisruptionBudget,
  NodeType,
  PackingCluster,
  PackingNode,
  PackingPod,
  PackingPool,
  PodConstraints,
} from './cluster.ts'
export { matchesSelector } from './label-selector.ts'
export type { Proposal } from './proposals.ts'
export { admittingCapacities, type AdmittingCapacity } from './admitting-capacity.ts'
export { simulateChange, type ChangeOutcome } from './simulate-change.ts'
export { findStaticObstacle } from './static-filters.ts'
