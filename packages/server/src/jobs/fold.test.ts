import { gzipSync } from 'node:zlib'
import type { Batch } from '@plimsoll/contract'
import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { aCluster } from '../../test/people.ts'
import { sendBatch } from '../../test/send-batch.ts'
import { batchesOf, endSecond, smallWorld, startSecond, type SmallWorld } from '../../test/small-world.ts'
import { useTestApp } from '../../test/test-app.ts'
import { findCluster } from '../db/clusters.ts'
import { listClustersToFold } from '../db/fold-queue.ts'
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

test('a first snapshot shows nodes, pods and what they cost', async () => {
  const cluster = await aCluster(t)
  await deliver(cluster, batchesOf(aWorld).slice(0, 1))
  await foldAt(cluster, startSecond + 60)
  const row = await findCluster(t.db, cluster.clusterId)
  // m5.xlarge in eu-central-1 is $0.23 an hour, and the control plane $0.10
  expect(row).toMatchObject({ node_count: 1, pod_count: 1 })
  expect(Number(row?.monthly_cost)).toBeCloseTo((0.23 + 0.1) * 730, 6)
  expect(row?.last_sync_at?.getTime()).toBe((startSecond + 60) * 1000)
})

test('a whole hour of one node costs its list price, to the last digit that is stored', async () => {
  const cluster = await aCluster(t)
  await deliver(cluster, batchesOf(aWorld))
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
        expect(await stored(messy.clusterId)).toEqual(await stored(clean.clusterId))
      },
    ),
    { numRuns: 8 },
  )
})

test('what cannot be read is set aside with its reason and blocks nothing', async () => {
  const cluster = await aCluster(t)
  const batches = batchesOf(aWorld)
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
  expect(aside).toEqual([{ seq: '6', reason: 'agent is not as described' }])
  const clean = await aCluster(t)
  await deliver(clean, batches)
  await foldAt(clean, endSecond)
  const capacity = (rows: Stored) => rows.filter(({ table }) => table === 'node').map(({ seconds }) => seconds)
  expect(capacity(await stored(cluster.clusterId))).toEqual(capacity(await stored(clean.clusterId)))
})

test('a hole is waited for, then passed over, and its late batches still count', async () => {
  const cluster = await aCluster(t)
  const batches = batchesOf(aWorld)
  const late = batches.splice(30, 1)
  for (const [index, batch] of batches.entries())
    await sendBatch(t, cluster.agentToken, batch, { seq: index < 30 ? index + 1 : index + 2 })
  await foldAt(cluster, endSecond)
  expect(await foldedSeq(cluster.clusterId)).toBe(30)
  await foldAt(cluster, endSecond + 16 * 60)
  expect(await foldedSeq(cluster.clusterId)).toBe(130)
  for (const batch of late) await sendBatch(t, cluster.agentToken, batch, { seq: 31 })
  await foldAt(cluster, endSecond + 17 * 60)

  const clean = await aCluster(t)
  await deliver(clean, batchesOf(aWorld))
  await foldAt(clean, endSecond)
  expect(await stored(cluster.clusterId)).toEqual(await stored(clean.clusterId))
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

type Stored = { table: string; hour: Date; name: string; seconds: string }[]

/** Everything but ids and which of it was bridged. */
async function stored(clusterId: string): Promise<Stored> {
  const { rows } = await sql<Stored[number]>`
    select 'workload' as table, hour, namespace || '/' || workload_name || labels::text as name, sum(seconds) as seconds,
      sum(cpu_request) as a, sum(cpu_usage) as b, sum(cpu_alloc) as c, sum(cpu_used) as d, sum(cpu_known) as e,
      sum(memory_request) as f, sum(memory_usage) as g, sum(memory_alloc) as h, sum(memory_used) as i, sum(memory_known) as j
    from workload_hour where cluster_id = ${clusterId} group by 1, 2, 3
    union all
    select 'node', hour, node_uid, sum(seconds), sum(cpu_capacity), sum(cpu_allocatable), sum(cpu_alloc), sum(cpu_used),
      sum(cpu_reserved), sum(memory_capacity), sum(memory_allocatable), sum(memory_alloc), sum(memory_used), sum(memory_reserved)
    from node_hour where cluster_id = ${clusterId} group by 1, 2, 3
    order by 1, 2, 3`.execute(t.db)
  return rows
}

test('a silent agent keeps no hour open: the sweep wakes the cluster and the hour is written', async () => {
  const cluster = await aCluster(t)
  await deliver(cluster, batchesOf(aWorld).slice(0, 59))
  await foldAt(cluster, startSecond + 59 * 60)
  expect(await stored(cluster.clusterId)).toEqual([])
  t.clock.now = new Date((startSecond + 3600 + 16 * 60) * 1000)
  expect(await listClustersToFold(t.db, t.clock.now)).toContain(cluster.clusterId)
  await fold(t.deps, cluster)
  const [node] = (await stored(cluster.clusterId)).filter(({ table }) => table === 'node')
  expect(node?.seconds).toBe(String(59 * 60))
})

test('conditions say what is the matter with a cluster', async () => {
  const cluster = await aCluster(t)
  await sendBatch(t, cluster.agentToken, gzipSync('{}'), { seq: 1 })
  await foldAt(cluster, startSecond)
  const row = await findCluster(t.db, cluster.clusterId)
  expect(row?.conditions.filter(({ ok }) => !ok).map(({ type }) => type)).toEqual(['usage', 'data'])
})
