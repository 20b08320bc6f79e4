import { SECONDS_PER_DAY } from '@plimsoll/engine'
import { slotOf, slotsBetween, unitsAtTop, windowOf } from '@plimsoll/engine/rightsizing'
import type { ClusterFacts, ContainerFacts, ContainerSpec, UsageFacts, WorkloadFacts } from '@plimsoll/engine/rules'
import { findOutliers } from './ordinal-outliers.ts'
import { coverageOf, FleetSizing, replicasMeanOf, seatsOf, type Seat } from './size-fleets.ts'
import {
  memoryOf,
  noSlots,
  type StoredHours,
  type StoredSlots,
  type UsageBatch,
  type UsageReader,
} from './usage-reader.ts'
import { withJobs } from './with-jobs.ts'

const windowDays = 14
const slotsPerDay = 4
const jobDays = 14
const outlierDays = 2
const rareMinutes = 10

/** Adds to each container its usage and the size decision that follows from the usage of the whole cluster. */
export async function addUsage(
  reader: UsageReader,
  found: ClusterFacts,
  standing: ReadonlyMap<string, ContainerSpec>,
): Promise<ClusterFacts> {
  const now = found.observedAt
  const since = (days: number) => new Date((now - days * SECONDS_PER_DAY) * 1000)
  const facts = withJobs(found, await reader.jobContainers(since(jobDays)))
  const outliers = findOutliers(await reader.statefulMeans(since(outlierDays)))
  const batches = reader.batches(seatsOf(facts, { standing, outliers }), now)
  const sizing = new FleetSizing(now)
  const hours = await surveyAll(batches, sizing)
  const known = await addAll(batches, hours, sizing, now)
  return withKnown(facts, known, sizing)
}

/** The size of one container depends on the usage of all, so all are surveyed first. */
async function surveyAll(batches: readonly UsageBatch<Seat>[], sizing: FleetSizing): Promise<Map<Seat, StoredHours>> {
  const hours = new Map<Seat, StoredHours>()
  for (const batch of batches) {
    const stored = await batch.hours()
    const slots = await batch.slots()
    for (const seat of batch.containers) {
      const found = stored.get(seat)
      if (!found) continue
      hours.set(seat, found.kept)
      sizing.survey(seat, slots.get(seat) ?? noSlots, found.kept, found.means)
    }
  }
  return hours
}

async function addAll(
  batches: readonly UsageBatch<Seat>[],
  hours: ReadonlyMap<Seat, StoredHours>,
  sizing: FleetSizing,
  now: number,
): Promise<Map<ContainerFacts, Known>> {
  const known = new Map<ContainerFacts, Known>()
  for (const batch of batches) {
    const slots = await batch.slots()
    for (const seat of batch.containers) {
      const kept = hours.get(seat)
      if (!kept) continue
      const own = slots.get(seat) ?? noSlots
      sizing.add(seat, own, kept)
      const { standing, facts, workload } = seat
      const { oomKills, cpuPeriods: periods, throttledPeriods } = kept.figures
      const throttling = periods === null ? null : { periods, throttledPeriods: throttledPeriods ?? 0 }
      known.set(facts, { usage: usageOf(own, kept, workload, now), oomKills, throttling, standing })
    }
  }
  return known
}

function withKnown(facts: ClusterFacts, known: ReadonlyMap<ContainerFacts, Known>, sizing: FleetSizing): ClusterFacts {
  const isMeasured = [...known.values()].some(({ usage }) => usage.sampleCount > 0)
  const isThrottlingReported = [...known.values()].some(({ throttling }) => throttling !== null)
  const decisions = new Map([...sizing.settle()].map(([{ facts: container }, decision]) => [container, decision]))
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
      ...(isThrottlingReported ? (['throttling'] as const) : []),
    ]),
    workloads: facts.workloads.map((workload): WorkloadFacts => ({
      ...workload,
      containers: workload.containers.map(withUsage),
    })),
  }
}

type Known = { usage: UsageFacts } & Pick<ContainerFacts, 'oomKills' | 'throttling' | 'standing'>

function usageOf(slots: StoredSlots, hours: StoredHours, workload: WorkloadFacts, now: number): UsageFacts {
  const open = slotOf(now)
  // With the open slot, so that the window has no more minutes than its days.
  const windowSlot = open + 1 - windowDays * slotsPerDay
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
    cpu: windowOf(slotsBetween(slots.cpu, windowSlot, open + 1)),
    memory: recent,
    memoryMaxKib: recent.max.reduce((most, kib) => Math.max(most, kib), startUp.memoryMaxKib),
    earlier: {
      cpuUnits: unitsAtTop(windowOf(slotsBetween(slots.cpu, 0, windowSlot)).histogram, rareMinutes),
      memoryKib: memory.max.subarray(0, first).reduce((most, kib) => Math.max(most, kib), 0),
    },
    restarts: figures.restarts,
    restartsOfDay: figures.dayRestarts,
    startUp,
    runs: figures.startHours,
    replicasMean: replicasMeanOf(hours, workload),
  }
}
