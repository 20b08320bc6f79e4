import { noise } from '../random.ts'
import type { Archetype } from '../scenario/scenario.ts'
import type { SimPod } from './state.ts'
import { KIB_PER_MIB } from './versions.ts'

/** The mean usage of one container in one minute in which it ran. */
export type Use = { cpuMillicores: number; cpuPeakFactor: number; memoryKib: number; memoryPeakFactor: number }

/** The load of a workload, around 1. All its pods have the same daily pattern. */
export function loadAt(archetype: Archetype, seed: number, minute: number): number {
  const wobble = 0.95 + 0.1 * noise(seed, minute, 1)
  switch (archetype.kind) {
    case 'web':
      return wobble * rhythm(minute, archetype.peakHourUtc ?? 14, archetype.swing ?? 0.6)
    case 'spiky':
      return wobble * (isSpike(seed, minute, archetype.spikesPerDay ?? 8) ? (archetype.factor ?? 6) : 0.6)
    case 'leak':
    case 'jvm':
    case 'database':
      return wobble * rhythm(minute, 13, 0.3)
    case 'batch':
    case 'training':
    case 'idle':
    case 'crash-loop':
    case 'steady':
      return wobble
  }
}

const MINUTES_PER_DAY = 1440

/** A cosine over the day, two thirds of it at weekends. Day 0 of 1970 was a Thursday. */
function rhythm(minute: number, peakHourUtc: number, swing: number): number {
  const day = Math.floor(minute / MINUTES_PER_DAY) % 7
  const angle = ((minute % MINUTES_PER_DAY) / MINUTES_PER_DAY - peakHourUtc / 24) * 2 * Math.PI
  return (day === 2 || day === 3 ? 0.67 : 1) * (1 + swing * Math.cos(angle))
}

/** Spikes begin at a random minute of their part of the day and last three to eight minutes. */
function isSpike(seed: number, minute: number, spikesPerDay: number): boolean {
  if (spikesPerDay === 0) return false
  const length = MINUTES_PER_DAY / spikesPerDay
  const part = Math.floor(minute / length)
  const begin = part * length + Math.floor(noise(seed, part, 2) * Math.max(0, length - 8))
  return begin <= minute && minute < begin + 3 + Math.floor(noise(seed, part, 3) * 6)
}

/** `ageSeconds`: the mean age of the container in the minute. */
// eslint-disable-next-line @typescript-eslint/max-params -- an inner loop: an object per call is garbage
export function useOf(pod: SimPod, container: number, load: number, minute: number, ageSeconds: number): Use {
  const { uses } = pod.workload.containers[container] ?? noContainer
  const { kind } = pod.workload.spec.archetype
  const isMain = container === pod.workload.main
  const own = 0.85 + 0.3 * noise(pod.noiseSeed, container)
  const wobble = 0.92 + 0.16 * noise(pod.noiseSeed, minute, container + 1)
  const warmUp = kind === 'jvm' && isMain && ageSeconds < 300 ? 2.5 : 1
  return {
    cpuMillicores: uses.cpuMillicores * load * own * wobble * warmUp,
    cpuPeakFactor: 0.1 + peakFactors[kind] * noise(pod.noiseSeed, minute, container + 101),
    memoryKib: memoryKib(pod, container, uses.memoryMib * KIB_PER_MIB, isMain ? ageSeconds : 0, minute, load),
    memoryPeakFactor: 0.03 * noise(pod.noiseSeed, minute, container + 201),
  }
}

const noContainer = { uses: { cpuMillicores: 0, memoryMib: 0 } }

/** The maximum ratio of the highest sample of a minute to its mean. */
const peakFactors: Readonly<Record<Archetype['kind'], number>> = {
  web: 0.6,
  spiky: 1.5,
  batch: 0.2,
  leak: 0.5,
  jvm: 0.8,
  database: 0.5,
  training: 0.15,
  idle: 2,
  'crash-loop': 0.3,
  steady: 0.3,
}

// eslint-disable-next-line @typescript-eslint/max-params -- an inner loop: an object per call is garbage
function memoryKib(pod: SimPod, container: number, kib: number, age: number, minute: number, load: number): number {
  const { archetype } = pod.workload.spec
  const wobble = 0.98 + 0.04 * noise(pod.noiseSeed, minute, container + 301)
  switch (archetype.kind) {
    case 'leak':
      return container === pod.workload.main ? kib + leakedKib(archetype.memoryMibPerHour, age) : kib * wobble
    case 'jvm':
      // The heap grows to its size within two hours; each collection frees up to a fifth.
      return kib * Math.min(1, 0.5 + age / 14_400) * (0.8 + (0.2 * ((minute + pod.id) % 30)) / 29)
    case 'database':
      return kib * Math.min(1, 0.4 + age / 36_000) * wobble
    case 'web':
    case 'spiky':
      return kib * (0.85 + 0.15 * Math.min(2, load)) * wobble
    case 'batch':
    case 'training':
    case 'idle':
    case 'crash-loop':
    case 'steady':
      return kib * wobble
  }
}

function leakedKib(memoryMibPerHour: number, ageSeconds: number): number {
  return (memoryMibPerHour * KIB_PER_MIB * ageSeconds) / 3600
}

/** The time until a leaking container reaches its limit. */
export function secondsToLimit(pod: SimPod): number {
  const { archetype } = pod.workload.spec
  if (archetype.kind !== 'leak') return Infinity
  const { uses } = pod.workload.containers[pod.workload.main] ?? noContainer
  const freeKib = memoryLimitKib(pod, pod.workload.main) - uses.memoryMib * KIB_PER_MIB
  return Math.max(1, Math.floor((freeKib / (archetype.memoryMibPerHour * KIB_PER_MIB)) * 3600))
}

export function memoryLimitKib(pod: SimPod, container: number): number {
  return pod.template.shape.containers[container]?.memory_limit ?? Infinity
}
