import { BatchWriter, type Batch } from '@plimsoll/contract'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { aNodeClass } from '../../test/a-node-class.ts'
import {
  agent,
  batchesOf,
  endSecond,
  minutes,
  nodeVersion,
  podVersion,
  smallWorld,
  startHour,
  startSecond,
  type SmallWorld,
} from '../../test/small-world.ts'
import { loadCheckpoint, saveCheckpoint } from '../../test/checkpoint.ts'
import { emptyFoldState } from './fold-state.ts'
import { Fold } from './fold.ts'
import type { FoldedHour } from './finalise-hours.ts'
import { lawRuns } from '../../../../test/rounds.ts'

type Sent = [epoch: string, batch: Batch]

/** An agent that crashes, and returns later with a new log: first a snapshot, then changes. */
function withGap(world: SmallWorld, diedAfter: number, backAfter: number): { before: Sent[]; after: Sent[] } {
  const before = batchesOf(world).slice(0, diedAfter)
  const later = batchesOf(world, { firstRef: 1000 }).slice(backAfter)
  return {
    before: before.map((batch) => ['before', batch]),
    after: [snapshotOf(world, startSecond + backAfter * 60), ...later].map((batch) => ['after', batch]),
  }
}

function snapshotOf({ nodes, pods }: SmallWorld, at: number): Batch {
  const writer = new BatchWriter()
  const lives = ({ from, to }: { from: number; to: number }) => from <= at && to > at
  nodes.forEach((node, index) => {
    if (lives({ from: node.bornAt, to: node.endedAt })) writer.addNode(nodeVersion(node, 1000 + index))
  })
  pods.forEach((pod, index) => {
    const ref = 1000 + nodes.length + index
    if (lives({ from: pod.boundAt, to: pod.endedAt })) writer.addPod(podVersion(pod, ref, 1000 + pod.node, pod.boundAt))
  })
  return writer.finish(agent, at, { id: 'snapshot', part: 1, parts: 1, observed_at: at })
}

type Options = { writeEachBatch?: boolean; crashAfterEach?: boolean }

/** Seconds by hour and by node or workload, as in the database. */
function secondsOf(sent: readonly Sent[], { writeEachBatch = false, crashAfterEach = false }: Options = {}) {
  let state = emptyFoldState(aNodeClass)
  let fold = new Fold(state)
  const written: FoldedHour[] = []
  for (const [epoch, batch] of sent) {
    fold.addBatch(epoch, batch)
    if (writeEachBatch) written.push(...fold.takeEndedHours(batch.observed_at))
    if (!crashAfterEach) continue
    state = loadCheckpoint(saveCheckpoint(state), aNodeClass)
    fold = new Fold(state)
  }
  written.push(...fold.takeEndedHours(endSecond))
  const lastBridged = new Map(written.map(({ hour, bridged }) => [hour, bridged]))
  const seconds = new Map<string, number>()
  const add = (hour: number, { nodes, workloads }: FoldedHour['measured']) => {
    for (const [name, of] of [
      ...nodes.map((row) => [row.nodeUid, row.seconds] as const),
      ...workloads.map((row) => [row.workloadName, row.seconds] as const),
    ]) {
      if (of > 0) seconds.set(`${hour} ${name}`, (seconds.get(`${hour} ${name}`) ?? 0) + of)
    }
  }
  for (const { hour, measured } of written) add(hour, measured)
  for (const [hour, bridged] of lastBridged) add(hour, bridged)
  return seconds
}

const gap = fc
  .tuple(fc.integer({ min: 1, max: minutes - 2 }), fc.integer({ min: 1, max: 90 }))
  .map(([diedAfter, length]) => ({ diedAfter, backAfter: Math.min(minutes - 1, diedAfter + length) }))

test('a pod that was replaced during a gap is not counted beside its replacement', () => {
  const minute = (at: number) => startSecond + at * 60
  const containers = [{ name: 'app', millicores: 500, kib: 1024 }]
  const pod = { node: 0, workload: 'web', labels: {}, containers, resize: undefined, useSeed: 1 }
  const world: SmallWorld = {
    nodes: [{ uid: 'node-0', bornAt: startSecond - 60, endedAt: Infinity }],
    pods: [
      { ...pod, uid: 'old', boundAt: startSecond, endedAt: minute(30) },
      { ...pod, uid: 'new', boundAt: minute(30), endedAt: Infinity },
    ],
  }
  const { before, after } = withGap(world, 20, 50)
  const seconds = secondsOf([...before, ...after])
  // The old pod for the 20 reported minutes, the new pod for the 30 minutes of its life in this hour.
  expect(seconds.get(`${startHour} web`)).toBe((20 + 30) * 60)
  expect(seconds.get(`${startHour} node-0`)).toBe(3600)
})

test('law: a gap may lose time, and never counts time twice', () => {
  fc.assert(
    fc.property(smallWorld, gap, (world, { diedAfter, backAfter }) => {
      const { before, after } = withGap(world, diedAfter, backAfter)
      const clean = secondsOf(batchesOf(world).map((batch) => ['all', batch]))
      for (const [key, seconds] of secondsOf([...before, ...after])) {
        expect(seconds).toBeLessThanOrEqual(clean.get(key) ?? 0)
      }
    }),
    lawRuns(25),
  )
})

test('law: the time of writing hours, and a crash after any batch, change no seconds', () => {
  fc.assert(
    fc.property(smallWorld, gap, (world, { diedAfter, backAfter }) => {
      const { before, after } = withGap(world, diedAfter, backAfter)
      const sent = [...before, ...after]
      const at = secondsOf(sent)
      expect(secondsOf(sent, { writeEachBatch: true })).toEqual(at)
      expect(secondsOf(sent, { writeEachBatch: true, crashAfterEach: true })).toEqual(at)
    }),
    lawRuns(10),
  )
})

test('law: late data from before the gap is counted as if it had come in time', () => {
  fc.assert(
    fc.property(smallWorld, gap, fc.nat(minutes - 1), (world, { diedAfter, backAfter }, cut) => {
      const { before, after } = withGap(world, diedAfter, backAfter)
      const inTime = Math.max(1, Math.min(cut, before.length))
      const late = [...before.slice(0, inTime), ...after, ...before.slice(inTime)]
      expect(secondsOf(late, { writeEachBatch: true })).toEqual(secondsOf([...before, ...after]))
    }),
    lawRuns(20),
  )
})

/** Between two agents another agent sends one snapshot and crashes. */
function lookInto(
  { nodes, pods }: SmallWorld,
  { diedAfter, backAfter }: { diedAfter: number; backAfter: number },
): Sent {
  const at = startSecond + Math.floor((diedAfter + backAfter) / 2) * 60 + 30
  return ['look', snapshotOf({ nodes, pods }, at)]
}

test('law: a single snapshot inside a gap may come late', () => {
  fc.assert(
    fc.property(smallWorld, gap, (world, at) => {
      const { before, after } = withGap(world, at.diedAfter, at.backAfter)
      const look = lookInto(world, at)
      const inTime = secondsOf([...before, look, ...after])
      expect(secondsOf([...before, ...after, look], { writeEachBatch: true })).toEqual(inTime)
    }),
    lawRuns(30),
  )
})

test('law: an object that one snapshot misses and the next one lists has always existed', () => {
  fc.assert(
    fc.property(smallWorld, gap, fc.nat(5), (world, at, unseen) => {
      const { before, after } = withGap(world, at.diedAfter, at.backAfter)
      const look = lookInto({ ...world, pods: world.pods.filter((_pod, index) => index !== unseen) }, at)
      const sent = [...before, look, ...after]
      expect(secondsOf(sent, { writeEachBatch: true })).toEqual(secondsOf(sent))
    }),
    lawRuns(30),
  )
})

test('law: a crash before any late data arrives loses no late data', () => {
  fc.assert(
    fc.property(smallWorld, gap, (world, { diedAfter, backAfter }) => {
      const { before, after } = withGap(world, diedAfter, backAfter)
      const late = [...after, ...before]
      expect(secondsOf(late, { crashAfterEach: true })).toEqual(secondsOf(late))
    }),
    lawRuns(10),
  )
})
