import { Type } from 'typebox'
import { column, Columns } from './columns.ts'
import type { Throttling } from './throttling.ts'

/**
 * Tables of backfill only: hourly history. Times are hours since 1970; other units are those of a batch.
 *
 * A node-hour corresponds to a node-minute of live data: the mean usage of all containers of one node in one hour. It
 * is complete or absent, and never split over batches. A mean covers the lifetime of the container in that hour.
 */
export const NodeHourColumns = Columns({
  node_ref: column,
  hour: column,
  /** The number of entries of each node-hour in the sample columns. */
  sample_count: column,
  pod_ref: column,
  /** Index in the pod's shape. */
  container: column,
  cpu_mean: column,
  memory_mean: column,
})

/**
 * The usage of one container of a workload in one hour, over all its pods. It names the workload, so that history needs
 * no inventory. Percentiles are not sent, because the histograms provide them.
 */
export const UsageHourColumns = Columns({
  namespace_string: column,
  workload_kind_string: column,
  workload_name_string: column,
  container_string: column,
  hour: column,
  /** The total lifetime of the pods in this hour, in seconds: 3 pods for the full hour are 10800. */
  pod_seconds: column,
  oom_kills: column,
  restarts: column,
  /** As in `events`, over all pods; 0: throttling is unknown. */
  cpu_periods: Type.Optional(column),
  throttled_periods: Type.Optional(column),
  /** The first minutes of pods, which the figures below exclude; 0: no pod started. */
  startup_minutes: Type.Optional(column),
  startup_cpu_mean: Type.Optional(column),
  startup_cpu_max: Type.Optional(column),
  startup_memory_max: Type.Optional(column),
  /** The maximum over the minutes of one pod. */
  cpu_mean: column,
  cpu_max: column,
  /** The mean of the pod with the highest mean. */
  cpu_hottest: column,
  /** The number of `cpu_bucket` and `cpu_pod_minutes` entries of each row: the non-empty buckets, ascending. */
  cpu_bucket_count: column,
  cpu_bucket: column,
  /** Pod-minutes with usage in that bucket. A sample that covers 5 minutes counts 5. */
  cpu_pod_minutes: column,
  memory_mean: column,
  memory_max: column,
  memory_hottest: column,
  memory_bucket_count: column,
  memory_bucket: column,
  memory_pod_minutes: column,
})

export type HourSample = { podRef: number; container: number; cpuMeanTenths: number; memoryMeanKib: number }

export type NodeHour = { nodeRef: number; hour: number; samples: readonly HourSample[] }

/** Without buckets the usage is unknown, and the related figures have no meaning. */
export type UsageFigures = {
  mean: number
  max: number
  hottest: number
  buckets: readonly number[]
  podMinutes: readonly number[]
}

/** The usage of pods in their first minutes. */
type UsageStart = { minutes: number; cpuMean: number; cpuMax: number; memoryMax: number }

/** CPU in tenths of a millicore, memory in KiB. */
export type UsageHour = {
  namespace: string
  workloadKind: string
  workloadName: string
  container: string
  hour: number
  podSeconds: number
  oomKills: number
  restarts: number
  /** Absent if unknown. */
  throttling?: Throttling
  /** Absent if no pod started, or if unknown. */
  startUp?: UsageStart
  cpu: UsageFigures
  memory: UsageFigures
}

/** Records above these limits are rejected: a million pods of one workload. */
export const historyLimits = {
  podSecondsMax: 3600 * 1_000_000,
  podMinutesMax: 61 * 1_000_000,
  eventsMax: 1_000_000,
  /** Of the shortest period that Linux supports: a millisecond. */
  cpuPeriodsMax: 3_600_000 * 1_000_000,
}
