import type { Decimal } from '../decimal.ts'
import type { PodChange } from '../packing/proposals.ts'
import type { PlanPart } from '../rules/rule.ts'
import type { Level, StepKind } from '../vocabulary/recommendations.ts'

/** An open recommendation as input of a plan. */
export type PlanItem = PlanPart & {
  readonly key: string
  /** Empty if no pod changes. */
  readonly changes: readonly PodChange[]
  /**
   * Direct savings on the bill: the price of a volume, the price difference of another instance type. Pods save
   * through nodes.
   */
  readonly ownUsdPerMonth: Decimal
  readonly estimatedUsdPerMonth: Decimal
  readonly risk: Level
  /** Empty for cluster-scoped objects. */
  readonly namespace: string
  /** The workload of the pods; empty without pods. */
  readonly workload: string
  readonly team: string
  /** The change restarts pods of a StatefulSet. */
  readonly isStateful: boolean
  /** `drain`: the nodes that it removes. `unblock`: the node whose blocker it lifts. `switch`: the nodes that it replaces. */
  readonly nodes: readonly string[]
  /** For `switch` the pool whose instance types change; absent: no pool. */
  readonly pool?: string
  /** The title of the recommendation, also used for a step with one member. */
  readonly title: string
}

export type StepNode = {
  readonly name: string
  readonly pool: string
  /** Absent: unknown. */
  readonly instanceType?: string
  readonly usdPerMonth: Decimal
  /** The cheaper instance type that replaces it; null: the node is removed. */
  readonly replacedBy: string | null
}

export type StepMove = { readonly pod: string; readonly from: string; readonly to: string }

export type StepEffort = {
  readonly workloads: number
  readonly teams: readonly string[]
  readonly podsRestarted: number
  /** Pods of removed or replaced nodes that start on other nodes. Null: unknown. */
  readonly podsMoved: number | null
  readonly statefulSetsRestarted: number
}

export type PlanStep = {
  /** Stays with the step as long as the step is in a plan. */
  readonly id: string
  readonly kind: StepKind
  readonly title: string
  /** Keys of its recommendations. */
  readonly members: readonly string[]
  readonly nodes: readonly StepNode[]
  /** The target nodes of the pods of its nodes, in this order. */
  readonly moves: readonly StepMove[]
  /** Savings on the bill; negative: the cost of the step. */
  readonly usdPerMonth: Decimal
  /** Null: the run rate is unknown. */
  readonly runRateBeforeUsdPerMonth: Decimal | null
  readonly runRateAfterUsdPerMonth: Decimal | null
  /** Value of the freed requests at node prices; not part of the bill. */
  readonly capacityUsdPerMonth: Decimal
  readonly effort: StepEffort
  readonly risk: Level
  /** By key, the share of each member. The shares add up to the savings of the step, in whole cents. */
  readonly shares: ReadonlyMap<string, Decimal>
}

/**
 * `few-candidates-compared`: too many nodes are removable to compare all of them before each step.
 * `few-placements-tried`: the cluster is large, so the steps were checked in few placements of the scheduler.
 * `search-stopped`: the search used all its placements, so further nodes may be removable.
 */
export type PlanBound = 'few-candidates-compared' | 'few-placements-tried' | 'search-stopped'

export type Plan = {
  readonly steps: readonly PlanStep[]
  readonly usdPerMonth: Decimal
  readonly isComplete: boolean
  /** Limits of the search and of the checks. */
  readonly bounds: readonly PlanBound[]
  /**
   * Nodes that the autoscaler removes with the current requests, in the order of packing. The next packing removes them
   * first, even if no step names them because their recommendation was rejected.
   */
  readonly drained: readonly string[]
}

/** A stored step of the previous plan. */
export type PreviousStep = Pick<PlanStep, 'id' | 'kind' | 'title' | 'members' | 'usdPerMonth' | 'shares'> & {
  readonly nodes: readonly Pick<StepNode, 'name' | 'replacedBy'>[]
  /** Keys of members that were applied since; absent: none. */
  readonly applied?: readonly string[]
}

export type PlanInput = {
  /** All open or approved recommendations, and applied changes that are not observed yet. */
  readonly items: readonly PlanItem[]
  readonly previous?: readonly PreviousStep[]
  /** Null: unknown. */
  readonly runRateUsdPerMonth: Decimal | null
  /** Creates the ID of a new step. */
  readonly newId: () => string
}
