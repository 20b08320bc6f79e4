import type { ContainerShape } from '@plimsoll/contract'
import {
  NO_SLOTS,
  type DailyMemory,
  type HourlyMeans,
  type SlotHistograms,
  type StartUp,
} from '@plimsoll/engine/rightsizing'

/** Sums over the stored hours of one container. */
export type HourFigures = {
  /** Pod minutes of the whole window, without start-up. */
  samples: number
  /** Of the last week: seconds that pods lived, and minutes with usage data. */
  weekPodSeconds: number
  weekMinutes: number
  /** Of the last day. */
  dayPodSeconds: number
  dayRestarts: number
  restarts: number
  oomKills: number
  /** Of the hours with its current requests and limits; null: not reported. */
  cpuPeriods: number | null
  throttledPeriods: number | null
  /** Hours in which a pod has started. */
  startHours: number
  startUpMinutes: number
  startUpCpuMax: number
  startUpMemoryMax: number
  firstHour: Date
}

/** The last two weeks of hours of a container: small enough to hold for every container of a cluster. */
export type StoredHours = {
  figures: HourFigures
  startUp: StartUp
  /** By day, in KiB. */
  typicalMemory: ReadonlyMap<number, number>
  /** For each hour with OOM kills: its start, and the highest memory usage in it. */
  kills: { at: number; memoryMaxKib: number }[]
}

/** Five weeks of slots of a container: large. */
export type StoredSlots = { cpu: SlotHistograms; memoryMaxByDay: ReadonlyMap<number, number> }

export const noSlots: StoredSlots = { cpu: NO_SLOTS, memoryMaxByDay: new Map() }

export type ContainerName = { namespace: string; workloadKind: string; workloadName: string; container: string }

/** Some containers of a cluster whose usage is read together. A large cluster has several batches. */
export type UsageBatch<Named extends ContainerName> = {
  containers: readonly Named[]
  /** The means are used once, and the rest is retained. Containers without usage are absent. */
  hours: () => Promise<ReadonlyMap<Named, { kept: StoredHours; means: HourlyMeans }>>
  slots: () => Promise<ReadonlyMap<Named, StoredSlots>>
}

/** Containers of jobs that ran lately, running or not. */
export type JobContainer = {
  namespace: string
  workload_kind: string
  workload_name: string
  container: string
  container_kind: ContainerShape['kind'] | null
  cpu_request: string | null
  cpu_limit: string | null
  memory_request: string | null
  memory_limit: string | null
}

export type PodMean = { namespace: string; workloadName: string; podName: string; mean: number }

/** Where an analysis reads usage: the database of the server, or memory in tests and offline runs. */
export type UsageReader = {
  /** Containers of Jobs and CronJobs that ran since then. */
  jobContainers: (since: Date) => Promise<readonly JobContainer[]>
  /** Mean CPU usage of every StatefulSet pod since then. */
  statefulMeans: (since: Date) => Promise<readonly PodMean[]>
  /** `now` in seconds: the end of the window. */
  batches: <Named extends ContainerName>(containers: readonly Named[], now: number) => readonly UsageBatch<Named>[]
}

const memoryDays = 28

/** For days with slots only, the highest usage stands for the typical usage: never too low. */
export function memoryOf({ memoryMaxByDay }: StoredSlots, { typicalMemory }: StoredHours): DailyMemory {
  const days = [...memoryMaxByDay].slice(-memoryDays)
  return {
    days: Int32Array.from(days, ([day]) => day),
    max: Float64Array.from(days, ([, max]) => max),
    typical: Float64Array.from(days, ([day, max]) => Math.min(max, typicalMemory.get(day) ?? max)),
  }
}
