import { createHash } from 'node:crypto'
import {
  type ContainerKey,
  encodeHistogram,
  type FoldedContainer,
  keyText,
  mergeHistograms,
  minutesIn,
  percentile,
  type UsageHistogram,
} from '@plimsoll/pipeline/fold'

/** Use of one resource in an hour, as it is stored. */
export type StoredUse = { sum: number; max: number; hottest: number; histogram: UsageHistogram }

export type StoredUsage = {
  containerId: string
  podSeconds: number
  oomKills: number
  restarts: number
  /** Null: not reported. */
  throttling: FoldedContainer['throttling']
  cpu: StoredUse
  memory: StoredUse
  startUp: FoldedContainer['startUp']
}

/** The same in every database, so that no look-up is needed. */
export const containerIdOf = (key: ContainerKey): string =>
  createHash('sha256').update(keyText(key)).digest().readBigInt64BE(0).toString()

/** Usage is added; figures of the whole hour replace the stored ones. */
export function mergeUsage(stored: StoredUsage | undefined, added: StoredUsage): StoredUsage {
  if (!stored) return added
  return {
    ...added,
    cpu: mergeUse(stored.cpu, added.cpu),
    memory: mergeUse(stored.memory, added.memory),
    startUp: {
      minutes: stored.startUp.minutes + added.startUp.minutes,
      cpuSum: stored.startUp.cpuSum + added.startUp.cpuSum,
      cpuMax: Math.max(stored.startUp.cpuMax, added.startUp.cpuMax),
      memoryMax: Math.max(stored.startUp.memoryMax, added.startUp.memoryMax),
    },
  }
}

const mergeUse = (stored: StoredUse, added: StoredUse): StoredUse => ({
  sum: stored.sum + added.sum,
  max: Math.max(stored.max, added.max),
  hottest: added.hottest,
  histogram: mergeHistograms(stored.histogram, added.histogram),
})

export function usageRecord(row: StoredUsage): object {
  return {
    container_id: row.containerId,
    pod_seconds: row.podSeconds,
    pod_minutes: minutesIn(row.cpu.histogram),
    oom_kills: row.oomKills,
    restarts: row.restarts,
    cpu_periods: row.throttling?.periods ?? null,
    throttled_periods: row.throttling?.throttledPeriods ?? null,
    ...useRecord('cpu', row.cpu),
    ...useRecord('memory', row.memory),
    startup_minutes: row.startUp.minutes,
    startup_cpu_sum: row.startUp.cpuSum,
    startup_cpu_max: row.startUp.cpuMax,
    startup_memory_max: row.startUp.memoryMax,
  }
}

function useRecord(resource: 'cpu' | 'memory', { sum, max, hottest, histogram }: StoredUse): object {
  const values = {
    sum,
    p50: percentile(histogram, 0.5, max),
    p90: percentile(histogram, 0.9, max),
    p99: percentile(histogram, 0.99, max),
    max,
    hottest,
    histogram: hex(histogram),
  }
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [`${resource}_${name}`, value]))
}

/** The text form of bytea in PostgreSQL. */
export const hex = (histogram: UsageHistogram) => `\\x${encodeHistogram(histogram).toString('hex')}`
