import { decimal } from '../decimal.ts'
import type { NodeRates } from '../pricing/rate.ts'
import { SECONDS_PER_DAY, SECONDS_PER_HOUR } from '../time.ts'
import { KIB_PER_GIB, MICROCORES_PER_CORE } from '../units.ts'
import { compareTimes } from './known-time.ts'
import type { WorkloadUse } from './workload-change.ts'

/** For tests: one day of pods that request the same and use no more than that. */
export function aDayOfPods({ pods, cores, gib }: { pods: number; cores: number; gib: number }): WorkloadUse {
  const seconds = BigInt(pods * SECONDS_PER_DAY)
  const request = {
    cpu: seconds * BigInt(Math.round(cores * MICROCORES_PER_CORE)),
    memory: seconds * BigInt(Math.round(gib * KIB_PER_GIB)),
    gpu: 0n,
  }
  return { seconds, request, alloc: request }
}

/** Rates of the reference node, per vCPU-hour and GiB-hour, times a factor in percent. */
export function referenceRates(percent = 100): NodeRates {
  const rate = (usdPerHour: string, units: number) => ({
    kind: 'priced' as const,
    usdPerUnitSecond: (decimal(usdPerHour) * BigInt(percent)) / BigInt(100 * units * SECONDS_PER_HOUR),
    estimated: false,
  })
  return {
    cpu: rate('0.0312471015', MICROCORES_PER_CORE),
    memory: rate('0.0041882246', KIB_PER_GIB),
    gpu: rate('1', MICROCORES_PER_CORE),
  }
}

export const sameDay = compareTimes({ before: SECONDS_PER_DAY, now: SECONDS_PER_DAY }, { before: false, now: false })
