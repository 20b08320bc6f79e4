import {
  HISTOGRAM_DAYS,
  NO_SLOTS,
  NO_START_UP,
  SLOT_SECONDS,
  type DailyMemory,
  type HourlyMeans,
  type SlotHistograms,
  type StartUp,
} from '@plimsoll/engine'
import type { Db } from '../db/database.ts'
import {
  listPackedHours,
  listPackedSlots,
  type IdRange,
  type PackedHours,
  type PackedSlots,
} from '../db/usage-facts.ts'
import { VarintReader } from '../fold/varints.ts'

/** What is stored about the use of one container of a workload, as right-sizing reads it. */
export type StoredContainer = {
  cpu: SlotHistograms
  hours: HourlyMeans
  memory: DailyMemory
  startUp: StartUp
  figures: PackedHours | undefined
  /** Of each hour with out-of-memory kills: when, and the most that was used in it. */
  kills: { at: number; memoryMaxKib: number }[]
}

const windowHours = 14 * 24
const memoryDays = 28
const secondsPerDay = 86_400
const slotsPerDay = secondsPerDay / SLOT_SECONDS
const headBytes = 16

export const hoursBefore = (now: number): Date[] => {
  const open = Math.floor(now / 3600)
  return Array.from({ length: windowHours }, (_, index) => new Date((open - windowHours + index) * 3_600_000))
}

const slotsBefore = (now: number): Date[] => {
  const open = Math.floor(now / SLOT_SECONDS)
  const count = HISTOGRAM_DAYS * slotsPerDay
  return Array.from({ length: count + 1 }, (_, index) => new Date((open - count + index) * SLOT_SECONDS * 1000))
}

/** Two statements for a range of containers, whatever their number. */
export async function loadStoredUsage(
  tx: Db,
  clusterId: string,
  range: IdRange,
  now: number,
): Promise<Map<string, StoredContainer>> {
  const slots = await listPackedSlots(tx, clusterId, range, slotsBefore(now))
  const hours = await listPackedHours(tx, clusterId, range, hoursBefore(now))
  const figures = new Map(hours.map((each) => [each.containerId, each]))
  const stored = new Map<string, StoredContainer>()
  for (const packed of slots) stored.set(packed.containerId, unpack(packed, figures.get(packed.containerId)))
  for (const each of hours) if (!stored.has(each.containerId)) stored.set(each.containerId, unpack(undefined, each))
  return stored
}

function unpack(slots: PackedSlots | undefined, figures: PackedHours | undefined): StoredContainer {
  const heads = slots ? headsOf(slots.heads) : []
  return {
    cpu: slots ? histogramsOf(heads, slots.histograms) : NO_SLOTS,
    hours: meansOf(figures?.means ?? null),
    memory: memoryOf(heads, typicalOf(figures?.days ?? null)),
    startUp: figures
      ? {
          samples: figures.startUpMinutes,
          cpuMaxUnits: figures.startUpCpuMax,
          memoryMaxKib: figures.startUpMemoryMax,
        }
      : NO_START_UP,
    figures,
    kills: killsOf(figures?.kills ?? null),
  }
}

type Head = { slot: number; from: number; to: number; memoryMaxKib: number }

function headsOf(bytes: Buffer): Head[] {
  const heads: Head[] = []
  let from = 0
  for (let at = 0; at < bytes.length; at += headBytes) {
    const to = from + bytes.readInt32BE(at + 4)
    heads.push({ slot: bytes.readInt32BE(at), from, to, memoryMaxKib: Number(bytes.readBigInt64BE(at + 8)) })
    from = to
  }
  return heads.sort((a, b) => a.slot - b.slot)
}

function histogramsOf(heads: readonly Head[], bytes: Buffer): SlotHistograms {
  // A bucket and a count take two bytes at least.
  const buckets = new Uint16Array(bytes.length / 2)
  const counts = new Uint32Array(bytes.length / 2)
  const known = heads.filter(({ from, to }) => to > from)
  const offsets = new Uint32Array(known.length + 1)
  let length = 0
  known.forEach(({ from, to }, index) => {
    const reader = new VarintReader(bytes.subarray(from, to))
    for (let bucket = 0; !reader.isAtEnd; length++) {
      bucket += reader.read()
      buckets[length] = bucket
      counts[length] = reader.read()
    }
    offsets[index + 1] = length
  })
  return {
    slots: Int32Array.from(known, ({ slot }) => slot),
    offsets,
    buckets: buckets.subarray(0, length),
    counts: counts.subarray(0, length),
  }
}

function meansOf(bytes: Buffer | null): HourlyMeans {
  const rows = rowsOf(bytes, 12, (row, at) => [row.readInt32BE(at), row.readFloatBE(at + 4), row.readFloatBE(at + 8)])
  return {
    hours: Int32Array.from(rows, ([hour = 0]) => hour),
    mean: Float32Array.from(rows, ([, mean = 0]) => mean),
    hottestMean: Float32Array.from(rows, ([, , hottest = 0]) => hottest),
  }
}

const typicalOf = (bytes: Buffer | null) =>
  new Map(
    rowsOf(bytes, 12, (row, at) => [row.readInt32BE(at), row.readDoubleBE(at + 4)]).map(([day = 0, kib = 0]) => [
      day,
      kib,
    ]),
  )

const killsOf = (bytes: Buffer | null) =>
  rowsOf(bytes, 12, (row, at) => [row.readInt32BE(at), Number(row.readBigInt64BE(at + 4))]).map(
    ([hour = 0, kib = 0]) => ({ at: hour * 3600, memoryMaxKib: kib }),
  )

/** Ascending by their first number. */
function rowsOf(bytes: Buffer | null, size: number, read: (row: Buffer, at: number) => number[]): number[][] {
  if (!bytes) return []
  const rows = Array.from({ length: bytes.length / size }, (_, index) => read(bytes, index * size))
  return rows.sort(([a = 0], [b = 0]) => a - b)
}

/** Of days of which only the slots are known, the highest stands for what is typical: never too little. */
function memoryOf(heads: readonly Head[], typical: ReadonlyMap<number, number>): DailyMemory {
  const byDay = new Map<number, number>()
  for (const { slot, memoryMaxKib } of heads) {
    const day = Math.floor(slot / slotsPerDay)
    if (memoryMaxKib > 0) byDay.set(day, Math.max(byDay.get(day) ?? 0, memoryMaxKib))
  }
  const days = [...byDay].slice(-memoryDays)
  return {
    days: Int32Array.from(days, ([day]) => day),
    max: Float64Array.from(days, ([, max]) => max),
    typical: Float64Array.from(days, ([day, max]) => Math.min(max, typical.get(day) ?? max)),
  }
}
