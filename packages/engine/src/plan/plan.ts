import type { Decimal } from '../decimal.ts'
import type { PodChange } from '../packing/proposals.ts'
import type { Level } from '../rules/finding.ts'
import type { PlanPart } from '../rules/rule.ts'

export const STEP_KINDS = ['protect', 'remove', 'drain', 'free', 'switch', 'rest'] as const
export type StepKind = (typeof STEP_KINDS)[number]

/** An open recommendation, as a plan sees it. */
export type PlanItem = PlanPart & {
  readonly key: string
  /** Empty where no pod changes. */
  readonly changes: readonly PodChange[]
  /** What leaves the bill by itself: the price of a volume, the difference of another machine. Pods save by way of nodes. */
  readonly ownUsdPerMonth: Decimal
  readonly estimatedUsdPerMonth: Decimal
  readonly risk: Level
  /** Empty for what belongs to no namespace. */
  readonly namespace: string
  /** As pods name their workload; empty for what has no pods. */
  readonly workload: string
  readonly team: string
  /** The change restarts pods of a StatefulSet. */
  readonly isStateful: boolean
  /** Of `drain` the nodes that it removes, of `unblock` the node whose blocker it lifts. */
  readonly nodes: readonly string[]
  /** The title of the recommendation: that of a step with one member. */
  readonly title: string
}

export type StepNode = {
  readonly name: string
  readonly pool: string
  readonly usdPerMonth: Decimal
  /** The cheaper machine that takes its place; null: the node goes. */
  readonly replacedBy: string | null
}

export type StepMove = { readonly pod: string; readonly from: string; readonly to: string }

export type StepEffort = {
  readonly workloads: number
  readonly teams: readonly string[]
  readonly podsRestarted: number
  readonly statefulSetsRestarted: number
}

export type PlanStep = {
  /** Stays with the step for as long as the step is in a plan. */
  readonly id: string
  readonly kind: StepKind
  readonly title: string
  /** Keys of its recommendations. */
  readonly members: readonly string[]
  readonly nodes: readonly StepNode[]
  /** Where the pods of its nodes go, in this order. */
  readonly moves: readonly StepMove[]
  /** What leaves the bill; negative: the step costs that much. */
  readonly usdPerMonth: Decimal
  /** Null: the run rate is not known. */
  readonly runRateBeforeUsdPerMonth: Decimal | null
  readonly runRateAfterUsdPerMonth: Decimal | null
  /** What the freed requests are worth at node prices; no part of the bill. */
  readonly capacityUsdPerMonth: Decimal
  readonly effort: StepEffort
  readonly risk: Level
  /** By key, what each member takes off the bill. The shares add up to the money of the step, in whole cents. */
  readonly shares: ReadonlyMap<string, Decimal>
}

/**
 * `few-candidates-compared`: too many nodes can go for all of them to be compared before each step.
 * `last-free-step-not-minimal`: the search stopped, and what is left is one step.
 */
export type PlanBound = 'few-candidates-compared' | 'last-free-step-not-minimal'

export type Plan = {
  readonly steps: readonly PlanStep[]
  readonly usdPerMonth: Decimal
  readonly isComplete: boolean
  /** Which limits cut the search; none where it is complete. */
  readonly bounds: readonly PlanBound[]
}

/** A step of the plan before, as it is stored. */
export type PreviousStep = Pick<PlanStep, 'id' | 'kind' | 'title' | 'members' | 'usdPerMonth' | 'shares'> & {
  readonly nodes: readonly Pick<StepNode, 'name' | 'replacedBy'>[]
  /** Keys of what was a member and was applied since; absent: none. */
  readonly applied?: readonly string[]
}
