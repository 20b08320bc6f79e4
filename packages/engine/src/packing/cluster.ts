import type { PodShape } from '../allocation/pod-request.ts'
import type { Decimal } from '../decimal.ts'
import type { AttachLimits, PodVolume } from './attach-limits.ts'
import type { LabelSelector, Labels } from './label-selector.ts'
import type { NodeConstraints } from './node-affinity.ts'
import type { HostPort } from './host-ports.ts'
import type { Taint, Toleration } from './taints.ts'

export const ZONE_LABEL = 'topology.kubernetes.io/zone'
export const HOSTNAME_LABEL = 'kubernetes.io/hostname'

/** The allocatable capacity of a node. Microcores and KiB; extended resources (including GPUs) are counts by name. */
export type Capacity = {
  readonly cpu: number
  readonly memory: number
  readonly pods: number
  /** Absent: not reported, and not a limit. */
  readonly ephemeral?: number
  readonly extended?: Readonly<Record<string, number>>
}

export type PackingNode = {
  readonly name: string
  readonly pool: string
  readonly usdPerHour: Decimal | 'unpriced'
  readonly allocatable: Capacity
  readonly labels: Labels
  readonly taints?: readonly Taint[]
  readonly attachLimits?: AttachLimits
  /** Paid whether it runs or not: reserved, savings plan, committed use. */
  readonly committed?: boolean
  readonly spot?: boolean
  /** `karpenter.sh/do-not-disrupt` or `cluster-autoscaler.kubernetes.io/scale-down-disabled` on the node itself. */
  readonly keep?: boolean
}

/** An instance type that a pool may start. */
export type NodeType = {
  readonly name: string
  readonly usdPerHour: Decimal
  readonly allocatable: Capacity
  /** The labels of its nodes: architecture, type, family. */
  readonly labels: Labels
  readonly taints?: readonly Taint[]
  readonly attachLimits?: AttachLimits
  /** Absent: all zones of the pool. */
  readonly zones?: readonly string[]
}

export type PackingPool = { readonly name: string } & (
  | { readonly kind: 'karpenter'; readonly types?: readonly NodeType[]; readonly onlyEmpty?: boolean }
  | { readonly kind: 'cluster-autoscaler'; readonly nodesMin: number; readonly thresholdPercent?: number }
  | { readonly kind: 'unmanaged' }
)

export type PodTerm = {
  readonly topologyKey: string
  /** Absent: matches no pod, as in Kubernetes. */
  readonly selector?: LabelSelector
  /** Without names and selector: the namespace of the pod. */
  readonly namespaces?: readonly string[]
  readonly namespaceSelector?: LabelSelector
}

/** Only `DoNotSchedule` belongs here. `matchLabelKeys` must already be part of the selector. */
export type SpreadConstraint = {
  readonly topologyKey: string
  readonly maxSkew: number
  readonly selector?: LabelSelector
  readonly minDomains?: number
  /** Default: Honor. */
  readonly nodeAffinityPolicy?: 'Honor' | 'Ignore'
  /** Default: Ignore. */
  readonly nodeTaintsPolicy?: 'Honor' | 'Ignore'
}

/** Hard constraints of the scheduler, without preferences. */
export type PodConstraints = NodeConstraints & {
  readonly tolerations?: readonly Toleration[]
  readonly podAffinity?: readonly PodTerm[]
  readonly podAntiAffinity?: readonly PodTerm[]
  readonly spread?: readonly SpreadConstraint[]
  /** For each bound volume: the zones that can reach it. */
  readonly volumeZones?: readonly (readonly string[])[]
  readonly hostPorts?: readonly HostPort[]
}

export type PackingPod = {
  readonly uid: string
  readonly namespace: string
  readonly name: string
  /** An identifier of its workload; proposals use the same identifier. */
  readonly workload: string
  /** Absent while the pod is pending. */
  readonly node?: string
  /** The pod does not run now. Its capacity is reserved for a busier time, so it is not evicted. */
  readonly isAbsent?: boolean
  /** What recreates the pod after an eviction. Static and DaemonSet pods belong to their node. */
  readonly owner: 'controller' | 'daemonset' | 'static' | 'none'
  readonly shape: PodShape
  readonly ephemeral?: number
  readonly extended?: Readonly<Record<string, number>>
  readonly labels: Labels
  readonly priority?: number
  readonly constraints?: PodConstraints
  readonly volumes?: readonly PodVolume[]
  /** `cluster-autoscaler.kubernetes.io/safe-to-evict`; absent: not set. */
  readonly safeToEvict?: boolean
  /** `karpenter.sh/do-not-disrupt: "true"`. */
  readonly doNotDisrupt?: boolean
  /** Has an emptyDir or hostPath volume. */
  readonly localStorage?: boolean
}

export type DisruptionBudget = {
  readonly namespace: string
  readonly name: string
  readonly selector?: LabelSelector
  readonly disruptionsAllowed: number
}

export type PackingCluster = {
  readonly nodes: readonly PackingNode[]
  readonly pods: readonly PackingPod[]
  /** A pool that is not listed is not autoscaled. */
  readonly pools: readonly PackingPool[]
  readonly disruptionBudgets?: readonly DisruptionBudget[]
  /** For terms that select namespaces by label. */
  readonly namespaces?: Readonly<Record<string, Labels>>
}
