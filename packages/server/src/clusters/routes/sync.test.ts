import { BatchWriter, type BatchAccepted, type Job } from '@plimsoll/contract'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { aFoldedCluster, foldAt, get, type FoldedCluster } from '../../../test/folded-cluster.ts'
import { agent, batchesOf, endSecond, twoNodes } from '@plimsoll/pipeline/testing'
import { aCluster, aPerson, aRole, type Person } from '../../../test/people.ts'
import { sendBatch } from '../../../test/send-batch.ts'
import { send, useTestApp } from '../../../test/test-app.ts'
import { sync } from '../jobs/sync.ts'

const t = useTestApp()
let editor: Person

beforeEach(async () => {
  t.clock.now = new Date(endSecond * 1000)
  editor = await aPerson(t, 'editor')
})

const ask = ({ clusterId }: FoldedCluster, { bearer } = editor) =>
  send(t, { method: 'POST', url: `/api/v1/clusters/${clusterId}/sync`, headers: bearer })

const show = ({ id }: Job) => get<Job>(t, editor, `/api/v1/jobs/${id}`)

test('a sync recalculates at once, requests a snapshot, and ends with the snapshot', async () => {
  const cluster = await aFoldedCluster(t, twoNodes, { minutesPerBatch: 10 })
  const response = await ask(cluster)
  const job = response.json<Job>()
  expect(response.statusCode).toBe(202)
  expect(response.headers.location).toBe(`/api/v1/jobs/${job.id}`)
  expect(job).toMatchObject({ status: 'running', stage: 'queued', progress: 0, result: null, error: null })
  expect((await ask(cluster)).json<Job>().id).toBe(job.id)

  await sync(t.deps, { jobId: job.id })
  expect(await show(job)).toMatchObject({ stage: 'waiting_for_agent', progress: 0.5 })
  const accepted = await sendBatch(t, cluster.agentToken, new BatchWriter().finish(agent, endSecond + 30), { seq: 14 })
  expect(accepted.json<BatchAccepted>().directives.sync_requested).toBe(true)

  t.clock.advance(60_000)
  expect((await sendBatch(t, cluster.agentToken, aSnapshot(), { seq: 15 })).statusCode).toBe(202)
  await foldAt(t, cluster, endSecond + 65)
  expect(await show(job)).toMatchObject({
    status: 'succeeded',
    stage: 'done',
    progress: 1,
    result: { agent_answered: true, node_count: 2, last_sync_at: new Date((endSecond + 60) * 1000).toISOString() },
  })
  const later = await sendBatch(t, cluster.agentToken, new BatchWriter().finish(agent, endSecond + 90), { seq: 16 })
  expect(later.json<BatchAccepted>().directives.sync_requested).toBe(false)
  expect((await ask(cluster)).json<Job>().id).not.toBe(job.id)
})

test('a silent agent does not make a sync fail', async () => {
  const cluster = await aFoldedCluster(t)
  const job = (await ask(cluster)).json<Job>()
  await sync(t.deps, { jobId: job.id })
  t.clock.advance(90_000)
  await sync(t.deps, { jobId: job.id })
  const done = await show(job)
  expect(done).toMatchObject({ status: 'succeeded', stage: 'done', result: { agent_answered: false, node_count: 2 } })
  await sync(t.deps, { jobId: job.id })
  expect(await show(job)).toEqual(done)
})

test('the second run is queued for the deadline and blocks no worker', async () => {
  const job = (await ask(await aFoldedCluster(t))).json<Job>()
  await sync(t.deps, { jobId: job.id })
  const { rows } = await sql<{ ahead: boolean }>`
    select run_at >= created_at + interval '90 seconds' as ahead from graphile_worker.jobs
    where key = ${`sync ${job.id}`}`.execute(t.db)
  expect(rows).toEqual([{ ahead: true }])
})

test('the sync of a pending cluster ends at once with a message', async () => {
  const job = (await ask(await aCluster(t))).json<Job>()
  await sync(t.deps, { jobId: job.id })
  expect(await show(job)).toMatchObject({ status: 'succeeded', result: { agent_answered: false, last_sync_at: null } })
})

test('a failed job reports its error, and another can be requested', async () => {
  const cluster = await aFoldedCluster(t)
  const job = (await ask(cluster)).json<Job>()
  await sql`update fold_checkpoint set state = 'broken' where cluster_id = ${cluster.clusterId}`.execute(t.db)
  await sync(t.deps, { jobId: job.id })
  const failed = await show(job)
  expect(failed).toMatchObject({ status: 'failed', stage: 'done', result: null })
  expect(failed.error).toContain('The recalculation failed')
  expect((await ask(cluster)).json<Job>().id).not.toBe(job.id)
})

test('a sync requires write access to the whole cluster, and its status requires read access', async () => {
  const cluster = await aFoldedCluster(t)
  const job = (await ask(cluster)).json<Job>()
  const other = await aCluster(t)
  const outside = await aRole(t, ['clusters:read', 'clusters:write'], { clusters: [other.clusterId] })
  const inside = await aRole(t, ['clusters:read', 'clusters:write'], { namespaces: ['shop'] })
  const answers = async (role: string) => {
    const person = await aPerson(t, role)
    const looked = await send(t, { url: `/api/v1/jobs/${job.id}`, headers: person.bearer })
    return [(await ask(cluster, person)).statusCode, looked.statusCode]
  }
  expect(await answers('viewer')).toEqual([403, 200])
  expect(await answers(outside)).toEqual([404, 404])
  expect(await answers(inside)).toEqual([403, 403])
  for (const id of ['nothing', 'job_01k3v7m9q2x4t6b8n0d2f4h6j8']) {
    const response = await send(t, { url: `/api/v1/jobs/${id}`, headers: editor.bearer })
    expect(response.json()).toMatchObject({ status: 404, code: 'job_not_found' })
  }
})

test('the jobs of a deleted cluster are deleted with it', async () => {
  const cluster = await aCluster(t)
  const job = (await ask(cluster)).json<Job>()
  await send(t, { method: 'DELETE', url: `/api/v1/clusters/${cluster.clusterId}`, headers: editor.bearer })
  expect((await send(t, { url: `/api/v1/jobs/${job.id}`, headers: editor.bearer })).statusCode).toBe(404)
  await sync(t.deps, { jobId: job.id })
})

/** All living objects, a minute after the end of the world. */
function aSnapshot() {
  const [first] = batchesOf(twoNodes)
  if (!first) throw new Error('the world has no batches')
  const at = endSecond + 60
  return { ...first, observed_at: at, snapshot: { id: 'fresh', part: 1, parts: 1, observed_at: at } }
}
