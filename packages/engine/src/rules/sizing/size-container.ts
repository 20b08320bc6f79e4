import { cpuHeld, cpuOutcomes, memoryHeld, unitsForTime, unitsForVolume } from '../../rightsizing/candidates.ts'
import { DAILY_BAND, keepWithin, type Band } from '../../rightsizing/band.ts'
import type { CpuDecision } from '../../rightsizing/decide-fleet.ts'
import { CPU_UNITS_PER_MILLICORE, edgeOf } from '../../rightsizing/histogram.ts'
import type { ClusterFacts, ContainerFacts, UsageFacts, WorkloadFacts, WorkloadPrice } from '../facts/cluster-facts.ts'
import { specOf } from '../container-finding.ts'
import { withFloors } from './floors.ts'
import type { ContainerSpec } from '../finding.ts'
import { isShortOfMemory } from './demand.ts'
import { annotatedHeap, HEAP_FACTOR } from '../facts/annotations.ts'
import { policyOf, type Policy } from '../facts/policy.ts'
import type { Amount } from '../savings/saving-lines.ts'
import { isThrottled } from '../facts/throttled.ts'

/** The recommended requests of a container after all guards. Unchanged values are repeated. */
export type Sizing = {
  /** `less`: lowering saves more than raising costs · `more`: a request is too low · `fits`: close enough. */
  readonly direction: 'less' | 'more' | 'fits'
  readonly recommended: ContainerSpec
  /** Memory limit that must rise with the request; null: limits stay, or follow the requests of a Guaranteed pod. */
  readonly memoryLimitKib: number | null
  /** OOM-killed, or close to its limit. */
  readonly isUrgent: boolean
}

type CpuRequest = Extract<CpuDecision, { kind: 'request' }>

const ABOVE_MAX = 1.3
/** A rare and small shortage of CPU is not noticeable. */
export const SHORT_SHARE_MAX = 0.05
const KIB_PER_MIB = 1024

export function sizeContainer(
  facts: ClusterFacts,
  workload: WorkloadFacts,
  container: ContainerFacts,
  usage: UsageFacts,
): Sizing {
  const current = specOf(container)
  const policy = policyOf(facts.policies, workload.namespace)
  const needed = withFloors(workload, policy, steady(container, needOf(policy, workload, container, usage)))
  if (isShortOfMemory(container, usage)) return raiseMemory(workload, container, usage, needed.memoryKib)
  const wanted = {
    cpuMillicores: unlessThrottled(
      container,
      atMost(settle(current.cpuMillicores, needed.cpuMillicores), container.cpuLimitMillicores),
    ),
    memoryKib: atMost(settle(current.memoryKib, needed.memoryKib), container.memoryLimitKib),
  }
  // A sufficient request is not raised for a larger safety margin.
  const isShort = {
    cpuMillicores: cpuShortShare(current.cpuMillicores, usage) > SHORT_SHARE_MAX,
    memoryKib: usage.memoryMaxKib > (current.memoryKib ?? 0),
  }
  const choose = (name: keyof ContainerSpec) =>
    isBelow(current[name], wanted[name]) && !isShort[name] ? current[name] : wanted[name]
  const both = { cpuMillicores: choose('cpuMillicores'), memoryKib: choose('memoryKib') }
  const lowers = (name: keyof ContainerSpec) => isBelow(both[name], current[name])
  const isLower = lowers('cpuMillicores') || lowers('memoryKib')
  if (isLower && savedUsd(workload, container, usage, both) >= 0) return calm('less', both)
  // Only a short resource rises: nothing is lowered in the same change.
  const recommended = {
    cpuMillicores: lowers('cpuMillicores') ? current.cpuMillicores : both.cpuMillicores,
    memoryKib: lowers('memoryKib') ? current.memoryKib : both.memoryKib,
  }
  const rises =
    isBelow(current.cpuMillicores, recommended.cpuMillicores) || isBelow(current.memoryKib, recommended.memoryKib)
  return calm(rises ? 'more' : 'fits', recommended)
}

/** Usage of a throttled container understates its demand, so its request is not lowered. */
const unlessThrottled = (container: ContainerFacts, millicores: number | null) =>
  isThrottled(container) && isBelow(millicores, container.cpuRequestMillicores)
    ? container.cpuRequestMillicores
    : millicores

const calm = (direction: Sizing['direction'], recommended: ContainerSpec): Sizing => ({
  direction,
  recommended,
  memoryLimitKib: null,
  isUrgent: false,
})

function raiseMemory(
  workload: WorkloadFacts,
  container: ContainerFacts,
  usage: UsageFacts,
  neededKib: number | null,
): Sizing {
  const current = specOf(container)
  const limitKib = wholeMib(Math.max(usage.memoryMaxKib * ABOVE_MAX, neededKib ?? 0))
  const isLimited = container.memoryLimitKib !== null
  const wantedKib = isLimited && isGuaranteed(workload) ? limitKib : Math.max(neededKib ?? 0, usage.memoryMaxKib)
  const memoryKib = Math.max(current.memoryKib ?? 0, wholeMib(wantedKib))
  const rises = isLimited && limitKib > (container.memoryLimitKib ?? 0)
  return {
    direction: rises || memoryKib > (current.memoryKib ?? 0) ? 'more' : 'fits',
    recommended: { cpuMillicores: current.cpuMillicores, memoryKib },
    memoryLimitKib: isLimited ? Math.max(limitKib, memoryKib, container.memoryLimitKib ?? 0) : null,
    isUrgent: true,
  }
}

/** The CPU request without the margin for data stores; null: right-sizing has no result. */
export function cpuWithoutData(
  policy: Policy,
  workload: WorkloadFacts,
  container: ContainerFacts,
  usage: UsageFacts,
): number | null {
  const other = { ...workload, kind: 'Deployment', placement: { ...workload.placement, hasVolumes: false } }
  return withFloors(other, policy, needOf(policy, other, container, usage)).cpuMillicores
}

/** Before floors and bands; null: right-sizing has no result. */
export function needOf(
  policy: Policy,
  workload: WorkloadFacts,
  container: ContainerFacts,
  usage: UsageFacts,
): ContainerSpec {
  const { decision } = container
  const cpu = decision?.cpu.kind === 'request' ? decision.cpu : null
  const memory = decision?.memory.kind === 'request' ? decision.memory : null
  const strict = isGuaranteed(workload)
  const units = cpu && Math.max(cpu.units, leastUnits(care(policy, workload, usage), usage, cpu), rareUnits(usage))
  return {
    cpuMillicores: units === null ? null : roundCpu(units / CPU_UNITS_PER_MILLICORE, strict && hasWholeCores(workload)),
    memoryKib:
      memory === null
        ? null
        : aboveHeap(workload, container, Math.max(memory.kib, usage.earlier.memoryKib * RARE_HEADROOM)),
  }
}

/** For two weeks: the maximum share of time that is short, and the maximum share of usage above the request. */
export const CPU_CARE = {
  thrifty: { krr: null, timeMax: null, volumeMax: null },
  balanced: { krr: 'krr95Units', timeMax: 0.05, volumeMax: 0.1 },
  safe: { krr: 'krr99Units', timeMax: 0.01, volumeMax: 0.03 },
} as const

/**
 * One minute per day. All clients of a data store wait during a shortage, so the fourteen minutes a day of 1 % would be
 * noticeable. Zero would size it by its single worst minute, which does not predict the next weeks.
 */
export const DATA_SHORT_SHARE_MAX = 1 / (24 * 60)

/** The ratio of p99 to p95 that counts as bursty: shortages then last long. */
export const BURST_FACTOR = 2

export type Care = Omit<(typeof CPU_CARE)[Policy['dial']], 'timeMax'> & {
  readonly timeMax: number | null
  /** Why the margin is larger than that of the dial; empty: it is not. */
  readonly because: string
}

/**
 * How short of CPU a container may be. The `safe` dial applies if the limit follows the request, for data stores and
 * for bursty usage. Data stores are short for at most one minute per day. The thrifty dial becomes balanced there.
 */
export function care({ dial }: Policy, workload: WorkloadFacts, usage: UsageFacts): Care {
  if (dial !== 'thrifty' && keepsData(workload))
    return { ...CPU_CARE.safe, timeMax: DATA_SHORT_SHARE_MAX, because: ' (stateful workload)' }
  const because = isGuaranteed(workload)
    ? ' (the limit equals the request)'
    : keepsData(workload)
      ? ' (stateful workload)'
      : isBursty(usage)
        ? ' (bursty usage)'
        : ''
  if (because === '' || dial === 'safe') return { ...CPU_CARE[dial], because: '' }
  return { ...CPU_CARE[dial === 'thrifty' && !isGuaranteed(workload) ? 'balanced' : 'safe'], because }
}

export const keepsData = ({ kind, placement }: WorkloadFacts) => kind === 'StatefulSet' || placement.hasVolumes

const isBursty = ({ cpu }: UsageFacts) => unitsForTime(cpu, 0.01) >= BURST_FACTOR * unitsForTime(cpu, 0.05)

/**
 * Requests that users set stay for a week or longer, so a decision must cover all weekdays and the busiest hour. Limits
 * over two weeks: 5 % of the time and a tenth of the usage, or 1 % and 3 % with a larger margin, or one minute a day
 * for data stores.
 */
function leastUnits({ krr, timeMax, volumeMax }: Care, { cpu: window }: UsageFacts, cpu: CpuRequest): number {
  if (krr === null || timeMax === null || volumeMax === null) return 0
  return cpu.replicaFactor * Math.max(cpu[krr], unitsForTime(window, timeMax), unitsForVolume(window, volumeMax))
}

/** An earlier peak this far above the whole window is expected to return. */
export const RARE_FACTOR = 2
const RARE_HEADROOM = 1.05

function rareUnits({ earlier, cpu }: UsageFacts): number {
  const highest = cpu.histogram.buckets.at(-1)
  return highest !== undefined && earlier.cpuUnits > RARE_FACTOR * edgeOf(highest) ? earlier.cpuUnits : 0
}

/** A shortage of memory causes OOM kills, so it is raised earlier. */
const MEMORY_BAND = { up: 0.02, down: 0.15 }

/** A recommendation that changes every hour cannot be applied. */
function steady({ standing }: ContainerFacts, needed: ContainerSpec): ContainerSpec {
  if (standing === null) return needed
  const keep = (band: Band, name: keyof ContainerSpec) =>
    needed[name] === null ? null : keepWithin(band, standing[name] ?? undefined, needed[name])
  return { cpuMillicores: keep(DAILY_BAND, 'cpuMillicores'), memoryKib: keep(MEMORY_BAND, 'memoryKib') }
}

/**
 * A JVM does not return its heap, so usage does not show its demand. A heap from the agent counts like an annotation.
 */
function aboveHeap(workload: WorkloadFacts, { heapMaxKib }: ContainerFacts, kib: number): number | null {
  const heap = annotatedHeap(workload)
  if (heap.kind === 'unknown' && heapMaxKib === null) return null
  return Math.max(kib, HEAP_FACTOR * Math.max(heapMaxKib ?? 0, heap.kind === 'known' ? heap.kib : 0))
}

/** Requests equal limits in all containers: the pod is evicted last, and stays Guaranteed. */
export function isGuaranteed({ containers }: WorkloadFacts): boolean {
  return containers.every(
    ({ cpuRequestMillicores: cpu, cpuLimitMillicores, memoryRequestKib: memory, memoryLimitKib }) =>
      cpu !== null && memory !== null && cpu === cpuLimitMillicores && memory === memoryLimitKib,
  )
}

/** The static CPU manager gives these containers exclusive cores; a fraction of a core would end that. */
const hasWholeCores = ({ containers }: WorkloadFacts) =>
  containers.some(({ cpuRequestMillicores: cpu }) => cpu !== null && cpu > 0 && cpu % 1000 === 0)

/** Readable and stable figures. */
function roundCpu(millicores: number, isWholeCores: boolean): number {
  const step = isWholeCores ? 1000 : millicores < 100 ? 1 : millicores < 1000 ? 5 : 10
  return Math.ceil(millicores / step - 1e-9) * step
}

const settle = (current: number | null, needed: number | null) =>
  needed === null ? current : current === null ? needed : keepWithin(DAILY_BAND, current, needed)

const atMost = (value: number | null, limit: number | null) =>
  value === null || limit === null ? value : Math.min(value, limit)

const isBelow = (one: number | null, other: number | null) => (one ?? 0) < (other ?? 0)

const wholeMib = (kib: number) => Math.ceil(kib / KIB_PER_MIB) * KIB_PER_MIB

/** The share of the window in which this CPU request would have been too low. */
export function cpuShortShare(millicores: number | null, { cpu }: UsageFacts): number {
  const units = (millicores ?? 0) * CPU_UNITS_PER_MILLICORE
  const [outcome] = cpuOutcomes(cpu, [units], { currentUnits: units, replicaFactor: 1 })
  return outcome && cpu.minutes > 0 ? outcome.minutesShort / cpu.minutes : 0
}

/**
 * The number of paid pods. A recent scale-up counts only in part, and a scale-down counts at once. A continuously
 * scaled workload counts with its mean.
 */
export function podsPaid({ replicas, autoscaler }: WorkloadFacts, { replicasMean }: UsageFacts): number {
  if (autoscaler !== null) return replicasMean
  return replicasMean > SAME_SHARE * replicas ? replicas : replicasMean
}

/** A replaced pod or an incomplete hour is not a change. */
const SAME_SHARE = 0.95

/** Only requested but unused capacity can be saved. Negative for a larger request; 0 without a price. */
export function savedUsd(
  workload: WorkloadFacts,
  container: ContainerFacts,
  usage: UsageFacts,
  recommended: ContainerSpec,
): number {
  const current = specOf(container)
  const lessUnits = cpuHeld(usage.cpu, unitsOf(current)) - cpuHeld(usage.cpu, unitsOf(recommended))
  const lessKib =
    memoryHeld(usage.memory, current.memoryKib ?? 0) - memoryHeld(usage.memory, recommended.memoryKib ?? 0)
  return usdOfLess(workload, container, usage, { recommended, less: { lessUnits, lessKib } })
}

/** The reduction of CPU and memory over all paid pods; negative for an increase. */
export function freedAmount(
  workload: WorkloadFacts,
  container: ContainerFacts,
  usage: UsageFacts,
  recommended: ContainerSpec,
): Amount {
  const part = (name: keyof ContainerSpec) =>
    podsPaid(workload, usage) * partFreed(workload, container, recommended, name)
  const [now, then] = [specOf(container), recommended].map((spec) => heldAmount(usage, spec))
  return {
    cpuMillicores: part('cpuMillicores') * ((now?.cpuMillicores ?? 0) - (then?.cpuMillicores ?? 0)),
    memoryKib: part('memoryKib') * ((now?.memoryKib ?? 0) - (then?.memoryKib ?? 0)),
  }
}

/** The savings of a reduction, for all paid pods. */
export function usdOfLess(
  workload: WorkloadFacts,
  container: ContainerFacts,
  usage: UsageFacts,
  {
    recommended,
    less: { lessUnits, lessKib },
  }: { recommended: ContainerSpec; less: { lessUnits: number; lessKib: number } },
): number {
  const { price } = workload
  if (price === null) return 0
  const part = (name: keyof ContainerSpec) => partFreed(workload, container, recommended, name)
  const cpu = part('cpuMillicores') * (lessUnits / CPU_UNITS_PER_MILLICORE) * price.cpuUsdPerMillicoreMonth
  const memory = part('memoryKib') * lessKib * price.memoryUsdPerKibMonth
  return podsPaid(workload, usage) * (cpu + memory)
}

/** An init container holds its reservation for the life of the pod: a request below it frees nothing. */
function partFreed(
  { containers }: WorkloadFacts,
  container: ContainerFacts,
  recommended: ContainerSpec,
  name: keyof ContainerSpec,
): number {
  const sum = containers.reduce((total, each) => total + (each.kind === 'init' ? 0 : (specOf(each)[name] ?? 0)), 0)
  const init = Math.max(0, ...containers.map((each) => (each.kind === 'init' ? (specOf(each)[name] ?? 0) : 0)))
  const less = (specOf(container)[name] ?? 0) - (recommended[name] ?? 0)
  return less > 0 ? (Math.max(init, sum) - Math.max(init, sum - less)) / less : 1
}

const unitsOf = ({ cpuMillicores }: ContainerSpec) => (cpuMillicores ?? 0) * CPU_UNITS_PER_MILLICORE

/** The average that one pod holds with these requests, including usage above them. */
export const heldAmount = (usage: UsageFacts, spec: ContainerSpec): Amount => ({
  cpuMillicores: cpuHeld(usage.cpu, unitsOf(spec)) / CPU_UNITS_PER_MILLICORE,
  memoryKib: memoryHeld(usage.memory, spec.memoryKib ?? 0),
})

/** The monthly cost of the container with these requests. */
export function heldUsd(workload: WorkloadFacts, usage: UsageFacts, spec: ContainerSpec, price: WorkloadPrice): number {
  const { cpuMillicores, memoryKib } = heldAmount(usage, spec)
  return (
    podsPaid(workload, usage) * (cpuMillicores * price.cpuUsdPerMillicoreMonth + memoryKib * price.memoryUsdPerKibMonth)
  )
}
