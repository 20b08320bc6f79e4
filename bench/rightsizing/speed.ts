import { decideFleet, histogramOf, NO_START_UP, packSlots } from '../../packages/engine/src/testing/index.ts'
import {
  CPU_SCALE,
  decideMemory,
  DIALS,
  GUARD_POLICY,
  SLOT_SECONDS,
  type ContainerUsage,
  type FleetContainer,
  type MemoryContainer,
} from '../../packages/engine/src/rightsizing/index.ts'
import { printPace } from '../lib/pace.ts'

/** Containers, and the days that a request applies: 7 as in the service, 1 with five times as many rehearsals. */
const SIZES = [
  [4_500, 7],
  [22_500, 7],
  [45_000, 7],
  [45_000, 1],
] as const
const HISTORY_SLOTS = 35 * 4
const NOW = HISTORY_SLOTS * SLOT_SECONDS
/** The number of different containers in memory: more than caches hold, as in a cluster. */
const POOL = 1_500
const SAMPLES_PER_SLOT = 60

/** The time to decide a large cluster: budget solved, the last 14 days rehearsed, including memory. */
export function measureSpeed(): void {
  const pool = Array.from({ length: POOL }, (_, index) => madeUpUsage(index))
  const entries = pool.reduce((sum, { cpu }) => sum + cpu.buckets.length, 0) / POOL / HISTORY_SLOTS
  console.log(`35 days of history, ${entries.toFixed(0)} buckets in a slot, 14 days rehearsed; CPU time of one core`)
  for (const [size, standingDays] of SIZES) {
    printPace()
    const before = process.cpuUsage()
    const { decisions } = decideFleet(
      { [Symbol.iterator]: () => cpuContainers(pool, size) },
      { ...GUARD_POLICY, dial: DIALS.balanced, standingDays, rehearses: true, keepsStanding: true },
      NOW,
    )
    const cpuSeconds = secondsSince(before)
    const between = process.cpuUsage()
    decideMemory({ [Symbol.iterator]: () => memoryContainers(pool, size) }, GUARD_POLICY, NOW)
    const memorySeconds = secondsSince(between)
    const requests = decisions.filter(({ kind }) => kind === 'request').length
    const { rss, arrayBuffers } = process.memoryUsage()
    console.log(
      `${size.toLocaleString('en').padStart(7)} containers, ${standingDays} days  CPU ${cpuSeconds.toFixed(2)} s  memory ${memorySeconds.toFixed(2)} s  ` +
        `${(((cpuSeconds + memorySeconds) / size) * 1e6).toFixed(0)} µs each  ${requests} requests  ` +
        `${(rss / 2 ** 20).toFixed(0)} MiB resident (${(arrayBuffers / 2 ** 20).toFixed(0)} in arrays, pool included)`,
    )
  }
}

function* cpuContainers(pool: readonly ContainerUsage[], size: number): Generator<FleetContainer> {
  for (let index = 0; index < size; index++) {
    const usage = pool[index % pool.length]
    if (usage) yield { usage, facts: { coverage: 1 }, replicas: 1 + (index % 7), floorUnits: 100, standingUnits: 500 }
  }
}

function* memoryContainers(pool: readonly ContainerUsage[], size: number): Generator<MemoryContainer> {
  for (let index = 0; index < size; index++) {
    const usage = pool[index % pool.length]
    if (usage) yield { usage, facts: { coverage: 1 }, replicas: 1 + (index % 7), floorKib: 20 * 1024 }
  }
}

function secondsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1e6
}

/** Reproducible usage: a base level, a daily pattern, noise and occasional peaks. */
function madeUpUsage(seed: number): ContainerUsage {
  const noise = noiseOf(seed)
  const level = 10 ** (1 + 3 * noise())
  const use = (slot: number) =>
    level *
    (1 + 0.5 * Math.sin((slot * Math.PI) / 2)) *
    Math.exp(0.4 * (noise() + noise() - 1)) *
    (noise() > 0.99 ? 4 : 1)
  const slots = Array.from({ length: HISTORY_SLOTS }, (_, slot) => ({
    slot,
    histogram: histogramOf(
      CPU_SCALE,
      Array.from({ length: SAMPLES_PER_SLOT }, () => use(slot)),
    ),
  }))
  const hours = Int32Array.from({ length: 14 * 24 }, (_, index) => NOW / 3600 - 14 * 24 + index)
  const column = (factor: number) => Float32Array.from(hours, () => level * factor * (1 + 0.2 * noise()))
  const days = Int32Array.from({ length: 28 }, (_, index) => NOW / 86_400 - 28 + index)
  const memory = (factor: number) => Float64Array.from(days, () => level * 1000 * factor * (1 + 0.1 * noise()))
  return {
    cpu: packSlots(slots),
    hours: {
      hours,
      mean: column(1),
      p50: column(1),
      p90: column(1.4),
      p99: column(2),
      max: column(3),
      hottestMean: column(1.2),
    },
    memory: { days, max: memory(1.2), typical: memory(1) },
    oomKills: [],
    startUp: NO_START_UP,
  }
}

/** Uniform numbers from 0 to 1, by a linear congruential generator. */
function noiseOf(seed: number): () => number {
  let state = (seed * 2654435761) >>> 0
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}
