import { fillCurve, makeCurve, shortAt, type Curve } from './curve.ts'
import { CPU_SCALE, edgeOf } from './histogram.ts'
import { SECONDS_PER_DAY, SLOT_SECONDS, type DailyMemory, type SlotHistograms } from './usage-state.ts'

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

/**
 * Requests from the floor to somewhat above both the maximum and the present request, evenly spread by ratio, so that a slider
 * can look up what each would have meant. `replicaFactor` is what unequal replicas need more.
 */
export function cpuCandidates(
  usage: SlotHistograms,
  { currentUnits, floorUnits, replicaFactor }: { currentUnits: number; floorUnits: number; replicaFactor: number },
): readonly CpuCandidate[] {
  const window = windowCurve(usage)
  if (window.weight === 0) return []
  const minutes = (usage.slots.length * SLOT_SECONDS) / 60
  const need = (units: number) => shortAt(window, units / replicaFactor)
  const current = need(currentUnits)
  const top = 1.1 * Math.max(floorUnits, currentUnits, replicaFactor * edgeOf(window.hi))
  return spread(floorUnits, top).map((units) => {
    const short = need(units)
    return {
      units,
      // max(request, use) is request + what is above it.
      savedUnits: currentUnits + replicaFactor * current.units - (units + replicaFactor * short.units),
      minutesShort: minutes * short.share,
      unitMinutesShort: minutes * replicaFactor * short.units,
    }
  })
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

/** The days that the slots span, for what the figures above are about. */
export function windowDays({ slots }: SlotHistograms): number {
  return (slots.length * SLOT_SECONDS) / SECONDS_PER_DAY
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
