import {
  guardMemory,
  type MemoryUsage,
  type SizingFacts,
  type GuardPolicy,
  type Unknown,
  type Withheld,
} from './guards.ts'
import { riskClass, type RiskClass } from './risk.ts'
import { SECONDS_PER_DAY } from '../time.ts'
import { lowerBound, type DailyMemory, type OomKill } from './usage-state.ts'
import { VPA_MEMORY, vpaBucketCount, vpaBucketOf, vpaTarget } from './vpa.ts'

export type MemoryContainer = {
  readonly usage: MemoryUsage
  readonly facts: SizingFacts
  readonly replicas: number
  readonly floorKib: number
  /** The current request; it is lowered in steps only. */
  readonly currentKib?: number
}

export type MemoryDecision =
  | Unknown
  | Withheld
  | {
      readonly kind: 'request'
      readonly kib: number
      /** The maximum of 14 days, including start-up. */
      readonly peakKib: number
      readonly krrKib: number
      readonly vpaKib: number
      /** The deciding factor: the rule, an OOM kill, the floor, or the limit of one step down. */
      readonly because: 'rule' | 'oom_kill' | 'floor' | 'step'
      /** Days of the last 28 with usage above the current request. */
      readonly shortDays: number
      readonly knownDays: number
      readonly risk: RiskClass
    }

export type MemoryFleetDecision = {
  readonly decisions: readonly MemoryDecision[]
  /** The safety margin of a container of mean size, as a factor; solved so that the total is that of KRR. */
  readonly headroom: number
  readonly krrKib: number
  readonly requestedKib: number
}

export const PEAK_DAYS = 14
const HEADROOM_MIN = 1.05
const HEADROOM_MAX = 1.6
/** Smaller containers get relatively more: a tenth of the size, a ninth more. */
const SIZE_EXPONENT = 0.05
export const STEP_DOWN_MAX = 0.3
const HALVINGS = 50
const KRR_MARGIN = 1.15
const KRR_FLOOR_KIB = 100e6 / 1024
export const OOM_FACTOR = 1.2
export const OOM_EXTRA_KIB = 100 * 1024

/**
 * A shortage of memory causes OOM kills, so each container gets its 14-day maximum plus a safety margin. All margins
 * together cost as much as the 15 % of KRR, but small containers, which vary more, get a larger one.
 */
export function decideMemory(
  containers: Iterable<MemoryContainer>,
  policy: GuardPolicy,
  now: number,
): MemoryFleetDecision {
  const seats = [...containers].map((container) => seatOf(container, policy, now))
  const taking = seats.filter((seat) => seat.kind === 'seat')
  const replicas = sumOf(taking, (seat) => seat.replicas)
  const meanKib = replicas > 0 ? sumOf(taking, (seat) => seat.replicas * seat.peakKib) / replicas : 0
  const krrKib = sumOf(taking, (seat) => seat.replicas * seat.krrKib)
  const headroom = solveHeadroom(taking, meanKib, krrKib)
  const decisions = seats.map((seat) => (seat.kind === 'seat' ? decideOne(seat, headroom, meanKib) : seat))
  const requestedKib = seats.reduce((total, seat, index) => {
    const decision = decisions[index]
    return seat.kind === 'seat' && decision?.kind === 'request' ? total + seat.replicas * decision.kib : total
  }, 0)
  return { decisions, headroom, krrKib, requestedKib }
}

type Seat = {
  readonly kind: 'seat'
  readonly memory: DailyMemory
  readonly replicas: number
  readonly floorKib: number
  readonly currentKib: number
  readonly peakKib: number
  readonly krrKib: number
  readonly vpaKib: number
  readonly oomKib: number
}

function seatOf(container: MemoryContainer, policy: GuardPolicy, now: number): Seat | Unknown | Withheld {
  const { usage, facts, replicas, floorKib, currentKib } = container
  const guard = guardMemory(usage, facts, policy, now)
  if (guard) return guard
  const peakKib = Math.max(usage.startUp.memoryMaxKib, peakOf(usage.memory, now))
  if (!(peakKib > 0)) return { kind: 'unknown', reason: 'no_samples' }
  return {
    kind: 'seat',
    memory: usage.memory,
    replicas,
    floorKib,
    currentKib: currentKib ?? 0,
    peakKib,
    krrKib: Math.max(KRR_FLOOR_KIB, KRR_MARGIN * peakKib),
    vpaKib: shadowVpaMemory(usage.memory, usage.oomKills, now),
    oomKib: neededAfterKills(usage.oomKills, now),
  }
}

function decideOne(seat: Seat, headroom: number, meanKib: number): MemoryDecision {
  const reasons = [
    { because: 'rule' as const, kib: seat.peakKib * clamp(headroom * sizeFactor(seat.peakKib, meanKib)) },
    { because: 'floor' as const, kib: seat.floorKib },
    { because: 'oom_kill' as const, kib: seat.oomKib },
    { because: 'step' as const, kib: seat.currentKib * (1 - STEP_DOWN_MAX) },
  ]
  const { because, kib } = reasons.reduce((most, next) => (next.kib > most.kib ? next : most))
  const shortDays = seat.memory.max.filter((max) => max > kib).length
  const knownDays = seat.memory.days.length
  return {
    kind: 'request',
    kib,
    peakKib: seat.peakKib,
    krrKib: seat.krrKib,
    vpaKib: seat.vpaKib,
    because,
    shortDays,
    knownDays,
    risk: because === 'oom_kill' ? 'high' : riskClass(shortDays / knownDays),
  }
}

function solveHeadroom(seats: readonly Seat[], meanKib: number, totalKib: number): number {
  const factors = Float64Array.from(seats, ({ peakKib }) => sizeFactor(peakKib, meanKib))
  const total = (headroom: number) =>
    sumOf(seats, ({ replicas, floorKib, peakKib }, index) => {
      return replicas * Math.max(floorKib, peakKib * clamp(headroom * (factors[index] ?? 1)))
    })
  // Wide enough that the clamp applies to all containers at either end.
  let low = HEADROOM_MIN / 4
  let high = HEADROOM_MAX * 4
  for (let step = 0; step < HALVINGS; step++) {
    const middle = (low + high) / 2
    if (total(middle) <= totalKib) low = middle
    else high = middle
  }
  return low
}

function sizeFactor(peakKib: number, meanKib: number): number {
  return (meanKib / peakKib) ** SIZE_EXPONENT
}

function clamp(headroom: number): number {
  return Math.min(HEADROOM_MAX, Math.max(HEADROOM_MIN, headroom))
}

/** An OOM kill proves that the limit was too low, whatever the samples show: a fifth more and at least 100 MiB. */
function neededAfterKills(kills: readonly OomKill[], now: number): number {
  const recent = kills.filter(({ at }) => at > now - PEAK_DAYS * SECONDS_PER_DAY)
  return Math.max(0, ...recent.map(({ limitKib }) => afterKill(limitKib)))
}

function afterKill(limitKib: number): number {
  return Math.max(limitKib * OOM_FACTOR, limitKib + OOM_EXTRA_KIB)
}

function peakOf({ days, max }: DailyMemory, now: number): number {
  const from = lowerBound(days, Math.ceil(now / SECONDS_PER_DAY) - PEAK_DAYS)
  return max.subarray(from).reduce((most, value) => Math.max(most, value), 0)
}

/** The memory target of VPA: its histogram holds one peak per day, and an OOM kill counts as a truncated peak. */
export function shadowVpaMemory({ days, max }: DailyMemory, kills: readonly OomKill[], now: number): number {
  const weights = new Float64Array(vpaBucketCount(VPA_MEMORY))
  for (let index = 0; index < days.length; index++) {
    const day = days[index] ?? 0
    const bucket = vpaBucketOf(VPA_MEMORY, Math.max(max[index] ?? 0, killedAt(kills, day)))
    weights[bucket] = (weights[bucket] ?? 0) + 2 ** (day - now / SECONDS_PER_DAY)
  }
  return vpaTarget(VPA_MEMORY, weights)
}

function killedAt(kills: readonly OomKill[], day: number): number {
  let most = 0
  for (const { at, limitKib } of kills) {
    if (Math.floor(at / SECONDS_PER_DAY) === day) most = Math.max(most, afterKill(limitKib))
  }
  return most
}

function sumOf<Item>(items: readonly Item[], pick: (item: Item, index: number) => number): number {
  return items.reduce((total, item, index) => total + pick(item, index), 0)
}
