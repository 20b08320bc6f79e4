import { randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import type { IdleCosts } from '@plimsoll/contract'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { ensureDay } from '../src/platform/db/partitions.ts'
import { aFoldedCluster, deliver, foldAt, get, wholeWorld, type FoldedCluster } from './folded-cluster.ts'
import { batchesOf, endSecond, twoNodes } from '@plimsoll/pipeline/testing'
import { aCluster, aPerson } from './people.ts'
import { sendBatch } from './send-batch.ts'
import { aSmallTablespace, canMount } from './small-disk.ts'
import { send, useTestApp } from './test-app.ts'

const t = useTestApp()

/** The error of PostgreSQL when it cannot extend a file. */
async function fillDiskOf(table: string): Promise<() => Promise<void>> {
  await sql`
    create or replace function no_space_left() returns trigger language plpgsql as
    $$begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end$$`.execute(
    t.db,
  )
  await sql`create trigger disk_full before insert on ${sql.table(table)}
    for each row execute function no_space_left()`.execute(t.db)
  const freeDisk = async () => {
    await sql`drop trigger if exists disk_full on ${sql.table(table)}`.execute(t.db)
  }
  onTestFinished(freeDisk)
  return freeDisk
}

const totalOf = async ({ clusterId }: FoldedCluster) => {
  const url = `/api/v1/idle-costs?cluster_id=${clusterId}&${wholeWorld}`
  return (await get<IdleCosts>(t, await aPerson(t), url)).total
}

test('with a full disk an agent keeps its batch and retries, and the batch is then accepted', async () => {
  const before = await aFoldedCluster(t)
  const { agentToken } = await aCluster(t)
  const [batch] = batchesOf(twoNodes)
  if (!batch) throw new Error('there is a batch')
  const freeDisk = await fillDiskOf('ingest_batch')
  const refused = await sendBatch(t, agentToken, batch, { seq: 1 })
  expect(refused.statusCode).toBe(503)
  expect(refused.headers['retry-after']).toBe('60')
  expect(refused.json()).toMatchObject({
    code: 'disk_full',
    detail: 'The database disk is full, so the request was not stored. Free disk space, then try again.',
  })
  expect(refused.body).not.toContain('extend file')
  // Stored data can still be read.
  expect(await totalOf(before)).toBe(0.848)
  await freeDisk()
  expect((await sendBatch(t, agentToken, batch, { seq: 1 })).json()).toMatchObject({ duplicate: false, acked_seq: 1 })
})

test('a disk that fills up while an hour is written loses nothing and counts nothing twice', async () => {
  const clean = await aFoldedCluster(t)
  const cluster = await aCluster(t)
  await deliver(t, cluster, batchesOf(twoNodes, { minutesPerBatch: 10 }))
  const freeDisk = await fillDiskOf('workload_hour')
  await expect(foldAt(t, cluster, endSecond)).rejects.toMatchObject({ code: '53100' })
  expect(await totalOf(cluster)).toBe(0)
  await freeDisk()
  await foldAt(t, cluster, endSecond)
  expect(await totalOf(cluster)).toBe(await totalOf(clean))
})

test('with a full disk users get an error, and nothing is partly written', async () => {
  const person = await aPerson(t)
  const freeDisk = await fillDiskOf('audit_entry')
  const call = { method: 'POST', url: '/api/v1/clusters', headers: person.bearer, body: { name: 'no room' } } as const
  expect((await send(t, call)).json()).toMatchObject({ status: 503, code: 'disk_full' })
  await freeDisk()
  expect((await send(t, call)).statusCode).toBe(201)
})

test.runIf(canMount)('a full disk is reported as disk_full, and requests succeed after space is freed', async () => {
  const { agentToken } = await aCluster(t)
  const tablespace = await aSmallTablespace(t, '1m')
  await ensureDay(t.db, 'ingest_body', t.clock.now)
  await tablespace.take(`ingest_body_${t.clock.now.toISOString().slice(0, 10).replaceAll('-', '')}`)
  const batch = gzipSync(randomBytes(2 * 1024 * 1024))
  const refused = await sendBatch(t, agentToken, batch, { seq: 1 })
  expect([refused.statusCode, refused.json<{ code: string }>().code]).toEqual([503, 'disk_full'])
  await tablespace.grow('16m')
  expect((await sendBatch(t, agentToken, batch, { seq: 1 })).statusCode).toBe(202)
})
