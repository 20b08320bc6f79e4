import {
  VPA_CPU,
  VPA_HALF_LIFE_SECONDS,
  VPA_MEMORY,
  vpaBucketCount,
  vpaBucketOf,
  vpaTarget,
} from '../../packages/engine/src/rightsizing/index.ts'
import { BYTES_PER_KIB, UNITS_PER_CORE, type Folded } from './fold.ts'
import type { Recommender, Seat } from './replay.ts'
import { SortedWindow } from './sorted-window.ts'

/** The requests of other tools, computed from the raw samples. */
export function cpuPeers(): Recommender[] {
  return [
    { name: 'VPA', decide: vpaCpu() },
    { name: 'KRR p95', decide: eachDue((seat) => Math.max(0.01, quantile(window(seat, 14), 0.95))) },
    { name: 'KRR p99', decide: eachDue((seat) => Math.max(0.01, quantile(window(seat, 14), 0.99))) },
    {
      name: 'Kubecost',
      decide: eachDue((seat) => Math.max(0.01, largest(cpuOf(seat), seat.at - 7 * seat.plan.perDay, seat.at) / 0.7)),
    },
    { name: 'clairvoyant', decide: eachDue((seat) => Math.max(1e-6, largest(cpuOf(seat), seat.at, seat.to))) },
  ]
}

export function memoryPeers(): Recommender[] {
  const before = (seat: Seat, days: number) => largest(memoryOf(seat), seat.at - days * seat.plan.perDay, seat.at)
  return [
    { name: 'VPA', decide: vpaMemory() },
    { name: 'KRR', decide: eachDue((seat) => Math.max(100e6, 1.15 * before(seat, 14))) },
    { name: 'Kubecost', decide: eachDue((seat) => Math.max(20 * 2 ** 20, before(seat, 7) / 0.7)) },
    { name: 'clairvoyant', decide: eachDue((seat) => Math.max(1e-6, largest(memoryOf(seat), seat.at, seat.to))) },
  ]
}

/** One peak per day, replaced while it grows. As in the original, a day that begins with 0 has 0 as its peak. */
function vpaMemory(): Recommender['decide'] {
  const histograms = new Map<number, { weights: Float64Array; seen: number; day: number; peak: number }>()
  return eachDue((seat) => {
    const made = { weights: new Float64Array(vpaBucketCount(VPA_MEMORY)), seen: 0, day: -1, peak: 0 }
    const own = histograms.get(seat.id) ?? made
    histograms.set(seat.id, own)
    const add = (kib: number, weight: number) => {
      const bucket = vpaBucketOf(VPA_MEMORY, kib)
      own.weights[bucket] = Math.max(0, (own.weights[bucket] ?? 0) + weight * 2 ** own.day)
    }
    for (; own.seen < seat.at; own.seen++) {
      const kib = (memoryOf(seat)[own.seen] ?? Number.NaN) / BYTES_PER_KIB
      if (Number.isNaN(kib)) continue
      const day = Math.floor((own.seen * seat.folded.series.dt) / VPA_HALF_LIFE_SECONDS)
      const isNewDay = day > own.day
      if (!isNewDay && (own.peak === 0 || kib <= own.peak)) continue
      if (!isNewDay) add(own.peak, -1)
      own.day = day
      own.peak = kib
      add(kib, 1)
    }
    return vpaTarget(VPA_MEMORY, own.weights) * BYTES_PER_KIB
  })
}

const memoryOf = ({ folded }: Seat) => folded.series.memory ?? new Float32Array()

function eachDue(decide: (seat: Seat) => number): Recommender['decide'] {
  return (seats) => seats.map((seat) => (seat.isDue ? decide(seat) : Number.NaN))
}

function largest(values: Float32Array, from: number, to: number): number {
  let max = Number.NaN
  for (let index = Math.max(0, from); index < to; index++) {
    const value = values[index] ?? Number.NaN
    if (!(value <= max) && !Number.isNaN(value)) max = value
  }
  return max
}

const cpuOf = ({ folded }: Seat) => folded.series.cpu ?? new Float32Array()

/** Both percentiles of KRR use the same sorted samples, which change little between decisions. */
const windows = new WeakMap<Folded, SortedWindow>()

function window({ folded, plan, at }: Seat, days: number): Float32Array {
  const from = Math.max(0, at - days * plan.perDay)
  const known = windows.get(folded)
  if (known?.isNear(from, at)) return known.moveTo(from, at)
  const made = new SortedWindow(folded.series.cpu ?? new Float32Array(), from, at)
  windows.set(folded, made)
  return made.values
}

function quantile(ascending: Float32Array, share: number): number {
  const at = share * (ascending.length - 1)
  const below = ascending[Math.floor(at)] ?? Number.NaN
  const above = ascending[Math.ceil(at)] ?? below
  return below + (at - Math.floor(at)) * (above - below)
}

/** Each series has one histogram, which is updated sample by sample. */
function vpaCpu(): Recommender['decide'] {
  const histograms = new Map<number, { weights: Float64Array; seen: number }>()
  return eachDue((seat) => {
    const own = histograms.get(seat.id) ?? { weights: new Float64Array(vpaBucketCount(VPA_CPU)), seen: 0 }
    histograms.set(seat.id, own)
    const { cpu, dt } = seat.folded.series
    for (; own.seen < seat.at; own.seen++) {
      const units = (cpu?.[own.seen] ?? Number.NaN) * UNITS_PER_CORE
      if (Number.isNaN(units)) continue
      const bucket = vpaBucketOf(VPA_CPU, units)
      own.weights[bucket] = (own.weights[bucket] ?? 0) + 2 ** ((own.seen * dt) / VPA_HALF_LIFE_SECONDS)
    }
    return vpaTarget(VPA_CPU, own.weights) / UNITS_PER_CORE
  })
}
