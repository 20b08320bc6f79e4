import { SECONDS_PER_DAY } from '@plimsoll/engine'
import {
  addContainer,
  CPU_UNITS_PER_MILLICORE,
  decideMemory,
  DIALS,
  GUARD_POLICY,
  openFleet,
  settleFleet,
  surveyContainer,
  type Fleet,
  type FleetContainer,
  type FleetPolicy,
  type HourlyMeans,
  type MemoryContainer,
} from '@plimsoll/engine/rightsizing'
import {
  isJob,
  isSystemNamespace,
  annotatedFloors,
  annotatedHeap,
  policyOf,
  targetKey,
  type ClusterFacts,
  type ContainerFacts,
  type ContainerSpec,
  type Policy,
  type SizeDecision,
  type WorkloadFacts,
} from '@plimsoll/engine/rules'
import { memoryOf, type ContainerName, type StoredHours, type StoredSlots } from './usage-reader.ts'

/** Users need time to change requests. */
const standingDays = 7
const kibPerMib = 1024

/** A running container, and the inputs of its size beside its usage. */
export type Seat = ContainerName & {
  workload: WorkloadFacts
  facts: ContainerFacts
  policy: Policy
  /** The size of the open recommendation. */
  standing: ContainerSpec | null
  /** The replica of a StatefulSet whose load differs from the others. */
  ordinalOutlier: number | undefined
}

export type SeatFacts = {
  /** By target. */
  standing: ReadonlyMap<string, ContainerSpec>
  /** By namespace and name. */
  outliers: ReadonlyMap<string, number>
}

/** Containers of excluded and system namespaces get no size. */
export function seatsOf({ workloads, policies }: ClusterFacts, { standing, outliers }: SeatFacts): Seat[] {
  return workloads.flatMap((workload) => {
    const { namespace, kind, name } = workload
    const policy = policyOf(policies, namespace)
    if (policy.isExcluded || (isSystemNamespace(namespace) && !policy.includeSystemNamespaces)) return []
    return workload.containers.map((container) => ({
      namespace,
      workloadKind: kind,
      workloadName: name,
      container: container.name,
      workload,
      facts: container,
      policy,
      standing: standing.get(targetKey({ kind, namespace, name, container: container.name })) ?? null,
      ordinalOutlier: outliers.get(`${namespace}/${name}`),
    }))
  })
}

type SizedFleet = {
  fleet: Fleet
  policy: FleetPolicy
  seats: Seat[]
  memory: { seat: Seat; container: MemoryContainer }[]
}

/**
 * Decides the sizes of all containers of a cluster. Containers with the same safety margin and history requirement
 * share a budget. Each container comes twice, first to be surveyed and then to be added, because sizes depend on each
 * other. No container data is retained.
 */
export class FleetSizing {
  readonly #now: number
  readonly #fleets = new Map<string, SizedFleet>()
  readonly #index = new Map<Seat, number>()

  constructor(now: number) {
    this.#now = now
  }

  survey(seat: Seat, slots: StoredSlots, hours: StoredHours, means: HourlyMeans): void {
    if (isJob(seat.workload) || seat.facts.kind === 'init') return
    const sized = this.#fleetOf(seat.policy)
    this.#index.set(seat, sized.seats.length)
    sized.seats.push(seat)
    surveyContainer(sized.fleet, fleetContainer(seat, slots, hours, means))
  }

  add(seat: Seat, slots: StoredSlots, hours: StoredHours): void {
    const sized = this.#fleetOf(seat.policy)
    const index = this.#index.get(seat)
    if (index === undefined) return
    addContainer(sized.fleet, index, fleetContainer(seat, slots, hours, noMeans))
    sized.memory.push({ seat, container: memoryContainer(seat, slots, hours) })
  }

  settle(): Map<Seat, SizeDecision> {
    const decided = new Map<Seat, SizeDecision>()
    for (const { fleet, policy, memory } of this.#fleets.values()) {
      const { decisions, backtest } = settleFleet(fleet)
      const ofMemory = decideMemory(
        memory.map(({ container }) => container),
        policy,
        this.#now,
      ).decisions
      memory.forEach(({ seat }, index) => {
        const [cpu, kib] = [decisions[this.#index.get(seat) ?? -1], ofMemory[index]]
        if (cpu && kib) decided.set(seat, { cpu, memory: kib, rehearsed: backtest })
      })
    }
    return decided
  }

  #fleetOf({ dial, historyDaysMin, coverageMin }: Policy): SizedFleet {
    const key = [dial, historyDaysMin, coverageMin].join(' ')
    const before = this.#fleets.get(key)
    if (before) return before
    const policy = {
      ...GUARD_POLICY,
      ...{ historyDaysMin, coverageMin, dial: DIALS[dial], standingDays, rehearses: true, keepsStanding: true },
    }
    const sized = { fleet: openFleet(policy, this.#now), policy, seats: [], memory: [] }
    this.#fleets.set(key, sized)
    return sized
  }
}

/** The survey needs the hourly means. This step does not. */
const noMeans: HourlyMeans = { hours: new Int32Array(0), mean: new Float32Array(0), hottestMean: new Float32Array(0) }

function fleetContainer(seat: Seat, { cpu }: StoredSlots, stored: StoredHours, hours: HourlyMeans): FleetContainer {
  const { workload, policy, standing } = seat
  const floor = Math.max(policy.cpuMillicoresMin, annotatedFloors(workload).cpuMillicores ?? 0)
  const standingUnits = (standing?.cpuMillicores ?? 0) * CPU_UNITS_PER_MILLICORE
  return {
    usage: { cpu, hours, startUp: stored.startUp },
    facts: sizingFacts(seat, stored),
    replicas: replicasMeanOf(stored, workload) || workload.replicas,
    floorUnits: floor * CPU_UNITS_PER_MILLICORE,
    ...(standingUnits > 0 ? { standingUnits } : {}),
  }
}

function memoryContainer(seat: Seat, slots: StoredSlots, stored: StoredHours): MemoryContainer {
  const { workload, facts: container, policy } = seat
  const { startUp } = stored
  const oomKills = stored.kills.map(({ at, memoryMaxKib }) => ({
    at,
    // The limit may have changed since. The usage of that hour is known.
    limitKib: container.memoryLimitKib === null ? memoryMaxKib : Math.min(container.memoryLimitKib, 1.1 * memoryMaxKib),
  }))
  return {
    usage: { memory: memoryOf(slots, stored), startUp, oomKills },
    facts: sizingFacts(seat, stored),
    replicas: replicasMeanOf(stored, workload) || workload.replicas,
    floorKib: Math.max(policy.memoryMibMin * kibPerMib, annotatedFloors(workload).memoryKib ?? 0),
    ...(container.memoryRequestKib === null ? {} : { currentKib: container.memoryRequestKib }),
  }
}

function sizingFacts({ workload, facts: container, ordinalOutlier }: Seat, stored: StoredHours) {
  const { autoscaler } = workload
  const { managedBy, imageChangedAt } = container
  return {
    coverage: coverageOf(stored),
    autoscaledOnCpu: autoscaler?.cpuTargetPercent != null,
    ...(managedBy === null ? {} : { managedBy }),
    ...(ordinalOutlier === undefined ? {} : { ordinalOutlier }),
    ...(imageChangedAt === null ? {} : { imageChangedAt }),
    ...(annotatedHeap(workload).kind === 'unknown' ? { jvmHeap: 'unknown' as const } : {}),
  }
}

/** Minutes with usage data divided by all pod minutes of the last week. */
export function coverageOf({ figures }: StoredHours): number {
  if (figures.weekPodSeconds <= 0) return 0
  return Math.min(1, (figures.weekMinutes * 60) / figures.weekPodSeconds)
}

/**
 * The lower of the means of the last day and the last week, so that a recent scale-up does not count in full. A Job may not run
 * every day, so its week counts.
 */
export function replicasMeanOf({ figures }: StoredHours, workload: Pick<WorkloadFacts, 'kind'>): number {
  const ofWeek = figures.weekPodSeconds / (7 * SECONDS_PER_DAY)
  return isJob(workload) ? ofWeek : Math.min(figures.dayPodSeconds / SECONDS_PER_DAY, ofWeek)
}
