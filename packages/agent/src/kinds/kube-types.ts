/**
 * The fields that the agent reads. Other fields cannot be sent. The API server may omit any field, so all are optional.
 */
export type OwnerReference = { apiVersion?: string; kind?: string; name?: string; uid?: string; controller?: boolean }

/** `fieldsV1` is a tree of `f:field` and `k:{…}` keys that names the fields a manager owns. */
export type ManagedFields = { manager?: string; subresource?: string; fieldsV1?: unknown }

export type Metadata = {
  uid?: string
  name?: string
  namespace?: string
  generateName?: string
  creationTimestamp?: string
  labels?: Record<string, string>
  annotations?: Record<string, string>
  ownerReferences?: OwnerReference[]
  managedFields?: ManagedFields[]
}

export type Quantities = Record<string, string | number | undefined>

export type Resources = { requests?: Quantities; limits?: Quantities; claims?: unknown[] }

export type Container = {
  name?: string
  image?: string
  restartPolicy?: string
  resources?: Resources
  ports?: { hostPort?: number; protocol?: string; hostIP?: string }[]
  /** Read only for the heap size, and only with an opt-in. */
  command?: string[]
  args?: string[]
  env?: { name?: string; value?: string }[]
}

export type Expression = { key?: string; operator?: string; values?: string[] }
export type Selector = { matchLabels?: Record<string, string>; matchExpressions?: Expression[] }

type PodTerm = { topologyKey?: string; labelSelector?: Selector; namespaces?: string[]; namespaceSelector?: Selector }

export type Affinity = {
  nodeAffinity?: {
    requiredDuringSchedulingIgnoredDuringExecution?: {
      nodeSelectorTerms?: { matchExpressions?: Expression[]; matchFields?: Expression[] }[]
    }
  }
  podAffinity?: { requiredDuringSchedulingIgnoredDuringExecution?: PodTerm[] }
  podAntiAffinity?: { requiredDuringSchedulingIgnoredDuringExecution?: PodTerm[] }
}

export type SpreadConstraint = {
  topologyKey?: string
  maxSkew?: number
  minDomains?: number
  whenUnsatisfiable?: string
  labelSelector?: Selector
  matchLabelKeys?: string[]
  nodeAffinityPolicy?: string
  nodeTaintsPolicy?: string
}

export type PodVolume = {
  name?: string
  emptyDir?: { medium?: string }
  hostPath?: unknown
  persistentVolumeClaim?: { claimName?: string }
  ephemeral?: unknown
}

export type PodSpec = {
  nodeName?: string
  containers?: Container[]
  initContainers?: Container[]
  overhead?: Quantities
  resources?: Resources
  nodeSelector?: Record<string, string>
  affinity?: Affinity
  tolerations?: { key?: string; operator?: string; value?: string; effect?: string; tolerationSeconds?: number }[]
  topologySpreadConstraints?: SpreadConstraint[]
  priority?: number
  volumes?: PodVolume[]
}

type Terminated = { reason?: string; finishedAt?: string }

export type ContainerStatus = {
  name?: string
  restartCount?: number
  state?: { terminated?: Terminated }
  lastState?: { terminated?: Terminated }
  allocatedResources?: Quantities
  resources?: Resources
}

export type PodObject = {
  metadata?: Metadata
  spec?: PodSpec
  status?: {
    phase?: string
    resize?: string
    startTime?: string
    conditions?: { type?: string; status?: string; reason?: string; lastTransitionTime?: string }[]
    containerStatuses?: ContainerStatus[]
    initContainerStatuses?: ContainerStatus[]
  }
}

/** Seconds since 1970; 0: unknown. */
export function secondOf(time: string | undefined): number {
  const milliseconds = time === undefined ? NaN : Date.parse(time)
  return Number.isNaN(milliseconds) ? 0 : Math.floor(milliseconds / 1000)
}
