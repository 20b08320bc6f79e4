import { SECONDS_PER_DAY } from '../time.ts'
import { replicaFactor, unevenness, UNEVENNESS_MAX } from './replica-factor.ts'
import {
  SLOT_SECONDS,
  SLOTS_PER_DAY,
  slotOf,
  lowerBound,
  type ContainerUsage,
  type HourlyMeans,
} from './usage-state.ts'

/** Facts about a container beside its usage. */
export type SizingFacts = {
  /** Container-seconds with usage data by all container-seconds of the last days, 0 to 1. */
  readonly coverage: number
  /** Epoch seconds of the last image change, if known. */
  readonly imageChangedAt?: number
  /** An HPA scales on CPU utilization, so a new request moves its scaling point. */
  readonly autoscaledOnCpu?: boolean
  /** The controller that writes the requests: a VPA in Auto mode, an operator. */
  readonly managedBy?: string
  /** The replica of a StatefulSet with a different load, from `findOrdinalOutlier`. */
  readonly ordinalOutlier?: number
  /** A JVM does not return its heap, so its usage does not show its demand. */
  readonly jvmHeap?: 'known' | 'unknown'
}

export type GuardPolicy = {
  readonly historyDaysMin: number
  readonly coverageMin: number
  /** Minimum age of a new image. */
  readonly settlingDays: number
  /** If more than this share of the usage is above the 95th percentile, no constant request fits. */
  readonly spikeShareMax: number
}

export type Unknown =
  | { readonly kind: 'unknown'; readonly reason: 'no_samples' }
  | { readonly kind: 'unknown'; readonly reason: 'short_history'; readonly days: number; readonly daysMin: number }
  | {
      readonly kind: 'unknown'
      readonly reason: 'sparse_samples'
      readonly coverage: number
      readonly coverageMin: number
    }
  | { readonly kind: 'unknown'; readonly reason: 'image_changed'; readonly days: number; readonly daysMin: number }

export type Withheld =
  | { readonly kind: 'withheld'; readonly reason: 'managed_by'; readonly manager: string }
  | { readonly kind: 'withheld'; readonly reason: 'autoscaled_on_cpu' }
  | { readonly kind: 'withheld'; readonly reason: 'replicas_differ'; readonly unevenness: number; readonly max: number }
  | { readonly kind: 'withheld'; readonly reason: 'ordinal_outlier'; readonly ordinal: number }
  | { readonly kind: 'withheld'; readonly reason: 'too_spiky'; readonly share: number; readonly shareMax: number }
  | { readonly kind: 'withheld'; readonly reason: 'jvm_heap_unknown' }

export type CpuGuard = Unknown | Withheld | { readonly kind: 'pass'; readonly replicaFactor: number }

export const GUARD_POLICY: GuardPolicy = { historyDaysMin: 7, coverageMin: 0.8, settlingDays: 1, spikeShareMax: 0.5 }

/** The inputs of a CPU decision. */
export type CpuUsage = Pick<ContainerUsage, 'cpu' | 'startUp'> & { readonly hours: HourlyMeans }

/** The inputs of a memory decision. */
export type MemoryUsage = Pick<ContainerUsage, 'memory' | 'startUp' | 'oomKills'>

/** Why the CPU of a container is withheld, or the factor for its unequal replicas. */
export function guardCpu(usage: CpuUsage, facts: SizingFacts, policy: GuardPolicy, now: number): CpuGuard {
  const unknown = checkHistory(usage.cpu.slots, facts, { policy, now })
  if (unknown) return unknown
  if (facts.managedBy !== undefined) return { kind: 'withheld', reason: 'managed_by', manager: facts.managedBy }
  if (facts.autoscaledOnCpu) return { kind: 'withheld', reason: 'autoscaled_on_cpu' }
  if (facts.ordinalOutlier !== undefined) {
    return { kind: 'withheld', reason: 'ordinal_outlier', ordinal: facts.ordinalOutlier }
  }
  const uneven = unevenness(usage.hours, now)
  if (uneven > UNEVENNESS_MAX) {
    return { kind: 'withheld', reason: 'replicas_differ', unevenness: uneven, max: UNEVENNESS_MAX }
  }
  return { kind: 'pass', replicaFactor: replicaFactor(uneven) }
}

/** As `guardCpu`. Memory is stored by day and needs no replica factor, because the maximum covers all pods. */
export function guardMemory(
  usage: MemoryUsage,
  facts: SizingFacts,
  policy: GuardPolicy,
  now: number,
): Unknown | Withheld | undefined {
  const slots = usage.memory.days.map((day) => day * SLOTS_PER_DAY)
  const unknown = checkHistory(slots, facts, { policy, now, slotsPerEntry: SLOTS_PER_DAY })
  if (unknown) return unknown
  if (facts.managedBy !== undefined) return { kind: 'withheld', reason: 'managed_by', manager: facts.managedBy }
  if (facts.jvmHeap === 'unknown') return { kind: 'withheld', reason: 'jvm_heap_unknown' }
  return undefined
}

function checkHistory(
  slots: Int32Array,
  { coverage, imageChangedAt }: SizingFacts,
  { policy, now, slotsPerEntry = 1 }: { policy: GuardPolicy; now: number; slotsPerEntry?: number },
): Unknown | undefined {
  const first = slots[0]
  if (first === undefined) return { kind: 'unknown', reason: 'no_samples' }

  const days = (now - first * SLOT_SECONDS) / SECONDS_PER_DAY
  const daysMin = policy.historyDaysMin
  if (days < daysMin) return { kind: 'unknown', reason: 'short_history', days, daysMin }

  const known = Math.min(coverage, slotCoverage(slots, daysMin, now, slotsPerEntry))
  if (!(known >= policy.coverageMin)) {
    return { kind: 'unknown', reason: 'sparse_samples', coverage: known, coverageMin: policy.coverageMin }
  }
  const settled = imageChangedAt === undefined ? Infinity : (now - imageChangedAt) / SECONDS_PER_DAY
  if (settled < policy.settlingDays) {
    return { kind: 'unknown', reason: 'image_changed', days: settled, daysMin: policy.settlingDays }
  }
  return undefined
}

/** A gap of days counts even if the coverage of the caller covers hours only. */
function slotCoverage(slots: Int32Array, days: number, now: number, slotsPerEntry: number): number {
  const wanted = Math.floor((days * SLOTS_PER_DAY) / slotsPerEntry)
  if (wanted === 0) return 1
  const from = slotOf(now) - wanted * slotsPerEntry
  return Math.min(1, (slots.length - lowerBound(slots, from)) / wanted)
}
