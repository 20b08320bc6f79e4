import { bucketOf, edgeOf, middleOf, sampleCount, sparse, type Histogram, type UsageScale } from './histogram.ts'
import type { SlotHistograms, StartUp } from './usage-state.ts'

export const NO_START_UP: StartUp = { samples: 0, cpuMaxUnits: 0, memoryMaxKib: 0 }

/** Values in units, in any order. */
export function histogramOf(scale: UsageScale, values: Iterable<number>): Histogram {
  const dense = new Float64Array(scale.bucketCount)
  for (const value of values) {
    const bucket = bucketOf(scale, value)
    dense[bucket] = (dense[bucket] ?? 0) + 1
  }
  return sparse(dense)
}

/** Slots in any order, each once; empty histograms are omitted. */
export function packSlots(slots: Iterable<{ slot: number; histogram: Histogram }>): SlotHistograms {
  const known = [...slots].filter(({ histogram }) => histogram.buckets.length > 0).sort((a, b) => a.slot - b.slot)
  const entries = known.reduce((sum, { histogram }) => sum + histogram.buckets.length, 0)
  const packed = {
    slots: Int32Array.from(known, ({ slot }) => slot),
    offsets: new Uint32Array(known.length + 1),
    buckets: new Uint16Array(entries),
    counts: new Uint32Array(entries),
  }
  let at = 0
  known.forEach(({ slot, histogram }, index) => {
    if (known[index - 1]?.slot === slot) throw new Error(`slot ${slot} occurs twice; merge its histograms first`)
    packed.buckets.set(histogram.buckets, at)
    packed.counts.set(histogram.counts, at)
    at += histogram.buckets.length
    packed.offsets[index + 1] = at
  })
  return packed
}

export type HourSummary = {
  readonly mean: number
  readonly p50: number
  readonly p90: number
  readonly p99: number
  readonly max: number
}

/** The figures of an hour from its histogram: percentiles are upper bucket edges, the mean uses bucket middles. */
export function summariseUse(scale: UsageScale, histogram: Histogram): HourSummary | undefined {
  const total = sampleCount(histogram)
  if (total === 0) return undefined
  const { buckets, counts } = histogram
  let sum = 0
  buckets.forEach((bucket, index) => (sum += middleOf(bucket) * (counts[index] ?? 0)))
  const edge = (share: number) => Math.min(scale.unitsMax, edgeOf(bucketAtShare(histogram, total, share)))
  return { mean: sum / total, p50: edge(0.5), p90: edge(0.9), p99: edge(0.99), max: edge(1) }
}

function bucketAtShare({ buckets, counts }: Histogram, total: number, share: number): number {
  let sum = 0
  for (let index = 0; index < buckets.length; index++) {
    sum += counts[index] ?? 0
    if (sum >= share * total - 1e-9) return buckets[index] ?? 0
  }
  return buckets.at(-1) ?? 0
}
