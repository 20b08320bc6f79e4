import { weightOf, WINDOW_SLOTS, type Clock } from './clock.ts'
import { fillCurve, fillMixedCurve, type Curve } from './curve.ts'
import { CPU_SCALE, middleOf } from './histogram.ts'
import { lowerBound, type SlotHistograms } from './usage-state.ts'
import { VPA_PERCENTILE, vpaCpuTarget } from './vpa.ts'

/**
 * The history of one container, processed once from old to new. At each boundary the sums hold what was known then, and
 * `ahead` collects data until the next boundary. Scratch: create one per fleet and clear it for each container.
 */
export type Timeline = {
  lo: number
  hi: number
  aheadLo: number
  aheadHi: number
  readonly fast: Float64Array
  readonly slow: Float64Array
  readonly vpa: Float64Array
  /** Samples of the last 14 days, undecayed. */
  readonly window: Float64Array
  readonly ahead: Float64Array
}

/**
 * `decide` is called when all data before boundary `k` is in, `judge` when `ahead` holds the data up to the next one.
 */
export type Visitor = { readonly decide: (k: number) => void; readonly judge: (k: number) => void }

export function makeTimeline(): Timeline {
  const dense = () => new Float64Array(CPU_SCALE.bucketCount)
  return {
    ...{ lo: CPU_SCALE.bucketCount, hi: -1, aheadLo: CPU_SCALE.bucketCount, aheadHi: -1 },
    ...{ fast: dense(), slow: dense(), vpa: dense(), window: dense(), ahead: dense() },
  }
}

/**
 * Visits each boundary and finally now: `decide(boundaries.length)`. `slidesWindow` keeps the window at every boundary
 * and not only now, which costs a quarter more.
 */
export function walk(
  timeline: Timeline,
  usage: SlotHistograms,
  clock: Clock,
  { visitor, slidesWindow = false }: { visitor: Visitor; slidesWindow?: boolean },
): void {
  clear(timeline)
  const { slots } = usage
  const rounds = clock.boundaries.length
  const firstEnd = slidesWindow ? (clock.boundaries[0] ?? clock.openSlot) : clock.openSlot
  let counted = lowerBound(slots, firstEnd - WINDOW_SLOTS)
  let expired = counted
  let next = 0
  const take = (end: number) => {
    for (; next < slots.length && (slots[next] ?? 0) < end; next++) addSlot(timeline, usage, next, clock)
    for (; counted < next; counted++) countSlot(timeline, usage, counted)
  }
  for (let k = 0; k <= rounds; k++) {
    const isNow = k === rounds
    const end = isNow ? clock.openSlot : (clock.boundaries[k] ?? 0)
    take(end)
    if (k > 0) visitor.judge(k - 1)
    clearAhead(timeline)
    // The open slot counts for the current decision and evaluates no decision.
    if (isNow) take(Infinity)
    const oldest = lowerBound(slots, end - WINDOW_SLOTS)
    for (; expired < oldest; expired++) expireSlot(timeline, usage, expired)
    visitor.decide(k)
  }
}

/** The forecast at boundary `k`: recent days with a half-life of 12 hours, and a part of the last weeks. */
// eslint-disable-next-line @typescript-eslint/max-params -- an inner loop: an object per call is garbage
export function fillForecast(timeline: Timeline, clock: Clock, k: number, slowShare: number, curve: Curve): void {
  const { fast, slow, lo, hi } = timeline
  const slowFactor = slowShare * (clock.slow.growth[k] ?? 0)
  fillMixedCurve(curve, fast, clock.fast.growth[k] ?? 0, slow, slowFactor, lo, hi)
}

export function fillAhead({ ahead, aheadLo, aheadHi }: Timeline, curve: Curve): void {
  fillCurve(curve, ahead, aheadLo, aheadHi)
}

/** The exact VPA algorithm, except that samples are counted in our narrower buckets first, which rarely matters. */
export function shadowVpa({ vpa, lo, hi }: Timeline): number {
  return vpaCpuTarget(middleOf(quantileBucket(vpa, lo, hi, VPA_PERCENTILE)))
}

/** KRR takes an undecayed percentile of the last 14 days, and at least 10 millicores. */
export function shadowKrr({ window, lo, hi }: Timeline, share: number): number {
  return Math.max(KRR_FLOOR_UNITS, middleOf(quantileBucket(window, lo, hi, share)))
}

const KRR_FLOOR_UNITS = 100

/** From above, because the percentiles in use are high. */
export function quantileBucket(weights: Float64Array, lo: number, hi: number, share: number): number {
  let total = 0
  for (let bucket = lo; bucket <= hi; bucket++) total += weights[bucket] ?? 0
  let above = 0
  for (let bucket = hi; bucket > lo; bucket--) {
    above += weights[bucket] ?? 0
    if (above > (1 - share) * total) return bucket
  }
  return lo
}

function addSlot(timeline: Timeline, usage: SlotHistograms, index: number, clock: Clock): void {
  const { fast, slow, vpa } = timeline
  const { buckets, counts } = usage
  const age = clock.openSlot - (usage.slots[index] ?? 0)
  const fastWeight = weightOf(clock.fast, age)
  const slowWeight = weightOf(clock.slow, age)
  const vpaWeight = weightOf(clock.vpa, age)
  const from = usage.offsets[index] ?? 0
  const to = usage.offsets[index + 1] ?? from
  for (let entry = from; entry < to; entry++) {
    const bucket = buckets[entry] ?? 0
    const count = counts[entry] ?? 0
    fast[bucket] = (fast[bucket] ?? 0) + count * fastWeight
    slow[bucket] = (slow[bucket] ?? 0) + count * slowWeight
    vpa[bucket] = (vpa[bucket] ?? 0) + count * vpaWeight
  }
  timeline.lo = Math.min(timeline.lo, buckets[from] ?? 0)
  timeline.hi = Math.max(timeline.hi, buckets[to - 1] ?? 0)
}

/** Counts undecayed samples of a slot for a window or an evaluation. */
function countSlot(timeline: Timeline, usage: SlotHistograms, index: number): void {
  const { window, ahead } = timeline
  const { buckets, counts } = usage
  const from = usage.offsets[index] ?? 0
  const to = usage.offsets[index + 1] ?? from
  for (let entry = from; entry < to; entry++) {
    const bucket = buckets[entry] ?? 0
    const count = counts[entry] ?? 0
    window[bucket] = (window[bucket] ?? 0) + count
    ahead[bucket] = (ahead[bucket] ?? 0) + count
  }
  timeline.aheadLo = Math.min(timeline.aheadLo, buckets[from] ?? 0)
  timeline.aheadHi = Math.max(timeline.aheadHi, buckets[to - 1] ?? 0)
}

function expireSlot({ window }: Timeline, usage: SlotHistograms, index: number): void {
  const to = usage.offsets[index + 1] ?? 0
  for (let entry = usage.offsets[index] ?? 0; entry < to; entry++) {
    const bucket = usage.buckets[entry] ?? 0
    window[bucket] = (window[bucket] ?? 0) - (usage.counts[entry] ?? 0)
  }
}

function clear(timeline: Timeline): void {
  const { fast, slow, vpa, window, lo, hi } = timeline
  for (const dense of [fast, slow, vpa, window]) if (hi >= lo) dense.fill(0, lo, hi + 1)
  timeline.lo = CPU_SCALE.bucketCount
  timeline.hi = -1
  clearAhead(timeline)
}

function clearAhead(timeline: Timeline): void {
  const { ahead, aheadLo, aheadHi } = timeline
  if (aheadHi >= aheadLo) ahead.fill(0, aheadLo, aheadHi + 1)
  timeline.aheadLo = CPU_SCALE.bucketCount
  timeline.aheadHi = -1
}
