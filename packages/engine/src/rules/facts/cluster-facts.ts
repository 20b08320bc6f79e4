import type { CpuWindow } from '../../rightsizing/candidates.ts'
import type { CpuDecision } from '../../rightsizing/decide-fleet.ts'
import type { Backtest } from '../../rightsizing/give-back.ts'
import type { MemoryDecision } from '../../rightsizing/memory.ts'
import type { DailyMemory, StartUp } from '../../rightsizing/usage-state.ts'
import type { ContainerSpec, PriceRow, Target, UnitPrice } from '../finding.ts'
import type {
  CronJobFacts,
  ControlPlaneFacts,
  NamespaceFacts,
  NodeFacts,
  PlacementFacts,
  PoolFacts,
} from './object-facts.ts'
import type { Policies } from './policy.ts'

/** The facts that rules need. A rule with a missing fact is withheld. */
export const FACTS = {
  pods: 'pods with their requests, limits and labels',
  pod_phases: 'phases of scheduled pods',
  prices: 'CPU and memory prices of the nodes',
  usage: 'container usage over days',
  rightsizing: 'right-sized requests',
  oom_kills: 'OOM kills',
  throttling: 'CPU throttling',
  autoscalers: 'autoscalers with their minimum and maximum',
  controllers: 'controllers with their annotations',
  quotas: 'ResourceQuotas and their usage',
  nodes: 'nodes, their prices and requests',
  placement: 'a scheduler simulation with eviction rules',
  node_blockers: 'node removal blockers',
  node_types: 'instance types that fit the pods',
  spot_prices: 'spot prices of the nodes',
  heaps: 'maximum JVM heaps',
  volume_use: 'used size of volumes',
  kubernetes_version: 'Kubernetes version and provider',
  volumes: 'volumes, their phase and mounts',
  balancers: 'load balancers and their ready endpoints',
  storage_prices: 'volume prices',
  balancer_prices: 'load balancer prices',
} as const
export type FactName = keyof typeof FACTS

/** Where the agent reads container usage. */
export type UsageSource = 'kubelet' | 'metrics-server' | 'prometheus' | 'none'

type Labels = Readonly<Record<string, string>>

/** The input of the rules: one cluster at one moment, as plain values. */
export type ClusterFacts = {
  /** Seconds since 1970. */
  readonly observedAt: number
  /** Null: not known. */
  readonly costUsdPerMonth: number | null
  readonly known: ReadonlySet<FactName>
  readonly usageSource: UsageSource
  readonly workloads: readonly WorkloadFacts[]
  readonly volumes: readonly VolumeFacts[]
  readonly balancers: readonly BalancerFacts[]
  readonly nodes: readonly NodeFacts[]
  /** Hours of the last week with known pods: a busier hour may be missing. */
  readonly hoursKnown: number
  readonly pools: readonly PoolFacts[]
  readonly namespaces: readonly NamespaceFacts[]
  readonly cronJobs: readonly CronJobFacts[]
  readonly controlPlane: ControlPlaneFacts | null
  /** The most that one pod can get, by the largest node; null: not known. */
  readonly largestNode: { readonly cpuMillicores: number; readonly memoryKib: number } | null
  readonly policies: Policies
  /** Applied changes of requests after which containers fail more often; absent: none. */
  readonly regressed?: readonly RegressedChange[]
}

export type RegressedChange = {
  readonly target: Target
  /** The requests before the change. */
  readonly before: ContainerSpec
  /** Seconds since 1970. */
  readonly appliedAt: number
  /** What rose, as a sentence. */
  readonly what: string
}

export type WorkloadFacts = {
  readonly namespace: string
  readonly kind: string
  readonly name: string
  /** A representative pod. */
  readonly podName: string
  /** Pods that hold their requests now. */
  readonly replicas: number
  readonly labels: Labels
  /** Empty where the agent does not report them. */
  readonly annotations: Labels
  readonly containers: readonly ContainerFacts[]
  /** Scheduled pods that do not start. */
  readonly stuckPods: readonly StuckPod[]
  readonly price: WorkloadPrice | null
  /** Null: nothing scales it. */
  readonly autoscaler: AutoscalerFacts | null
  /** Allowed disruptions of its PodDisruptionBudgets; null: no budget. */
  readonly disruptionsAllowed: number | null
  readonly limits: NamespaceLimits | null
  readonly placement: PlacementFacts
  /** Null: not known. */
  readonly admittingCapacity: CapacityFacts | null
  /** All GPUs of its pods; null: none. */
  readonly gpu: GpuFacts | null
}

/** On the nodes that its pods may run on. */
export type CapacityFacts = {
  /** The most that one pod can get. */
  readonly cpuMillicoresMax: number
  readonly memoryKibMax: number
  /** Unallocated CPU of all these nodes. */
  readonly cpuMillicoresFree: number
}

export type GpuFacts = {
  readonly count: number
  /** Null without a price. */
  readonly usdPerMonth: number | null
}

export type ContainerFacts = {
  readonly name: string
  readonly kind: 'app' | 'init' | 'sidecar'
  readonly cpuRequestMillicores: number | null
  readonly memoryRequestKib: number | null
  readonly cpuLimitMillicores: number | null
  readonly memoryLimitKib: number | null
  readonly usage: UsageFacts | null
  readonly decision: SizeDecision | null
  /** The size of the open recommendation: it changes only if the change is worthwhile. */
  readonly standing: ContainerSpec | null
  /** In the window of its usage. */
  readonly oomKills: number
  /** In that window, with the current requests and limits; null: not reported. */
  readonly throttling: ThrottlingFacts | null
  /** Maximum heap of a JVM; null: not a JVM, or not reported. */
  readonly heapMaxKib: number | null
  /** With its tag; absent: not reported. */
  readonly image?: string
  /** Seconds since 1970: when the newest pods got another image; null: more than a day ago, or not reported. */
  readonly imageChangedAt: number | null
  /** The VerticalPodAutoscaler or operator that sets its requests; null: none known. */
  readonly managedBy: string | null
}

/** Of all its pods: periods with an enforced CPU limit, and throttled periods. */
export type ThrottlingFacts = { readonly periods: number; readonly throttledPeriods: number }

/** Usage of a container in the last two weeks, over all its pods, without start-up. */
export type UsageFacts = {
  /** Seconds since 1970. */
  readonly window: { readonly from: number; readonly to: number }
  readonly historyDays: number
  /** Share of the expected samples, 0 to 1. */
  readonly coverage: number
  /** Pod minutes. */
  readonly sampleCount: number
  readonly cpu: CpuWindow
  readonly memory: DailyMemory
  /** Including start-up, because memory above the limit then also causes an OOM kill. */
  readonly memoryMaxKib: number
  /**
   * The highest usage in the weeks before the window, for at least ten minutes: monthly peaks are not in the window.
   */
  readonly earlier: { readonly cpuUnits: number; readonly memoryKib: number }
  readonly restarts: number
  /** Of the last day, of all its pods; absent: not known. */
  readonly restartsOfDay?: number
  /** Of the first minutes of a pod, which are excluded above. */
  readonly startUp: StartUp
  /** Lower bound of the number of starts: the hours with a start. */
  readonly runs: number
  /** Recent mean number of pods: a new pod changes it little. */
  readonly replicasMean: number
}

/** The result of right-sizing for a container, in tenths of a millicore and KiB. */
export type SizeDecision = {
  readonly cpu: CpuDecision
  readonly memory: MemoryDecision
  /** The outcome of the same method in the whole cluster. */
  readonly rehearsed: Backtest
}

/** A pod may still be starting in its first hour. */
export const SECONDS_STUCK_MIN = 3600

export type StuckPod = {
  readonly name: string
  /** Seconds since 1970. */
  readonly since: number
  readonly cpuMillicores: number
  readonly memoryKib: number
}

export type AutoscalerFacts = {
  readonly kind: 'hpa' | 'keda'
  readonly name: string
  readonly replicasMin: number
  readonly replicasMax: number
  /** Percent of the request; null: it does not scale on CPU. */
  readonly cpuTargetPercent: number | null
  /** Scales on other metrics as well. */
  readonly hasOtherMetrics?: boolean
  readonly history?: ScalingHistory | null
}

export type ScalingHistory = {
  readonly days: number
  /** Share of the hours of these days at its minimum, 0 to 1. */
  readonly atMinShare: number
  /** CPU usage in the hours at its minimum, in percent of the request; the mean of the busiest tenth of them. */
  readonly cpuUsePercent: number
}

/** From LimitRange and ResourceQuota. */
export type NamespaceLimits = {
  readonly cpuMillicoresMin: number | null
  readonly memoryKibMin: number | null
  readonly quotaCpuMillicoresLeft: number | null
  readonly quotaMemoryKibLeft: number | null
}

/** Mean over the nodes that its pods run on. */
export type WorkloadPrice = {
  readonly cpuUsdPerMillicoreMonth: number
  readonly memoryUsdPerKibMonth: number
  readonly rows: readonly PriceRow[]
}

export type VolumeFacts = {
  readonly name: string
  /** The namespace of its claim; empty without one. */
  readonly namespace: string
  readonly claim: string
  readonly phase: 'available' | 'bound' | 'released' | 'failed'
  readonly sizeKib: number
  readonly storageClass: string
  /** Seconds since 1970: when the last mount ended; null: mounted. */
  readonly unmountedSince: number | null
  /** Null: no price is known. */
  readonly usdPerMonth: number | null
  /** The basis of the price; absent: not recorded. */
  readonly price?: UnitPrice
  /** Empty where it is not known. */
  readonly reclaimPolicy: string
  /** Cost of a full snapshot; absent or null: no price is known. */
  readonly snapshotUsdPerMonth?: number | null
  /** Null: not reported. */
  readonly usedKib: number | null
  /** An equivalent cheaper class; null: none is known. */
  readonly cheaper: { readonly storageClass: string; readonly usdPerMonth: number; readonly price?: UnitPrice } | null
}

export type BalancerFacts = {
  readonly namespace: string
  readonly name: string
  readonly type: string
  /** Seconds since 1970: when the last ready endpoint was lost; null: one is ready. */
  readonly unreadySince: number | null
  /** Paths of the workloads of its ready pods; absent: not known. */
  readonly workloads?: readonly string[]
  readonly usdPerMonth: number | null
  /** The basis of the price; absent: not recorded. */
  readonly price?: UnitPrice
}
