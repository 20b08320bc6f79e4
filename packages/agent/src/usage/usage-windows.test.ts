import { expect, test } from 'vitest'
import type { PodEntry } from '../observe/pods.ts'
import { UsageWindows } from './usage-windows.ts'

const minute = 29_000_000
const start = minute * 60
const app = { namespace: 'shop', pod: 'web', container: 'app' }

function aPod({ boundAt = start - 86_400, containers = ['app'] } = {}): PodEntry {
  const pod = { boundAt, shape: { containers: containers.map((name) => ({ name })) } }
  return {
    ref: 7,
    isEnded: false,
    facts: { pod, nodeRef: 3, workload: { kind: 'Deployment', name: 'web' } },
  } as PodEntry
}

const windowsOf = (entry: PodEntry) => new UsageWindows((_namespace, name) => (name === 'web' ? entry : undefined))
const ms = (second: number) => (start + second) * 1000

test('the mean between two counters is exact, and the highest step is above it', () => {
  const windows = windowsOf(aPod())
  windows.cpuCounter(app, 100, ms(0))
  windows.cpuCounter(app, 103, ms(15))
  windows.cpuCounter(app, 109, ms(30))
  windows.cpuCounter(app, 112, ms(60))
  for (const kib of [1000, 3000]) windows.memory(app, kib)
  // 12 core-seconds in 60 s; the second step is 6 in 15 s.
  expect(windows.take([3, 4], minute)).toEqual([
    {
      nodeRef: 3,
      samples: [
        {
          podRef: 7,
          container: 0,
          cpuMeanTenths: 2000,
          cpuAboveTenths: 2000,
          memoryMeanKib: 2000,
          memoryAboveKib: 1000,
        },
      ],
    },
    { nodeRef: 4, samples: [] },
  ])
})

test('the counter continues into the next minute, and no usage is sent twice', () => {
  const windows = windowsOf(aPod())
  windows.cpuCounter(app, 100, ms(0))
  windows.cpuCounter(app, 106, ms(60))
  windows.memory(app, 1)
  windows.take([3], minute)
  windows.cpuCounter(app, 106, ms(60))
  windows.cpuCounter(app, 118, ms(120))
  windows.memory(app, 1)
  expect(windows.take([3], minute + 1)[0]?.samples[0]).toMatchObject({ cpuMeanTenths: 2000, cpuAboveTenths: 0 })
})

test('a counter that restarted does not count as negative', () => {
  const windows = windowsOf(aPod())
  windows.cpuCounter(app, 100, ms(0))
  windows.cpuCounter(app, 3, ms(30))
  windows.memory(app, 1)
  expect(windows.take([3], minute)[0]?.samples[0]).toMatchObject({ cpuMeanTenths: 1000 })
})

test('usage of a new pod before its first sample counts, over the time since its binding', () => {
  const windows = windowsOf(aPod({ boundAt: start + 20 }))
  windows.cpuCounter(app, 8, ms(60))
  windows.memory(app, 100)
  // 8 core-seconds in the 40 s since it was bound.
  expect(windows.take([3], minute)[0]?.samples[0]).toMatchObject({ cpuMeanTenths: 2000 })
})

test('rates cover the first minute of a new pod', () => {
  const windows = windowsOf(aPod({ boundAt: start + 15 }))
  for (const second of [30, 45, 60]) {
    windows.cpuRate(app, 0.5, 15, ms(second))
    windows.memory(app, 100)
  }
  expect(windows.take([3], minute)[0]?.samples[0]).toMatchObject({ cpuMeanTenths: 5000, memoryMeanKib: 100 })
})

test('a repeated measurement counts once', () => {
  const windows = windowsOf(aPod())
  windows.cpuRate(app, 0.5, 15, ms(10))
  windows.cpuRate(app, 0.5, 15, ms(10))
  windows.cpuRate(app, 0.1, 15, ms(25))
  windows.memory(app, 100)
  expect(windows.take([3], minute)[0]?.samples[0]).toMatchObject({ cpuMeanTenths: 3000, cpuAboveTenths: 2000 })
})

test('after a change of the source, usage before its first counter does not count', () => {
  const windows = windowsOf(aPod())
  windows.cpuCounter(app, 86_300, ms(-60))
  windows.cpuRate(app, 0.1, 15, ms(10))
  windows.cpuCounter(app, 86_400, ms(20))
  windows.cpuCounter(app, 86_401, ms(30))
  windows.memory(app, 100)
  // 1.5 core-seconds in 15 s, then 1 in 10 s.
  expect(windows.take([3], minute)[0]?.samples[0]).toMatchObject({ cpuMeanTenths: 1000, cpuAboveTenths: 0 })
})

test('a deleted pod is sent one last time; unknown containers and pods are not', () => {
  const entry = aPod()
  const windows = windowsOf(entry)
  windows.cpuRate(app, 0.5, 15, ms(10))
  windows.memory(app, 100)
  windows.memory({ ...app, container: 'other' }, 100)
  windows.memory({ ...app, pod: 'unknown' }, 100)
  entry.isEnded = true
  expect(windows.take([3], minute)[0]?.samples).toHaveLength(1)
  expect(windows.take([3], minute + 1)[0]?.samples).toEqual([])
})
