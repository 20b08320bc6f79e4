import fc from 'fast-check'
import { expect, test } from 'vitest'
import { BatchReader } from './batch-reader.ts'
import { BatchWriter } from './batch-writer.ts'
import { type NodeHour, type UsageFigures, type UsageHour } from './history.ts'
import { parseBatch } from './parse-batch.ts'
import { usageBuckets } from './usage-buckets.ts'

const agent = { version: '1.0.0', kubernetes_version: '1.33', usage_source: 'prometheus' as const }

const name = fc.string({ minLength: 1, maxLength: 12 })
const plain = { noNullPrototype: true }

const nodeHour: fc.Arbitrary<NodeHour> = fc.record(
  {
    nodeRef: fc.nat(),
    hour: fc.nat(),
    samples: fc.array(
      fc.record({ podRef: fc.nat(), container: fc.nat(9), cpuMeanTenths: fc.nat(1e8), memoryMeanKib: fc.nat() }, plain),
      { maxLength: 5 },
    ),
  },
  plain,
)

const figures: fc.Arbitrary<UsageFigures> = fc
  .tuple(
    fc.array(fc.nat(1e8), { minLength: 3, maxLength: 3 }),
    fc.uniqueArray(fc.nat(usageBuckets.cpu.count - 1), { maxLength: 8 }),
    fc.array(fc.integer({ min: 1, max: 6000 }), { minLength: 8, maxLength: 8 }),
  )
  .map(([values, buckets, podMinutes]) => {
    const [mean = 0, hottest = 0, max = 0] = values.sort((a, b) => a - b)
    return {
      mean,
      hottest,
      max,
      buckets: buckets.sort((a, b) => a - b),
      podMinutes: podMinutes.slice(0, buckets.length),
    }
  })

const throttling = fc
  .tuple(fc.integer({ min: 1, max: 1e9 }), fc.nat(100))
  .map(([periods, percent]) => ({ periods, throttledPeriods: Math.floor((periods * percent) / 100) }))

const unthrottled: fc.Arbitrary<UsageHour> = fc.record(
  {
    namespace: name,
    workloadKind: name,
    workloadName: name,
    container: name,
    hour: fc.nat(),
    podSeconds: fc.nat(1e9),
    oomKills: fc.nat(100),
    restarts: fc.nat(100),
    cpu: figures,
    memory: figures,
  },
  plain,
)

const startUp = fc
  .tuple(fc.integer({ min: 1, max: 6000 }), fc.nat(1000), fc.nat(1000), fc.nat(1e6))
  .map(([minutes, cpuMean, above, memoryMax]) => ({ minutes, cpuMean, cpuMax: cpuMean + above, memoryMax }))

const usageHour: fc.Arbitrary<UsageHour> = fc.oneof(
  unthrottled,
  fc.tuple(unthrottled, throttling).map(([hour, value]) => ({ ...hour, throttling: value })),
  fc.tuple(unthrottled, startUp).map(([hour, value]) => ({ ...hour, startUp: value })),
)

test('history is the same after writing, JSON and reading', () => {
  fc.assert(
    fc.property(fc.array(nodeHour), fc.array(usageHour), (hours, usage) => {
      const writer = new BatchWriter()
      hours.forEach(({ nodeRef, hour, samples }) => writer.addHour(nodeRef, hour, samples))
      usage.forEach((each) => writer.addUsage(each))
      const parsed = parseBatch(JSON.stringify(writer.finish(agent, 1)))
      if (parsed.kind === 'unreadable') throw new Error(parsed.reason)
      const reader = new BatchReader(parsed.batch)
      expect(reader.nodeHours()).toEqual(hours)
      expect(reader.usageHours()).toEqual(usage)
      expect(reader.rejectedRecords).toBe(0)
    }),
  )
})

test('a batch without history has none of its tables', () => {
  const batch = new BatchWriter().finish(agent, 1)
  expect(batch).not.toHaveProperty('hours')
  expect(batch).not.toHaveProperty('usage')
  expect(parseBatch(JSON.stringify(batch)).kind).toBe('batch')
  const reader = new BatchReader(batch)
  expect([...reader.nodeHours(), ...reader.usageHours()]).toEqual([])
})

type Change = (usage: NonNullable<ReturnType<typeof aBatch>['usage']>) => void

test.each<[what: string, change: Change, reason: RegExp]>([
  ['a negative mean', (usage) => (usage.cpu_mean[1] = -1), /-1 is not a whole number/],
  ['NaN, which is null in JSON', (usage) => (usage.memory_max[1] = Number.NaN), /null is not a whole number/],
  ['a fraction', (usage) => (usage.pod_seconds[1] = 0.5), /0.5 is not a whole number/],
  ['a thousand million cores', (usage) => (usage.cpu_max[1] = 1e13), /exceeds the maximum/],
  ['more memory than any node', (usage) => (usage.memory_max[1] = 2 ** 40), /exceeds the maximum/],
  ['more pods than any cluster', (usage) => (usage.pod_seconds[1] = 1e12), /exceeds the maximum/],
  ['a mean above the maximum', (usage) => (usage.cpu_mean[1] = 5000), /mean is above/],
  ['an unknown bucket', (usage) => (usage.cpu_bucket[3] = usageBuckets.cpu.count), /is not the next bucket/],
  ['a bucket twice', (usage) => (usage.cpu_bucket[3] = usage.cpu_bucket[2] ?? 0), /is not the next bucket/],
  ['an empty bucket', (usage) => (usage.cpu_pod_minutes[3] = 0), /empty buckets/],
  ['more minutes than possible', (usage) => (usage.memory_pod_minutes[1] = 1e15), /more minutes/],
  ['a bucket that is not a number', (usage) => (usage.memory_bucket[1] = Number.NaN), /not a number/],
  [
    'more throttled periods than periods',
    (usage) => Object.assign(usage, { cpu_periods: [9, 9, 9], throttled_periods: [9, 10, 0] }),
    /exceed all periods/,
  ],
  ['no name', (usage) => (usage.container_string[1] = 0), /container or workload is missing/],
  ['an unknown string', (usage) => (usage.namespace_string[1] = 99), /unknown string reference 99/],
])('%s drops only its own record', (_what, change, reason) => {
  const batch = aBatch()
  if (batch.usage) change(batch.usage)
  const parsed = parseBatch(JSON.stringify(batch))
  if (parsed.kind === 'unreadable') throw new Error(parsed.reason)
  const reader = new BatchReader(parsed.batch)
  expect(reader.usageHours().map(({ container }) => container)).toEqual(['c0', 'c2'])
  expect(reader.rejections).toEqual([{ table: 'usage', index: 1, reason: expect.stringMatching(reason) as string }])
})

test.each([-1, Number.NaN, 0.5, usageBuckets.cpu.valueMax + 1])('a usage of %s drops only its node-hour', (use) => {
  const batch = aBatch()
  if (batch.hours) batch.hours.cpu_mean[2] = use
  const parsed = parseBatch(JSON.stringify(batch))
  if (parsed.kind === 'unreadable') throw new Error(parsed.reason)
  const reader = new BatchReader(parsed.batch)
  expect(reader.nodeHours().map(({ nodeRef }) => nodeRef)).toEqual([7, 9])
  expect(reader.rejections).toMatchObject([{ table: 'hours', index: 1 }])
})

test.each([
  ['hours', 'hour'],
  ['hours', 'cpu_mean'],
  ['hours', 'sample_count'],
  ['usage', 'pod_seconds'],
  ['usage', 'cpu_bucket'],
  ['usage', 'memory_pod_minutes'],
] as const)('%s with a column %s that is too short is unreadable', (table, column) => {
  const batch = aBatch()
  const columns = batch[table] as Record<string, number[]>
  columns[column]?.pop()
  expect(parseBatch(JSON.stringify(batch))).toMatchObject({ kind: 'unreadable' })
})

test('reading never throws, whatever replaces a table or a column', () => {
  fc.assert(
    fc.property(fc.constantFrom('hours', 'usage'), fc.nat(22), fc.jsonValue(), (table, at, value) => {
      const batch = aBatch() as unknown as Record<string, Record<string, unknown>>
      const column = Object.keys(batch[table] ?? {})[at]
      const changed = column === undefined ? value : { ...batch[table], [column]: value }
      const parsed = parseBatch(JSON.stringify({ ...batch, [table]: changed }))
      if (parsed.kind === 'unreadable') return
      const reader = new BatchReader(parsed.batch)
      reader.nodeHours()
      reader.usageHours()
    }),
  )
})

function aBatch() {
  const writer = new BatchWriter()
  const sample = { podRef: 1, container: 0, cpuMeanTenths: 500, memoryMeanKib: 900 }
  for (const nodeRef of [7, 8, 9]) writer.addHour(nodeRef, 100, [sample, sample])
  const use = { mean: 10, hottest: 12, max: 20, buckets: [9, 15], podMinutes: [30, 30] }
  for (const container of ['c0', 'c1', 'c2']) {
    const memory = { ...use, buckets: [15], podMinutes: [60] }
    const named = { namespace: 'shop', workloadKind: 'Deployment', workloadName: 'web', container }
    writer.addUsage({ ...named, hour: 100, podSeconds: 3600, oomKills: 0, restarts: 0, cpu: use, memory })
  }
  return writer.finish(agent, 1)
}
