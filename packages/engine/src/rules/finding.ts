import type { Action } from './action.ts'
import type { ChangeAction, Level } from '../vocabulary/recommendations.ts'

/** The object of a finding. The same object has the same target in every analysis. */
export type Target = {
  readonly kind: string
  /** Empty for cluster-scoped objects. */
  readonly namespace: string
  readonly name: string
  /** Empty for the whole object. */
  readonly container: string
}

export const targetKey = ({ kind, namespace, name, container }: Target) => [kind, namespace, name, container].join('/')

/** Requests of one container; null: not set. */
export type ContainerSpec = { readonly cpuMillicores: number | null; readonly memoryKib: number | null }

export type Change = {
  readonly action: ChangeAction
  readonly object: Target
  /** A sentence for users: what to change. */
  readonly summary: string
  readonly fields: readonly { readonly path: string; readonly from: string | null; readonly to: string | null }[]
}

export type Percentiles = Readonly<Record<'p50' | 'p90' | 'p95' | 'p99' | 'max', number>>

/** One number per hour from the start of the window; null: not measured. */
export type HourlyBand = Readonly<Record<'p50' | 'p90' | 'max', readonly (number | null)[]>>

export type Shortage = {
  /** Over the window, with the value renewed at its interval. */
  readonly minutesShort: number
  /** Demand above the request divided by usage. */
  readonly volumeShort: number
  readonly oomDays: number
}

export type Backtest = Shortage & {
  readonly who: 'current' | 'proposed' | 'vpa' | 'krr'
  readonly spec: ContainerSpec
  readonly risk: Level
  /** Null without a statement about the current request, or for more than one container. */
  readonly estimatedUsdPerMonth: number | null
}

export type Candidate = Shortage & { readonly spec: ContainerSpec; readonly estimatedUsdPerMonth: number }

export type PriceRow = {
  readonly rateId: string
  /** In words. */
  readonly nodeClass: string
  readonly nodeUsdPerHour: number | null
  readonly cpuUsdPerCoreMonth: number | null
  readonly memoryUsdPerGibMonth: number | null
  readonly gpuUsdPerGpuMonth: number | null
  readonly estimated: boolean
  /** Source ids of the price list; null: a custom price, or not recorded. */
  readonly source: string | null
  readonly asOf: string | null
}

/** The price of one unit, and its source. */
export type UnitPrice = {
  readonly usd: number
  readonly per: 'hour' | 'month'
  /** The unit: a node, a core, a GiB, a disk. */
  readonly unit: string
  /** Source ids of the price list; null: a custom price, a mean of several, or not recorded. */
  readonly source: string | null
  readonly asOf: string | null
  readonly isEstimated: boolean
}

/** A line of the receipt: its monthly contribution to the savings. */
export type SavingLine = {
  readonly what: string
  /** Null without a unit price, such as for the recent cost of runs. */
  readonly quantity: number | null
  readonly price: UnitPrice | null
  /** Negative: a new cost, or savings that are counted elsewhere. */
  readonly usdPerMonth: number
}

/** Memory that grows until the next kill or restart. */
export type Leak = {
  readonly kibPerHour: number
  /** From a start, or from now for a slow leak, to the next OOM kill. */
  readonly hoursToKill: number
  /** With the proposed limit; null: no limit. */
  readonly hoursToKillProposed: number | null
}

/** What the limits of a container hide. */
export type DemandEvidence = {
  readonly limits: { readonly current: ContainerSpec; readonly proposed: ContainerSpec }
  /** Usage touched the limit, so the demand above the limit is unknown. */
  readonly unknownAbove: { readonly cpu: boolean; readonly memory: boolean }
  /** In the window. */
  readonly oomKills: number
  readonly leak: Leak | null
}

/** The basis of a finding; null fields: the rule does not use usage. */
export type Evidence = {
  readonly window: { readonly from: number; readonly to: number } | null
  readonly sampleCount: number | null
  /** Share of the expected samples, 0 to 1. */
  readonly coverage: number | null
  readonly cpuMillicores: Percentiles | null
  readonly memoryKib: Percentiles | null
  readonly hourlyCpuMillicores: HourlyBand | null
  readonly hourlyMemoryKib: HourlyBand | null
  /** One number per hour from the start of the window; absent: not about one container. */
  readonly hourlyOomKills?: readonly number[]
  /** Absent: the rule does not look at limits. */
  readonly demand?: DemandEvidence
  readonly backtest: readonly Backtest[]
  /** How long a value stays until it is renewed. */
  readonly standingDays: number | null
  readonly candidates: readonly Candidate[]
  readonly prices: readonly PriceRow[]
  /** The calculation of the savings. */
  readonly savingLines: readonly SavingLine[]
  readonly confidenceReasons: readonly string[]
  /** Possible reasons against it. */
  readonly caveats: readonly string[]
  /** Further facts of this rule, by name. */
  readonly facts: Readonly<Record<string, string | number | boolean>>
}

export const NO_EVIDENCE: Evidence = {
  window: null,
  sampleCount: null,
  coverage: null,
  cpuMillicores: null,
  memoryKib: null,
  hourlyCpuMillicores: null,
  hourlyMemoryKib: null,
  backtest: [],
  standingDays: null,
  candidates: [],
  prices: [],
  savingLines: [],
  confidenceReasons: [],
  caveats: [],
  facts: {},
}

/** The result of a guard for this target. */
export type Check = {
  /** The condition. */
  readonly check: string
  readonly found: string
  /** Null: not checked. */
  readonly passed: boolean | null
}

/** The result of one rule for one target. */
export type Finding = {
  readonly kind: 'finding'
  readonly target: Target
  /** The namespace whose policy applies to a cluster-scoped target: that of the claim of a volume. */
  readonly policyNamespace?: string
  readonly title: string
  /** A representative pod; empty: none. */
  readonly podName: string
  readonly workload: { readonly kind: string; readonly name: string; readonly container: string } | null
  readonly currentSpec: ContainerSpec | null
  readonly recommendedSpec: ContainerSpec | null
  readonly change: Change
  readonly estimatedUsdPerMonth: number
  /** Null until the simulation has run. */
  readonly bankableUsdPerMonth: number | null
  /** The current cost of the object, which caps the savings; null: not known. */
  readonly costUsdPerMonth: number | null
  readonly risk: Level
  /** Why the risk is not low, in a few words each; absent: the rule gives no reason. */
  readonly riskReasons?: readonly string[]
  readonly confidence: Level
  /** The object fails now, whatever it costs. */
  readonly isUrgent: boolean
  /** Removed pods of the target, by number or by name; absent: none. */
  readonly removesPods?: number | readonly string[]
  /** The billed resource may remain at the provider after the object is deleted; absent: it does not. */
  readonly outlivesObject?: true
  /** Names of nodes to remove by hand; absent: none. */
  readonly removesNodes?: readonly string[]
  /** Nodes to replace with another instance type; absent: none. */
  readonly machines?: readonly string[]
  /** How to carry it out where no manifest expresses the change; absent: a manifest does. */
  readonly action?: Action
  /** The state of the target. When it changes, a rejected recommendation may return. */
  readonly basis: string
  /** The guards of the rule with their results. */
  readonly checks: readonly Check[]
  readonly evidence: Evidence
}

export const withheldReasons = [
  'no_source',
  'too_little_history',
  'low_coverage',
  'no_price',
  'managed_by',
  'autoscaled',
  'unequal_replicas',
  'too_spiky',
  'heap_unknown',
  'restarting',
  'idle_workload',
  'no_room',
  'system_namespace',
  'excluded',
  'ignored',
  'saving_too_small',
  'too_fresh',
  'cannot_move',
] as const

export type WithheldReason = (typeof withheldReasons)[number]

/** No recommendation, the reason, and what would change it. */
export type Withheld = {
  readonly kind: 'withheld'
  /** Null: the whole rule. */
  readonly target: Target | null
  readonly reason: WithheldReason
  readonly detail: string
  readonly unlock: string
}

export type Verdict = Finding | Withheld
