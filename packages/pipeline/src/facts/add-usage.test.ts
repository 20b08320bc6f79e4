import { SECONDS_PER_DAY } from '@plimsoll/engine'
import { expect, test } from 'vitest'
import { around, aSnapshot } from '../../test/a-snapshot.ts'
import { addUsage } from './add-usage.ts'
import { factsOf } from './facts-of.ts'
import { packSnapshot } from './pack-snapshot.ts'
import type { StoredHours, StoredSlots, UsageReader } from './usage-reader.ts'

const slotSeconds = SECONDS_PER_DAY / 4
const slotCount = 100

/** The same usage in each of the last 100 slots; the last one is open. */
function slotsBefore(now: number): StoredSlots {
  const open = Math.floor(now / slotSeconds)
  return {
    cpu: {
      slots: Int32Array.from({ length: slotCount }, (_, index) => open + 1 - slotCount + index),
      offsets: Uint32Array.from({ length: slotCount + 1 }, (_, index) => index),
      buckets: new Uint16Array(slotCount).fill(20),
      counts: new Uint32Array(slotCount).fill(360),
    },
    memoryMaxByDay: new Map(),
  }
}

const storedHours: StoredHours = {
  figures: {
    ...{ samples: 20_160, weekPodSeconds: 7 * SECONDS_PER_DAY, weekMinutes: 10_080, dayPodSeconds: SECONDS_PER_DAY },
    ...{ dayRestarts: 0, restarts: 0, oomKills: 0, cpuPeriods: null, throttledPeriods: null, startHours: 0 },
    ...{ startUpMinutes: 0, startUpCpuMax: 0, startUpMemoryMax: 0, firstHour: new Date(0) },
  },
  startUp: { samples: 0, cpuMaxUnits: 0, memoryMaxKib: 0 },
  typicalMemory: new Map(),
  kills: [],
}

test('the CPU window of 14 days has at most the minutes of 14 days', async () => {
  const state = aSnapshot({ nodes: [{ name: 'a' }], pods: [{ name: 'web-1', node: 0 }] })
  const given = around(state)
  const facts = factsOf(state, given, packSnapshot(state, given))
  const means = { hours: new Int32Array(0), mean: new Float32Array(0), hottestMean: new Float32Array(0) }
  const reader: UsageReader = {
    jobContainers: async () => [],
    statefulMeans: async () => [],
    batches: (containers, now) => [
      {
        containers,
        hours: async () => new Map(containers.map((each) => [each, { kept: storedHours, means }])),
        slots: async () => new Map(containers.map((each) => [each, slotsBefore(now)])),
      },
    ],
  }
  const { workloads } = await addUsage(reader, facts, new Map())
  const usage = workloads[0]?.containers[0]?.usage
  expect(usage?.cpu.minutes).toBe(14 * 24 * 60)
  const { from = 0, to = 0 } = usage?.window ?? {}
  expect((to - from) / 60).toBe(14 * 24 * 60)
})
