import type { MinuteFacts } from '@plimsoll/agent'
import type {
  ClusterObject,
  BalancerVersion,
  Labels,
  NamespaceVersion,
  NodeVersion,
  ObjectVersion,
  PodPhase,
  PodShape,
  PodVersion,
  VolumeVersion,
} from '@plimsoll/contract'
import type { Amounts } from '@plimsoll/engine'
import type { Random } from '../random.ts'
import type {
  BalancerScenario,
  ContainerScenario,
  PoolScenario,
  Scenario,
  VolumeScenario,
  WorkloadScenario,
} from '../scenario/scenario.ts'
import type { Agenda } from './agenda.ts'
import type { RunClock } from './run-clock.ts'

/** The resources of a pod on a node; GPU slices differ between pools. */
export type Size = { readonly amounts: Amounts; readonly key: string }

export type Template = {
  readonly shape: PodShape
  readonly hash: string
  readonly labels: Labels
  readonly sizes: Map<Pool, Size>
}

export type Pool = {
  readonly spec: PoolScenario
  readonly scheduling: 'first-fit' | 'emptiest'
  readonly nodes: SimNode[]
  /** By size, the index of the first node that may have capacity; earlier nodes have none. */
  readonly cursors: Map<string, number>
  /** Ordered nodes that have not arrived. */
  coming: number
}

type Thing<Version> = {
  readonly id: number
  readonly uid: string
  readonly name: string
  /** The last sent version. */
  version?: Version
  gone: boolean
}

export type SimNode = Thing<NodeVersion> & {
  readonly kind: 'node'
  readonly pool: Pool
  readonly zone: string
  readonly createdAt: number
  /** The index in its pool. */
  index: number
  freeCpu: number
  freeMemory: number
  freeGpu: number
  freePods: number
  readonly pods: Set<SimPod>
  /** Completed pods that were not deleted. They hold no resources and go with their node. */
  readonly finished: Set<SimPod>
  /** Pods that left the node in the current minute; their usage still counts. */
  left: SimPod[]
  leaving: boolean
  emptySince: number
}

export type SimPod = Thing<PodVersion> & {
  readonly kind: 'pod'
  readonly workload: Workload
  template: Template
  readonly ordinal: number
  /** For a DaemonSet: the only allowed node. */
  readonly onlyNode?: SimNode
  readonly noiseSeed: number
  phase: PodPhase
  node?: SimNode
  held?: Amounts
  boundAt: number
  /** When the pod released its node. */
  heldUntil: number
  /** The start of its init containers and of its app containers. */
  initAt: number
  runningAt: number
  readonly clock: RunClock
  /** The leaking or crashing container stops and starts separately. */
  readonly mainClock: RunClock
  restarts: number
}

export type SimVolume = Thing<VolumeVersion> & {
  readonly kind: 'volume'
  readonly spec: VolumeScenario
  /** For a claim: the ordinal of its replica. */
  readonly ordinal?: number
  zone: string
  readonly mounts: Set<SimPod>
}

export type SimBalancer = Thing<BalancerVersion> & {
  readonly kind: 'balancer'
  readonly spec: BalancerScenario
  readonly ready: Set<SimPod>
}

export type Workload = {
  readonly spec: WorkloadScenario
  readonly seed: number
  readonly pools: readonly Pool[]
  /** In the order of the pod's spec, init containers first. */
  readonly containers: readonly ContainerScenario[]
  readonly pods: Set<SimPod>
  readonly volumes: SimVolume[]
  readonly balancers: SimBalancer[]
  /** The index of the main container. */
  readonly main: number
  template: Template
  revision: number
  desired: number
  /** The desired replicas of the autoscaler in the last minutes. */
  readonly wanted: number[]
  /** For CronJobs: the last start and the last success in seconds since 1970. */
  lastRunAt?: number
  lastSuccessAt?: number
}

export type NamedObject = { namespace: string; name: string } & ClusterObject

/** The objects of a workload, with the fields that they depend on. */
type DescribedWorkload = {
  readonly desired: number
  readonly lastRunAt: number | undefined
  readonly lastSuccessAt: number | undefined
  readonly objects: readonly NamedObject[]
}

export type State = {
  readonly scenario: Scenario
  readonly startSecond: number
  readonly random: Random
  readonly agenda: Agenda
  readonly pools: readonly Pool[]
  readonly namespaces: NamespaceVersion[]
  readonly workloads: Workload[]
  readonly nodes: Map<number, SimNode>
  readonly pods: Map<number, SimPod>
  readonly volumes: SimVolume[]
  readonly balancers: SimBalancer[]
  /** Objects without a cost, such as autoscalers, PodDisruptionBudgets and quotas: the last sent version by ref. */
  readonly objects: Map<number, ObjectVersion>
  /** The objects of each workload when it last changed. */
  readonly described: Map<Workload, DescribedWorkload>
  /** Pending pods. */
  readonly pending: Set<SimPod>
  readonly changed: Set<SimNode | SimPod | SimVolume | SimBalancer>
  /** Nodes that were removed in the current minute. */
  leftNodes: SimNode[]
  second: number
  lastId: number
  facts: MinuteFacts
}
