import type { Batch } from '@plimsoll/contract'
import { intersect, type TimeSpan } from '@plimsoll/engine'
import { shareBalancer, shareVolume, type CloudResourceShares } from '@plimsoll/engine/allocation'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  batchesOf,
  endSecond,
  minutes,
  smallWorldWithCloudResources,
  startHour,
  startSecond,
  type SmallWorld,
  type WorldCloudResource,
} from '../../test/small-world.ts'
import { aNodeClass } from '../../test/a-node-class.ts'
import type { CloudResourceRow } from './cloud-resource-rows.ts'
import { loadCheckpoint, saveCheckpoint } from '../../test/checkpoint.ts'
import { emptyFoldState } from './fold-state.ts'
import { Fold } from './fold.ts'
import type { FoldedHour } from './finalise-hours.ts'
import { lawRuns } from '../../../../test/rounds.ts'

const hours = [startHour, startHour + 1]

test('folded volumes and load balancers equal what the engine computes from all facts at once', () => {
  fc.assert(
    fc.property(smallWorldWithCloudResources, (world) => {
      const folded = sums(run(batchesOf(world).map((batch) => ['a', batch])))
      for (const hour of hours) expect(ofHour(folded, hour)).toEqual(oracle(world, hour))
    }),
    lawRuns(25),
  )
})

test('repetition, other batches, a second agent and any checkpoint give the same integers', () => {
  fc.assert(
    fc.property(
      smallWorldWithCloudResources,
      fc.record({
        again: fc.array(fc.nat(minutes - 1)),
        minutesPerBatch: fc.integer({ min: 2, max: 40 }),
        crashAfter: fc.array(fc.nat(minutes - 1), { maxLength: 4 }),
        writeEachBatch: fc.boolean(),
      }),
      (world, { again, minutesPerBatch, crashAfter, writeEachBatch }) => {
        const once = batchesOf(world).map((batch): Sent => ['a', batch])
        const clean = sums(run(once))
        const doubled = once.flatMap((sent, index) => (again.includes(index) ? [sent, sent] : [sent]))
        expect(sums(run(doubled))).toEqual(clean)
        const coarse = batchesOf(world, { minutesPerBatch }).map((batch): Sent => ['a', batch])
        expect(sums(run(coarse))).toEqual(clean)
        const other = batchesOf(world, { firstRef: 1000 }).map((batch): Sent => ['b', batch])
        expect(sums(run(once.flatMap((sent, index) => [sent, other[index] ?? sent])))).toEqual(clean)
        expect(sums(run(once, { crashAfter, writeEachBatch }))).toEqual(clean)
      },
    ),
    lawRuns(8),
  )
})

test('facts that arrive after their hour was written correct the hour', () => {
  fc.assert(
    fc.property(smallWorldWithCloudResources, (world) => {
      const bare = { ...world, cloudResources: [] }
      const first = batchesOf(bare).map((batch): Sent => ['a', batch])
      const late = batchesOf(world, { firstRef: 1000, isLost: () => true }).map((batch): Sent => ['b', batch])
      const clean = batchesOf(world).map((batch): Sent => ['a', batch])
      expect(sums(run([...first, ...late], { writeEachBatch: true }))).toEqual(sums(run(clean)))
    }),
    lawRuns(8),
  )
})

test('law 1: used and unused time add up to the lifetime of each volume and load balancer', () => {
  fc.assert(
    fc.property(smallWorldWithCloudResources, (world) => {
      for (const { hour, cloudResources } of run(batchesOf(world).map((batch) => ['a', batch]))) {
        for (const cloudResource of world.cloudResources ?? []) {
          const whole = partsOf(cloudResource, windowOf(hour)).reduce((sum, { shares }) => sum + shares.total, 0n)
          const own = cloudResources.filter(({ cloudResourceUid }) => cloudResourceUid === cloudResource.uid)
          expect(own.reduce((sum, row) => sum + row.unitSeconds, 0n)).toBe(whole)
        }
      }
    }),
    lawRuns(15),
  )
})

/** The example of the cost model: for $2 an hour, A from 1:00 to 3:00 pays 3 and B from 2:00 to 3:00 pays 1. */
test('a volume is split evenly among the pods that mount it, and time without a mount is unmounted', () => {
  const pod = (uid: string, boundAt: number) => ({
    uid,
    node: 0,
    boundAt,
    endedAt: startSecond + 5400,
    containers: [{ name: 'c0', millicores: 100, kib: 1024 }],
    resize: undefined,
    useSeed: 1,
  })
  const mount = (index: number, from: number) => ({ pod: index, from, to: Infinity })
  const world: SmallWorld = {
    nodes: [{ uid: 'node-0', bornAt: startSecond - 60, endedAt: Infinity }],
    pods: [pod('a', startSecond + 1800), pod('b', startSecond + 3600)],
    cloudResources: [
      {
        uid: 'disk',
        kind: 'volume',
        bornAt: startSecond,
        endedAt: Infinity,
        sizeKib: 1000,
        resize: undefined,
        users: [mount(0, startSecond + 1800), mount(1, startSecond + 3600)],
      },
    ],
  }
  const folded = run(batchesOf(world).map((batch) => ['a', batch]))
  const rows = folded.flatMap(({ cloudResources }) => cloudResources.filter(({ kind }) => kind === 'volume'))
  const sumOf = (name: string) =>
    rows.filter((row) => row.workloadName === name).reduce((sum, row) => sum + row.unitSeconds, 0n)
  // Pod a alone for half an hour, then both for half an hour. Before and after, none: the pods ended without an
  // unmount.
  expect([sumOf('a'), sumOf('b'), sumOf('')]).toEqual([1000n * 2700n, 1000n * 900n, 1000n * 3600n])
})

test('the control plane is charged once for every reported second', () => {
  const world: SmallWorld = { nodes: [{ uid: 'node-0', bornAt: startSecond - 60, endedAt: Infinity }], pods: [] }
  const rows = run(batchesOf(world).map((batch) => ['a', batch])).flatMap(({ cloudResources }) => cloudResources)
  expect(rows.map(({ owner, unitSeconds }) => [owner, unitSeconds])).toEqual([
    ['overhead', 5_040_000n * 3600n],
    ['overhead', 5_040_000n * 3600n],
  ])
})

/** A restarted agent without permission to list volumes sends none. The volumes still exist. */
test('a snapshot of an agent without permission to list volumes ends none of them', () => {
  const sizeOf = (batches: Sent[]) => {
    const rows = run(batches).flatMap(({ cloudResources }) => cloudResources.filter(({ kind }) => kind === 'volume'))
    return rows.reduce((sum, row) => sum + row.unitSeconds, 0n)
  }
  const node = { uid: 'node-0', bornAt: startSecond - 60, endedAt: Infinity }
  const disk = { uid: 'disk', kind: 'volume' as const, bornAt: startSecond, endedAt: Infinity, sizeKib: 1000 }
  const world: SmallWorld = { nodes: [node], pods: [], cloudResources: [{ ...disk, resize: undefined, users: [] }] }
  const before = batchesOf(world).map((batch): Sent => ['a', batch])
  const half = Math.floor(before.length / 2)
  const restarted = (status: 'forbidden' | 'ok') =>
    batchesOf({ ...world, cloudResources: [] }, { firstRef: 1000 })
      .slice(half)
      .map((batch, index): Sent => {
        const conditions = [{ kind: 'persistentvolumes', status, reason: '', message: '' }]
        const { observed_at } = batch
        const snapshot = index === 0 ? { snapshot: { id: 'anew', part: 1, parts: 1, observed_at } } : {}
        return ['b', { ...batch, ...snapshot, agent: { ...batch.agent, conditions } }]
      })
  const whole = sizeOf(before)
  expect(sizeOf([...before.slice(0, half), ...restarted('forbidden')])).toBe(whole)
  expect(sizeOf([...before.slice(0, half), ...restarted('ok')])).toBeLessThan(whole)
})

type Sent = [epoch: string, batch: Batch]

function run(
  sent: Sent[],
  { writeEachBatch = false, crashAfter = [] }: { writeEachBatch?: boolean; crashAfter?: number[] } = {},
): FoldedHour[] {
  let state = emptyFoldState(aNodeClass)
  const written: FoldedHour[] = []
  sent.forEach(([epoch, batch], index) => {
    const fold = new Fold(state)
    fold.addBatch(epoch, batch)
    if (writeEachBatch) written.push(...fold.takeEndedHours(batch.observed_at))
    if (crashAfter.includes(index)) state = loadCheckpoint(saveCheckpoint(state), aNodeClass)
  })
  return [...written, ...new Fold(state).takeEndedHours(endSecond)]
}

/** As in the database: the last write of an hour counts. */
function sums(folded: FoldedHour[]): Map<string, bigint> {
  const last = new Map(folded.map(({ hour, cloudResources }) => [hour, cloudResources]))
  return new Map(
    [...last]
      .flatMap(([hour, rows]) => rows.map((row) => [keyOf(hour, row), row.unitSeconds] as const))
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  )
}

const keyOf = (hour: number, { cloudResourceUid, owner, workloadName, classKey }: CloudResourceRow) =>
  `${hour} ${cloudResourceUid} ${owner} ${workloadName} ${classKey.includes('sizeGib') ? classKey : ''}`

const ofHour = (folded: Map<string, bigint>, hour: number) =>
  new Map([...folded].filter(([key]) => key.startsWith(`${hour} asset-`)))

const windowOf = (hour: number): TimeSpan => ({ from: hour * 3600, to: (hour + 1) * 3600 })

/** One call of the engine for each size of the resource. */
function partsOf(cloudResource: WorldCloudResource, window: TimeSpan, users: (TimeSpan & { key: string })[] = []) {
  const { bornAt, endedAt, resize, sizeKib } = cloudResource
  const changedAt = resize ? Math.min(resize.at, endedAt) : endedAt
  const sizes = [
    { sizeKib, life: { from: bornAt, to: changedAt } },
    { sizeKib: resize?.sizeKib ?? 0, life: { from: changedAt, to: endedAt } },
  ]
  const had = sizes.filter(({ life }) => life.from < life.to)
  return had.map((size) => ({
    shares:
      cloudResource.kind === 'volume' ? shareVolume(size, users, window) : shareBalancer(size.life, users, window),
  }))
}

function oracle(world: SmallWorld, hour: number): Map<string, bigint> {
  const totals: [string, bigint][] = []
  for (const cloudResource of world.cloudResources ?? []) {
    const users = cloudResource.users.flatMap(({ pod, from, to }) => {
      const life = world.pods[pod]
      if (!life) return []
      return [{ key: life.uid, ...intersect({ from: life.boundAt, to: life.endedAt }, { from, to }) }]
    })
    const shares = partsOf(cloudResource, windowOf(hour), users).map((part): CloudResourceShares => part.shares)
    const names = new Set(shares.flatMap(({ byUser }) => [...byUser.keys()]))
    for (const name of names) {
      const sum = shares.reduce((total, { byUser }) => total + (byUser.get(name) ?? 0n), 0n)
      if (sum > 0n) totals.push([`${hour} ${cloudResource.uid} workload ${name} `, sum])
    }
    const unused = shares.reduce((total, part) => total + part.unused, 0n)
    const owner = cloudResource.kind === 'volume' ? 'unmounted' : 'unattached'
    if (unused > 0n) totals.push([`${hour} ${cloudResource.uid} ${owner}  `, unused])
  }
  return new Map(totals.sort(([a], [b]) => (a < b ? -1 : 1)))
}
