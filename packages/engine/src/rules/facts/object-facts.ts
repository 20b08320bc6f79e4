import type { PriceRow, UnitPrice } from '../finding.ts'

type Labels = Readonly<Record<string, string>>

/** What decides whether the pods of a workload could run on machines that may be taken away. */
export type PlacementFacts = {
  /** They mount claims. */
  readonly hasVolumes: boolean
  /** They keep data on the node's disk. */
  readonly hasLocalStorage: boolean
  /** Somebody has marked them as not to be moved. */
  readonly isPinned: boolean
  /** How many of its pods run on spot already. */
  readonly spotPods: number
  /** By how much spot is cheaper than what its pods run on, 0 to 1; null: not known. */
  readonly spotDiscount: number | null
}

export const NO_PLACEMENT: PlacementFacts = {
  hasVolumes: false,
  hasLocalStorage: false,
  isPinned: false,
  spotPods: 0,
  spotDiscount: null,
}

/** What became of a node when the scheduler was run again with the requests as they are. */
export type NodeFate =
  /** Its pods fit elsewhere and whoever scales the pool may remove it. */
  | { readonly kind: 'free'; readonly podsMoved: number }
  /** Its pods fit elsewhere; nobody scales the pool, or it is paid for anyway. */
  | { readonly kind: 'by_hand'; readonly why: 'nobody-scales-the-pool' | 'committed' }
  /** A cheaper machine carries its pods. */
  | { readonly kind: 'replace'; readonly instanceType: string; readonly savedUsdPerMonth: number }
  | { readonly kind: 'kept'; readonly code: string; readonly why: string }

export type NodeBlocker = {
  readonly code: string
  readonly why: string
  /** Identifies the blocker in the basis of the recommendation, independent of the words of `why`. */
  readonly basis: string
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
  /** What that follows from; absent: not noted. */
  readonly price?: PriceRow
  /** Null where the simulation does not know it. */
  readonly fate: NodeFate | null
  /** What keeps it although its pods fit elsewhere, once all open advice is followed; null: nothing, or not known. */
  readonly blocker: NodeBlocker | null
  /** It goes once all open advice is followed; absent: it does not, or nobody asked. */
  readonly goesWithAdvice?: boolean
  /** The same size of a later and cheaper generation; null: there is none, or it is not known. */
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
  /** Null where a node of it has no price. */
  readonly usdPerMonth: number | null
  /** `unknown`: the agent cannot tell, and nobody has answered; it counts as `none`. */
  readonly scaler: 'karpenter' | 'cluster-autoscaler' | 'none' | 'unknown'
  /** What runs there of namespaces of the system, DaemonSets aside, by name; absent: not looked at. */
  readonly systemWorkloads?: readonly string[]
  /** What has pods there in more than one zone, DaemonSets and jobs aside, by name; absent: not looked at. */
  readonly spreadWorkloads?: readonly string[]
  readonly allocatable: Amount
  readonly requested: Amount
  /** What DaemonSets have of it. */
  readonly daemons: Amount
  /** What a millicore and a KiB cost there for a month. */
  readonly price: { readonly cpuUsdPerMillicoreMonth: number; readonly memoryUsdPerKibMonth: number } | null
  /** A cheaper set of machines for the pods of those nodes that may be emptied; null: not looked for, or none found. */
  readonly cheaperSet: CheaperSet | null
}

export type CheaperSet = {
  readonly usdPerMonth: number
  /** No set of these machines costs less. */
  readonly boundUsdPerMonth: number
  /** Without a price where it was not noted. */
  readonly machines: readonly { readonly type: string; readonly count: number; readonly price?: UnitPrice }[]
  /** What the pool's scaler would swap by itself. */
  readonly swappedUsdPerMonth: number
  readonly headroomPercent: number
  /** Of so many days the busiest hour counts. */
  readonly daysOfPeak: number
}

export type NamespaceFacts = {
  readonly name: string
  readonly labels: Labels
  /** Pods that hold their requests. */
  readonly pods: number
  /** Of its volumes and balancers, as far as they have a price. */
  readonly cloudResourcesUsdPerMonth: number
  readonly cloudResources: number
  /** Seconds since 1970: since when none of its assets is used; null: one is. */
  readonly unusedSince: number | null
  readonly quotas: readonly QuotaFacts[]
  /** Null: not looked at. */
  readonly rhythm: NamespaceRhythm | null
  /** What its pods request a month; null without a price. */
  readonly requestUsdPerMonth: number | null
}

/** How busy a namespace is at work and otherwise, in UTC: Monday to Friday, 6 to 20 h. */
export type NamespaceRhythm = {
  readonly days: number
  /** Of the time of its containers, 0 to 1. */
  readonly coverage: number
  readonly officeCpuMillicores: number
  readonly offCpuMillicores: number
}

export type QuotaFacts = {
  readonly name: string
  readonly cpuMillicores: number | null
  readonly memoryKib: number | null
  /** The most that was requested in the last 30 days, as far as is known. */
  readonly usedCpuMillicores: number
  readonly usedMemoryKib: number
  readonly days: number
}

export type CronJobFacts = {
  readonly namespace: string
  readonly name: string
  /** Of itself and of its namespace. */
  readonly labels: Labels
  /** Of the pods of its last run; null: none of them is known. */
  readonly podLabels: Labels | null
  readonly annotations: Labels
  readonly schedule: string
  readonly isSuspended: boolean
  readonly failuresInARow: number
  /** Seconds since 1970; null: never, as far as is known. */
  readonly lastSuccessAt: number | null
  /** What its runs cost, by the last days; null: not known. */
  readonly usdPerMonth: number | null
  /** What sets the requests of its containers, such as an operator; by container. */
  readonly managedBy: ReadonlyMap<string, string>
}

export type ControlPlaneFacts = {
  readonly provider: string
  /** Such as 1.33; empty where it cannot be read. */
  readonly version: string
  /** Seconds since 1970: when the version leaves ordinary support; null: not known. */
  readonly supportEndsAt: number | null
  /** The version that is in ordinary support for longest; null: not known. */
  readonly upgrade: { readonly version: string; readonly endsAt: number } | null
  /** What extended support adds; null: not known. */
  readonly surchargeUsdPerMonth: number | null
  /** What that is the difference of; absent: not noted. */
  readonly fees?: { readonly standard: UnitPrice; readonly extended: UnitPrice }
}
