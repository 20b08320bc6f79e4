import { hourMs } from '@plimsoll/engine'
import { sql } from 'kysely'
import { decodeHistogram, emptyHistogram, mergeHistograms, type UsageHistogram } from '@plimsoll/pipeline/fold'
import type { Db } from '../../platform/db/database.ts'
import { columnRefs, forRecords, replaced, type RecordTypes } from '../../platform/db/record-sets.ts'
import { hex, type StoredUsage } from './usage-rows.ts'

const hoursPerSlot = 6
const millisecondsPerSlot = hoursPerSlot * hourMs

type PeakUse = { max: number; histogram: UsageHistogram }
export type UsageSlot = { containerId: string; slot: Date; hours: number; cpu: PeakUse; memory: PeakUse }

export const slotOf = (hour: Date) => new Date(Math.floor(hour.getTime() / millisecondsPerSlot) * millisecondsPerSlot)
export const slotEnd = (slot: Date) => new Date(slot.getTime() + millisecondsPerSlot)
export const hourBit = (hour: Date) => 1 << ((hour.getTime() / hourMs) % hoursPerSlot)

/** For some containers, or for all. Slots are half-open like hours. */
export async function listUsageSlots(
  tx: Db,
  clusterId: string,
  { from, to }: { from: Date; to: Date },
  containerIds: readonly string[] | null = null,
): Promise<UsageSlot[]> {
  const { rows } = await sql<Selected>`
    select container_id::text as "containerId", slot, hours, cpu_max::float8 as "cpuMax", cpu_histogram as cpu,
      memory_max::float8 as "memoryMax", memory_histogram as memory
    from usage_histogram
    where cluster_id = ${clusterId} and slot >= ${from} and slot < ${to}
      and (${containerIds}::bigint[] is null or container_id = any(${containerIds}::bigint[]))
    order by slot, container_id`.execute(tx)
  return rows.map(({ containerId: id, slot, hours, cpuMax, cpu, memoryMax, memory }) => ({
    containerId: id,
    slot,
    hours,
    cpu: { max: cpuMax, histogram: decodeHistogram(cpu) },
    memory: { max: memoryMax, histogram: decodeHistogram(memory) },
  }))
}

type Selected = {
  containerId: string
  slot: Date
  hours: number
  cpuMax: number
  cpu: Buffer
  memoryMax: number
  memory: Buffer
}

export type AddedHour = Pick<StoredUsage, 'containerId' | 'cpu' | 'memory'> & { hour: Date }

/** All of one slot. Zero usage leaves no row. */
export async function addToSlot(tx: Db, clusterId: string, slot: Date, added: readonly AddedHour[]): Promise<void> {
  const used = added.filter(({ cpu, memory }) => cpu.histogram.buckets.length + memory.histogram.buckets.length > 0)
  if (used.length === 0) return
  const ids = [...new Set(used.map(({ containerId }) => containerId))]
  const stored = await listUsageSlots(tx, clusterId, { from: slot, to: slotEnd(slot) }, ids)
  const slots = new Map(stored.map((each) => [each.containerId, each]))
  const changed = new Map<string, UsageSlot>()
  for (const { containerId, hour, cpu, memory } of used) {
    const before = changed.get(containerId) ?? slots.get(containerId)
    changed.set(containerId, {
      containerId,
      slot,
      hours: (before?.hours ?? 0) | hourBit(hour),
      cpu: mergePeak(before?.cpu, cpu),
      memory: mergePeak(before?.memory, memory),
    })
  }
  await putSlots(tx, clusterId, slot, [...changed.values()])
}

export async function deleteSlot(tx: Db, clusterId: string, slot: Date): Promise<void> {
  await sql`delete from usage_histogram where cluster_id = ${clusterId} and slot = ${slot}`.execute(tx)
}

const mergePeak = (stored: PeakUse | undefined, added: PeakUse): PeakUse => ({
  max: Math.max(stored?.max ?? 0, added.max),
  histogram: mergeHistograms(stored?.histogram ?? emptyHistogram, added.histogram),
})

const values: RecordTypes = {
  hours: 'smallint',
  cpu_max: 'bigint',
  cpu_histogram: 'bytea',
  memory_max: 'bigint',
  memory_histogram: 'bytea',
}

async function putSlots(tx: Db, clusterId: string, slot: Date, rows: UsageSlot[]): Promise<void> {
  const names = ['container_id', ...Object.keys(values)]
  await forRecords(tx, {
    rows,
    recordOf: slotRecord,
    types: { container_id: 'bigint', ...values },
    statement: (recordset) => sql`
      insert into usage_histogram (cluster_id, slot, ${columnRefs(names)})
      select ${clusterId}, ${slot}, ${columnRefs(names)} from ${recordset}
      on conflict (cluster_id, slot, container_id) do update set ${replaced(Object.keys(values))}`,
  })
}

const slotRecord = ({ containerId, hours, cpu, memory }: UsageSlot): object => ({
  container_id: containerId,
  hours,
  cpu_max: cpu.max,
  cpu_histogram: hex(cpu.histogram),
  memory_max: memory.max,
  memory_histogram: hex(memory.histogram),
})
