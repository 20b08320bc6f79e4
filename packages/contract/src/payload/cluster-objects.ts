import { Type, type Static, type TProperties } from 'typebox'
import { whole } from './columns.ts'
import { LabelSelector } from './scheduling.ts'

/**
 * Objects without a cost that limit changes: autoscalers, PodDisruptionBudgets, quotas and limits. The agent sends only
 * the listed fields. Unknown fields are ignored, because an agent may be newer than the server. An absent field is not
 * set, or unknown.
 */
const Open = <T extends TProperties>(properties: T) => Type.Object(properties)
const text = Type.String({ maxLength: 4096 })
const name = Type.String({ minLength: 1, maxLength: 253 })
const pairs = Type.Record(Type.String({ maxLength: 512 }), text)
const Maybe = Type.Optional

/** Millicores and KiB. */
const amounts = { cpu: Maybe(whole), memory: Maybe(whole) }

const WorkloadContainer = Open({
  image: Maybe(text),
  heap_max: Maybe(whole),
  /** Field managers that own `resources` of the container. */
  request_managers: Maybe(Type.Array(name, { maxItems: 20 })),
})

/** A controller: its annotations, and the facts that its pods do not have. */
export const WorkloadSpec = Open({
  workload_kind: name,
  /** The desired count; absent if the kind has no replicas. */
  replicas: Maybe(whole),
  labels: Maybe(pairs),
  /** Only allowed annotation names, such as plimsoll.dev/… and the annotations of Helm, Argo CD and Flux. */
  annotations: Maybe(pairs),
  /** Every field manager of the object, including status writers. Sent only by agents without `request_managers`. */
  managers: Maybe(Type.Array(Type.String({ minLength: 1, maxLength: 512 }), { maxItems: 100 })),
  containers: Maybe(Type.Record(Type.String({ maxLength: 253 }), WorkloadContainer)),
  /** Only of CronJobs. */
  schedule: Maybe(text),
  suspended: Maybe(Type.Boolean()),
  /** Only of CronJobs: the last start and the last success in seconds since 1970, and the failures since then. */
  last_run_at: Maybe(whole),
  last_success_at: Maybe(whole),
  failures_in_a_row: Maybe(whole),
})

export const AutoscalerSpec = Open({
  scaler: Type.Union([Type.Literal('hpa'), Type.Literal('keda')]),
  target_kind: name,
  target_name: name,
  replicas_min: whole,
  replicas_max: whole,
  replicas: Maybe(whole),
  /** Percent of the request. */
  cpu_target_percent: Maybe(whole),
  /** The index of the CPU metric in the HPA, and its container for a container metric. */
  cpu_metric_index: Maybe(whole),
  cpu_container: Maybe(name),
  memory_target_percent: Maybe(whole),
  /** The number of other metrics. */
  other_metrics: Maybe(whole),
})

export const VerticalAutoscalerSpec = Open({ target_kind: name, target_name: name, mode: text })

/** The number of pods that may be disrupted now. */
export const DisruptionBudgetSpec = Open({ selector: LabelSelector, disruptions_allowed: whole })

/** For containers. */
export const LimitRangeSpec = Open({
  min: Maybe(Open(amounts)),
  max: Maybe(Open(amounts)),
  default_request: Maybe(Open(amounts)),
  default_limit: Maybe(Open(amounts)),
})

const quotaAmounts = Open({
  cpu_request: Maybe(whole),
  memory_request: Maybe(whole),
  cpu_limit: Maybe(whole),
  memory_limit: Maybe(whole),
  pods: Maybe(whole),
  storage: Maybe(whole),
})
export const QuotaSpec = Open({ hard: quotaAmounts, used: quotaAmounts })

/** The name equals the pool name of its nodes. */
export const NodePoolSpec = Open({
  scaler: Type.Union([Type.Literal('karpenter'), Type.Literal('cluster-autoscaler'), Type.Literal('none')]),
  nodes_min: Maybe(whole),
  nodes_max: Maybe(whole),
  /** The allowed instance types; absent: unknown. */
  instance_types: Maybe(Type.Array(name, { maxItems: 2000 })),
  /** Only nodes without pods are removed. */
  only_empty: Maybe(Type.Boolean()),
  /** The cluster-autoscaler considers a node for removal if its requested share is below this value. */
  threshold_percent: Maybe(whole),
})

/** The node groups in the status of a cluster-autoscaler, by their cloud names. */
export const ClusterAutoscalerSpec = Open({
  groups: Type.Array(Open({ name, nodes_min: whole, nodes_max: whole }), { maxItems: 1000 }),
})

export const objectSpecs = {
  workload: WorkloadSpec,
  autoscaler: AutoscalerSpec,
  vertical_autoscaler: VerticalAutoscalerSpec,
  budget: DisruptionBudgetSpec,
  limit_range: LimitRangeSpec,
  quota: QuotaSpec,
  node_pool: NodePoolSpec,
  cluster_autoscaler: ClusterAutoscalerSpec,
}

export type ObjectKind = keyof typeof objectSpecs

/** The index of a kind in this list is its number in a batch, so new kinds come last. */
export const objectKinds: readonly ObjectKind[] = [
  'workload',
  'autoscaler',
  'vertical_autoscaler',
  'budget',
  'limit_range',
  'quota',
  'node_pool',
  'cluster_autoscaler',
]

export type ObjectSpec<Kind extends ObjectKind> = Static<(typeof objectSpecs)[Kind]>

/** A kind with its content. */
export type ClusterObject = { [Kind in ObjectKind]: { kind: Kind; spec: ObjectSpec<Kind> } }[ObjectKind]
