import { Type, type Static, type TProperties } from 'typebox'
import { whole } from './columns.ts'
import { LabelSelector } from './scheduling.ts'

/**
 * What costs nothing by itself and decides what may be changed: who scales a workload, how many of its pods may be away, what
 * a namespace allows. Of each kind the agent sends only what is listed here. What is not listed is ignored, because an agent
 * may be newer than the server; what is absent is not set, or not known.
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

/** A controller: what people write on it, and what its pods cannot tell. */
export const WorkloadSpec = Open({
  workload_kind: name,
  /** What is asked for; absent where the kind has no such number. */
  replicas: Maybe(whole),
  labels: Maybe(pairs),
  /** Only names that the agent is allowed to send, such as plimsoll.dev/… and the marks of Helm, Argo CD and Flux. */
  annotations: Maybe(pairs),
  /** Every field manager of the object, status writers included. Only agents that send no `request_managers` send it. */
  managers: Maybe(Type.Array(Type.String({ minLength: 1, maxLength: 512 }), { maxItems: 100 })),
  containers: Maybe(Type.Record(Type.String({ maxLength: 253 }), WorkloadContainer)),
  /** Of CronJobs. */
  schedule: Maybe(text),
  suspended: Maybe(Type.Boolean()),
  /** Of CronJobs: seconds since 1970 of the last start and the last success, and failures since then. */
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
  /** Where that metric stands among its metrics, and the container that it is about where it is about one. */
  cpu_metric_index: Maybe(whole),
  cpu_container: Maybe(name),
  memory_target_percent: Maybe(whole),
  /** How many other metrics it looks at. */
  other_metrics: Maybe(whole),
})

export const VerticalAutoscalerSpec = Open({ target_kind: name, target_name: name, mode: text })

/** How many of its pods may be disrupted at the moment. */
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

/** Named as nodes name their pool. */
export const NodePoolSpec = Open({
  scaler: Type.Union([Type.Literal('karpenter'), Type.Literal('cluster-autoscaler'), Type.Literal('none')]),
  nodes_min: Maybe(whole),
  nodes_max: Maybe(whole),
  /** The machines that it may start; absent: not said. */
  instance_types: Maybe(Type.Array(name, { maxItems: 2000 })),
  /** Only nodes without pods are removed. */
  only_empty: Maybe(Type.Boolean()),
  /** Below how much of a node is requested the cluster-autoscaler looks at it. */
  threshold_percent: Maybe(whole),
})

/** What the status of a cluster-autoscaler says about the groups of nodes that it scales, by the cloud's names. */
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

/** The number of a kind in a batch is its place here: new ones come last. */
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

/** Kind and content, which belong together. */
export type ClusterObject = { [Kind in ObjectKind]: { kind: Kind; spec: ObjectSpec<Kind> } }[ObjectKind]
