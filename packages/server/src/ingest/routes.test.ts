import { gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { aCluster } from '../../test/people.ts'
import { sendBatch } from '../../test/send-batch.ts'
import { batchesOf, type SmallWorld, startSecond } from '@plimsoll/pipeline/testing'
import { useTestApp } from '../../test/test-app.ts'
import { isWaitingForLock } from '../../test/waiting-for-lock.ts'
import { presentCluster } from '../clusters/cluster-view.ts'
import { deleteCluster, findCluster } from '../clusters/queries/clusters.ts'
import { fold } from './jobs/fold.ts'
import { patience } from '../../test/patience.ts'

const t = useTestApp()

const world: SmallWorld = { nodes: [{ uid: 'node-0', bornAt: startSecond - 60, endedAt: Infinity }], pods: [] }
const batches = batchesOf(world)
const [first, second, third] = batches
if (!first || !second || !third) throw new Error('the world is too short')

test('a batch is acknowledged once stored, with the end of the batches without a gap', async () => {
  const { agentToken } = await aCluster(t)
  const one = await sendBatch(t, agentToken, first, { seq: 1 })
  expect(one.statusCode).toBe(202)
  expect(one.json()).toMatchObject({ batch_id: 'epoch-1-1', duplicate: false, acked_seq: 1, fold: { through_seq: 0 } })
  expect((await sendBatch(t, agentToken, third, { seq: 3 })).json()).toMatchObject({ acked_seq: 1 })
  expect((await sendBatch(t, agentToken, second, { seq: 2 })).json()).toMatchObject({ acked_seq: 3 })
})

test('the same batch again is acknowledged as a duplicate, and stored once', async () => {
  const { agentToken, clusterId } = await aCluster(t)
  await sendBatch(t, agentToken, first, { seq: 1 })
  const again = await sendBatch(t, agentToken, first, { seq: 1 })
  expect([again.statusCode, again.json<{ duplicate: boolean }>().duplicate]).toEqual([202, true])
  expect(await countBatches(clusterId)).toBe(1)
})

test.each([
  ['the same id with other bytes', { seq: 1 }],
  ['another batch with the same number', { seq: 1, batchId: 'another' }],
])('%s is a conflict', async (_name, envelope) => {
  const { agentToken, clusterId } = await aCluster(t)
  await sendBatch(t, agentToken, first, { seq: 1 })
  const response = await sendBatch(t, agentToken, second, envelope)
  expect([response.statusCode, response.json<{ code: string }>().code]).toEqual([409, 'batch_conflict'])
  expect(await countBatches(clusterId)).toBe(1)
})

test.each([
  ['a body that is not gzip', Buffer.from('no gzip'), {}, 400, 'malformed_gzip'],
  ['a truncated body', gzipSync('{"a":1}').subarray(0, -4), {}, 400, 'malformed_gzip'],
  [
    'a digest of another body',
    gzipSync('{}'),
    { 'content-digest': `sha-256=:${'A'.repeat(43)}=:` },
    400,
    'digest_mismatch',
  ],
  ['a bomb', gzipSync(Buffer.alloc(70 * 1024 * 1024)), {}, 413, 'body_too_large'],
  ['a body that inflates too much', gzipSync(Buffer.alloc(20 * 1024 * 1024)), {}, 413, 'body_too_large'],
  ['a future schema version', gzipSync('{}'), { 'plimsoll-schema': '2' }, 422, 'unsupported_schema'],
  ['a content encoding that is not gzip', gzipSync('{}'), { 'content-encoding': 'br' }, 415, 'unsupported_media_type'],
  ['two content encodings', gzipSync('{}'), { 'content-encoding': 'gzip, gzip' }, 415, 'unsupported_media_type'],
  ['an invalid epoch', gzipSync('{}'), { 'plimsoll-epoch': 'a b' }, 400, 'invalid_parameter'],
])('%s is rejected and not stored', async (...[, body, headers, status, code]) => {
  const { agentToken, clusterId } = await aCluster(t)
  const response = await sendBatch(t, agentToken, body, { seq: 1, headers })
  expect([response.statusCode, response.json<{ code: string }>().code]).toEqual([status, code])
  expect(await countBatches(clusterId)).toBe(0)
})

test.each(['gzip', 'GZIP', 'Gzip'])('a body with Content-Encoding: %s is accepted', async (encoding) => {
  const { agentToken, clusterId } = await aCluster(t)
  const response = await sendBatch(t, agentToken, gzipSync('{}'), { seq: 1, headers: { 'content-encoding': encoding } })
  expect([response.statusCode, await countBatches(clusterId)]).toEqual([202, 1])
})

test('more than 10 MiB are rejected', async () => {
  const { agentToken } = await aCluster(t)
  const response = await sendBatch(t, agentToken, Buffer.alloc(10 * 1024 * 1024 + 1), { seq: 1 })
  expect(response.statusCode).toBe(413)
})

test('the first kube-system uid is pinned, and an agent moved to another cluster is rejected', async () => {
  const { agentToken } = await aCluster(t)
  await sendBatch(t, agentToken, first, { seq: 1, clusterUid: 'one' })
  const moved = await sendBatch(t, agentToken, second, { seq: 2, clusterUid: 'other' })
  expect([moved.statusCode, moved.json<{ code: string }>().code]).toEqual([409, 'cluster_identity_mismatch'])
})

test('of two clusters that report concurrently with a new token, one is accepted', async () => {
  const { agentToken, clusterId } = await aCluster(t)
  const answers = await Promise.all(
    ['one', 'other'].map((clusterUid) => sendBatch(t, agentToken, first, { epoch: clusterUid, seq: 1, clusterUid })),
  )
  expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([202, 409])
  expect(await countBatches(clusterId)).toBe(1)
})

test('a minute is acknowledged while earlier ones are still being folded', async () => {
  const { agentToken, clusterId } = await aCluster(t)
  await sendBatch(t, agentToken, first, { seq: 1 })
  const acknowledged = await t.db.transaction().execute(async (tx) => {
    await sql`lock table node in access exclusive mode`.execute(tx)
    const folding = fold(t.deps, { clusterId })
    await expect.poll(() => isWaitingForLock(t.db), patience).toBe(true)
    const answer = await sendBatch(t, agentToken, second, { seq: 2 })
    return { answer, folding }
  })
  expect(acknowledged.answer.json()).toMatchObject({ acked_seq: 2, fold: { through_seq: 0 } })
  await acknowledged.folding
  expect((await sendBatch(t, agentToken, third, { seq: 3 })).json()).toMatchObject({ fold: { through_seq: 1 } })
})

const viewOf = async (clusterId: string) => {
  const row = await findCluster(t.db, clusterId)
  if (!row) throw new Error('the cluster is there')
  return presentCluster(row, { namespaces: null }, t.clock.now)
}

test('a token used by another cluster shows as an error, harms nothing, and the error ends when it stops', async () => {
  const { agentToken, clusterId } = await aCluster(t)
  await sendBatch(t, agentToken, first, { seq: 1, clusterUid: 'mine' })
  expect((await viewOf(clusterId)).status).not.toBe('error')
  await sendBatch(t, agentToken, second, { seq: 2, clusterUid: 'theirs' })
  const { status, conditions } = await viewOf(clusterId)
  expect(status).toBe('error')
  expect(conditions).toMatchObject([{ type: 'identity', ok: false, reason: 'identity_mismatch' }])
  expect(await countBatches(clusterId)).toBe(1)
  expect((await sendBatch(t, agentToken, second, { seq: 2, clusterUid: 'mine' })).statusCode).toBe(202)
  t.clock.now = new Date(t.clock.now.getTime() + 2 * 3_600_000)
  await fold(t.deps, { clusterId })
  expect((await viewOf(clusterId)).conditions.map(({ type }) => type)).not.toContain('identity')
})

test('a Kubernetes cluster that is connected twice is counted once: the second is rejected and shows as an error', async () => {
  const [one, other] = [await aCluster(t), await aCluster(t)]
  expect((await sendBatch(t, one.agentToken, first, { seq: 1, clusterUid: 'twin' })).statusCode).toBe(202)
  const refused = await sendBatch(t, other.agentToken, first, { seq: 1, clusterUid: 'twin' })
  expect([refused.statusCode, refused.json<{ code: string }>().code]).toEqual([409, 'cluster_identity_mismatch'])
  expect(await viewOf(other.clusterId)).toMatchObject({
    status: 'error',
    conditions: [{ reason: 'already_connected' }],
  })
  expect((await viewOf(one.clusterId)).status).not.toBe('error')
})

test('the agent of a deleted cluster gets the response to stop', async () => {
  const { agentToken, clusterId } = await aCluster(t)
  await deleteCluster(t.db, clusterId, t.deps.now())
  expect((await sendBatch(t, agentToken, first, { seq: 1 })).statusCode).toBe(410)
})

async function countBatches(clusterId: string): Promise<number> {
  const rows = await t.db.selectFrom('ingest_batch').select('batch_id').where('cluster_id', '=', clusterId).execute()
  return rows.length
}
