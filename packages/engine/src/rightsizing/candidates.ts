import { fillCurve, makeCurve, shortAt, type Curve } from './curve.ts'
import { CPU_SCALE, edgeOf } from './histogram.ts'
import { SLOT_SECONDS, type DailyMemory, type SlotHistograms } from './usage-state.ts'

/** What a request would have meant, had it stood all through the window. */
export type CpuCandidate = {
  readonly units: number
  /** What would be freed on average per pod: only what is neither used nor asked for. Negative where it asks for more. */
  readonly savedUnits: number
  /** Per pod, of the whole window. */
  readonly minutesShort: number
  readonly unitMinutesShort: number
}

export type MemoryCandidate = {
  readonly kib: number
  readonly savedKib: number
  /** Days on which more was used: each a kill, had the limit been the request. */
  readonly oomDays: number
}

const CANDIDATE_COUNT = 64

export type CpuQuestion = {
  readonly currentUnits: number
  readonly floorUnits: number
  /** What unequal replicas need more, from the decision. */
  readonly replicaFactor: number
}

/**
 * Requests from the floor to somewhat above both the maximum and the present request, evenly spread by ratio, so that a slider
 * can look up what each would have meant. `usage` is the window that the figures are about.
 */
export function cpuCandidates(usage: SlotHistograms, question: CpuQuestion): readonly CpuCandidate[] {
  const { currentUnits, floorUnits, replicaFactor } = question
  const window = windowCurve(usage)
  if (window.weight === 0) return []
  const top = 1.1 * Math.max(floorUnits, currentUnits, replicaFactor * edgeOf(window.hi))
  return cpuOutcomes(usage, spread(floorUnits, top), question)
}

/** What some requests would have meant: the present one, the proposed one, VPA's, KRR's. */
export function cpuOutcomes(
  usage: SlotHistograms,
  requests: readonly number[],
  { currentUnits, replicaFactor }: Omit<CpuQuestion, 'floorUnits'>,
): readonly CpuCandidate[] {
  const window = windowCurve(usage)
  if (window.weight === 0) return []
  const minutes = (usage.slots.length * SLOT_SECONDS) / 60
  const need = (units: number) => shortAt(window, units / replicaFactor)
  // max(request, use) is the request and what is above it.
  const held = (units: number) => units + replicaFactor * need(units).units
  return requests.map((units) => ({
    units,
    savedUnits: held(currentUnits) - held(units),
    minutesShort: minutes * need(units).share,
    unitMinutesShort: minutes * replicaFactor * need(units).units,
  }))
}

export function memoryCandidates(
  { days, max, p50 }: DailyMemory,
  { currentKib, floorKib }: { currentKib: number; floorKib: number },
): readonly MemoryCandidate[] {
  if (days.length === 0) return []
  const peak = max.reduce((most, value) => Math.max(most, value), 0)
  // What is used counts with the typical value of each day: the maximum lasts minutes.
  const held = (kib: number) => p50.reduce((sum, used) => sum + Math.max(kib, used), 0) / days.length
  const current = held(currentKib)
  return spread(floorKib, 1.6 * Math.max(floorKib, currentKib, peak)).map((kib) => ({
    kib,
    savedKib: current - held(kib),
    oomDays: max.filter((most) => most > kib).length,
  }))
}

function spread(from: number, to: number): number[] {
  const step = (to / from) ** (1 / (CANDIDATE_COUNT - 1))
  return Array.from({ length: CANDIDATE_COUNT }, (_, index) => from * step ** index)
}

function windowCurve({ slots, offsets, buckets, counts }: SlotHistograms): Curve {
  const weights = new Float64Array(CPU_SCALE.bucketCount)
  let lo = CPU_SCALE.bucketCount
  let hi = -1
  for (let entry = offsets[0] ?? 0; entry < (offsets[slots.length] ?? 0); entry++) {
    const bucket = buckets[entry] ?? 0
    weights[bucket] = (weights[bucket] ?? 0) + (counts[entry] ?? 0)
    lo = Math.min(lo, bucket)
    hi = Math.max(hi, bucket)
  }
  const curve = makeCurve()
  fillCurve(curve, weights, lo, hi)
  return curve
}
