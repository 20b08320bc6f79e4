import type { PodRoom } from '../rules/facts/pod-room.ts'

type Texts = Readonly<Record<string, string>>

/** Null: there is none. `unknown`: nobody looked. */
export type Seen<T> = T | null | 'unknown'

/** Millicores and KiB; null where nothing is said. */
export type Sizes = { readonly cpuMillicores: number | null; readonly memoryKib: number | null }

export type ContainerList = 'containers' | 'initContainers'

/** A container of a pod template, in the place where the template has it. */
export type LiveContainer = {
  /** Empty where the template leaves it to its controller, as a Knative Service may. */
  readonly name: string
  readonly list: ContainerList
  /** Position in its list. */
  readonly index: number
  /** An init container that keeps running counts like an app container. */
  readonly isSidecar: boolean
  /** Names of the resources that its template sets: a parent that is there must not be written anew. */
  readonly requestKeys: readonly string[]
  readonly limitKeys: readonly string[]
  /** Dynamic resource claims also live under `resources`. */
  readonly hasClaims: boolean
  /** As its pods have them, defaults of the namespace included. */
  readonly requests: Sizes
  readonly limits: Sizes
}

export type Autoscaler = {
  readonly scaler: 'hpa' | 'keda'
  readonly name: string
  readonly replicasMin: number
  readonly replicasMax: number
  /** Percent of the request; null: it does not scale on CPU utilisation. */
  readonly cpuTargetPercent: number | null
  /** Position of that metric in `spec.metrics`; null: not known. */
  readonly cpuMetricIndex: number | null
  /** Of a metric about one container; null: about the whole pod. */
  readonly container: string | null
}

/** For containers. */
export type LimitRange = { readonly min: Sizes; readonly max: Sizes }

/** What may still be asked for in the namespace. */
export type QuotaLeft = { readonly requests: Sizes; readonly limits: Sizes }

/** Another workload with the marks of the same Helm release. */
export type ReleaseSibling = {
  readonly kind: string
  readonly name: string
  /** The label `helm.sh/chart`. */
  readonly chart: string | null
  /** The label `app.kubernetes.io/component`. */
  readonly component: string | null
}

/** One workload as the cluster has it: all that a manifest about it has to fit. */
export type LiveWorkload = {
  /** Empty where it is not known. */
  readonly apiVersion: string
  readonly kind: string
  readonly namespace: string
  readonly name: string
  readonly replicas: number
  /** Init containers first, each list in the order of the template. */
  readonly containers: readonly LiveContainer[]
  /** Names of containers that its pods have and its template does not. */
  readonly injected: readonly string[]
  /** False: all is read from a pod, which defaults and webhooks may have changed. */
  readonly isTemplateSeen: boolean
  /** What the pod as a whole asks for, where its template says so. */
  readonly podRequests: Sizes
  readonly podLimits: Sizes
  /** Of the workload where they are known, else of its pods. */
  readonly labels: Texts
  readonly annotations: Texts
  /** Absent where the release is not known, and in shapes that an earlier version stored. */
  readonly releaseSiblings?: readonly ReleaseSibling[]
  /** The custom resource that makes it. */
  readonly owner: Seen<{ readonly apiVersion: string; readonly kind: string; readonly name: string }>
  readonly autoscaler: Seen<Autoscaler>
  readonly limitRange: Seen<LimitRange>
  readonly quota: Seen<QuotaLeft>
  /** Allocatable of the largest node that its pods may run on, or of the cluster where that is not known; null: not known either. */
  readonly largestNode: LargestNode | null
}

/** Shapes that an earlier version stored do not say among which nodes it was looked for: those of the cluster. */
type LargestNode = Omit<PodRoom, 'among'> & Partial<Pick<PodRoom, 'among'>>

export const workloadKey = ({ kind, namespace, name }: Pick<LiveWorkload, 'kind' | 'namespace' | 'name'>) =>
  [kind, namespace, name].join('/')
