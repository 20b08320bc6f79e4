import { cpuHeld, cpuOutcomes, memoryHeld, unitsForTime, unitsForVolume } from '../../rightsizing/candidates.ts'
import { DAILY_BAND, keepWithin, type Band } from '../../rightsizing/band.ts'
import type { CpuDecision } from '../../rightsizing/decide-fleet.ts'
import { CPU_UNITS_PER_MILLICORE, edgeOf } from '../../rightsizing/histogram.ts'
import type { ClusterFacts, ContainerFacts, UsageFacts, WorkloadFacts, WorkloadPrice } from '../facts/cluster-facts.ts'
import { specOf, withFloors } from '../container-finding.ts'
import type { ContainerSpec } from '../finding.ts'
import { annotatedHeap } from '../facts/annotations.ts'
import { policyOf, type Policy } from '../facts/policy.ts'
import type { Amount } from '../savings/saving-lines.ts'
import { isThrottled } from '../facts/throttled.ts'

/** What a container should ask for, all guards considered. What is not to be changed is repeated. */
export type Sizing = {
  /** `less`: lowering saves more than raising costs · `more`: something is short · `fits`: close enough. */
  readonly direction: 'less' | 'more' | 'fits'
  readonly recommended: ContainerSpec
  /** Memory limit that has to rise with the request; null: limits stay, or follow a Guaranteed pod's requests. */
  readonly memoryLimitKib: number | null
  /** Killed for lack of memory, or close to its limit. */
  readonly isUrgent: boolean
}

type CpuRequest = Extract<CpuDecision, { kind: 'request' }>

/** So much of its limit is used at most without anybody having to worry. */
export const LIMIT_SHARE_MAX = 0.9
const ABOVE_MAX = 1.3
/** CPU that is short a little now and then slows nobody down. */
export const SHORT_SHARE_MAX = 0.05
/** Beside the heap a Java machine needs room for threads, code and buffers. */
export const HEAP_FACTOR = 1.25
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
  // What was enough so far is not raised for the sake of head-room.
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
  // Only what is really short goes up: no lowering in the same change.
  const recommended = {
    cpuMillicores: lowers('cpuMillicores') ? current.cpuMillicores : both.cpuMillicores,
    memoryKib: lowers('memoryKib') ? current.memoryKib : both.memoryKib,
  }
  const rises =
    isBelow(current.cpuMillicores, recommended.cpuMillicores) || isBelow(current.memoryKib, recommended.memoryKib)
  return calm(rises ? 'more' : 'fits', recommended)
}

/** Who is made to wait would use more: what was used does not say that less is enough. */
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

function isShortOfMemory({ oomKills, memoryLimitKib }: ContainerFacts, { memoryMaxKib }: UsageFacts): boolean {
  return oomKills > 0 || (memoryLimitKib !== null && memoryMaxKib > LIMIT_SHARE_MAX * memoryLimitKib)
}

/** What CPU it would ask for if it kept no data; null where right-sizing says nothing. */
export function cpuWithoutData(
  policy: Policy,
  workload: WorkloadFacts,
  container: ContainerFacts,
  usage: UsageFacts,
): number | null {
  const other = { ...workload, kind: 'Deployment', placement: { ...workload.placement, hasVolumes: false } }
  return withFloors(other, policy, needOf(policy, other, container, usage)).cpuMillicores
}

/** Before floors and bands; null where right-sizing says nothing. */
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

/** Of two weeks: how much of the time it may be short, and which part of its use may lie above its request. */
export const CPU_CARE = {
  thrifty: { krr: null, timeMax: null, volumeMax: null },
  balanced: { krr: 'krr95Units', timeMax: 0.05, volumeMax: 0.1 },
  safe: { krr: 'krr99Units', timeMax: 0.01, volumeMax: 0.03 },
} as const

/**
 * A minute a day. All who ask for data wait when it is short, so the minutes that 1 % would allow (fourteen a day) are felt; none at all
 * would size it by its single worst minute, which says little about the next weeks.
 */
export const DATA_SHORT_SHARE_MAX = 1 / (24 * 60)

/** The peaks of its use are so much above all but a twentieth of it: whoever waits then waits for long. */
export const BURST_FACTOR = 2

export type Care = Omit<(typeof CPU_CARE)[Policy['dial']], 'timeMax'> & {
  readonly timeMax: number | null
  /** Why it is more careful than the dial asks for; empty: it is not. */
  readonly because: string
}

/**
 * How short of CPU a container may be. Where the limit follows, what is above is cut off; what keeps data makes all wait that
 * ask for it; and bursts are what a request is for: all of them are sized as if the dial were on safe, and what keeps data is short for
 * a minute a day at most. Whoever is thrifty on purpose gets what is balanced there.
 */
export function care({ dial }: Policy, workload: WorkloadFacts, usage: UsageFacts): Care {
  if (dial !== 'thrifty' && keepsData(workload))
    return { ...CPU_CARE.safe, timeMax: DATA_SHORT_SHARE_MAX, because: ', because the workload is stateful' }
  const because = isGuaranteed(workload)
    ? ', because the limit follows'
    : keepsData(workload)
      ? ', because the workload is stateful'
      : isBursty(usage)
        ? ', because the usage is bursty'
        : ''
  if (because === '' || dial === 'safe') return { ...CPU_CARE[dial], because: '' }
  return { ...CPU_CARE[dial === 'thrifty' && !isGuaranteed(workload) ? 'balanced' : 'safe'], because }
}

export const keepsData = ({ kind, placement }: WorkloadFacts) => kind === 'StatefulSet' || placement.hasVolumes

const isBursty = ({ cpu }: UsageFacts) => unitsForTime(cpu, 0.01) >= BURST_FACTOR * unitsForTime(cpu, 0.05)

/**
 * What people set stands for a week and longer, so a decision on a Sunday must not forget the Friday before, nor the hour a
 * day in which most is done: short for at most 5 % of two weeks and with at most a tenth of its use, or 1 % and 3 % where care
 * has to be taken, or a minute a day where it keeps data.
 */
function leastUnits({ krr, timeMax, volumeMax }: Care, { cpu: window }: UsageFacts, cpu: CpuRequest): number {
  if (krr === null || timeMax === null || volumeMax === null) return 0
  return cpu.replicaFactor * Math.max(cpu[krr], unitsForTime(window, timeMax), unitsForVolume(window, volumeMax))
}

/** A peak of the weeks before that is so much above all of the window is no chance: it will come again. */
export const RARE_FACTOR = 2
const RARE_HEADROOM = 1.05

function rareUnits({ earlier, cpu }: UsageFacts): number {
  const highest = cpu.histogram.buckets.at(-1)
  return highest !== undefined && earlier.cpuUnits > RARE_FACTOR * edgeOf(highest) ? earlier.cpuUnits : 0
}

/** Memory that is short kills: it rises with less. */
const MEMORY_BAND = { up: 0.02, down: 0.15 }

/** Advice that moved with every hour would never be followed. */
function steady({ standing }: ContainerFacts, needed: ContainerSpec): ContainerSpec {
  if (standing === null) return needed
  const keep = (band: Band, name: keyof ContainerSpec) =>
    needed[name] === null ? null : keepWithin(band, standing[name] ?? undefined, needed[name])
  return { cpuMillicores: keep(DAILY_BAND, 'cpuMillicores'), memoryKib: keep(MEMORY_BAND, 'memoryKib') }
}

/** A heap is kept once it was taken, so use says nothing about need. What the agent reports counts like a mark. */
function aboveHeap(workload: WorkloadFacts, { heapMaxKib }: ContainerFacts, kib: number): number | null {
  const heap = annotatedHeap(workload)
  if (heap.kind === 'unknown' && heapMaxKib === null) return null
  return Math.max(kib, HEAP_FACTOR * Math.max(heapMaxKib ?? 0, heap.kind === 'known' ? heap.kib : 0))
}

/** Requests are limits in all containers: such a pod is evicted last, and stays so. */
export function isGuaranteed({ containers }: WorkloadFacts): boolean {
  return containers.every(
    ({ cpuRequestMillicores: cpu, cpuLimitMillicores, memoryRequestKib: memory, memoryLimitKib }) =>
      cpu !== null && memory !== null && cpu === cpuLimitMillicores && memory === memoryLimitKib,
  )
}

/** The static CPU manager gives such containers cores of their own; half a core would take them away. */
const hasWholeCores = ({ containers }: WorkloadFacts) =>
  containers.some(({ cpuRequestMillicores: cpu }) => cpu !== null && cpu > 0 && cpu % 1000 === 0)

/** Figures that people can read and that do not change with every millicore. */
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

/** Which part of the window such a CPU request would have been too little. */
export function cpuShortShare(millicores: number | null, { cpu }: UsageFacts): number {
  const units = (millicores ?? 0) * CPU_UNITS_PER_MILLICORE
  const [outcome] = cpuOutcomes(cpu, [units], { currentUnits: units, replicaFactor: 1 })
  return outcome && cpu.minutes > 0 ? outcome.minutesShort / cpu.minutes : 0
}

/**
 * How many pods are paid for. What was scaled up yesterday is not counted as if it had always been so, and what was scaled down
 * costs no more; where something scales it all the time, the mean is what is paid.
 */
export function podsPaid({ replicas, autoscaler }: WorkloadFacts, { replicasMean }: UsageFacts): number {
  if (autoscaler !== null) return replicasMean
  return replicasMean > SAME_SHARE * replicas ? replicas : replicasMean
}

/** A pod that was replaced, or an hour that is not complete yet, changes nothing. */
const SAME_SHARE = 0.95

/** Only what is neither used nor asked for can be saved. Negative where more is asked for; 0 without a price. */
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
  return usdOfLess(workload, container, usage, recommended, { lessUnits, lessKib })
}

/** How much less CPU and memory all pods that are paid for hold together; negative where it is more. */
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

/** What less costs less, for all pods that are paid for. */
export function usdOfLess(
  workload: WorkloadFacts,
  container: ContainerFacts,
  usage: UsageFacts,
  recommended: ContainerSpec,
  { lessUnits, lessKib }: { lessUnits: number; lessKib: number },
): number {
  const { price } = workload
  if (price === null) return 0
  const part = (name: keyof ContainerSpec) => partFreed(workload, container, recommended, name)
  const cpu = part('cpuMillicores') * (lessUnits / CPU_UNITS_PER_MILLICORE) * price.cpuUsdPerMillicoreMonth
  const memory = part('memoryKib') * lessKib * price.memoryUsdPerKibMonth
  return podsPaid(workload, usage) * (cpu + memory)
}

/** An init container keeps its room for the whole life of the pod: what is below that is not freed by asking for less. */
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

/** What one pod of it holds with such requests, on average: what it uses beyond them counts as well. */
export const heldAmount = (usage: UsageFacts, spec: ContainerSpec): Amount => ({
  cpuMillicores: cpuHeld(usage.cpu, unitsOf(spec)) / CPU_UNITS_PER_MILLICORE,
  memoryKib: memoryHeld(usage.memory, spec.memoryKib ?? 0),
})

/** What the container costs a month with such requests. */
export function heldUsd(workload: WorkloadFacts, usage: UsageFacts, spec: ContainerSpec, price: WorkloadPrice): number {
  const { cpuMillicores, memoryKib } = heldAmount(usage, spec)
  return (
    podsPaid(workload, usage) * (cpuMillicores * price.cpuUsdPerMillicoreMonth + memoryKib * price.memoryUsdPerKibMonth)
  )
}
