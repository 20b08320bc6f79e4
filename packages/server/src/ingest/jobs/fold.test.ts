import { gzipSync } from 'node:zlib'
import type { Batch } from '@plimsoll/contract'
import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, onTestFinished, test, vi } from 'vitest'
import { rounds } from '../../../../../test/rounds.ts'
import { aCluster } from '../../../test/people.ts'
import { sendBatch } from '../../../test/send-batch.ts'
import { batchesOf, endSecond, smallWorld, type SmallWorld, startSecond } from '@plimsoll/pipeline/testing'
import { storedSums, type StoredSums } from '../../../test/stored-hours.ts'
import { useTestApp } from '../../../test/test-app.ts'
import { findCluster } from '../../clusters/queries/clusters.ts'
import { listClustersToFold, tryLockFold } from '../queries/fold-queue.ts'
import type { Db } from '../../platform/db/database.ts'
import { Fold, KeptStates } from '@plimsoll/pipeline/fold'
import { fold } from './fold.ts'

const t = useTestApp()

const aWorld: SmallWorld = {
  nodes: [{ uid: 'node-0', bornAt: startSecond - 60, endedAt: Infinity }],
  pods: [
    {
      uid: 'web',
      node: 0,
      boundAt: startSecond,
      endedAt: Infinity,
      containers: [{ name: 'c0', millicores: 1000, kib: 4 * 1024 * 1024 }],
      resize: undefined,
      useSeed: 1,
    },
  ],
}

test('a first snapshot shows nodes, pods and their cost', async () => {
  const cluster = await aCluster(t)
  await deliver(cluster, batchesOf(aWorld).slice(0, 1))
  await foldAt(cluster, startSecond + 60)
  const row = await findCluster(t.db, cluster.clusterId)
  // m5.xlarge in eu-central-1 is $0.23 an hour, and the control plane $0.10
  expect(row).toMatchObject({ node_count: 1, pod_count: 1 })
  expect(Number(row?.monthly_cost)).toBeCloseTo((0.23 + 0.1) * 730, 6)
  expect(row?.last_sync_at?.getTime()).toBe((startSecond + 60) * 1000)
})

test('nodes supply an unset location of a cluster; a location set by a user stays', async () => {
  const [silent, said] = [await aCluster(t), await aCluster(t)]
  const place = (provider: string, region: string) => ({ provider, region })
  const pretend = (clusterId: string, where: object) =>
    t.db.updateTable('cluster').set(where).where('cluster_id', '=', clusterId).execute()
  await pretend(silent.clusterId, place('unknown', 'unknown'))
  await pretend(said.clusterId, place('my-own-cloud', 'basement'))
  const facts = { providerId: 'aws:///eu-central-1a/i-0123' }
  const world = { ...aWorld, nodes: aWorld.nodes.map((node) => ({ ...node, facts })) }
  for (const cluster of [silent, said]) {
    await deliver(cluster, batchesOf(world).slice(0, 1))
    await foldAt(cluster, startSecond + 60)
  }
  expect(await findCluster(t.db, silent.clusterId)).toMatchObject(place('aws', 'eu-central-1'))
  expect(await findCluster(t.db, said.clusterId)).toMatchObject(place('my-own-cloud', 'basement'))
})

test('a whole hour of one node costs its list price, to the last stored digit', async () => {
  const cluster = await aCluster(t)
  await deliver(cluster, batchesOf(aWorld, { minutesPerBatch: 10 }))
  await foldAt(cluster, endSecond)
  const { rows } = await sql<{ hour: Date; usd: string; seconds: string }>`
    select hour, sum(seconds) as seconds, round(sum(cpu_capacity * cpu_usd_per_microcore_second
      + memory_capacity * memory_usd_per_kib_second), 9) as usd
    from node_hour join rate using (rate_id) where cluster_id = ${cluster.clusterId} group by hour order by hour`.execute(
    t.db,
  )
  expect(rows.map(({ usd, seconds }) => [Number(usd), Number(seconds)])).toEqual([
    [0.23, 3600],
    [0.23, 3600],
  ])
})

test('any order, any repetition and any number of runs give the same stored integers', async () => {
  await fc.assert(
    fc.asyncProperty(
      smallWorld,
      fc.array(fc.nat(), { minLength: 13, maxLength: 13 }),
      fc.integer({ min: 1, max: 4 }),
      async (world, chance, runs) => {
        const batches = batchesOf(world, { minutesPerBatch: 10 })
        const clean = await aCluster(t)
        await deliver(clean, batches)
        await foldAt(clean, endSecond)

        const messy = await aCluster(t)
        const order = batches.map((batch, index) => ({ batch, seq: index + 1, at: chance[index] ?? 0 }))
        order.sort((a, b) => a.at - b.at)
        for (const [index, { batch, seq }] of [...order, ...order.slice(0, 3)].entries()) {
          await sendBatch(t, messy.agentToken, batch, { seq })
          if (index % Math.ceil(batches.length / runs) === 0) await foldAt(messy, endSecond - 600)
        }
        await foldAt(messy, endSecond)
        expect(await storedSums(t, messy.clusterId)).toEqual(await storedSums(t, clean.clusterId))
      },
    ),
    { numRuns: rounds({ short: 1, full: 8 }) },
  )
})

test('the time of the checkpoint does not matter, nor does the loss of the state in memory', async () => {
  await fc.assert(
    fc.asyncProperty(
      smallWorld,
      fc.array(fc.record({ isDue: fc.boolean(), isLost: fc.boolean(), isRefused: fc.boolean() }), {
        minLength: 13,
        maxLength: 13,
      }),
      async (world, chances) => {
        const batches = batchesOf(world, { minutesPerBatch: 10 })
        const clean = await aCluster(t)
        await deliver(clean, batches)
        await foldAt(clean, endSecond)

        const { clusterId, agentToken } = await aCluster(t)
        let kept = new KeptStates()
        for (const [index, batch] of batches.entries()) {
          const { isDue, isLost, isRefused } = chances[index] ?? { isDue: true, isLost: false, isRefused: false }
          t.clock.now = new Date((startSecond + (index + 1) * 600) * 1000)
          await sendBatch(t, agentToken, batch, { seq: index + 1 })
          // A failed commit has no effect, in the database as in memory.
          const deps = isRefused ? { ...t.deps, db: refusingToCommit(t.db) } : t.deps
          const folding = fold(deps, { clusterId }, { kept, isDue: () => isDue })
          await (isRefused ? expect(folding).rejects.toThrow('refused') : folding)
          if (isLost) kept = new KeptStates()
        }
        await fold(t.deps, { clusterId }, { kept })
        expect(await storedSums(t, clusterId)).toEqual(await storedSums(t, clean.clusterId))
      },
    ),
    { numRuns: rounds({ short: 1, full: 6 }) },
  )
})

function refusingToCommit(db: Db): Db {
  const transaction = () => ({
    execute: (work: (tx: Db) => Promise<unknown>) =>
      db.transaction().execute(async (tx) => {
        await work(tx)
        throw new Error('refused')
      }),
  })
  const get = (target: Db, name: string | symbol) => {
    const member: unknown = name === 'transaction' ? transaction : Reflect.get(target, name, target)
    return typeof member === 'function' ? (member.bind(target) as unknown) : member
  }
  return new Proxy(db, { get })
}

test('a batch that fails to fold is quarantined; earlier batches count, later batches wait for a snapshot', async () => {
  const { clusterId, agentToken } = await aCluster(t)
  const batches = batchesOf(aWorld, { minutesPerBatch: 10 })
  await deliver({ clusterId, agentToken }, batches)
  const addBatch = Reflect.get(Fold.prototype, 'addBatch')
  vi.spyOn(Fold.prototype, 'addBatch').mockImplementation(function (this: Fold, ...args) {
    const [, batch] = args
    const folded = addBatch.apply(this, args)
    if (batch.observed_at === batches[4]?.observed_at) throw new Error('a bug of ours')
    return folded
  })
  onTestFinished(() => void vi.restoreAllMocks())
  await foldAt({ clusterId, agentToken }, endSecond)
  const aside = await t.db
    .selectFrom('ingest_batch')
    .select(['seq', 'reason'])
    .where('cluster_id', '=', clusterId)
    .where('state', '=', 'quarantined')
    .execute()
  expect(aside).toEqual([{ seq: '5', reason: 'processing failed: a bug of ours' }])
  const [web] = await storedSums(t, clusterId)
  const known = await sql<{ known: string }>`
    select sum(cpu_known) as known from workload_hour where cluster_id = ${clusterId} and hour = ${new Date(startSecond * 1000)}`.execute(
    t.db,
  )
  expect([web?.seconds, known.rows[0]?.known]).toEqual(['3600', '2400'])
})

test('an unreadable batch is quarantined with its reason and blocks nothing', async () => {
  const cluster = await aCluster(t)
  const batches = batchesOf(aWorld, { minutesPerBatch: 10 })
  for (const [index, batch] of batches.entries()) {
    await sendBatch(t, cluster.agentToken, index === 5 ? gzipSync('{"not":"a batch"}') : batch, { seq: index + 1 })
  }
  await foldAt(cluster, endSecond)
  const aside = await t.db
    .selectFrom('ingest_batch')
    .select(['seq', 'reason'])
    .where('cluster_id', '=', cluster.clusterId)
    .where('state', '=', 'quarantined')
    .execute()
  expect(aside).toEqual([{ seq: '6', reason: 'agent does not match the schema' }])
  const clean = await aCluster(t)
  await deliver(clean, batches)
  await foldAt(clean, endSecond)
  const capacity = (rows: StoredSums) => rows.filter(({ table }) => table === 'node').map(({ seconds }) => seconds)
  expect(capacity(await storedSums(t, cluster.clusterId))).toEqual(capacity(await storedSums(t, clean.clusterId)))
})

test('the fold waits for a gap, then skips it, and late batches still count', async () => {
  const cluster = await aCluster(t)
  const batches = batchesOf(aWorld, { minutesPerBatch: 10 })
  const late = batches.splice(3, 1)
  t.clock.now = new Date(endSecond * 1000)
  for (const [index, batch] of batches.entries())
    await sendBatch(t, cluster.agentToken, batch, { seq: index < 3 ? index + 1 : index + 2 })
  await foldAt(cluster, endSecond)
  expect(await foldedSeq(cluster.clusterId)).toBe(3)
  await foldAt(cluster, endSecond + 16 * 60)
  expect(await foldedSeq(cluster.clusterId)).toBe(13)
  for (const batch of late) await sendBatch(t, cluster.agentToken, batch, { seq: 4 })
  await foldAt(cluster, endSecond + 17 * 60)

  const clean = await aCluster(t)
  await deliver(clean, batchesOf(aWorld, { minutesPerBatch: 10 }))
  await foldAt(clean, endSecond)
  expect(await storedSums(t, cluster.clusterId)).toEqual(await storedSums(t, clean.clusterId))
})

test('data that a gap made unreadable is read when the gap is filled', async () => {
  const pods = ['early', 'inside', 'short'].map((uid, index) => ({
    ...aWorld.pods[0],
    uid,
    node: index % 2,
    boundAt: startSecond + index * 1500,
    endedAt: uid === 'short' ? startSecond + 5000 : Infinity,
    useSeed: index,
  }))
  const nodes = [0, 1].map((index) => ({ uid: `node-${index}`, bornAt: startSecond + index * 1400, endedAt: Infinity }))
  const batches = batchesOf({ nodes, pods: pods as SmallWorld['pods'] }, { minutesPerBatch: 10 })
  const clean = await aCluster(t)
  await deliver(clean, batches)
  await foldAt(clean, endSecond)

  const { clusterId, agentToken } = await aCluster(t)
  const isInside = (index: number) => index >= 2 && index < 6
  const sendSome = async (isSent: (index: number) => boolean) => {
    for (const [index, batch] of batches.entries())
      if (isSent(index)) await sendBatch(t, agentToken, batch, { seq: index + 1 })
  }
  t.clock.now = new Date(startSecond * 1000)
  await sendSome((index) => !isInside(index))
  await foldAt({ clusterId, agentToken }, endSecond + 16 * 60)
  expect(await storedSums(t, clusterId)).not.toEqual(await storedSums(t, clean.clusterId))
  await sendSome(isInside)
  await foldAt({ clusterId, agentToken }, endSecond + 17 * 60)
  expect(await storedSums(t, clusterId)).toEqual(await storedSums(t, clean.clusterId))
})

type TestCluster = { clusterId: string; agentToken: string }

async function deliver({ agentToken }: TestCluster, batches: Batch[]): Promise<void> {
  t.clock.now = new Date(startSecond * 1000)
  for (const [index, batch] of batches.entries()) {
    const response = await sendBatch(t, agentToken, batch, { seq: index + 1 })
    expect(response.statusCode).toBe(202)
  }
}

async function foldAt({ clusterId }: TestCluster, second: number): Promise<void> {
  t.clock.now = new Date(second * 1000)
  await fold(t.deps, { clusterId })
}

async function foldedSeq(clusterId: string): Promise<number> {
  const row = await t.db
    .selectFrom('ingest_epoch')
    .select('folded_seq')
    .where('cluster_id', '=', clusterId)
    .executeTakeFirst()
  return Number(row?.folded_seq)
}

test('a silent agent keeps no hour open: the sweep folds the cluster and the hour is written', async () => {
  const cluster = await aCluster(t)
  await deliver(cluster, batchesOf(aWorld).slice(0, 59))
  await foldAt(cluster, startSecond + 59 * 60)
  expect(await revisionOf(cluster.clusterId)).toBe(0)
  t.clock.now = new Date((startSecond + 3600 + 16 * 60) * 1000)
  const toFold = await listClustersToFold(t.db, t.clock.now)
  expect(toFold.map(({ clusterId }) => clusterId)).toContain(cluster.clusterId)
  await fold(t.deps, cluster)
  const [node] = (await storedSums(t, cluster.clusterId)).filter(({ table }) => table === 'node')
  expect(node?.seconds).toBe(String(59 * 60))
})

test('an hour that a large cluster reports late is written when it is complete, or with a checkpoint', async () => {
  const { clusterId, agentToken } = await aCluster(t)
  t.clock.now = new Date((startSecond + 4 * 3600) * 1000)
  const kept = new KeptStates()
  const written: number[] = []
  for (const [index, batch] of batchesOf(aWorld, { minutesPerBatch: 10 }).entries()) {
    const before = await revisionOf(clusterId)
    await sendBatch(t, agentToken, batch, { seq: index + 1 })
    await fold(t.deps, { clusterId }, { kept, isDue: () => index === 3 })
    if ((await revisionOf(clusterId)) > before) written.push(index)
  }
  // The checkpoint after 40 minutes, and the complete hour.
  expect(written).toEqual([3, 5])
})

async function revisionOf(clusterId: string): Promise<number> {
  const row = await t.db
    .selectFrom('folded_hour')
    .select('revision')
    .where('cluster_id', '=', clusterId)
    .where('hour', '=', new Date(startSecond * 1000))
    .executeTakeFirst()
  return row?.revision ?? 0
}

test('a locked cluster is folded soon after, without waiting for the sweep', async () => {
  const cluster = await aCluster(t)
  await deliver(cluster, batchesOf(aWorld).slice(0, 2))
  await sql`delete from graphile_worker._private_jobs`.execute(t.db)
  await t.db.transaction().execute(async (tx) => {
    await tryLockFold(tx, cluster.clusterId)
    await fold(t.deps, cluster)
  })
  const { rows } = await sql<{ waits: boolean }>`
    select run_at > now() as waits from graphile_worker.jobs where key = ${`fold ${cluster.clusterId}`}`.execute(t.db)
  expect(rows).toEqual([{ waits: true }])
})

test('conditions report the problems of a cluster', async () => {
  const cluster = await aCluster(t)
  await sendBatch(t, cluster.agentToken, gzipSync('{}'), { seq: 1 })
  await foldAt(cluster, startSecond)
  const row = await findCluster(t.db, cluster.clusterId)
  expect(row?.conditions.filter(({ ok }) => !ok).map(({ type }) => type)).toEqual(['usage', 'data'])
})
