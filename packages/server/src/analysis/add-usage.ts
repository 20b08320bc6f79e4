import {
  slotOf,
  slotsBetween,
  unitsAtTop,
  windowOf,
  type ClusterFacts,
  type ContainerFacts,
  type ContainerSpec,
  type UsageFacts,
  type WorkloadFacts,
} from '@plimsoll/engine'
import type { Db } from '../db/database.ts'
import { listStanding } from '../db/findings.ts'
import { listStatefulMeans } from '../db/pod-hours.ts'
import { listJobContainers } from '../db/usage-facts.ts'
import { findOutliers } from './ordinal-outliers.ts'
import { coverageOf, FleetSizing, replicasMeanOf, seatsOf, type Seat } from './size-fleets.ts'
import { loadStoredUsage, type StoredContainer } from './stored-usage.ts'
import { withJobs } from './with-jobs.ts'

/** So many containers are in memory at once, each with five weeks of histograms. */
const containersAtOnce = 4_000
const windowDays = 14
const slotsPerDay = 4
const secondsPerDay = 86_400
const jobDays = 14
const rareMinutes = 10

/** The same facts with what containers have used and what they should request. */
export async function addUsage(tx: Db, clusterId: string, found: ClusterFacts): Promise<ClusterFacts> {
  const now = found.observedAt
  const facts = withJobs(
    found,
    await listJobContainers(tx, clusterId, new Date((now - jobDays * secondsPerDay) * 1000)),
  )
  const standing = await listStanding(tx, clusterId)
  const outliers = findOutliers(await listStatefulMeans(tx, clusterId, new Date((now - 2 * secondsPerDay) * 1000)))
  const seats = seatsOf(facts, { standing, outliers })
  const chunks = chunksOf(tx, clusterId, seats, now)
  const sizing = new FleetSizing(now)
  for (const load of chunks) eachStored(await load(), (seat, stored) => sizing.survey(seat, stored))
  const usage = new Map<ContainerFacts, Known>()
  for (const load of chunks)
    eachStored(await load(), (seat, stored) => {
      sizing.add(seat, stored)
      usage.set(seat.container, { usage: usageOf(stored, now), oomKills: stored.figures?.oomKills ?? 0, ...rest(seat) })
    })
  const isMeasured = [...usage.values()].some((known) => known.usage.sampleCount > 0)
  const decided = sizing.settle()
  const decisions = new Map([...decided].map(([{ container }, decision]) => [container, decision]))
  const container = (before: ContainerFacts): ContainerFacts => {
    const known = usage.get(before)
    return known ? { ...before, ...known, decision: decisions.get(before) ?? null } : before
  }
  return {
    ...facts,
    known: new Set([...facts.known, 'oom_kills', ...(isMeasured ? (['usage', 'rightsizing'] as const) : [])]),
    workloads: facts.workloads.map((workload): WorkloadFacts => ({
      ...workload,
      containers: workload.containers.map(container),
    })),
  }
}

type Known = { usage: UsageFacts; oomKills: number; standing: ContainerSpec | null }

const rest = ({ standing }: Seat) => ({ standing })

type Chunk = { seats: readonly Seat[]; stored: ReadonlyMap<string, StoredContainer> }

/** Read again for each pass, unless all of it fits into memory anyway. */
function chunksOf(tx: Db, clusterId: string, seats: readonly Seat[], now: number): (() => Promise<Chunk>)[] {
  const count = Math.ceil(seats.length / containersAtOnce)
  const chunks = Array.from({ length: count }, (_, index) => {
    const some = seats.slice(index * containersAtOnce, (index + 1) * containersAtOnce)
    const range = { first: some[0]?.id ?? '0', last: some.at(-1)?.id ?? '0' }
    return async () => ({ seats: some, stored: await loadStoredUsage(tx, clusterId, range, now) })
  })
  return count === 1 ? chunks.map(once) : chunks
}

function once<Value>(load: () => Promise<Value>): () => Promise<Value> {
  let loaded: Promise<Value> | undefined
  return () => (loaded ??= load())
}

function eachStored({ seats, stored }: Chunk, visit: (seat: Seat, stored: StoredContainer) => void): void {
  for (const seat of seats) {
    const found = stored.get(seat.id)
    if (found) visit(seat, found)
  }
}

function usageOf(stored: StoredContainer, now: number): UsageFacts {
  const open = slotOf(now)
  const { figures, memory, startUp } = stored
  const from = memory.days.findIndex((day) => day > Math.floor(now / secondsPerDay) - windowDays)
  const first = from === -1 ? memory.days.length : from
  const firstSlot = stored.cpu.slots[0]
  const end = Math.floor(now / 3600) * 3600
  const recent = {
    days: memory.days.subarray(first),
    max: memory.max.subarray(first),
    typical: memory.typical.subarray(first),
  }
  return {
    window: { from: Math.max(end - windowDays * secondsPerDay, seconds(figures?.firstHour) ?? end), to: end },
    historyDays: firstSlot === undefined ? 0 : (now - firstSlot * (secondsPerDay / slotsPerDay)) / secondsPerDay,
    coverage: coverageOf(stored),
    sampleCount: figures?.samples ?? 0,
    cpu: windowOf(slotsBetween(stored.cpu, open - windowDays * slotsPerDay, open + 1)),
    memory: recent,
    memoryMaxKib: recent.max.reduce((most, kib) => Math.max(most, kib), startUp.memoryMaxKib),
    earlier: {
      cpuUnits: unitsAtTop(
        windowOf(slotsBetween(stored.cpu, 0, open - windowDays * slotsPerDay)).histogram,
        rareMinutes,
      ),
      memoryKib: memory.max.subarray(0, first).reduce((most, kib) => Math.max(most, kib), 0),
    },
    restarts: figures?.restarts ?? 0,
    startUp,
    runs: figures?.startHours ?? 0,
    replicasMean: replicasMeanOf(stored),
  }
}

const seconds = (date: Date | undefined) => (date ? date.getTime() / 1000 : undefined)
