import type { CpuWindow } from '../../rightsizing/candidates.ts'
import type { CpuDecision } from '../../rightsizing/decide-fleet.ts'
import type { Backtest } from '../../rightsizing/give-back.ts'
import type { MemoryDecision } from '../../rightsizing/memory.ts'
import type { DailyMemory, StartUp } from '../../rightsizing/usage-state.ts'
import type { ContainerSpec, PriceRow, UnitPrice } from '../finding.ts'
import type {
  CronJobFacts,
  ControlPlaneFacts,
  NamespaceFacts,
  NodeFacts,
  PlacementFacts,
  PoolFacts,
} from './object-facts.ts'
import type { Policies } from './policy.ts'

/** What a rule may need to know. One that no source supplies withholds the rule: nothing is guessed. */
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
  placement: 'a scheduler simulation, and which pods can be evicted',
  node_blockers: 'what blocks the removal of nodes',
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

/** Where the agent reads what containers use. */
export type UsageSource = 'kubelet' | 'metrics-server' | 'prometheus' | 'none'

type Labels = Readonly<Record<string, string>>

/** Everything the rules look at: one cluster at one moment, as plain values. */
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
  /** Hours of the last week of which the pods are known: a busier one may not be among them. */
  readonly hoursKnown: number
  readonly pools: readonly PoolFacts[]
  readonly namespaces: readonly NamespaceFacts[]
  readonly cronJobs: readonly CronJobFacts[]
  readonly controlPlane: ControlPlaneFacts | null
  /** What one pod can get at most, by the largest node; null: not known. */
  readonly largestNode: { readonly cpuMillicores: number; readonly memoryKib: number } | null
  readonly policies: Policies
}

export type WorkloadFacts = {
  readonly namespace: string
  readonly kind: string
  readonly name: string
  /** A pod that stands for the others. */
  readonly podName: string
  /** Pods that hold their requests now. */
  readonly replicas: number
  readonly labels: Labels
  /** Empty where the agent does not report them. */
  readonly annotations: Labels
  readonly containers: readonly ContainerFacts[]
  /** Scheduled pods that do not get to run. */
  readonly stuckPods: readonly StuckPod[]
  readonly price: WorkloadPrice | null
  /** Null: nothing scales it. */
  readonly autoscaler: AutoscalerFacts | null
  /** How many pods may be away at once, by its disruption budgets; null: no budget. */
  readonly disruptionsAllowed: number | null
  readonly limits: NamespaceLimits | null
  readonly placement: PlacementFacts
  /** Null: not known. */
  readonly room: RoomFacts | null
  /** What its pods hold of GPUs, all together; null: none. */
  readonly gpu: GpuFacts | null
}

/** On the nodes that its pods may run on: not every node admits everybody. */
export type RoomFacts = {
  /** What one pod can get at most. */
  readonly cpuMillicoresMax: number
  readonly memoryKibMax: number
  /** What nobody asks for, of all of them together. */
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
  /** What was recommended before and still stands: it moves only when that is worth it. */
  readonly standing: ContainerSpec | null
  /** In the window of its usage. */
  readonly oomKills: number
  /** In that window, with the requests and limits that it has now; null: nobody tells. */
  readonly throttling: ThrottlingFacts | null
  /** How large the heap of a Java program may become; null: it is none, or nobody tells. */
  readonly heapMaxKib: number | null
  /** Seconds since 1970: since when the newest pods run another image; null: for longer than a day, or nobody tells. */
  readonly imageChangedAt: number | null
  /** The VerticalPodAutoscaler or operator that sets its requests; null: none known. */
  readonly managedBy: string | null
}

/** Of all its pods: periods in which its CPU limit was enforced, and in how many of them it had to wait. */
export type ThrottlingFacts = { readonly periods: number; readonly throttledPeriods: number }

/** What a container has used in the last two weeks, over all its pods, without their starts. */
export type UsageFacts = {
  /** Seconds since 1970. */
  readonly window: { readonly from: number; readonly to: number }
  readonly historyDays: number
  /** Of the samples that were to be expected, 0 to 1. */
  readonly coverage: number
  /** Minutes of pods. */
  readonly sampleCount: number
  readonly cpu: CpuWindow
  readonly memory: DailyMemory
  /** Starts included: whoever starts with more than they may have is killed. */
  readonly memoryMaxKib: number
  /** The most in the weeks before the window, for ten minutes at least: what comes once a month is not in it. */
  readonly earlier: { readonly cpuUnits: number; readonly memoryKib: number }
  readonly restarts: number
  /** Of the last day, of all its pods; absent: not known. */
  readonly restartsOfDay?: number
  /** Of a pod's first minutes, which are in none of the above. */
  readonly startUp: StartUp
  /** At least so often a pod has started: in so many different hours. */
  readonly runs: number
  /** How many pods there were lately, on average: a new pod changes it little. */
  readonly replicasMean: number
}

/** What right-sizing says about a container, in tenths of a millicore and KiB. */
export type SizeDecision = {
  readonly cpu: CpuDecision
  readonly memory: MemoryDecision
  /** What the same way of deciding would have led to in the whole cluster. */
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
  /** Looks at other metrics as well. */
  readonly hasOtherMetrics?: boolean
  readonly history?: ScalingHistory | null
}

export type ScalingHistory = {
  readonly days: number
  /** Of these days, the hours in which it had no more than its minimum, 0 to 1. */
  readonly atMinShare: number
  /** In the hours at its minimum, percent of the request; the mean of the busiest tenth of them. */
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
  /** Of its claim; empty without one. */
  readonly namespace: string
  readonly claim: string
  readonly phase: 'available' | 'bound' | 'released' | 'failed'
  readonly sizeKib: number
  readonly storageClass: string
  /** Seconds since 1970: since when nobody mounts it; null: somebody does. */
  readonly unmountedSince: number | null
  /** Null: no price is known. */
  readonly usdPerMonth: number | null
  /** What that follows from; absent: not noted. */
  readonly price?: UnitPrice
  /** Empty where it is not known. */
  readonly reclaimPolicy: string
  /** What a snapshot of all of it would cost; absent or null: no price is known. */
  readonly snapshotUsdPerMonth?: number | null
  /** Null: nobody tells. */
  readonly usedKib: number | null
  /** A class that does the same for less; null: none is known. */
  readonly cheaper: { readonly storageClass: string; readonly usdPerMonth: number; readonly price?: UnitPrice } | null
}

export type BalancerFacts = {
  readonly namespace: string
  readonly name: string
  readonly type: string
  /** Seconds since 1970: since when no endpoint is ready; null: one is. */
  readonly unreadySince: number | null
  /** Paths of the workloads whose pods are ready behind it; absent: not known. */
  readonly workloads?: readonly string[]
  readonly usdPerMonth: number | null
  /** What that follows from; absent: not noted. */
  readonly price?: UnitPrice
}
