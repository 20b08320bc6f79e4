import type { Batch } from './batch.ts'

/**
 * The tables of an empty batch with every column, including optional ones. Each column is written out: spreading the
 * shared columns takes ten times as long, and an agent creates these tables for every batch.
 */

export type UsageColumns = Required<NonNullable<Batch['usage']>>

export const emptyVersions = (): Pick<Batch['nodes'], 'ref' | 'uid_string' | 'from' | 'name_string'> => ({
  ref: [],
  uid_string: [],
  from: [],
  name_string: [],
})

export const emptyNodes = (): Required<Batch['nodes']> => ({
  ref: [],
  uid_string: [],
  from: [],
  name_string: [],
  created_at: [],
  provider_id_string: [],
  instance_type_string: [],
  region_string: [],
  zone_string: [],
  capacity_type_string: [],
  os_string: [],
  arch_string: [],
  pool_string: [],
  gpu_product_string: [],
  gpu_resource_string: [],
  gpu_capacity: [],
  gpu_replicas: [],
  cpu_capacity: [],
  cpu_allocatable: [],
  memory_capacity: [],
  memory_allocatable: [],
  pods_allocatable: [],
  label_set: [],
  taint_set: [],
  ephemeral_allocatable: [],
  scale_down_disabled: [],
  extended_set: [],
  attach_limit_set: [],
})

export const emptyPods = (): Batch['pods'] => ({
  ref: [],
  uid_string: [],
  from: [],
  name_string: [],
  namespace_string: [],
  node_ref: [],
  bound_at: [],
  phase: [],
  shape: [],
  workload_kind_string: [],
  workload_name_string: [],
  label_set: [],
})

export const emptyVolumes = (): Required<Batch['volumes']> => ({
  ref: [],
  uid_string: [],
  from: [],
  name_string: [],
  namespace_string: [],
  claim_string: [],
  storage_class_string: [],
  disk_type_string: [],
  driver_string: [],
  zone_string: [],
  size_kib: [],
  phase: [],
  reclaim_policy_string: [],
  used_kib: [],
  mount_count: [],
  mounted_pod_ref: [],
})

export const emptyBalancers = (): Batch['balancers'] => ({
  ref: [],
  uid_string: [],
  from: [],
  name_string: [],
  namespace_string: [],
  type_string: [],
  ready_count: [],
  ready_pod_ref: [],
})

export const emptyObjects = (): NonNullable<Batch['objects']> => ({
  ref: [],
  uid_string: [],
  from: [],
  name_string: [],
  namespace_string: [],
  kind: [],
  spec: [],
})

export const emptyMinutes = (): Batch['minutes'] => ({
  node_ref: [],
  minute: [],
  sample_count: [],
  pod_ref: [],
  container: [],
  cpu_mean: [],
  cpu_above: [],
  memory_mean: [],
  memory_above: [],
})

export const emptyEvents = (): Required<Batch['events']> => ({
  pod_ref: [],
  container: [],
  at: [],
  oom_kills: [],
  restarts: [],
  cpu_periods: [],
  throttled_periods: [],
})

export const emptyNodeHours = (): NonNullable<Batch['hours']> => ({
  node_ref: [],
  hour: [],
  sample_count: [],
  pod_ref: [],
  container: [],
  cpu_mean: [],
  memory_mean: [],
})

export const emptyUsage = (): UsageColumns => ({
  namespace_string: [],
  workload_kind_string: [],
  workload_name_string: [],
  container_string: [],
  hour: [],
  pod_seconds: [],
  oom_kills: [],
  restarts: [],
  cpu_periods: [],
  throttled_periods: [],
  startup_minutes: [],
  startup_cpu_mean: [],
  startup_cpu_max: [],
  startup_memory_max: [],
  cpu_mean: [],
  cpu_max: [],
  cpu_hottest: [],
  cpu_bucket_count: [],
  cpu_bucket: [],
  cpu_pod_minutes: [],
  memory_mean: [],
  memory_max: [],
  memory_hottest: [],
  memory_bucket_count: [],
  memory_bucket: [],
  memory_pod_minutes: [],
})
