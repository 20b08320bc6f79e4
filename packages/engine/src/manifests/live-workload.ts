import type { PodCapacity } from '../rules/facts/pod-capacity.ts'

type Texts = Readonly<Record<string, string>>

/** Null: none exists. `unknown`: not observed. */
export type Seen<T> = T | null | 'unknown'

/** Millicores and KiB; null: not set. */
export type Sizes = { readonly cpuMillicores: number | null; readonly memoryKib: number | null }

export type ContainerList = 'containers' | 'initContainers'

/** A container of a pod template, with its position in the template. */
export type LiveContainer = {
  /** Empty if the template omits it, as a Knative Service may. */
  readonly name: string
  readonly list: ContainerList
  /** Position in its list. */
  readonly index: number
  /** An init container that keeps running counts like an app container. */
  readonly isSidecar: boolean
  /** Names of the resources in the template: an existing parent must not be overwritten. */
  readonly requestKeys: readonly string[]
  readonly limitKeys: readonly string[]
  /** Dynamic resource claims also live under `resources`. */
  readonly hasClaims: boolean
  /** The values of its pods, including defaults of the namespace. */
  readonly requests: Sizes
  readonly limits: Sizes
}

export type Autoscaler = {
  readonly scaler: 'hpa' | 'keda'
  readonly name: string
  readonly replicasMin: number
  readonly replicasMax: number
  /** Percent of the request; null: it does not scale on CPU utilization. */
  readonly cpuTargetPercent: number | null
  /** Position of that metric in `spec.metrics`; null: not known. */
  readonly cpuMetricIndex: number | null
  /** For a metric of one container; null: of the whole pod. */
  readonly container: string | null
}

/** For containers. */
export type LimitRange = { readonly min: Sizes; readonly max: Sizes }

/** What remains of the quota of the namespace. */
export type QuotaLeft = { readonly requests: Sizes; readonly limits: Sizes }

/** Another workload with the labels of the same Helm release. */
export type ReleaseSibling = {
  readonly kind: string
  readonly name: string
  /** The label `helm.sh/chart`. */
  readonly chart: string | null
  /** The label `app.kubernetes.io/component`. */
  readonly component: string | null
}

/** One workload as the cluster has it: all facts that a manifest must fit. */
export type LiveWorkload = {
  /** Empty where it is not known. */
  readonly apiVersion: string
  readonly kind: string
  readonly namespace: string
  readonly name: string
  readonly replicas: number
  /** Init containers first, each list in the order of the template. */
  readonly containers: readonly LiveContainer[]
  /** Names of containers that exist in its pods but not in its template. */
  readonly injected: readonly string[]
  /** False: everything comes from a pod, which defaults and webhooks may have changed. */
  readonly isTemplateSeen: boolean
  /** The pod-level requests of the template. */
  readonly podRequests: Sizes
  readonly podLimits: Sizes
  /** Those of the workload if known, else of its pods. */
  readonly labels: Texts
  readonly annotations: Texts
  /** Absent if the release is unknown, and in shapes of older versions. */
  readonly releaseSiblings?: readonly ReleaseSibling[]
  /** The custom resource that owns it. */
  readonly owner: Seen<{ readonly apiVersion: string; readonly kind: string; readonly name: string }>
  readonly autoscaler: Seen<Autoscaler>
  readonly limitRange: Seen<LimitRange>
  readonly quota: Seen<QuotaLeft>
  /** Allocatable of the largest node that its pods may run on, or of the cluster if that is unknown; null: unknown. */
  readonly largestNode: LargestNode | null
}

/** Shapes of older versions do not say which nodes were considered: all nodes of the cluster. */
type LargestNode = Omit<PodCapacity, 'among'> & Partial<Pick<PodCapacity, 'among'>>

export const workloadKey = ({ kind, namespace, name }: Pick<LiveWorkload, 'kind' | 'namespace' | 'name'>) =>
  [kind, namespace, name].join('/')
