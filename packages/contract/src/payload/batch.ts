import { Type, type Static } from 'typebox'
import { column, Columns, whole } from './columns.ts'
import { NodeHourColumns, UsageHourColumns } from './history.ts'
import { PodScheduling, Taint } from './scheduling.ts'

/**
 * What an agent saw, as columns: every string, label set and pod shape stands once in a dictionary, everything else is an
 * array of whole numbers. One minute of 225,000 containers is a few megabytes this way and parses in milliseconds.
 *
 * Units: seconds since 1970 (`…_at`, `from`), minutes since 1970 (`minute`), millicores for what is asked, tenths of a
 * millicore for what is used, KiB. An index into a dictionary is called after it (`…_string`); 0 of `strings` is always the
 * empty text and stands for "not known".
 *
 * `ref` is a number that the agent gives an object when it first sends it. It holds for the whole epoch and is never
 * given twice, so that minutes can name pods without repeating their uids.
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
  /** What the kubelet has set aside while an in-place resize is under way. */
  cpu_allocated: Type.Optional(whole),
  memory_allocated: Type.Optional(whole),
  /** Extended resource of an accelerator, such as nvidia.com/gpu or nvidia.com/mig-1g.5gb, and how many of it. */
  gpu_resource: Type.Optional(text),
  gpu_count: Type.Optional(whole),
  /** Names the image that runs, so that a new one is noticed: its digest, or any hash of its name. */
  image: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
})

const names = Type.Array(Type.String({ minLength: 1, maxLength: 317 }), { maxItems: 100 })

/** Which resources a template sets for a container. Pods have more: defaults of the namespace, and what webhooks add. */
export const TemplateContainer = Columns({
  /** Empty where the template leaves it out, as a Knative Service may. */
  name: Type.String({ maxLength: 253 }),
  requests: Type.Optional(names),
  limits: Type.Optional(names),
  /** It uses dynamic resource claims. */
  claims: Type.Optional(Type.Boolean()),
})

/** Of the workload that the pod belongs to: what a change of its manifest has to fit. */
export const PodTemplate = Columns({
  api_version: text,
  init_containers: Type.Optional(Type.Array(TemplateContainer, { maxItems: 1000 })),
  containers: Type.Array(TemplateContainer, { maxItems: 1000 }),
  /** The custom resource that an operator makes the workload from. */
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
  /** Absent from agents that do not look at templates. */
  template: Type.Optional(PodTemplate),
})

/** Columns that every kind of object has: what it is called, and from when on this version of it holds. */
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
  /** How many shares one GPU is sliced into; 1 when it is not. */
  gpu_replicas: column,
  cpu_capacity: column,
  cpu_allocatable: column,
  memory_capacity: column,
  memory_allocatable: column,
  pods_allocatable: column,
  label_set: column,
  /** Optional columns: absent from agents that do not know them. */
  taint_set: Type.Optional(column),
  /** 0 where it is not known. */
  ephemeral_allocatable: Type.Optional(column),
  /** 1 if the node itself is marked as not to be removed by a scaler. */
  scale_down_disabled: Type.Optional(column),
  /** Allocatable extended resources, accelerators among them, as a label set: names with counts. */
  extended_set: Type.Optional(column),
  /** How many volumes of each CSI driver the node takes, as a label set: drivers with counts. */
  attach_limit_set: Type.Optional(column),
})

/** 0 pending, 1 running, 2 succeeded, 3 failed. A pod is paid for from `bound_at` until it has ended either way. */
export const PodColumns = Columns({
  ...versionColumns,
  namespace_string: column,
  /** 0 while it is not scheduled. */
  node_ref: column,
  bound_at: column,
  phase: column,
  shape: column,
  /** The top owner: CronJob before Job; the template's name for generated ones. */
  workload_kind_string: column,
  workload_name_string: column,
  label_set: column,
})

/** Absent from agents that do not look at namespaces. */
export const NamespaceColumns = Columns({ ...versionColumns, label_set: column })

export const VolumeColumns = Columns({
  ...versionColumns,
  namespace_string: column,
  claim_string: column,
  storage_class_string: column,
  /** What the class makes its disks of (`type`, `skuName` …): a class of one's own is known by it, not by its name. */
  disk_type_string: Type.Optional(column),
  driver_string: column,
  zone_string: column,
  size_kib: column,
  /** 0 available, 1 bound, 2 released, 3 failed. */
  phase: column,
  /** What becomes of it when its claim goes, such as Retain. */
  reclaim_policy_string: Type.Optional(column),
  /** Where the kubelet tells: how much of it is filled; 0 is not known. */
  used_kib: Type.Optional(column),
  /** Runs of `mounted_pod_ref` that belong to each volume, one after the other. */
  mount_count: column,
  mounted_pod_ref: column,
})

export const BalancerColumns = Columns({
  ...versionColumns,
  namespace_string: column,
  type_string: column,
  /** Runs of `ready_pod_ref` that belong to each balancer, one after the other. */
  ready_count: column,
  ready_pod_ref: column,
})

/** All containers of one node in one minute. A node-minute is whole: it is never split over batches. */
export const MinuteColumns = Columns({
  node_ref: column,
  minute: column,
  /** How many of the sample columns belong to each node-minute, one after the other. */
  sample_count: column,
  pod_ref: column,
  /** Position in the pod's shape. */
  container: column,
  cpu_mean: column,
  /** What the highest sample lies above the mean. */
  cpu_above: column,
  memory_mean: column,
  memory_above: column,
})

/** The most periods that one record may count: a day of the shortest that Linux knows. */
export const cpuPeriodsMax = 86_400_000

/** What happened to containers: out-of-memory kills, restarts and throttling, each once, with the time it was seen. */
export const EventColumns = Columns({
  pod_ref: column,
  container: column,
  at: column,
  oom_kills: column,
  restarts: column,
  /** For containers with a CPU limit: periods in which it was enforced since they were last told; 0 says nothing about throttling. */
  cpu_periods: Type.Optional(column),
  /** In how many of these the container had to wait for the next one. */
  throttled_periods: Type.Optional(column),
})

/** Autoscalers, budgets, quotas and other objects that cost nothing: kind and content as in `cluster-objects.ts`. */
export const ObjectColumns = Columns({ ...versionColumns, namespace_string: column, kind: column, spec: column })

export const EndColumns = Columns({ ref: column, at: column })

export const Snapshot = Columns({
  id: Type.String({ minLength: 1, maxLength: 64 }),
  part: Type.Integer({ minimum: 1, maximum: 1000 }),
  parts: Type.Integer({ minimum: 1, maximum: 1000 }),
  observed_at: whole,
})

export const AgentCondition = Columns({
  /** What it is about: a kind of object, such as `pods`, or `usage`, `log`, `connection`. */
  kind: text,
  status: Type.Union([Type.Literal('ok'), Type.Literal('absent'), Type.Literal('forbidden'), Type.Literal('failing')]),
  /** One word, for programs. */
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
  /** Kinds of objects that it looks at: of these, what it does not send does not exist. */
  watches: Type.Optional(Type.Array(text, { maxItems: 100 })),
  /** What it cannot see or has lost, and why; absent from agents that do not tell. */
  conditions: Type.Optional(Type.Array(AgentCondition, { maxItems: 100 })),
})

export const Batch = Columns({
  agent: AgentFacts,
  observed_at: whole,
  strings: Type.Array(text),
  label_sets: Type.Array(column),
  shapes: Type.Array(PodShape),
  /** The first is empty. */
  taint_sets: Type.Optional(Type.Array(Type.Array(Taint))),
  /** Contents of objects; which kind each is of is said where it is used. */
  specs: Type.Optional(Type.Array(Type.Unknown())),
  /** Absent in a batch of changes. A whole snapshot ends, at its `observed_at`, every object that it does not list. */
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
  /** Only in back-fill, which in turn holds no minutes. */
  hours: Type.Optional(NodeHourColumns),
  usage: Type.Optional(UsageHourColumns),
})

export type Batch = Static<typeof Batch>
export type PodShape = Static<typeof PodShape>
export type PodTemplate = Static<typeof PodTemplate>
export type ContainerShape = Static<typeof ContainerShape>
export type AgentCondition = Static<typeof AgentCondition>
export type AgentFacts = Static<typeof AgentFacts>
