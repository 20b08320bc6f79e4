import type { PodShape } from './batch.ts'
import type { ClusterObject } from './cluster-objects.ts'
import type { Taint } from './scheduling.ts'
import type { Throttling } from './throttling.ts'

/** What all objects have in common: this version of the object holds from `from` on. */
type Version = {
  /** Number of the object in its epoch; never 0. */
  ref: number
  uid: string
  /** Seconds since 1970. */
  from: number
  name: string
}

export type Labels = Readonly<Record<string, string>>

/** Texts are empty and numbers 0 where the cluster does not say. */
export type NodeVersion = Version & {
  createdAt: number
  providerId: string
  instanceType: string
  region: string
  zone: string
  /** `spot`, `on-demand`, or empty. */
  capacityType: string
  os: string
  arch: string
  pool: string
  gpuProduct: string
  gpuResource: string
  gpuCapacity: number
  gpuReplicas: number
  cpuCapacityMillicores: number
  cpuAllocatableMillicores: number
  memoryCapacityKib: number
  memoryAllocatableKib: number
  podsAllocatable: number
  labels: Labels
  /** Absent where there are none, or where the agent does not tell. */
  taints?: readonly Taint[]
  ephemeralAllocatableKib?: number
  scaleDownDisabled?: boolean
  /** Counts of extended resources, by name. Absent where there are none, or where the agent does not send them. */
  extendedAllocatable?: Readonly<Record<string, number>>
  /** How many volumes the node takes, by CSI driver. Absent where no driver reports a limit, or where the agent does not send it. */
  attachLimits?: Readonly<Record<string, number>>
}

export type NamespaceVersion = Version & { labels: Labels }

export type PodPhase = 'pending' | 'running' | 'succeeded' | 'failed'

export const podPhases: readonly PodPhase[] = ['pending', 'running', 'succeeded', 'failed']

export type PodVersion = Version & {
  namespace: string
  /** 0 while it is not scheduled. */
  nodeRef: number
  boundAt: number
  phase: PodPhase
  shape: PodShape
  workloadKind: string
  workloadName: string
  labels: Labels
}

export type VolumePhase = 'available' | 'bound' | 'released' | 'failed'

export const volumePhases: readonly VolumePhase[] = ['available', 'bound', 'released', 'failed']

export type VolumeVersion = Version & {
  namespace: string
  claim: string
  storageClass: string
  /** What the class makes its disks of; empty where the agent does not say. */
  diskType: string
  driver: string
  zone: string
  sizeKib: number
  phase: VolumePhase
  /** Absent where the agent does not tell. */
  reclaimPolicy?: string
  usedKib?: number
  mountedPodRefs: readonly number[]
}

export type BalancerVersion = Version & {
  namespace: string
  type: string
  readyPodRefs: readonly number[]
}

/** `namespace` is empty for what belongs to none. */
export type ObjectVersion = Version & { namespace: string } & ClusterObject

export type ObjectEnd = { ref: number; at: number }

/** One container in one minute: mean use, and what the highest sample lies above it. */
export type ContainerSample = {
  podRef: number
  /** Position in the pod's shape. */
  container: number
  cpuMeanTenths: number
  cpuAboveTenths: number
  memoryMeanKib: number
  memoryAboveKib: number
}

export type ContainerEvent = {
  podRef: number
  container: number
  at: number
  oomKills: number
  restarts: number
  /** Absent where nothing is said about it. */
  throttling?: Throttling
}
