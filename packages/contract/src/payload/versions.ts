import type { PodShape } from './batch.ts'
import type { ClusterObject } from './cluster-objects.ts'
import type { Taint } from './scheduling.ts'
import type { Throttling } from './throttling.ts'

/** The fields of every object: this version is valid from `from` on. */
type Version = {
  /** The number of the object in its epoch; never 0. */
  ref: number
  uid: string
  /** Seconds since 1970. */
  from: number
  name: string
}

export type Labels = Readonly<Record<string, string>>

/** Unknown texts are empty, and unknown numbers are 0. */
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
  /** Absent if there are none, or if the agent does not send them. */
  taints?: readonly Taint[]
  ephemeralAllocatableKib?: number
  scaleDownDisabled?: boolean
  /** Counts of extended resources, by name. Absent if there are none, or if the agent does not send them. */
  extendedAllocatable?: Readonly<Record<string, number>>
  /** Volume attach limits by CSI driver. Absent if no driver reports a limit, or if the agent does not send them. */
  attachLimits?: Readonly<Record<string, number>>
}

export type NamespaceVersion = Version & { labels: Labels }

export type PodPhase = 'pending' | 'running' | 'succeeded' | 'failed'

export const podPhases: readonly PodPhase[] = ['pending', 'running', 'succeeded', 'failed']

export type PodVersion = Version & {
  namespace: string
  /** 0: not scheduled. */
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
  /** The disk type of the storage class; empty if the agent does not send it. */
  diskType: string
  driver: string
  zone: string
  sizeKib: number
  phase: VolumePhase
  /** Absent if the agent does not send it. */
  reclaimPolicy?: string
  usedKib?: number
  mountedPodRefs: readonly number[]
}

export type BalancerVersion = Version & {
  namespace: string
  type: string
  readyPodRefs: readonly number[]
}

/** `namespace` is empty for cluster-scoped objects. */
export type ObjectVersion = Version & { namespace: string } & ClusterObject

export type ObjectEnd = { ref: number; at: number }

/** One container in one minute: mean usage, and the difference between the highest sample and the mean. */
export type ContainerSample = {
  podRef: number
  /** Index in the pod's shape. */
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
  /** Absent if unknown. */
  throttling?: Throttling
}
