import {
  SECONDS_PER_DAY,
  slotOf,
  slotsBetween,
  unitsAtTop,
  windowOf,
  type ClusterFacts,
  type ContainerFacts,
  type UsageFacts,
  type WorkloadFacts,
} from '@plimsoll/engine'
import type { Db } from '../db/database.ts'
import { listStanding } from '../db/findings.ts'
import { listStatefulMeans } from '../db/pod-hours.ts'
import { listJobContainers, type IdRange } from '../db/usage-facts.ts'
import { findOutliers } from './ordinal-outliers.ts'
import { coverageOf, FleetSizing, replicasMeanOf, seatsOf, type Seat } from './size-fleets.ts'
import {
  loadStoredHours,
  loadStoredSlots,
  memoryOf,
  noSlots,
  type StoredHours,
  type StoredSlots,
} from './stored-usage.ts'
import { withJobs } from './with-jobs.ts'

/** So many containers are read at once, each with five weeks of histograms. */
const containersAtOnce = 1_000
/** The histograms of so many are kept; those of more are read again. */
const containersKept = 4_000
const windowDays = 14
const slotsPerDay = 4
const jobDays = 14
const rareMinutes = 10

/** The same facts with what containers have used and what they should request. */
export async function addUsage(tx: Db, clusterId: string, found: ClusterFacts): Promise<ClusterFacts> {
  const now = found.observedAt
  const since = (days: number) => new Date((now - days * SECONDS_PER_DAY) * 1000)
  const facts = withJobs(found, await listJobContainers(tx, clusterId, since(jobDays)))
  const standing = await listStanding(tx, clusterId)
  const outliers = findOutliers(await listStatefulMeans(tx, clusterId, since(2)))
  const chunks = chunksOf(tx, clusterId, seatsOf(facts, { standing, outliers }), now)
  const sizing = new FleetSizing(now)
  const hours = await surveyAll(tx, clusterId, chunks, sizing, now)
  const known = await addAll(chunks, hours, sizing, now)
  return withKnown(facts, known, sizing)
}

/** First all are surveyed: what one may have depends on all. */
async function surveyAll(
  tx: Db,
  clusterId: string,
  chunks: readonly Chunk[],
  sizing: FleetSizing,
  now: number,
): Promise<Map<Seat, StoredHours>> {
  const hours = new Map<Seat, StoredHours>()
  for (const { some, range, loadSlots } of chunks) {
    const stored = await loadStoredHours(tx, clusterId, range, now)
    const slots = await loadSlots()
    for (const seat of some) {
      const found = stored.get(seat.id)
      if (!found) continue
      hours.set(seat, found.kept)
      sizing.survey(seat, slots.get(seat.id) ?? noSlots, found.kept, found.means)
    }
  }
  return hours
}

async function addAll(
  chunks: readonly Chunk[],
  hours: ReadonlyMap<Seat, StoredHours>,
  sizing: FleetSizing,
  now: number,
): Promise<Map<ContainerFacts, Known>> {
  const known = new Map<ContainerFacts, Known>()
  for (const { some, loadSlots } of chunks) {
    const slots = await loadSlots()
    for (const seat of some) {
      const kept = hours.get(seat)
      if (!kept) continue
      const own = slots.get(seat.id) ?? noSlots
      sizing.add(seat, own, kept)
      const { standing, container } = seat
      const { oomKills, cpuPeriods: periods, throttledPeriods } = kept.figures
      const throttling = periods === null ? null : { periods, throttledPeriods: throttledPeriods ?? 0 }
      known.set(container, { usage: usageOf(own, kept, now), oomKills, throttling, standing })
    }
  }
  return known
}

function withKnown(facts: ClusterFacts, known: ReadonlyMap<ContainerFacts, Known>, sizing: FleetSizing): ClusterFacts {
  const isMeasured = [...known.values()].some(({ usage }) => usage.sampleCount > 0)
  const isThrottlingTold = [...known.values()].some(({ throttling }) => throttling !== null)
  const decisions = new Map([...sizing.settle()].map(([{ container }, decision]) => [container, decision]))
  const withUsage = (container: ContainerFacts): ContainerFacts => {
    const own = known.get(container)
    return own ? { ...container, ...own, decision: decisions.get(container) ?? null } : container
  }
  return {
    ...facts,
    known: new Set([
      ...facts.known,
      'oom_kills',
      ...(isMeasured ? (['usage', 'rightsizing'] as const) : []),
      ...(isThrottlingTold ? (['throttling'] as const) : []),
    ]),
    workloads: facts.workloads.map((workload): WorkloadFacts => ({
      ...workload,
      containers: workload.containers.map(withUsage),
    })),
  }
}

type Known = { usage: UsageFacts } & Pick<ContainerFacts, 'oomKills' | 'throttling' | 'standing'>

type Chunk = { some: readonly Seat[]; range: IdRange; loadSlots: () => Promise<ReadonlyMap<string, StoredSlots>> }

function chunksOf(tx: Db, clusterId: string, seats: readonly Seat[], now: number): Chunk[] {
  const count = Math.ceil(seats.length / containersAtOnce)
  return Array.from({ length: count }, (_, index) => {
    const some = seats.slice(index * containersAtOnce, (index + 1) * containersAtOnce)
    const range = { first: some[0]?.id ?? '0', last: some.at(-1)?.id ?? '0' }
    const load = () => loadStoredSlots(tx, clusterId, range, now)
    return { some, range, loadSlots: seats.length <= containersKept ? once(load) : load }
  })
}

function once<Value>(load: () => Promise<Value>): () => Promise<Value> {
  let loaded: Promise<Value> | undefined
  return () => (loaded ??= load())
}

function usageOf(slots: StoredSlots, hours: StoredHours, now: number): UsageFacts {
  const open = slotOf(now)
  const { figures, startUp } = hours
  const memory = memoryOf(slots, hours)
  const from = memory.days.findIndex((day) => day > Math.floor(now / SECONDS_PER_DAY) - windowDays)
  const first = from === -1 ? memory.days.length : from
  const firstSlot = slots.cpu.slots[0]
  const end = Math.floor(now / 3600) * 3600
  const recent = {
    days: memory.days.subarray(first),
    max: memory.max.subarray(first),
    typical: memory.typical.subarray(first),
  }
  return {
    window: { from: Math.max(end - windowDays * SECONDS_PER_DAY, figures.firstHour.getTime() / 1000), to: end },
    historyDays: firstSlot === undefined ? 0 : (now - firstSlot * (SECONDS_PER_DAY / slotsPerDay)) / SECONDS_PER_DAY,
    coverage: coverageOf(hours),
    sampleCount: figures.samples,
    cpu: windowOf(slotsBetween(slots.cpu, open - windowDays * slotsPerDay, open + 1)),
    memory: recent,
    memoryMaxKib: recent.max.reduce((most, kib) => Math.max(most, kib), startUp.memoryMaxKib),
    earlier: {
      cpuUnits: unitsAtTop(
        windowOf(slotsBetween(slots.cpu, 0, open - windowDays * slotsPerDay)).histogram,
        rareMinutes,
      ),
      memoryKib: memory.max.subarray(0, first).reduce((most, kib) => Math.max(most, kib), 0),
    },
    restarts: figures.restarts,
    restartsOfDay: figures.dayRestarts,
    startUp,
    runs: figures.startHours,
    replicasMean: replicasMeanOf(hours),
  }
}
