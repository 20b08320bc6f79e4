import type { PodShape } from '../allocation/pod-request.ts'
import type { Decimal } from '../decimal.ts'
import type { AttachLimits, PodVolume } from './attach-limits.ts'
import type { LabelSelector, Labels } from './label-selector.ts'
import type { NodeConstraints } from './node-affinity.ts'
import type { HostPort } from './host-ports.ts'
import type { Taint, Toleration } from './taints.ts'

export const ZONE_LABEL = 'topology.kubernetes.io/zone'

/** What pods may have of a node. Microcores and KiB; extended resources (GPUs among them) are counts by name. */
export type Room = {
  readonly cpu: number
  readonly memory: number
  readonly pods: number
  /** Absent where nobody told: then it limits nothing. */
  readonly ephemeral?: number
  readonly extended?: Readonly<Record<string, number>>
}

export type PackingNode = {
  readonly name: string
  readonly pool: string
  readonly usdPerHour: Decimal | 'unpriced'
  readonly allocatable: Room
  readonly labels: Labels
  readonly taints?: readonly Taint[]
  readonly attachLimits?: AttachLimits
  /** Paid for whether it runs or not: reserved, savings plan, committed use. */
  readonly committed?: boolean
  readonly spot?: boolean
  /** `karpenter.sh/do-not-disrupt` or `cluster-autoscaler.kubernetes.io/scale-down-disabled` on the node itself. */
  readonly keep?: boolean
}

/** A machine that a pool may start. */
export type NodeType = {
  readonly name: string
  readonly usdPerHour: Decimal
  readonly allocatable: Room
  /** What a node of it is labelled with: architecture, type, family. */
  readonly labels: Labels
  readonly taints?: readonly Taint[]
  readonly attachLimits?: AttachLimits
  /** Absent: wherever the pool is. */
  readonly zones?: readonly string[]
}

export type PackingPool = { readonly name: string } & (
  | { readonly kind: 'karpenter'; readonly types?: readonly NodeType[]; readonly onlyEmpty?: boolean }
  | { readonly kind: 'cluster-autoscaler'; readonly nodesMin: number; readonly thresholdPercent?: number }
  | { readonly kind: 'unmanaged' }
)

export type PodTerm = {
  readonly topologyKey: string
  /** Absent: it matches no pod, as in Kubernetes. */
  readonly selector?: LabelSelector
  /** Neither names nor a selector: the pod's own namespace. */
  readonly namespaces?: readonly string[]
  readonly namespaceSelector?: LabelSelector
}

/** Only `DoNotSchedule` belongs here. `matchLabelKeys` are to be resolved into the selector. */
export type SpreadConstraint = {
  readonly topologyKey: string
  readonly maxSkew: number
  readonly selector?: LabelSelector
  readonly minDomains?: number
  /** Honor unless told otherwise. */
  readonly nodeAffinityPolicy?: 'Honor' | 'Ignore'
  /** Ignore unless told otherwise. */
  readonly nodeTaintsPolicy?: 'Honor' | 'Ignore'
}

/** What the scheduler must respect; preferences are not part of it. */
export type PodConstraints = NodeConstraints & {
  readonly tolerations?: readonly Toleration[]
  readonly podAffinity?: readonly PodTerm[]
  readonly podAntiAffinity?: readonly PodTerm[]
  readonly spread?: readonly SpreadConstraint[]
  /** For each bound volume the zones from which it can be reached. */
  readonly volumeZones?: readonly (readonly string[])[]
  readonly hostPorts?: readonly HostPort[]
}

export type PackingPod = {
  readonly uid: string
  readonly namespace: string
  readonly name: string
  /** Whatever names the workload that it belongs to; proposals use the same text. */
  readonly workload: string
  /** Absent while it is not scheduled. */
  readonly node?: string
  /** It is not there now, and its room is kept for a busier moment: nobody has to evict it. */
  readonly isAbsent?: boolean
  /** Who makes it anew after an eviction. A static pod belongs to its node, and so does one of a DaemonSet. */
  readonly owner: 'controller' | 'daemonset' | 'static' | 'none'
  readonly shape: PodShape
  readonly ephemeral?: number
  readonly extended?: Readonly<Record<string, number>>
  readonly labels: Labels
  readonly priority?: number
  readonly constraints?: PodConstraints
  readonly volumes?: readonly PodVolume[]
  /** `cluster-autoscaler.kubernetes.io/safe-to-evict`; absent where it is not set. */
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
  /** A pool that is not listed is one that nobody scales. */
  readonly pools: readonly PackingPool[]
  readonly disruptionBudgets?: readonly DisruptionBudget[]
  /** For terms that choose namespaces by their labels. */
  readonly namespaces?: Readonly<Record<string, Labels>>
}
