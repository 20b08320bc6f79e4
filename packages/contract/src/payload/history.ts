import { Type } from 'typebox'
import { column, Columns } from './columns.ts'
import type { Throttling } from './throttling.ts'

/**
 * What only back-fill carries: the past, hour by hour. Hours since 1970; otherwise the units of the rest of a batch.
 *
 * A node-hour is what a node-minute is for live data: the mean use of all containers of one node in one hour, whole or
 * absent, never split over batches. A mean is taken over the time that the container lived in that hour.
 */
export const NodeHourColumns = Columns({
  node_ref: column,
  hour: column,
  /** How many of the sample columns belong to each node-hour, one after the other. */
  sample_count: column,
  pod_ref: column,
  /** Position in the pod's shape. */
  container: column,
  cpu_mean: column,
  memory_mean: column,
})

/**
 * How one container of a workload was used in one hour, over all its pods. It names the workload itself, so that a history
 * without inventory can be told as well. Percentiles are not sent: they follow from the histograms.
 */
export const UsageHourColumns = Columns({
  namespace_string: column,
  workload_kind_string: column,
  workload_name_string: column,
  container_string: column,
  hour: column,
  /** Seconds that pods of the workload lived in this hour, added up: 3 pods all along are 10800. */
  pod_seconds: column,
  oom_kills: column,
  restarts: column,
  /** As in `events`, over all pods; 0 says nothing about throttling. */
  cpu_periods: Type.Optional(column),
  throttled_periods: Type.Optional(column),
  /** The first minutes of pods, which are in none of the figures below; 0 says that no pod started. */
  startup_minutes: Type.Optional(column),
  startup_cpu_mean: Type.Optional(column),
  startup_cpu_max: Type.Optional(column),
  startup_memory_max: Type.Optional(column),
  /** Of a minute of one pod. */
  cpu_mean: column,
  cpu_max: column,
  /** The mean of the pod whose mean is the highest. */
  cpu_hottest: column,
  /** Runs of `cpu_bucket` and `cpu_pod_minutes` that belong to each row: the buckets that are not empty, ascending. */
  cpu_bucket_count: column,
  cpu_bucket: column,
  /** For how many minutes of how many pods the use was in that bucket; a sample that stands for 5 minutes counts 5. */
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

/** Without any bucket the use is not known, and the figures beside it mean nothing. */
export type UsageFigures = {
  mean: number
  max: number
  hottest: number
  buckets: readonly number[]
  podMinutes: readonly number[]
}

/** What pods used in their first minutes. */
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
  /** Absent where nothing is said about it. */
  throttling?: Throttling
  /** Absent where no pod started, or nothing is said about it. */
  startUp?: UsageStart
  cpu: UsageFigures
  memory: UsageFigures
}

/** Above them a record is nonsense and refused: a million pods of one workload. */
export const historyLimits = {
  podSecondsMax: 3600 * 1_000_000,
  podMinutesMax: 61 * 1_000_000,
  eventsMax: 1_000_000,
  /** Of the shortest that Linux knows: a millisecond. */
  cpuPeriodsMax: 3_600_000 * 1_000_000,
}
