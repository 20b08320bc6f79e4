import type { BlockingObjects } from '../../packing/blocker.ts'
import type { PoolScaler } from '../action.ts'
import type { PriceRow, UnitPrice } from '../finding.ts'

type Labels = Readonly<Record<string, string>>

/** The facts that decide whether the pods of a workload can run on spot nodes. */
export type PlacementFacts = {
  /** The pods mount claims. */
  readonly hasVolumes: boolean
  /** The pods hold data on the disk of the node. */
  readonly hasLocalStorage: boolean
  /** An annotation forbids eviction. */
  readonly isPinned: boolean
  /** The number of its pods on spot nodes. */
  readonly spotPods: number
  /** Discount of spot against the current nodes, 0 to 1; null: not known. */
  readonly spotDiscount: number | null
}

export const NO_PLACEMENT: PlacementFacts = {
  hasVolumes: false,
  hasLocalStorage: false,
  isPinned: false,
  spotPods: 0,
  spotDiscount: null,
}

/** The result for a node in the simulation with the current requests. */
export type NodeFate =
  /** Its pods fit elsewhere, and the autoscaler of the pool may remove it. */
  | { readonly kind: 'free'; readonly podsMoved: number }
  /** Its pods fit elsewhere; the pool is not autoscaled, or the node is a commitment. */
  | { readonly kind: 'by_hand'; readonly why: 'nobody-scales-the-pool' | 'committed' }
  /** A cheaper instance type holds its pods. */
  | { readonly kind: 'replace'; readonly instanceType: string; readonly savedUsdPerMonth: number }
  | { readonly kind: 'kept'; readonly code: string; readonly why: string }

export type NodeBlocker = {
  readonly code: string
  readonly why: string
  /** Identifies the blocker in the basis of the recommendation, independent of the words of `why`. */
  readonly basis: string
  /** The objects to change; absent: the node itself. */
  readonly objects?: BlockingObjects
  /** Placement of the pods of a PodDisruptionBudget without the node; absent: unknown, or another kind of blocker. */
  readonly left?: { readonly pods: number; readonly nodes: number; readonly zones: number }
}

export type NodeFacts = {
  readonly name: string
  readonly pool: string
  /** Absent: not known. */
  readonly zone?: string
  readonly instanceType: string
  readonly isSpot: boolean
  /** Seconds since 1970. */
  readonly bornAt: number
  readonly usdPerMonth: number | null
  /** The basis of the price; absent: not recorded. */
  readonly price?: PriceRow
  /** Null: not part of the simulation. */
  readonly fate: NodeFate | null
  /**
   * Its blocker although its pods fit elsewhere, once all open recommendations are applied; null: none, or not known.
   */
  readonly blocker: NodeBlocker | null
  /** It is removed once all open recommendations are applied; absent: it is not, or not simulated. */
  readonly goesWithAdvice?: boolean
  /** The same size of a newer and cheaper generation; null: none, or not known. */
  readonly successor: {
    readonly instanceType: string
    readonly usdPerMonth: number
    readonly price?: UnitPrice
  } | null
}

type Amount = { readonly cpuMillicores: number; readonly memoryKib: number }

export type PoolFacts = {
  readonly name: string
  readonly nodes: number
  /** Null if a node of the pool has no price. */
  readonly usdPerMonth: number | null
  /** `unknown`: the agent cannot detect it, and no user has answered; it counts as `none`. */
  readonly scaler: PoolScaler
  /** Names of workloads of system namespaces in the pool, without DaemonSets; absent: not checked. */
  readonly systemWorkloads?: readonly string[]
  /**
   * Names of workloads with pods in more than one zone of the pool, without DaemonSets and jobs; absent: not checked.
   */
  readonly spreadWorkloads?: readonly string[]
  readonly allocatable: Amount
  readonly requested: Amount
  /** The requests of DaemonSets. */
  readonly daemons: Amount
  /** Monthly price of a millicore and a KiB there. */
  readonly price: { readonly cpuUsdPerMillicoreMonth: number; readonly memoryUsdPerKibMonth: number } | null
  /** A cheaper set of instance types for the pods of drainable nodes; null: not searched, or none found. */
  readonly cheaperSet: CheaperSet | null
}

export type CheaperSet = {
  readonly usdPerMonth: number
  /** No set of these instance types costs less. */
  readonly boundUsdPerMonth: number
  /** Without a price if it was not recorded. */
  readonly machines: readonly { readonly type: string; readonly count: number; readonly price?: UnitPrice }[]
  /** The part that the autoscaler of the pool would swap by itself. */
  readonly swappedUsdPerMonth: number
  readonly headroomPercent: number
  /** The busiest hour of this many days counts. */
  readonly daysOfPeak: number
}

export type NamespaceFacts = {
  readonly name: string
  readonly labels: Labels
  /** Pods that hold their requests. */
  readonly pods: number
  /** Cost of its volumes and load balancers, as far as they have a price. */
  readonly cloudResourcesUsdPerMonth: number
  readonly cloudResources: number
  /** Seconds since 1970: when its last resource became unused; null: one is used. */
  readonly unusedSince: number | null
  readonly quotas: readonly QuotaFacts[]
  /** Null: not computed. */
  readonly rhythm: NamespaceRhythm | null
  /** Monthly cost of the requests of its pods; null without a price. */
  readonly requestUsdPerMonth: number | null
}

/** Usage of a namespace in and outside working hours, in UTC: Monday to Friday, 6 to 20 h. */
export type NamespaceRhythm = {
  readonly days: number
  /** Share of container time with usage data, 0 to 1. */
  readonly coverage: number
  readonly officeCpuMillicores: number
  readonly offCpuMillicores: number
}

export type QuotaFacts = {
  readonly name: string
  readonly cpuMillicores: number | null
  readonly memoryKib: number | null
  /** The highest requests of the last 30 days, as far as known. */
  readonly usedCpuMillicores: number
  readonly usedMemoryKib: number
  readonly days: number
}

export type CronJobFacts = {
  readonly namespace: string
  readonly name: string
  /** Labels of the CronJob and of its namespace. */
  readonly labels: Labels
  /** Labels of the pods of its last run; null: none is known. */
  readonly podLabels: Labels | null
  readonly annotations: Labels
  readonly schedule: string
  readonly isSuspended: boolean
  readonly failuresInARow: number
  /** Seconds since 1970; null: never, as far as is known. */
  readonly lastSuccessAt: number | null
  /** Cost of its runs in the last days; null: not known. */
  readonly usdPerMonth: number | null
  /** By container: the controller of its requests, such as an operator. */
  readonly managedBy: ReadonlyMap<string, string>
}

export type ControlPlaneFacts = {
  readonly provider: string
  /** Such as 1.33; empty: not readable. */
  readonly version: string
  /** Seconds since 1970: when standard support of the version ends; null: not known. */
  readonly supportEndsAt: number | null
  /** The version with the latest end of standard support; null: not known. */
  readonly upgrade: { readonly version: string; readonly endsAt: number } | null
  /** The surcharge of extended support; null: not known. */
  readonly surchargeUsdPerMonth: number | null
  /** The two fees of the surcharge; absent: not recorded. */
  readonly fees?: { readonly standard: UnitPrice; readonly extended: UnitPrice }
}
