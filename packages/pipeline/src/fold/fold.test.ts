import { BatchWriter, type Batch } from '@plimsoll/contract'
import { RESOURCES, type Resource } from '@plimsoll/engine'
import { allocateNode, podSpans, type PodFacts } from '@plimsoll/engine/testing'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { aNodeClass } from '../../test/a-node-class.ts'
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
import type { FoldedHour } from './finalise-hours.ts'
import { lawRuns } from '../../../../test/rounds.ts'

const classify = aNodeClass

/** Two whole hours of the world, and a few minutes. */
const hours = [startHour, startHour + 1]

test('folding minute by minute equals what the engine computes from all facts at once', () => {
  fc.assert(
    fc.property(smallWorld, (world) => {
      const totals = total(run(batchesOf(world).map((batch) => ['a', batch])))
      for (const hour of hours) expect(pick(totals, hour)).toEqual(oracle(world, hour))
    }),
    lawRuns(30),
  )
})

test('repeated batches change nothing', () => {
  fc.assert(
    fc.property(smallWorld, fc.array(fc.nat(minutes - 1)), (world, again) => {
      const once = batchesOf(world).map((batch): Sent => ['a', batch])
      const doubled = once.flatMap((sent, index) => (again.includes(index) ? [sent, sent] : [sent]))
      expect(total(run(doubled))).toEqual(total(run(once)))
    }),
    lawRuns(30),
  )
})

test('the same facts cut into other batches give the same integers', () => {
  fc.assert(
    fc.property(smallWorld, fc.integer({ min: 2, max: 40 }), (world, minutesPerBatch) => {
      const fine = batchesOf(world).map((batch): Sent => ['a', batch])
      const coarse = batchesOf(world, { minutesPerBatch }).map((batch): Sent => ['a', batch])
      expect(total(run(coarse))).toEqual(total(run(fine)))
    }),
    lawRuns(30),
  )
})

test('a process that restarts from its checkpoint after any batch gives the same integers', () => {
  fc.assert(
    fc.property(
      smallWorld,
      fc.array(fc.nat(minutes - 1), { maxLength: 4 }),
      fc.boolean(),
      (world, crashAfter, writeEachBatch) => {
        const sent = batchesOf(world).map((batch): Sent => ['a', batch])
        expect(total(run(sent, { crashAfter, writeEachBatch }))).toEqual(total(run(sent)))
      },
    ),
    lawRuns(30),
  )
})

test('a second agent that reports the same minutes changes nothing', () => {
  fc.assert(
    fc.property(smallWorld, (world) => {
      const one = batchesOf(world).map((batch): Sent => ['a', batch])
      const other = batchesOf(world, { firstRef: 1000 }).map((batch): Sent => ['b', batch])
      const both = one.flatMap((sent, index) => [sent, other[index] ?? sent])
      expect(total(run(both))).toEqual(total(run(one)))
    }),
    lawRuns(30),
  )
})

test('the time of writing hours does not matter: late minutes are added and bridged time is recomputed', () => {
  fc.assert(
    fc.property(smallWorld, fc.nat(minutes - 1), fc.nat(60), (world, first, length) => {
      const isLate = (minute: number) => minute >= first && minute < first + length
      const one = batchesOf(world, { isLost: (_node, minute) => isLate(minute) }).map((batch): Sent => ['a', batch])
      const late = batchesOf(world, { firstRef: 1000, isLost: (_node, minute) => !isLate(minute) }).map(
        (batch): Sent => ['b', batch],
      )
      const clean = batchesOf(world).map((batch): Sent => ['a', batch])
      expect(total(run([...one, ...late], { writeEachBatch: true }))).toEqual(total(run(clean)))
    }),
    lawRuns(30),
  )
})

test('lost minutes lose usage data, never time: every node is paid for each second it lived', () => {
  fc.assert(
    fc.property(smallWorld, fc.integer({ min: 1, max: minutes - 1 }), fc.nat(60), (world, first, length) => {
      const isLost = (_node: number, minute: number) => minute >= first && minute < first + length
      const clean = total(run(batchesOf(world).map((batch) => ['a', batch])))
      const withGap = total(run(batchesOf(world, { isLost }).map((batch) => ['a', batch])))
      for (const [key, sums] of clean) {
        for (const resource of RESOURCES) {
          expect(withGap.get(key)?.[resource].capacity).toBe(sums[resource].capacity)
          expect(withGap.get(key)?.[resource].request).toBe(sums[resource].request)
        }
      }
    }),
    lawRuns(30),
  )
})

test('used, requested but unused, and unallocated add up to the capacity of the node', () => {
  fc.assert(
    fc.property(smallWorld, (world) => {
      for (const { measured, bridged } of run(batchesOf(world).map((batch) => ['a', batch]))) {
        for (const { nodes, workloads } of [measured, bridged]) {
          for (const resource of RESOURCES) {
            const alloc = workloads.reduce((sum, row) => sum + row.use[resource].alloc, 0)
            expect(nodes.reduce((sum, row) => sum + row.use[resource].alloc, 0)).toBe(alloc)
            for (const { use } of nodes) {
              const { capacity, alloc: given, used, systemReserved } = use[resource]
              expect(used).toBeLessThanOrEqual(given)
              expect(given + systemReserved).toBeLessThanOrEqual(capacity)
            }
          }
        }
      }
    }),
    lawRuns(30),
  )
})

test('data more than ten minutes ahead of the clock, or older than seven days, is rejected with a reason', () => {
  const world: SmallWorld = { nodes: [{ uid: 'node-0', bornAt: startSecond - 60, endedAt: Infinity }], pods: [] }
  const [first] = batchesOf(world)
  if (!first) throw new Error('the world is too short')
  const receivedAfter = (seconds: number) =>
    new Fold(emptyFoldState(classify)).addBatch('a', first, first.observed_at + seconds).rejections
  expect(receivedAfter(-600)).toEqual([])
  expect(receivedAfter(-601)).toMatchObject([{ reason: 'the agent clock is 10 minutes ahead of the server clock' }])
  expect(receivedAfter(7 * 86_400 - 60)).toEqual([])
  expect(receivedAfter(7 * 86_400 + 60)).toMatchObject([{ table: 'minutes', reason: 'older than 7 days' }])
})

test('live batches must not contain hours', () => {
  const world: SmallWorld = { nodes: [{ uid: 'node-0', bornAt: startSecond - 60, endedAt: Infinity }], pods: [] }
  const [first] = batchesOf(world)
  if (!first) throw new Error('the world is too short')
  const writer = new BatchWriter()
  writer.addHour(1, startHour - 1, [])
  const { hours: hourRows } = writer.finish(first.agent, first.observed_at)
  const { rejections } = new Fold(emptyFoldState(classify)).addBatch('a', {
    ...first,
    ...(hourRows ? { hours: hourRows } : {}),
  })
  expect(rejections).toEqual([{ table: 'hours', index: 0, reason: 'only a backfill batch may use hours' }])
})

test('a minute that names an unknown pod is rejected as a whole with a reason, and bridged', () => {
  const world: SmallWorld = { nodes: [{ uid: 'node-0', bornAt: startSecond - 60, endedAt: Infinity }], pods: [] }
  const batches = batchesOf(world)
  const [, second] = batches
  second?.minutes.pod_ref.push(99)
  second?.minutes.container.push(0)
  second?.minutes.cpu_mean.push(1)
  second?.minutes.memory_mean.push(1)
  if (second) second.minutes.sample_count = [1]
  const fold = new Fold(emptyFoldState(classify))
  const answers = batches.map((batch) => fold.addBatch('a', batch))
  expect(answers[1]).toEqual({
    rejectedRecords: 1,
    rejections: [{ table: 'minutes', index: 0, reason: 'the pod is unknown' }],
    isUnresolved: true,
    gap: 'unchanged',
  })
  const [hour] = fold.takeEndedHours(endSecond)
  expect(hour?.measured.nodes[0]?.seconds).toBe(59 * 60)
  expect(hour?.bridged.nodes[0]?.seconds).toBe(60)
})

type Sent = [epoch: string, batch: Batch]

type RunOptions = { writeEachBatch?: boolean; crashAfter?: number[] }

function run(sent: Sent[], { writeEachBatch = false, crashAfter = [] }: RunOptions = {}): FoldedHour[] {
  let state = emptyFoldState(classify)
  let fold = new Fold(state)
  const written: FoldedHour[] = []
  sent.forEach(([epoch, batch], index) => {
    fold.addBatch(epoch, batch)
    if (writeEachBatch) written.push(...fold.takeEndedHours(batch.observed_at))
    if (!crashAfter.includes(index)) return
    state = loadCheckpoint(saveCheckpoint(state), classify)
    fold = new Fold(state)
  })
  return [...written, ...fold.takeEndedHours(endSecond)]
}

type Sums = Record<
  Resource,
  { capacity: number; request: number; usage: number; alloc: number; used: number; known: number }
>

/** As in the database: measured rows are added, bridged rows are replaced. */
function total(folded: FoldedHour[]): Map<string, Sums> {
  const totals = new Map<string, Sums>()
  const lastBridged = new Map(folded.map(({ hour, bridged }) => [hour, bridged]))
  for (const { hour, measured } of folded) add(totals, hour, measured)
  for (const [hour, bridged] of lastBridged) add(totals, hour, bridged)
  return totals
}

function add(totals: Map<string, Sums>, hour: number, { workloads, nodes }: FoldedHour['measured']): void {
  for (const { nodeUid, use } of nodes) {
    const sums = sumsOf(totals, `${hour} ${nodeUid}`)
    for (const resource of RESOURCES) {
      sums[resource].capacity += use[resource].capacity
      sums[resource].alloc += use[resource].alloc
      sums[resource].used += use[resource].used
    }
  }
  for (const { workloadName, use } of workloads) {
    const sums = sumsOf(totals, `${hour} ${workloadName}`)
    for (const resource of RESOURCES) {
      sums[resource].request += use[resource].request
      sums[resource].usage += use[resource].usage
      sums[resource].alloc += use[resource].alloc
      sums[resource].used += use[resource].used
      sums[resource].known += use[resource].knownSeconds
    }
  }
}

function sumsOf(totals: Map<string, Sums>, key: string): Sums {
  const none = () => ({ capacity: 0, request: 0, usage: 0, alloc: 0, used: 0, known: 0 })
  const sums = totals.get(key) ?? { cpu: none(), memory: none(), gpu: none() }
  totals.set(key, sums)
  return sums
}

const pick = (totals: Map<string, Sums>, hour: number) =>
  new Map([...totals].filter(([key, { cpu }]) => key.startsWith(`${hour} `) && (cpu.capacity > 0 || cpu.known > 0)))

/** Slow and simple: all facts of a node, and one call of the engine for the hour. */
function oracle(world: SmallWorld, hour: number): Map<string, Sums> {
  const totals = new Map<string, Sums>()
  const window = { from: hour * 3600, to: (hour + 1) * 3600 }
  const size = { cpu: 4_000_000, memory: 16 * 1024 * 1024, gpu: 0 }
  const allocatable = { cpu: 3_800_000, memory: 15 * 1024 * 1024, gpu: 0 }
  world.nodes.forEach(({ uid, bornAt, endedAt }, index) => {
    const spans = podSpans(world.pods.filter(({ node }) => node === index).map(podFacts), endSecond)
    const life = { from: bornAt, to: Math.min(endedAt, endSecond) }
    const { containers, node } = allocateNode({ capacity: size, allocatable, life }, spans, window)
    if (node.cpu.capacity === 0) return
    for (const resource of RESOURCES) {
      const { capacity, alloc, used } = node[resource]
      Object.assign(sumsOf(totals, `${hour} ${uid}`)[resource], { capacity, alloc, used })
    }
    for (const container of containers) {
      const sums = sumsOf(totals, `${hour} ${container.uid}`)
      for (const resource of RESOURCES) {
        const { request, usage, alloc, used, knownSeconds } = container.use[resource]
        sums[resource].request += request
        sums[resource].usage += usage
        sums[resource].alloc += alloc
        sums[resource].used += used
        sums[resource].known += knownSeconds
      }
    }
  })
  return totals
}

function podFacts(pod: WorldPod): PodFacts {
  const shape = (millicores: number | undefined) => ({
    containers: pod.containers.map(({ name, ...requested }, index) => ({
      name,
      request: {
        cpu: (index === 0 ? (millicores ?? requested.millicores) : requested.millicores) * 1000,
        memory: requested.kib,
        gpu: 0,
      },
    })),
  })
  const samples = pod.containers.flatMap(({ name }, container) =>
    Array.from({ length: minutes }, (_each, minute) => {
      const { cpuTenths, kib } = useOf(pod, container, minute)
      const from = startSecond + minute * 60
      return {
        container: name,
        from,
        to: from + 60,
        usage: { cpu: cpuTenths * 100, memory: kib, gpu: 'unknown' as const },
      }
    }),
  )
  return {
    uid: pod.uid,
    life: { boundAt: pod.boundAt, ...(Number.isFinite(pod.endedAt) ? { deletedAt: pod.endedAt } : {}) },
    versions: [
      { from: pod.boundAt, shape: shape(undefined) },
      ...(pod.resize ? [{ from: pod.resize.at, shape: shape(pod.resize.millicores) }] : []),
    ],
    samples,
  }
}
