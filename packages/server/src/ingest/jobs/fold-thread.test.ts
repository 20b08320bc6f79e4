import { randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
import { batchesOf, endSecond, startSecond, twoNodes } from '@plimsoll/pipeline/testing'
import { aCluster } from '../../../test/people.ts'
import { sendBatch } from '../../../test/send-batch.ts'
import { storedSums } from '../../../test/stored-hours.ts'
import { useTestApp } from '../../../test/test-app.ts'
import { fold } from './fold.ts'
import { FoldThread } from './fold-thread.ts'

const t = useTestApp()
const threads: FoldThread[] = []
afterAll(async () => {
  for (const thread of threads) await thread.close()
})

function aThread({ memoryMibMax = 1024 } = {}): FoldThread {
  const thread = new FoldThread({ databaseUrl: t.url, log: t.deps.log, now: t.deps.now, memoryMibMax })
  threads.push(thread)
  return thread
}

const batches = batchesOf(twoNodes, { minutesPerBatch: 10 })

/** Sends some batches, counted from 1. */
async function deliver(agentToken: string, from: number, to: number): Promise<void> {
  t.clock.now = new Date(startSecond * 1000)
  for (const [index, batch] of batches.slice(from - 1, to).entries()) {
    expect((await sendBatch(t, agentToken, batch, { seq: from + index })).statusCode).toBe(202)
  }
  t.clock.now = new Date(endSecond * 1000)
}

async function cleanSums() {
  const cluster = await aCluster(t)
  await deliver(cluster.agentToken, 1, batches.length)
  await fold(t.deps, cluster)
  return storedSums(t, cluster.clusterId)
}

test('states held by the thread give the same integers, even if another process folds in between', async () => {
  const { clusterId, agentToken } = await aCluster(t)
  const thread = aThread()
  await deliver(agentToken, 1, 3)
  await thread.fold(clusterId)
  await deliver(agentToken, 4, 8)
  await Promise.all([thread.fold(clusterId), thread.fold(clusterId)])
  await deliver(agentToken, 9, 10)
  await fold(t.deps, { clusterId })
  await deliver(agentToken, 11, batches.length)
  await thread.fold(clusterId)
  expect(await storedSums(t, clusterId)).toEqual(await cleanSums())
})

// A thread near its memory limit takes long to fail.
const patience = { timeout: 300_000 }

test('a batch that ends the thread twice is quarantined, and the cluster continues without it', patience, async () => {
  const { clusterId, agentToken } = await aCluster(t)
  const thread = aThread({ memoryMibMax: 48 })
  await deliver(agentToken, 1, 1)
  await sendBatch(t, agentToken, tooMuch(), { seq: 2, batchId: 'too-much' })
  await deliver(agentToken, 3, 4)
  await expect(thread.fold(clusterId)).rejects.toThrow('the batch processing thread stopped')
  await expect(thread.fold(clusterId)).rejects.toThrow('the batch processing thread stopped')
  await thread.fold(clusterId)
  expect(await batchStates(clusterId)).toEqual([
    ['1', 'folded', null],
    ['2', 'quarantined', 'processing the batch exceeds the memory limit'],
    ['3', 'folded', null],
    ['4', 'folded', null],
  ])
})

/** Small enough for the endpoint, and more numbers than the thread may hold. */
function tooMuch(): Buffer {
  const [, second] = batches
  const strings = Array.from({ length: 300_000 }, (_each, index) => [index, { [index % 1000]: index }])
  return gzipSync(JSON.stringify({ ...second, strings: [...strings, randomBytes(400_000).toString('base64')] }))
}

async function batchStates(clusterId: string) {
  const rows = await t.db
    .selectFrom('ingest_batch')
    .select(['seq', 'state', 'reason'])
    .where('cluster_id', '=', clusterId)
    .orderBy('seq')
    .execute()
  // Later batches wait for a snapshot, which is not the subject here.
  return rows.map(({ seq, state, reason }) => [String(seq), state, state === 'quarantined' ? reason : null])
}
