import type { MinuteFacts } from '@plimsoll/agent'
import type {
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

/** What a pod of a template takes of a node; GPUs of different pools are cut differently. */
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
  /** By size, the first node that may have room for it: all before are known to have none. */
  readonly cursors: Map<string, number>
  /** Nodes that were asked for and are not here yet. */
  coming: number
}

type Thing<Version> = {
  readonly id: number
  readonly uid: string
  readonly name: string
  /** As last told to the outside. */
  version?: Version
  gone: boolean
}

export type SimNode = Thing<NodeVersion> & {
  readonly kind: 'node'
  readonly pool: Pool
  readonly zone: string
  readonly createdAt: number
  /** Position among the nodes of its pool. */
  index: number
  freeCpu: number
  freeMemory: number
  freeGpu: number
  freePods: number
  readonly pods: Set<SimPod>
  /** Pods that ended by themselves and have not been removed. They hold nothing and go with their node. */
  readonly finished: Set<SimPod>
  /** Pods that left it in the current minute and whose use still counts. */
  left: SimPod[]
  leaving: boolean
  emptySince: number
}

export type SimPod = Thing<PodVersion> & {
  readonly kind: 'pod'
  readonly workload: Workload
  template: Template
  readonly ordinal: number
  /** Of a DaemonSet: the only node that it may run on. */
  readonly onlyNode?: SimNode
  readonly noiseSeed: number
  phase: PodPhase
  node?: SimNode
  held?: Amounts
  boundAt: number
  /** Until when it held its node, once that is over. */
  heldUntil: number
  /** When its init containers began and its app containers will, or did. */
  initAt: number
  runningAt: number
  readonly clock: RunClock
  /** The container that leaks or crashes stops and starts by itself. */
  readonly mainClock: RunClock
  restarts: number
}

export type SimVolume = Thing<VolumeVersion> & {
  readonly kind: 'volume'
  readonly spec: VolumeScenario
  /** Of a claim: the replica that it belongs to. */
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
  /** Position of the container that does the work. */
  readonly main: number
  template: Template
  revision: number
  desired: number
  /** What its autoscaler wanted in the last minutes. */
  readonly wanted: number[]
  /** Of CronJobs: seconds since 1970 of the last start and the last success. */
  lastRunAt?: number
  lastSuccessAt?: number
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
  /** What costs nothing: autoscalers, budgets, quotas and the like, as last told, by number. */
  readonly objects: Map<number, ObjectVersion>
  /** What may change of each workload, as it was when objects were last told. */
  workloadFingerprints: readonly string[]
  /** Pods that found no node. */
  readonly pending: Set<SimPod>
  readonly changed: Set<SimNode | SimPod | SimVolume | SimBalancer>
  /** Nodes that went in the current minute. */
  leftNodes: SimNode[]
  second: number
  lastId: number
  facts: MinuteFacts
}
