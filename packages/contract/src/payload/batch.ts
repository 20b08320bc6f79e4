import { Type, type Static } from 'typebox'
import { column, Columns, whole } from './columns.ts'
import { NodeHourColumns, UsageHourColumns } from './history.ts'
import { PodScheduling, Taint } from './scheduling.ts'

/**
 * The observations of an agent, as columns. A dictionary holds each string, label set and pod shape once; all other
 * values are arrays of integers. One minute of 225,000 containers takes a few megabytes and parses in milliseconds.
 *
 * Units: seconds since 1970 (`…_at`, `from`), minutes since 1970 (`minute`), millicores for requests, tenths of a
 * millicore for usage, KiB. The name of a dictionary index ends in the dictionary (`…_string`). Index 0 of `strings` is
 * always the empty text, which means unknown.
 *
 * `ref` is a number that the agent assigns when it first sends an object. It is unique in the epoch, so minutes can
 * refer to pods without repeating their uids.
 */
const text = Type.String({ maxLength: 4096 })

/** App containers, init containers and native sidecars, in the order of the pod's spec, init containers first. */
export const ContainerShape = Columns({
  name: Type.String({ minLength: 1, maxLength: 253 }),
  kind: Type.Union([Type.Literal('app'), Type.Literal('init'), Type.Literal('sidecar')]),
  cpu_request: Type.Optional(whole),
  memory_request: Type.Optional(whole),
  cpu_limit: Type.Optional(whole),
  memory_limit: Type.Optional(whole),
  /** The allocated amount during an in-place resize. */
  cpu_allocated: Type.Optional(whole),
  memory_allocated: Type.Optional(whole),
  /** The extended resource of an accelerator, such as nvidia.com/gpu or nvidia.com/mig-1g.5gb, and its count. */
  gpu_resource: Type.Optional(text),
  gpu_count: Type.Optional(whole),
  /** Identifies the running image, to detect a new one: its digest, or a hash of its name. */
  image: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
})

const names = Type.Array(Type.String({ minLength: 1, maxLength: 317 }), { maxItems: 100 })

/** The resources that a template sets for a container. Pods also have LimitRange defaults and changes of webhooks. */
export const TemplateContainer = Columns({
  /** Empty if the template omits the name, as a Knative Service may. */
  name: Type.String({ maxLength: 253 }),
  requests: Type.Optional(names),
  limits: Type.Optional(names),
  /** The container uses dynamic resource claims. */
  claims: Type.Optional(Type.Boolean()),
})

/** The pod template of the workload. Changes of the manifest must match it. */
export const PodTemplate = Columns({
  api_version: text,
  init_containers: Type.Optional(Type.Array(TemplateContainer, { maxItems: 1000 })),
  containers: Type.Array(TemplateContainer, { maxItems: 1000 }),
  /** The custom resource from which an operator creates the workload. */
  owner: Type.Optional(Columns({ api_version: text, kind: text, name: text })),
})

export const PodShape = Columns({
  containers: Type.Array(ContainerShape, { maxItems: 1000 }),
  overhead_cpu: Type.Optional(whole),
  overhead_memory: Type.Optional(whole),
  pod_cpu_request: Type.Optional(whole),
  pod_memory_request: Type.Optional(whole),
  pod_cpu_limit: Type.Optional(whole),
  pod_memory_limit: Type.Optional(whole),
  resize_infeasible: Type.Optional(Type.Boolean()),
  scheduling: Type.Optional(PodScheduling),
  /** Absent if the agent does not read templates. */
  template: Type.Optional(PodTemplate),
})

/** The columns of every kind of object: identity, and the time from which this version is valid. */
const versionColumns = { ref: column, uid_string: column, from: column, name_string: column }

export const NodeColumns = Columns({
  ...versionColumns,
  created_at: column,
  provider_id_string: column,
  instance_type_string: column,
  region_string: column,
  zone_string: column,
  capacity_type_string: column,
  os_string: column,
  arch_string: column,
  pool_string: column,
  gpu_product_string: column,
  gpu_resource_string: column,
  gpu_capacity: column,
  /** The number of shares of one GPU; 1 without sharing. */
  gpu_replicas: column,
  cpu_capacity: column,
  cpu_allocatable: column,
  memory_capacity: column,
  memory_allocatable: column,
  pods_allocatable: column,
  label_set: column,
  /** Optional columns: older agents do not send them. */
  taint_set: Type.Optional(column),
  /** 0: unknown. */
  ephemeral_allocatable: Type.Optional(column),
  /** 1 if an annotation on the node disables scale-down. */
  scale_down_disabled: Type.Optional(column),
  /** Allocatable extended resources, including accelerators, as a label set: names with counts. */
  extended_set: Type.Optional(column),
  /** Volume attach limits by CSI driver, as a label set: drivers with counts. */
  attach_limit_set: Type.Optional(column),
})

/** 0 pending, 1 running, 2 succeeded, 3 failed. A pod has a cost from `bound_at` until it succeeds or fails. */
export const PodColumns = Columns({
  ...versionColumns,
  namespace_string: column,
  /** 0: not scheduled. */
  node_ref: column,
  bound_at: column,
  phase: column,
  shape: column,
  /** The top owner: the CronJob instead of the Job, and the template name for generated owners. */
  workload_kind_string: column,
  workload_name_string: column,
  label_set: column,
})

/** Absent if the agent does not read namespaces. */
export const NamespaceColumns = Columns({ ...versionColumns, label_set: column })

export const VolumeColumns = Columns({
  ...versionColumns,
  namespace_string: column,
  claim_string: column,
  storage_class_string: column,
  /**
   * The disk type of the storage class (`type`, `skuName` …). It identifies the price of custom storage classes, whose
   * names do not.
   */
  disk_type_string: Type.Optional(column),
  driver_string: column,
  zone_string: column,
  size_kib: column,
  /** 0 available, 1 bound, 2 released, 3 failed. */
  phase: column,
  /** The reclaim policy, such as Retain. */
  reclaim_policy_string: Type.Optional(column),
  /** The used space, if the kubelet reports it; 0: unknown. */
  used_kib: Type.Optional(column),
  /** The number of `mounted_pod_ref` entries of each volume. */
  mount_count: column,
  mounted_pod_ref: column,
})

export const BalancerColumns = Columns({
  ...versionColumns,
  namespace_string: column,
  type_string: column,
  /** The number of `ready_pod_ref` entries of each load balancer. */
  ready_count: column,
  ready_pod_ref: column,
})

/** All containers of one node in one minute. A node-minute is complete: it is never split over batches. */
export const MinuteColumns = Columns({
  node_ref: column,
  minute: column,
  /** The number of entries of each node-minute in the sample columns. */
  sample_count: column,
  pod_ref: column,
  /** Index in the pod's shape. */
  container: column,
  cpu_mean: column,
  /** The difference between the highest sample and the mean. */
  cpu_above: column,
  memory_mean: column,
  memory_above: column,
})

/** The maximum number of periods in one record: a day of the shortest period that Linux supports. */
export const cpuPeriodsMax = 86_400_000

/** OOM kills, restarts and throttling of containers, each sent once with the time of the observation. */
export const EventColumns = Columns({
  pod_ref: column,
  container: column,
  at: column,
  oom_kills: column,
  restarts: column,
  /** For containers with a CPU limit: enforcement periods since the last event. 0: throttling is unknown. */
  cpu_periods: Type.Optional(column),
  /** The number of these periods in which the container was throttled. */
  throttled_periods: Type.Optional(column),
})

/**
 * Autoscalers, PodDisruptionBudgets, quotas and other objects without a cost: kind and content as in
 * `cluster-objects.ts`.
 */
export const ObjectColumns = Columns({ ...versionColumns, namespace_string: column, kind: column, spec: column })

export const EndColumns = Columns({ ref: column, at: column })

export const Snapshot = Columns({
  id: Type.String({ minLength: 1, maxLength: 64 }),
  part: Type.Integer({ minimum: 1, maximum: 1000 }),
  parts: Type.Integer({ minimum: 1, maximum: 1000 }),
  observed_at: whole,
})

export const AgentCondition = Columns({
  /** The subject: a kind of object, such as `pods`, or `usage`, `log`, `connection`. */
  kind: text,
  status: Type.Union([Type.Literal('ok'), Type.Literal('absent'), Type.Literal('forbidden'), Type.Literal('failing')]),
  /** A machine-readable code. */
  reason: text,
  message: text,
})

export const AgentFacts = Columns({
  version: text,
  kubernetes_version: text,
  usage_source: Type.Union([
    Type.Literal('kubelet'),
    Type.Literal('metrics-server'),
    Type.Literal('prometheus'),
    Type.Literal('none'),
  ]),
  /** The kinds of objects that the agent watches. An object of these kinds that is not in a snapshot does not exist. */
  watches: Type.Optional(Type.Array(text, { maxItems: 100 })),
  /** What the agent cannot read or has lost, and the reason; absent from older agents. */
  conditions: Type.Optional(Type.Array(AgentCondition, { maxItems: 100 })),
})

export const Batch = Columns({
  agent: AgentFacts,
  observed_at: whole,
  strings: Type.Array(text),
  label_sets: Type.Array(column),
  shapes: Type.Array(PodShape),
  /** The first set is empty. */
  taint_sets: Type.Optional(Type.Array(Type.Array(Taint))),
  /** Contents of objects. The `objects` table has their kinds. */
  specs: Type.Optional(Type.Array(Type.Unknown())),
  /**
   * Absent in a batch of changes. A complete snapshot ends, at its `observed_at`, every object that it does not list.
   */
  snapshot: Type.Optional(Snapshot),
  namespaces: Type.Optional(NamespaceColumns),
  nodes: NodeColumns,
  pods: PodColumns,
  volumes: VolumeColumns,
  balancers: BalancerColumns,
  objects: Type.Optional(ObjectColumns),
  ends: EndColumns,
  minutes: MinuteColumns,
  events: EventColumns,
  /** Only in backfill batches, which have no minutes. */
  hours: Type.Optional(NodeHourColumns),
  usage: Type.Optional(UsageHourColumns),
})

export type Batch = Static<typeof Batch>
export type PodShape = Static<typeof PodShape>
export type PodTemplate = Static<typeof PodTemplate>
export type ContainerShape = Static<typeof ContainerShape>
export type AgentCondition = Static<typeof AgentCondition>
export type AgentFacts = Static<typeof AgentFacts>
