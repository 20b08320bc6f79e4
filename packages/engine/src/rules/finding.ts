export const CATEGORIES = [
  'cpu_memory',
  'scaling',
  'node',
  'spot',
  'storage',
  'network',
  'gpu',
  'idle',
  'scheduling',
  'commitment',
  'reliability',
  'governance',
] as const
export type Category = (typeof CATEGORIES)[number]

export const SEVERITIES = ['low', 'medium', 'high', 'critical'] as const
export type Severity = (typeof SEVERITIES)[number]

export const LEVELS = ['low', 'medium', 'high'] as const
export type Level = (typeof LEVELS)[number]

/** What a finding is about. The same thing has the same target in every analysis. */
export type Target = {
  readonly kind: string
  /** Empty for what belongs to no namespace. */
  readonly namespace: string
  readonly name: string
  /** Empty when it is about the whole object. */
  readonly container: string
}

export const targetKey = ({ kind, namespace, name, container }: Target) => [kind, namespace, name, container].join('/')

/** Quantities of one container; null where it says nothing. */
export type ContainerSpec = { readonly cpuMillicores: number | null; readonly memoryKib: number | null }

export const CHANGE_ACTIONS = [
  'set_requests',
  'set_limits',
  'set_labels',
  'set_replicas',
  'delete',
  'reconfigure',
  'investigate',
] as const
export type ChangeAction = (typeof CHANGE_ACTIONS)[number]

export type Change = {
  readonly action: ChangeAction
  readonly object: Target
  /** For people: what to do to what. */
  readonly summary: string
  readonly fields: readonly { readonly path: string; readonly from: string | null; readonly to: string | null }[]
}

export type Percentiles = Readonly<Record<'p50' | 'p90' | 'p95' | 'p99' | 'max', number>>

/** One number per hour from the start of the window on; null where nothing was measured. */
export type HourlyBand = Readonly<Record<'p50' | 'p90' | 'max', readonly (number | null)[]>>

export type Shortage = {
  /** Over the window, were the value renewed as often as it will be. */
  readonly minutesShort: number
  /** Demand above the request ÷ use. */
  readonly volumeShort: number
  readonly oomDays: number
}

export type Backtest = Shortage & {
  readonly who: 'current' | 'proposed' | 'vpa' | 'krr'
  readonly spec: ContainerSpec
  readonly risk: Level
  /** Null where it says nothing about a request that is there now, or where more than one container is meant. */
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
  /** Ids of the price book's sources; null: somebody set it, or it was not noted. */
  readonly source: string | null
  readonly asOf: string | null
}

/** What one of something costs, and who says so. */
export type UnitPrice = {
  readonly usd: number
  readonly per: 'hour' | 'month'
  /** One of what: a node, a core, a GiB, a disk. */
  readonly unit: string
  /** Ids of the price book's sources; null: somebody set it, it is a mean of several, or it was not noted. */
  readonly source: string | null
  readonly asOf: string | null
  readonly isEstimated: boolean
}

/** A line of the receipt: what it adds to the saving of a month. */
export type SavingLine = {
  readonly what: string
  /** Null where it is no price that says it, such as what runs have cost lately. */
  readonly quantity: number | null
  readonly price: UnitPrice | null
  /** Negative: what will be paid instead, or what is counted elsewhere. */
  readonly usdPerMonth: number
}

/** Why this number? Everything that it rests on; null where a rule does not look at usage. */
export type Evidence = {
  readonly window: { readonly from: number; readonly to: number } | null
  readonly sampleCount: number | null
  /** Of the samples that were to be expected, 0 to 1. */
  readonly coverage: number | null
  readonly cpuMillicores: Percentiles | null
  readonly memoryKib: Percentiles | null
  readonly hourlyCpuMillicores: HourlyBand | null
  readonly hourlyMemoryKib: HourlyBand | null
  readonly backtest: readonly Backtest[]
  /** How long a value stands until it is renewed. */
  readonly standingDays: number | null
  readonly candidates: readonly Candidate[]
  readonly prices: readonly PriceRow[]
  /** How the saving comes about. */
  readonly savingLines: readonly SavingLine[]
  readonly confidenceReasons: readonly string[]
  /** What could make it wrong. */
  readonly caveats: readonly string[]
  /** What this rule looked at besides, by name. */
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

/** A guard as it came out for this target. */
export type Check = {
  /** What has to hold. */
  readonly check: string
  readonly found: string
  /** Null: it could not be checked. */
  readonly passed: boolean | null
}

/** What one rule says about one target. */
export type Finding = {
  readonly kind: 'finding'
  readonly target: Target
  /** Whose policy holds, where the target itself belongs to no namespace: that of a volume's claim. */
  readonly policyNamespace?: string
  readonly title: string
  /** A representative pod; empty for what has none. */
  readonly podName: string
  readonly workload: { readonly kind: string; readonly name: string; readonly container: string } | null
  readonly currentSpec: ContainerSpec | null
  readonly recommendedSpec: ContainerSpec | null
  readonly change: Change
  readonly estimatedUsdPerMonth: number
  /** Null until the scheduler was run again with it. */
  readonly bankableUsdPerMonth: number | null
  /** What the thing costs now: no saving is larger. Null where that is not known. */
  readonly costUsdPerMonth: number | null
  readonly risk: Level
  readonly confidence: Level
  /** Something breaks now, whatever it costs. */
  readonly isUrgent: boolean
  /** Pods of the target that would go, by number or by name; absent: none. */
  readonly removesPods?: number | readonly string[]
  /** What is paid for may stay at the provider when the object is gone, where nobody sees it; absent: it goes with the object. */
  readonly outlivesObject?: true
  /** Nodes that whoever follows it takes away by hand, by name; absent: none. */
  readonly removesNodes?: readonly string[]
  /** Nodes that it would put other machines in the place of; absent: none. */
  readonly machines?: readonly string[]
  /** What the target looked like. When it changes, a rejected advice may be given again. */
  readonly basis: string
  /** The guards of the rule, each with what was found. */
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

/** No advice, why, and what would change that. */
export type Withheld = {
  readonly kind: 'withheld'
  /** Null: the whole rule. */
  readonly target: Target | null
  readonly reason: WithheldReason
  readonly detail: string
  readonly unlock: string
}

export type Verdict = Finding | Withheld
