import { usageBucketOf, type Batch, type NodeVersion } from '@plimsoll/contract'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  batchesOf,
  endSecond,
  minutes,
  smallWorld,
  startHour,
  startSecond,
  useOf,
  type SmallWorld,
  type WorldPod,
} from '../../test/small-world.ts'
import { loadCheckpoint, saveCheckpoint } from '../../test/checkpoint.ts'
import { emptyFoldState } from './fold-state.ts'
import { Fold } from './fold.ts'
import type { FoldedContainer, FoldedUsage } from './folded-usage.ts'
import { keyText, UsageSums } from './usage-sums.ts'

const classify = (node: NodeVersion) => ({
  key: node.instanceType,
  capacity: { cpu: node.cpuCapacityMillicores * 1000, memory: node.memoryCapacityKib, gpu: 0 },
  allocatable: { cpu: node.cpuAllocatableMillicores * 1000, memory: node.memoryAllocatableKib, gpu: 0 },
})

/** Several pods share a workload, so that sums have more than one pod. */
const world: fc.Arbitrary<SmallWorld> = smallWorld.map(({ nodes, pods }) => ({
  nodes,
  pods: pods.map((pod, index) => ({ ...pod, workload: `workload-${index % 2}` })),
}))

test('the folded hour equals the sum of all its facts', () => {
  fc.assert(
    fc.property(world, (each) => {
      const folded = run(each, batchesOf(each))
      for (const hour of [startHour, startHour + 1]) {
        const found = new Map(folded.get(hour)?.containers.map((use) => [keyText(use.key), use]))
        expect([...found.keys()].sort()).toEqual([...expectedUse(each, hour).keys()].sort())
        for (const [key, expected] of expectedUse(each, hour)) expect(found.get(key)).toEqual(expected)
      }
    }),
    { numRuns: 15 },
  )
})

test('repetition, other batches, a second agent and a restart from a checkpoint change nothing', () => {
  fc.assert(
    fc.property(
      world,
      fc.integer({ min: 2, max: 40 }),
      fc.array(fc.nat(minutes - 1), { maxLength: 3 }),
      (each, minutesPerBatch, crashAfter) => {
        const clean = canonical(run(each, batchesOf(each)))
        const doubled = batchesOf(each, { minutesPerBatch }).flatMap((batch) => [batch, batch])
        expect(canonical(run(each, doubled, crashAfter))).toEqual(clean)
        const second = batchesOf(each, { firstRef: 1000 })
        const both = batchesOf(each).flatMap((batch, index) => [batch, second[index] ?? batch])
        expect(canonical(run(each, both, crashAfter, (index) => (index % 2 === 0 ? 'a' : 'b')))).toEqual(clean)
      },
    ),
    { numRuns: 10 },
  )
})

const one: SmallWorld = {
  nodes: [{ uid: 'node-0', bornAt: startSecond - 60, endedAt: Infinity }],
  pods: [
    {
      uid: 'web',
      node: 0,
      boundAt: startSecond - 3600,
      endedAt: Infinity,
      containers: [{ name: 'c0', millicores: 100, kib: 1024 }],
      resize: undefined,
      useSeed: 1,
    },
  ],
}

test('the minutes after a restart count as start-up, and events count once', () => {
  const batches = batchesOf(one)
  const events: Batch['events'] = {
    pod_ref: [2],
    container: [0],
    at: [startSecond + 58 * 60],
    oom_kills: [1],
    restarts: [1],
  }
  batches.forEach((batch, index) => {
    if (index === 58 || index === 70) batch.events = structuredClone(events)
  })
  const folded = run(one, batches)
  const [first] = folded.get(startHour)?.containers ?? []
  const [next] = folded.get(startHour + 1)?.containers ?? []
  // Minutes 58 to 62: two in the first hour, three in the next.
  expect(first).toMatchObject({ oomKills: 1, restarts: 1, startUp: { minutes: 2 } })
  expect(next).toMatchObject({ oomKills: 0, restarts: 0, startUp: { minutes: 3 } })
})

describe('throttling', () => {
  const at = (minute: number) => startSecond + minute * 60
  const throttledAt = (...minutesOf: number[]): Batch['events'] => ({
    pod_ref: minutesOf.map(() => 2),
    container: minutesOf.map(() => 0),
    at: minutesOf.map(at),
    oom_kills: minutesOf.map(() => 0),
    restarts: minutesOf.map(() => 0),
    cpu_periods: minutesOf.map((minute) => 6000 + minute),
    throttled_periods: minutesOf.map((minute) => minute),
  })
  const killed: Batch['events'] = { pod_ref: [2], container: [0], at: [at(20)], oom_kills: [1], restarts: [0] }

  function folded(reports: readonly (readonly [minute: number, events: Batch['events']])[], crashAfter: number[] = []) {
    const batches = batchesOf(one)
    for (const [minute, events] of reports) Object.assign(batches[minute] ?? {}, { events: structuredClone(events) })
    const hours = run(one, batches, crashAfter)
    return [startHour, startHour + 1].map((hour) => hours.get(hour)?.containers[0])
  }

  test('is summed by the hour of its report, and unknown without a report', () => {
    const [first, next] = folded([[30, throttledAt(10, 20)]])
    expect(first?.throttling).toEqual({ periods: 12_030, throttledPeriods: 30 })
    expect(next?.throttling).toBeNull()
  })

  test('counts once, beside a kill in the same second, in any order and after any checkpoint', () => {
    const clean = folded([
      [21, throttledAt(10, 20)],
      [22, killed],
      [70, throttledAt(65)],
    ])
    expect(clean[0]).toMatchObject({ oomKills: 1, throttling: { periods: 12_030, throttledPeriods: 30 } })
    const late = folded(
      [
        [21, killed],
        [30, throttledAt(20)],
        [40, throttledAt(20, 10)],
        [71, throttledAt(10, 65)],
      ],
      [30, 71],
    )
    expect(late).toEqual(clean)
  })

  test('is absent from states of older versions, which still load', () => {
    const { throttling: _later, ...saved } = new UsageSums().save()
    expect([...UsageSums.load(saved).throttling]).toEqual([])
  })
})

function run(
  _world: SmallWorld,
  batches: readonly Batch[],
  crashAfter: readonly number[] = [],
  epochOf: (index: number) => string = () => 'a',
): Map<number, FoldedUsage> {
  let state = emptyFoldState(classify)
  batches.forEach((batch, index) => {
    new Fold(state).addBatch(epochOf(index), batch)
    if (crashAfter.includes(index)) state = loadCheckpoint(saveCheckpoint(state), classify)
  })
  const hours = new Fold(state).takeEndedHours(endSecond)
  return new Map(hours.map(({ hour, usage }) => [hour, usage]))
}

/** Rows in the order of their names, whatever the order of arrival. */
const canonical = (hours: Map<number, FoldedUsage>) =>
  [...hours].map(([hour, { containers, measured }]) => ({
    hour,
    containers: containers.toSorted((a, b) => (keyText(a.key) < keyText(b.key) ? -1 : 1)),
    measured: measured.toSorted((a, b) => (a.uid < b.uid ? -1 : 1)),
  }))

/** Straight from the facts: no batches, no object numbers, no sequence of minutes. */
function expectedUse({ nodes, pods }: SmallWorld, hour: number): Map<string, FoldedContainer> {
  const found = new Map<string, Sample[]>()
  const seconds = new Map<string, number>()
  for (const pod of pods) {
    const nodeEnd = nodes[pod.node]?.endedAt ?? 0
    pod.containers.forEach((container, position) => {
      const key = keyText(['shop', 'Deployment', pod.workload ?? '', container.name])
      const lived = Math.min((hour + 1) * 3600, pod.endedAt, nodeEnd) - Math.max(hour * 3600, pod.boundAt, firstSecond)
      if (lived > 0) seconds.set(key, (seconds.get(key) ?? 0) + lived)
      const samples = samplesOf(pod, position, hour, nodeEnd)
      if (samples.length > 0) found.set(key, [...(found.get(key) ?? []), ...samples])
    })
  }
  const keys = new Set([...found.keys(), ...seconds.keys()])
  return new Map([...keys].map((key) => [key, containerOf(key, found.get(key) ?? [], seconds.get(key) ?? 0)]))
}

const firstSecond = startSecond

type Sample = { isStart: boolean; cpu: number; memory: number }

function samplesOf(pod: WorldPod, container: number, hour: number, nodeEnd: number): Sample[] {
  const first = (hour - startHour) * 60
  const wanted = Array.from({ length: 60 }, (_each, index) => first + index).filter((minute) => {
    const from = startSecond + minute * 60
    return nodeEnd > from && pod.boundAt < from + 60 && pod.endedAt > from
  })
  return wanted.map((minute) => {
    const { cpuTenths, kib } = useOf(pod, container, minute)
    return { isStart: startSecond + minute * 60 < pod.boundAt + 300, cpu: cpuTenths, memory: kib }
  })
}

function containerOf(key: string, samples: Sample[], podSeconds: number): FoldedContainer {
  const steady = samples.filter(({ isStart }) => !isStart)
  const starting = samples.filter(({ isStart }) => isStart)
  const sum = (of: number[]) => of.reduce((total, each) => total + each, 0)
  const figures = (of: number[]) => ({ sum: sum(of), max: Math.max(0, ...of), histogram: histogramOf(of) })
  return {
    key: key.split('\n') as FoldedContainer['key'],
    podSeconds,
    oomKills: 0,
    restarts: 0,
    throttling: null,
    cpu: figures(steady.map(({ cpu }) => cpu)),
    memory: figures(steady.map(({ memory }) => memory)),
    startUp: {
      minutes: starting.length,
      cpuSum: sum(starting.map(({ cpu }) => cpu)),
      cpuMax: Math.max(0, ...starting.map(({ cpu }) => cpu)),
      memoryMax: Math.max(0, ...starting.map(({ memory }) => memory)),
    },
  }
}

function histogramOf(values: number[]) {
  const buckets = [...new Set(values.map(usageBucketOf))].sort((a, b) => a - b)
  return { buckets, counts: buckets.map((bucket) => values.filter((value) => usageBucketOf(value) === bucket).length) }
}
