import { fillCurve, makeCurve, shortAt, type Curve } from './curve.ts'
import { edgeOf, mergeHistograms, middleOf, sampleCount, type Histogram } from './histogram.ts'
import { SLOT_SECONDS, type DailyMemory, type SlotHistograms } from './usage-state.ts'

/** The combined days of the figures. */
export type CpuWindow = {
  readonly histogram: Histogram
  /** The length of the window. */
  readonly minutes: number
}

/** The outcome of a request over the whole window. */
export type CpuCandidate = {
  readonly units: number
  /** Average freed units per pod: neither used nor requested. Negative for a larger request. */
  readonly savedUnits: number
  /** Per pod, of the whole window. */
  readonly minutesShort: number
  readonly unitMinutesShort: number
}

export type MemoryCandidate = {
  readonly kib: number
  readonly savedKib: number
  /** Days with higher usage: each an OOM kill, had the limit been the request. */
  readonly oomDays: number
}

const CANDIDATE_COUNT = 64

export type CpuQuestion = {
  readonly currentUnits: number
  readonly floorUnits: number
  /** The factor for unequal replicas, from the decision. */
  readonly replicaFactor: number
}

export function windowOf({ slots, offsets, buckets, counts }: SlotHistograms): CpuWindow {
  const parts = Array.from(slots, (_, index) => {
    const [from, to] = [offsets[index], offsets[index + 1]]
    return { buckets: buckets.subarray(from, to), counts: counts.subarray(from, to) }
  })
  return { histogram: mergeHistograms(parts), minutes: (slots.length * SLOT_SECONDS) / 60 }
}

/**
 * Requests from the floor to slightly above both the maximum and the current request, evenly spaced by ratio, for a
 * slider.
 */
export function cpuCandidates(window: CpuWindow, question: CpuQuestion): readonly CpuCandidate[] {
  const { currentUnits, floorUnits, replicaFactor } = question
  const highest = window.histogram.buckets.at(-1)
  if (highest === undefined) return []
  const top = 1.1 * Math.max(floorUnits, currentUnits, replicaFactor * edgeOf(highest))
  return cpuOutcomes(window, spread(floorUnits, top), question)
}

/** The outcome of given requests: the current one, the proposed one, VPA and KRR. */
export function cpuOutcomes(
  { histogram, minutes }: CpuWindow,
  requests: readonly number[],
  { currentUnits, replicaFactor }: Omit<CpuQuestion, 'floorUnits'>,
): readonly CpuCandidate[] {
  const curve = curveOf(histogram)
  if (curve.weight === 0) return []
  const need = (units: number) => shortAt(curve, units / replicaFactor)
  const current = heldAt(curve, currentUnits, replicaFactor)
  return requests.map((units) => ({
    units,
    savedUnits: current - heldAt(curve, units, replicaFactor),
    minutesShort: minutes * need(units).share,
    unitMinutesShort: minutes * replicaFactor * need(units).units,
  }))
}

/** The average that a pod holds: its request, and its usage above it. */
export function cpuHeld({ histogram }: CpuWindow, units: number): number {
  return heldAt(curveOf(histogram), units, 1)
}

const heldAt = (curve: Curve, units: number, replicaFactor: number) =>
  units + replicaFactor * shortAt(curve, units / replicaFactor).units

/** The smallest bucket edge with at most this share of all usage above it. */
export function unitsForVolume({ histogram: { buckets, counts } }: CpuWindow, shareMax: number): number {
  let used = 0
  buckets.forEach((bucket, index) => (used += middleOf(bucket) * (counts[index] ?? 0)))
  let [samples, above] = [0, 0]
  for (let index = buckets.length - 1; index >= 0; index--) {
    const edge = edgeOf(buckets[index] ?? 0)
    if (above - samples * edge > shareMax * used) return edgeOf(buckets[index + 1] ?? 0)
    samples += counts[index] ?? 0
    above += middleOf(buckets[index] ?? 0) * (counts[index] ?? 0)
  }
  return edgeOf(buckets[0] ?? 0)
}

/** The smallest bucket edge with at most this share of all samples above it. */
export function unitsForTime({ histogram }: CpuWindow, shareMax: number): number {
  return unitsAtTop(histogram, Math.floor(sampleCount(histogram) * shareMax) + 1)
}

/** The bucket edge with fewer than this many samples above it; 0 without that many. */
export function unitsAtTop({ buckets, counts }: Histogram, samples: number): number {
  let seen = 0
  for (let index = buckets.length - 1; index >= 0; index--) {
    seen += counts[index] ?? 0
    if (seen >= samples) return edgeOf(buckets[index] ?? 0)
  }
  return 0
}

export function memoryCandidates(
  memory: DailyMemory,
  { currentKib, floorKib }: { currentKib: number; floorKib: number },
): readonly MemoryCandidate[] {
  const peak = memory.max.reduce((most, value) => Math.max(most, value), 0)
  return memoryOutcomes(memory, spread(floorKib, 1.6 * Math.max(floorKib, currentKib, peak)), currentKib)
}

export function memoryOutcomes(
  memory: DailyMemory,
  requests: readonly number[],
  currentKib: number,
): readonly MemoryCandidate[] {
  if (memory.days.length === 0) return []
  const current = memoryHeld(memory, currentKib)
  return requests.map((kib) => ({
    kib,
    savedKib: current - memoryHeld(memory, kib),
    oomDays: memory.max.filter((most) => most > kib).length,
  }))
}

/** As `cpuHeld`, with the typical usage of each day. */
export function memoryHeld({ days, typical }: DailyMemory, kib: number): number {
  if (days.length === 0) return kib
  return typical.reduce((sum, used) => sum + Math.max(kib, used), 0) / days.length
}

function spread(least: number, to: number): number[] {
  const from = Math.max(1, least)
  const step = (to / from) ** (1 / (CANDIDATE_COUNT - 1))
  return Array.from({ length: CANDIDATE_COUNT }, (_, index) => from * step ** index)
}

function curveOf({ buckets, counts }: Histogram): Curve {
  const highest = buckets.at(-1) ?? -1
  const weights = new Float64Array(highest + 1)
  buckets.forEach((bucket, index) => (weights[bucket] = counts[index] ?? 0))
  const curve = makeCurve(highest + 1)
  fillCurve(curve, weights, buckets[0] ?? 0, highest)
  return curve
}
