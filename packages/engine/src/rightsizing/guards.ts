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

/** What the caller knows about a container besides its use. */
export type SizingFacts = {
  /** Container-seconds with known use by all container-seconds of the last days, 0 to 1. */
  readonly coverage: number
  /** Epoch seconds at which the image was last changed, if that is known. */
  readonly imageChangedAt?: number
  /** Something scales replicas on CPU utilisation, so a new request moves the point at which it scales. */
  readonly autoscaledOnCpu?: boolean
  /** Who else writes the requests: a VPA in Auto mode, an operator. */
  readonly managedBy?: string
  /** The replica of a StatefulSet that does other work, from `findOrdinalOutlier`. */
  readonly ordinalOutlier?: number
  /** A Java machine takes its heap and keeps it, so its use says nothing about its need. */
  readonly jvmHeap?: 'known' | 'unknown'
}

export type GuardPolicy = {
  readonly historyDaysMin: number
  readonly coverageMin: number
  /** How long a new image must have run. */
  readonly settlingDays: number
  /** If more than this part of the use is above the 95th percentile, no constant request is right. */
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

/** What a decision about CPU looks at. */
export type CpuUsage = Pick<ContainerUsage, 'cpu' | 'startUp'> & { readonly hours: HourlyMeans }

/** What a decision about memory looks at. */
export type MemoryUsage = Pick<ContainerUsage, 'memory' | 'startUp' | 'oomKills'>

/** Why nothing can be said about a container's CPU, or by which factor its unequal replicas raise the request. */
export function guardCpu(usage: CpuUsage, facts: SizingFacts, policy: GuardPolicy, now: number): CpuGuard {
  const unknown = checkHistory(usage.cpu.slots, facts, policy, now)
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

/** As `guardCpu`; memory is kept by day, and unlike replicas need no factor because the maximum is that of all pods. */
export function guardMemory(
  usage: MemoryUsage,
  facts: SizingFacts,
  policy: GuardPolicy,
  now: number,
): Unknown | Withheld | undefined {
  const slots = usage.memory.days.map((day) => day * SLOTS_PER_DAY)
  const unknown = checkHistory(slots, facts, policy, now, SLOTS_PER_DAY)
  if (unknown) return unknown
  if (facts.managedBy !== undefined) return { kind: 'withheld', reason: 'managed_by', manager: facts.managedBy }
  if (facts.jvmHeap === 'unknown') return { kind: 'withheld', reason: 'jvm_heap_unknown' }
  return undefined
}

function checkHistory(
  slots: Int32Array,
  { coverage, imageChangedAt }: SizingFacts,
  policy: GuardPolicy,
  now: number,
  slotsPerEntry = 1,
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

/** A hole of days is a hole even where the caller's coverage looks at hours only. */
function slotCoverage(slots: Int32Array, days: number, now: number, slotsPerEntry: number): number {
  const wanted = Math.floor((days * SLOTS_PER_DAY) / slotsPerEntry)
  if (wanted === 0) return 1
  const from = slotOf(now) - wanted * slotsPerEntry
  return Math.min(1, (slots.length - lowerBound(slots, from)) / wanted)
}
