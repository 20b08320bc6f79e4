import { histogramOf, NO_START_UP, packSlots, summariseUse } from '../../packages/engine/src/testing/index.ts'
import {
  CPU_SCALE,
  isUse,
  SLOT_SECONDS,
  slotsBetween,
  type ContainerUsage,
  type DailyMemory,
  type HourlyCpu,
  type SlotHistograms,
} from '../../packages/engine/src/rightsizing/index.ts'
import type { Series } from './traces.ts'

export const UNITS_PER_CORE = 10_000
export const BYTES_PER_KIB = 1024
const HOUR = 3600
const DAY = 86_400
const HISTORY_SLOTS = 35 * 4

/** A series as the product would store it. Recordings start at epoch 0, because only time differences matter. */
export type Folded = {
  readonly series: Series
  readonly cpu: SlotHistograms
  readonly hours: HourlyCpu
  readonly memory: DailyMemory
}

export function fold(series: Series): Folded {
  return { series, cpu: foldSlots(series), hours: foldHours(series), memory: foldMemory(series) }
}

/** The usage before sample `end`. All recommenders use the same value, so the last result is cached. */
export function usageBefore(folded: Folded, end: number): ContainerUsage {
  const known = latest.get(folded)
  if (known?.end === end) return known.usage
  const usage = readUsage(folded, end)
  latest.set(folded, { end, usage })
  return usage
}

const latest = new WeakMap<Folded, { end: number; usage: ContainerUsage }>()

function readUsage(folded: Folded, end: number): ContainerUsage {
  return {
    cpu: slotsBefore(folded, end),
    hours: hoursBefore(folded, end),
    memory: memoryBefore(folded.series, folded.memory, end),
    oomKills: [],
    startUp: NO_START_UP,
  }
}

function samplesOf(values: Float32Array, from: number, to: number, factor: number): number[] {
  const known: number[] = []
  for (let index = Math.max(0, from); index < Math.min(values.length, to); index++) {
    const units = (values[index] ?? Number.NaN) * factor
    if (isUse(CPU_SCALE, units)) known.push(units)
  }
  return known
}

function foldSlots({ cpu, dt, length }: Series): SlotHistograms {
  const last = cpu ? Math.floor(((length - 1) * dt) / SLOT_SECONDS) : -1
  return packSlots(
    Array.from({ length: last + 1 }, (_, slot) => ({
      slot,
      histogram: histogramOf(
        CPU_SCALE,
        samplesOf(cpu ?? new Float32Array(), ...range(slot, SLOT_SECONDS, dt), UNITS_PER_CORE),
      ),
    })),
  )
}

/** The samples in period `k` of `seconds`. */
function range(k: number, seconds: number, dt: number): [number, number] {
  return [Math.ceil((k * seconds) / dt), Math.ceil(((k + 1) * seconds) / dt)]
}

export function slotsBefore({ series: { cpu, dt }, cpu: slots }: Folded, end: number): SlotHistograms {
  const open = Math.floor((end * dt) / SLOT_SECONDS)
  const past = slotsBetween(slots, open - HISTORY_SLOTS, open)
  const [from] = range(open, SLOT_SECONDS, dt)
  if (!cpu || from >= end) return past
  const histogram = histogramOf(CPU_SCALE, samplesOf(cpu, from, end, UNITS_PER_CORE))
  if (histogram.buckets.length === 0) return past
  const first = past.offsets[0] ?? 0
  const stop = past.offsets.at(-1) ?? first
  const offsets = Uint32Array.from([...past.offsets].map((offset) => offset - first))
  return {
    slots: Int32Array.from([...past.slots, open]),
    offsets: Uint32Array.from([...offsets, stop - first + histogram.buckets.length]),
    buckets: Uint16Array.from([...past.buckets.subarray(first, stop), ...histogram.buckets]),
    counts: Uint32Array.from([...past.counts.subarray(first, stop), ...histogram.counts]),
  }
}

function foldHours({ cpu, dt, length }: Series): HourlyCpu {
  const count = cpu ? Math.ceil((length * dt) / HOUR) : 0
  const known = Array.from({ length: count }, (_, hour) => {
    const samples = samplesOf(cpu ?? new Float32Array(), ...range(hour, HOUR, dt), UNITS_PER_CORE)
    return { hour, summary: summariseUse(CPU_SCALE, histogramOf(CPU_SCALE, samples)) }
  }).flatMap(({ hour, summary }) => (summary ? [{ hour, ...summary }] : []))
  const column = (pick: (row: (typeof known)[number]) => number) => Float32Array.from(known, pick)
  return {
    hours: Int32Array.from(known, ({ hour }) => hour),
    mean: column(({ mean }) => mean),
    p50: column(({ p50 }) => p50),
    p90: column(({ p90 }) => p90),
    p99: column(({ p99 }) => p99),
    max: column(({ max }) => max),
    // Each recording is one machine or a sum, so there is no hottest pod.
    hottestMean: column(({ mean }) => mean),
  }
}

export function hoursBefore({ series, hours: all }: Folded, end: number): HourlyCpu {
  const stop = firstNotBelow(all.hours, Math.floor((end * series.dt) / HOUR))
  const from = Math.max(0, stop - 14 * 24)
  const cut = (column: Float32Array) => column.subarray(from, stop)
  return {
    hours: all.hours.subarray(from, stop),
    mean: cut(all.mean),
    p50: cut(all.p50),
    p90: cut(all.p90),
    p99: cut(all.p99),
    max: cut(all.max),
    hottestMean: cut(all.hottestMean),
  }
}

function firstNotBelow(ascending: Int32Array, value: number): number {
  let at = Math.max(0, Math.min(ascending.length, value))
  while (at > 0 && (ascending[at - 1] ?? 0) >= value) at--
  return at
}

function foldMemory(series: Series): DailyMemory {
  const perDay = Math.round(DAY / series.dt)
  const days = series.memory ? Math.ceil(series.length / perDay) : 0
  return packDays(Array.from({ length: days }, (_, day) => memoryOf(series, day, day * perDay, (day + 1) * perDay)))
}

type MemoryDay = { day: number; max: number; typical: number } | undefined

function memoryOf({ memory }: Series, day: number, from: number, to: number): MemoryDay {
  if (!memory) return undefined
  const sorted = memory
    .slice(from, to)
    .filter((value) => value >= 0)
    .sort()
  if (sorted.length === 0) return undefined
  const at = (share: number) => (sorted[Math.floor(share * (sorted.length - 1))] ?? 0) / BYTES_PER_KIB
  return { day, max: at(1), typical: at(0.5) }
}

function packDays(days: readonly MemoryDay[]): DailyMemory {
  const known = days.flatMap((day) => (day ? [day] : []))
  return {
    days: Int32Array.from(known, ({ day }) => day),
    max: Float64Array.from(known, ({ max }) => max),
    typical: Float64Array.from(known, ({ typical }) => typical),
  }
}

function memoryBefore(series: Series, all: DailyMemory, end: number): DailyMemory {
  const perDay = Math.round(DAY / series.dt)
  const open = Math.floor(end / perDay)
  const to = firstNotBelow(all.days, open)
  const from = firstNotBelow(all.days, open - 28)
  const past = {
    days: all.days.subarray(from, to),
    max: all.max.subarray(from, to),
    typical: all.typical.subarray(from, to),
  }
  const today = memoryOf(series, open, open * perDay, end)
  if (!today) return past
  return {
    days: Int32Array.of(...past.days, today.day),
    max: Float64Array.of(...past.max, today.max),
    typical: Float64Array.of(...past.typical, today.typical),
  }
}
