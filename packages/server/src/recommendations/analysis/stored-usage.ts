import { HISTOGRAM_DAYS, SLOT_SECONDS, type SlotHistograms } from '@plimsoll/engine/rightsizing'
import type { ContainerName, StoredSlots, UsageBatch, UsageReader } from '@plimsoll/pipeline/facts'
import type { Db } from '../../platform/db/database.ts'
import { containerIdOf, listStatefulMeans } from '../../ingest/index.ts'
import {
  listJobContainers,
  listPackedHours,
  listPackedSlots,
  type PackedHours,
  type PackedSlots,
} from '../queries/usage-facts.ts'

const windowHours = 14 * 24
const slotsPerDay = 86_400 / SLOT_SECONDS
const headBytes = 16
/** Containers that are read together, each with five weeks of histograms. */
const containersAtOnce = 1_000
/** Up to this number, histograms stay in memory; those of larger clusters are read twice. */
const containersKept = 4_000

export const hoursBefore = (now: number): Date[] => {
  const open = Math.floor(now / 3600)
  return Array.from({ length: windowHours }, (_, index) => new Date((open - windowHours + index) * 3_600_000))
}

const slotsBefore = (now: number): Date[] => {
  const open = Math.floor(now / SLOT_SECONDS)
  const count = HISTOGRAM_DAYS * slotsPerDay
  return Array.from({ length: count + 1 }, (_, index) => new Date((open - count + index) * SLOT_SECONDS * 1000))
}

/** Usage of a cluster from the stored hours. */
export const storedUsage = (tx: Db, clusterId: string): UsageReader => ({
  jobContainers: (since) => listJobContainers(tx, clusterId, since),
  statefulMeans: (since) => listStatefulMeans(tx, clusterId, since),
  batches: (containers, now) => batchesOf(tx, clusterId, containers, now),
})

/** In the order of container ids, so that a batch is one range of them. */
function batchesOf<Named extends ContainerName>(
  tx: Db,
  clusterId: string,
  containers: readonly Named[],
  now: number,
): UsageBatch<Named>[] {
  const byId = containers
    .map((each) => ({ id: idOf(each), each }))
    .sort((a, b) => (BigInt(a.id) < BigInt(b.id) ? -1 : 1))
  return Array.from({ length: Math.ceil(byId.length / containersAtOnce) }, (_, index) => {
    const some = byId.slice(index * containersAtOnce, (index + 1) * containersAtOnce)
    const range = { first: some[0]?.id ?? '0', last: some.at(-1)?.id ?? '0' }
    const byContainer = <Row extends { containerId: string }, Value>(
      rows: readonly Row[],
      unpack: (row: Row) => Value,
    ) => {
      const found = new Map(rows.map((row) => [row.containerId, row]))
      return new Map(
        some.flatMap(({ id, each }) => {
          const row = found.get(id)
          return row ? [[each, unpack(row)] as const] : []
        }),
      )
    }
    const slots = async () => byContainer(await listPackedSlots(tx, clusterId, range, slotsBefore(now)), unpackSlots)
    return {
      containers: some.map(({ each }) => each),
      hours: async () => byContainer(await listPackedHours(tx, clusterId, range, hoursBefore(now)), unpackHours),
      slots: containers.length <= containersKept ? once(slots) : slots,
    }
  })
}

const idOf = ({ namespace, workloadKind, workloadName, container }: ContainerName) =>
  containerIdOf([namespace, workloadKind, workloadName, container])

function once<Value>(load: () => Promise<Value>): () => Promise<Value> {
  let loaded: Promise<Value> | undefined
  return () => (loaded ??= load())
}

function unpackHours({ containerId: _id, means, days, kills, ...figures }: PackedHours) {
  const rows = rowsOf(means, (row, at) => [row.readInt32BE(at), row.readFloatBE(at + 4), row.readFloatBE(at + 8)])
  return {
    kept: {
      figures,
      startUp: {
        samples: figures.startUpMinutes,
        cpuMaxUnits: figures.startUpCpuMax,
        memoryMaxKib: figures.startUpMemoryMax,
      },
      typicalMemory: new Map(
        rowsOf(days, (row, at) => [row.readInt32BE(at), row.readDoubleBE(at + 4)]).map(([day = 0, kib = 0]) => [
          day,
          kib,
        ]),
      ),
      kills: rowsOf(kills, (row, at) => [row.readInt32BE(at), wholeAt(row, at + 4)]).map(([hour = 0, kib = 0]) => ({
        at: hour * 3600,
        memoryMaxKib: kib,
      })),
    },
    means: {
      hours: Int32Array.from(rows, ([hour = 0]) => hour),
      mean: Float32Array.from(rows, ([, mean = 0]) => mean),
      hottestMean: Float32Array.from(rows, ([, , hottest = 0]) => hottest),
    },
  }
}

const rowBytes = 12

/** Ascending by their first number. */
function rowsOf(bytes: Buffer | null, read: (row: Buffer, at: number) => number[]): number[][] {
  if (!bytes) return []
  const rows = Array.from({ length: bytes.length / rowBytes }, (_, index) => read(bytes, index * rowBytes))
  return rows.sort(([a = 0], [b = 0]) => a - b)
}

/** Eight bytes of a non-negative number. */
const wholeAt = (bytes: Buffer, at: number) => bytes.readUInt32BE(at) * 2 ** 32 + bytes.readUInt32BE(at + 4)

type Head = { slot: number; from: number; to: number; memoryMaxKib: number }

function unpackSlots({ heads: packed, histograms }: PackedSlots): StoredSlots {
  const heads = headsOf(packed)
  const memoryMaxByDay = new Map<number, number>()
  for (const { slot, memoryMaxKib } of heads) {
    const day = Math.floor(slot / slotsPerDay)
    if (memoryMaxKib > 0) memoryMaxByDay.set(day, Math.max(memoryMaxByDay.get(day) ?? 0, memoryMaxKib))
  }
  return { cpu: histogramsOf(heads, histograms), memoryMaxByDay }
}

function headsOf(bytes: Buffer): Head[] {
  const heads: Head[] = []
  let from = 0
  for (let at = 0; at < bytes.length; at += headBytes) {
    const to = from + bytes.readInt32BE(at + 4)
    heads.push({ slot: bytes.readInt32BE(at), from, to, memoryMaxKib: wholeAt(bytes, at + 8) })
    from = to
  }
  return heads.sort((a, b) => a.slot - b.slot)
}

/**
 * Reads all slots of a container into two columns. Without single histograms: there are millions of slots, and an
 * object for each would cost more than its data.
 */
function histogramsOf(heads: readonly Head[], bytes: Buffer): SlotHistograms {
  const known = heads.filter(({ from, to }) => to > from)
  // A bucket and a count take at least two bytes.
  const buckets = new Uint16Array(bytes.length / 2)
  const counts = new Uint32Array(bytes.length / 2)
  const offsets = new Uint32Array(known.length + 1)
  let length = 0
  known.forEach(({ from, to }, index) => {
    let bucket = 0
    let value = 0
    let weight = 1
    let isCount = false
    for (let at = from; at < to; at++) {
      const byte = bytes[at] ?? 0
      value += (byte & 127) * weight
      weight *= 128
      if (byte > 127) continue
      if (isCount) counts[length++] = value
      else buckets[length] = bucket += value
      isCount = !isCount
      value = 0
      weight = 1
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
