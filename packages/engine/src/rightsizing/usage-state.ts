import { SECONDS_PER_DAY } from '../time.ts'

export const SLOT_SECONDS = 6 * 3600
export const SLOTS_PER_DAY = SECONDS_PER_DAY / SLOT_SECONDS

/** How long the state reaches back. Older data has less than a thousandth of the weight of yesterday. */
export const HISTOGRAM_DAYS = 35

/**
 * The stored usage of one container of one workload, over all its pods. Histograms and hours exclude start-up. Start-up
 * usage is in `startUp`, because it is not typical but must be considered.
 */
export type ContainerUsage = {
  readonly cpu: SlotHistograms
  readonly hours: HourlyCpu
  readonly memory: DailyMemory
  readonly oomKills: readonly OomKill[]
  readonly startUp: StartUp
}

/**
 * The histograms of 6-hour slots as four flat columns: a cluster has millions of slots, and an object for each would
 * cost more than its data. Slot `i` owns the entries from `offsets[i]` up to `offsets[i + 1]`.
 */
export type SlotHistograms = {
  /** Epoch seconds divided by `SLOT_SECONDS`; ascending; slots without a sample are omitted. */
  readonly slots: Int32Array
  readonly offsets: Uint32Array
  readonly buckets: Uint16Array
  readonly counts: Uint32Array
}

/** CPU per pod and hour, in CPU units. Hours are epoch hours, ascending; an hour without a sample is omitted. */
export type HourlyCpu = {
  readonly hours: Int32Array
  readonly mean: Float32Array
  readonly p50: Float32Array
  readonly p90: Float32Array
  readonly p99: Float32Array
  readonly max: Float32Array
  /** The mean of the busiest pod in that hour. */
  readonly hottestMean: Float32Array
}

/** The inputs of the replica factor. */
export type HourlyMeans = Pick<HourlyCpu, 'hours' | 'mean' | 'hottestMean'>

/** Memory of one pod by epoch day, in KiB. */
export type DailyMemory = {
  readonly days: Int32Array
  readonly max: Float64Array
  /** The usage during most of the day: the maximum lasts minutes. */
  readonly typical: Float64Array
}

/** `limitKib` is the limit at the time of the kill. */
export type OomKill = { readonly at: number; readonly limitKib: number }

export type StartUp = { readonly samples: number; readonly cpuMaxUnits: number; readonly memoryMaxKib: number }

export const NO_SLOTS: SlotHistograms = {
  slots: new Int32Array(0),
  offsets: new Uint32Array(1),
  buckets: new Uint16Array(0),
  counts: new Uint32Array(0),
}

export function slotOf(epochSeconds: number): number {
  return Math.floor(epochSeconds / SLOT_SECONDS)
}

/** The slots from `from` up to, but not including, `to`; shares the memory of the whole. */
export function slotsBetween({ slots, offsets, buckets, counts }: SlotHistograms, from: number, to: number) {
  const first = lowerBound(slots, from)
  const end = lowerBound(slots, to)
  return { slots: slots.subarray(first, end), offsets: offsets.subarray(first, end + 1), buckets, counts }
}

/** The first index whose value is not below `value`; `columns` ascend. */
export function lowerBound(columns: Int32Array, value: number): number {
  let low = 0
  let high = columns.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((columns[middle] ?? 0) < value) low = middle + 1
    else high = middle
  }
  return low
}
