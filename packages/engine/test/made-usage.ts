import { histogramOf, NO_START_UP, packSlots } from '../src/rightsizing/builders.ts'
import { CPU_SCALE } from '../src/rightsizing/histogram.ts'
import { SLOT_SECONDS, SLOTS_PER_DAY, type ContainerUsage, type HourlyCpu } from '../src/rightsizing/usage-state.ts'
import { DIALS } from '../src/rightsizing/safety-margin.ts'
import { GUARD_POLICY } from '../src/rightsizing/guards.ts'
import type { FleetContainer, FleetPolicy } from '../src/rightsizing/fleet.ts'

/** Day 40 of the epoch, which leaves 35 days before it. */
export const NOW = 40 * 86_400

/** `samples(age)` are the samples, in CPU units, of the slot that is `age` slots old; 1 is the last complete one. */
export function madeUsage({
  days = 14,
  samples = () => [1000],
  hottest = 1,
  memoryKib = () => 1_000_000,
}: {
  days?: number
  samples?: (ageSlots: number) => readonly number[]
  hottest?: number
  memoryKib?: (ageDays: number) => number
} = {}): ContainerUsage {
  const open = NOW / SLOT_SECONDS
  const slots = Array.from({ length: days * SLOTS_PER_DAY }, (_, index) => {
    const age = days * SLOTS_PER_DAY - index
    return { slot: open - age, histogram: histogramOf(CPU_SCALE, samples(age)) }
  })
  const ages = Array.from({ length: days }, (_, index) => days - index)
  const peaks = Float64Array.from(ages, memoryKib)
  return {
    cpu: packSlots(slots),
    hours: steadyHours(days * 24, hottest),
    memory: { days: Int32Array.from(ages, (age) => NOW / 86_400 - age), max: peaks, typical: peaks },
    oomKills: [],
    startUp: NO_START_UP,
  }
}

export function steadyHours(count: number, hottest: number, mean = 100): HourlyCpu {
  const column = (value: number) => new Float32Array(count).fill(value)
  return {
    hours: Int32Array.from({ length: count }, (_, index) => NOW / 3600 - count + index),
    ...{ mean: column(mean), p50: column(mean), p90: column(mean), p99: column(mean), max: column(mean) },
    hottestMean: column(mean * hottest),
  }
}

export function aContainer(own: Partial<FleetContainer> = {}): FleetContainer {
  return { usage: madeUsage(), facts: { coverage: 1 }, replicas: 1, floorUnits: 100, ...own }
}

export function aPolicy(own: Partial<FleetPolicy> = {}): FleetPolicy {
  return {
    ...GUARD_POLICY,
    dial: { ...DIALS.balanced, givesBack: false },
    standingDays: 1,
    rehearses: false,
    keepsStanding: false,
    ...own,
  }
}
