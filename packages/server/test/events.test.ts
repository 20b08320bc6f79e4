import { sql } from 'kysely'
import type { Observation } from '@plimsoll/engine/rules'
import { batchesOf, endSecond, twoNodes } from '@plimsoll/pipeline/testing'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { retention } from '../src/maintenance/retention.ts'
import { verifyApplied } from '../src/recommendations/verify-applied.ts'
import { aFinding, analysed, idsOf } from './findings.ts'
import { deliver, foldAt } from './folded-cluster.ts'
import { aCluster, aPerson, password } from './people.ts'
import { sendBatch } from './send-batch.ts'
import { send, useTestApp, type Call } from './test-app.ts'

const t = useTestApp()

beforeEach(() => sql`delete from event`.execute(t.db))

/** While it is there no event can be written, so a cause in the same transaction cannot be stored either. */
const refuseEvents = () =>
  sql
    .raw(
      `create function refuse_event() returns trigger language plpgsql as $$ begin raise exception 'no event'; end $$;
       create trigger refuse_event before insert on event for each row execute function refuse_event()`,
    )
    .execute(t.db)
const allowEvents = () => sql.raw('drop function if exists refuse_event() cascade').execute(t.db)

afterEach(allowEvents)

const listEvents = () => t.db.selectFrom('event').selectAll().orderBy('event_id').execute()
const kinds = async () => (await listEvents()).map(({ kind }) => kind)

test('each finalised hour is one event, stored with the hour or not at all', async () => {
  const cluster = await aCluster(t)
  const hours = async () =>
    (await t.db.selectFrom('folded_hour').select('hour').where('cluster_id', '=', cluster.clusterId).execute())
      .map(({ hour }) => hour.toISOString())
      .toSorted()
  await deliver(t, cluster, batchesOf(twoNodes, { minutesPerBatch: 10 }))
  await refuseEvents()
  await expect(foldAt(t, cluster, endSecond)).rejects.toThrow('no event')
  expect(await hours()).toEqual([])

  await allowEvents()
  await foldAt(t, cluster, endSecond)
  const finalised = (await listEvents()).filter(({ kind }) => kind === 'hour.finalised')
  expect(finalised.map(({ subject_id }) => subject_id).toSorted()).toEqual(await hours())
  expect(finalised.length).toBeGreaterThan(0)
  expect(finalised[0]).toMatchObject({ cluster_id: cluster.clusterId, subject_type: 'hour', data: { origin: 'live' } })
})

const asRecommended: Observation = {
  kind: 'seen',
  cpuMillicores: 500,
  memoryKib: 512 * 1024,
  replicas: 1,
  price: null,
}

test('a recommendation has an event for its creation, edit, status, verification and end', async () => {
  const { clusterId } = await aCluster(t)
  const { bearer } = await aPerson(t, 'editor')
  await sql`delete from event`.execute(t.db)
  await refuseEvents()
  await expect(analysed(t, clusterId, { findings: [aFinding()] })).rejects.toThrow('no event')
  expect(await idsOf(t, clusterId)).toEqual({})

  await allowEvents()
  await analysed(t, clusterId, { findings: [aFinding({ name: 'gone' }), aFinding()] })
  const edited = aFinding({
    recommendedSpec: { cpuMillicores: 250, memoryKib: 256 * 1024 },
    estimatedUsdPerMonth: 14,
  })
  await analysed(t, clusterId, { findings: [aFinding({ name: 'gone' }), edited] })
  expect(await kinds()).toEqual(['recommendation.created', 'recommendation.created', 'recommendation.updated'])

  const ids = await idsOf(t, clusterId)
  const url = `/api/v1/recommendations/${ids.web}/apply`
  expect((await send(t, { method: 'POST', url, headers: bearer })).statusCode).toBe(200)
  const seen = { observe: () => ({ ...asRecommended, cpuMillicores: 250, memoryKib: 256 * 1024 }) }
  await t.db.transaction().execute(async (tx) => {
    await verifyApplied(tx, clusterId, { ...seen, isFound: () => false, isUnjudged: () => false }, t.clock.now)
  })
  const after = (await listEvents()).slice(3)
  expect(after).toMatchObject([
    { kind: 'recommendation.status', subject_id: ids.web, data: { action: 'apply', from: 'pending' } },
    { kind: 'recommendation.verification', subject_id: ids.web, data: { action: 'verified' } },
  ])

  t.clock.advance(30 * 86_400_000)
  await analysed(t, clusterId, {})
  t.clock.advance(30 * 86_400_000)
  await analysed(t, clusterId, {})
  expect((await listEvents()).at(-1)).toMatchObject({ kind: 'recommendation.closed', subject_id: ids.gone })
})

test('a condition that changes is one event, and one that stays is none', async () => {
  const cluster = await aCluster(t)
  const [batch] = batchesOf(twoNodes, { minutesPerBatch: 10 })
  if (!batch) throw new Error('the world has no batch')
  expect((await sendBatch(t, cluster.agentToken, batch, { seq: 1 })).statusCode).toBe(202)
  await sql`delete from event`.execute(t.db)
  const foreign = () => sendBatch(t, cluster.agentToken, batch, { seq: 2, clusterUid: 'another-cluster' })
  await refuseEvents()
  expect((await foreign()).statusCode).toBe(500)
  await allowEvents()
  for (const attempt of [1, 2]) expect((await foreign()).statusCode, `attempt ${attempt}`).toBe(409)
  expect(await listEvents()).toMatchObject([
    {
      kind: 'condition.changed',
      cluster_id: cluster.clusterId,
      subject_id: 'identity',
      data: { ok: false, reason: 'identity_mismatch' },
    },
  ])
})

test('people, roles, keys and tokens have an event for each change', async () => {
  const { bearer: headers } = await aPerson(t)
  const { clusterId } = await aCluster(t)
  await sql`delete from event`.execute(t.db)
  const change = async (call: Omit<Call, 'headers'>): Promise<{ id: string }> => {
    const response = await send(t, { ...call, headers })
    expect(response.statusCode, response.body).toBeLessThan(300)
    return response.body === '' ? { id: '' } : response.json()
  }
  const body = { email: 'new@example.com', password, role: 'viewer' }
  await refuseEvents()
  expect((await send(t, { method: 'POST', url: '/api/v1/users', headers, body })).statusCode).toBe(500)
  await allowEvents()

  // The user that was refused was not stored, or its address would be taken.
  const user = await change({ method: 'POST', url: '/api/v1/users', body })
  await change({ method: 'PATCH', url: `/api/v1/users/${user.id}`, body: { role: 'editor' } })
  await change({ method: 'DELETE', url: `/api/v1/users/${user.id}` })
  await change({ method: 'POST', url: '/api/v1/roles', body: { name: 'made', permissions: [] } })
  await change({ method: 'PATCH', url: '/api/v1/roles/made', body: { permissions: ['clusters:read'] } })
  await change({ method: 'DELETE', url: '/api/v1/roles/made' })
  const key = await change({ method: 'POST', url: '/api/v1/api-keys', body: { name: 'a key' } })
  await change({ method: 'DELETE', url: `/api/v1/api-keys/${key.id}` })
  const tokens = `/api/v1/clusters/${clusterId}/agent-tokens`
  const token = await change({ method: 'POST', url: tokens })
  await change({ method: 'DELETE', url: `${tokens}/${token.id}` })
  expect(await kinds()).toEqual([
    ...['user.create', 'user.update', 'user.delete'],
    ...['role.create', 'role.update', 'role.delete'],
    ...['api_key.create', 'api_key.revoke', 'agent_token.create', 'agent_token.revoke'],
  ])
  const ofTokens = (await listEvents()).slice(-2)
  expect(ofTokens.map(({ cluster_id, subject_id }) => [cluster_id, subject_id])).toEqual([
    [clusterId, token.id],
    [clusterId, token.id],
  ])
})

test('retention removes events after 35 days', async () => {
  const { clusterId } = await aCluster(t)
  const tokens = { method: 'POST' as const, url: `/api/v1/clusters/${clusterId}/agent-tokens` }
  await send(t, { ...tokens, headers: (await aPerson(t)).bearer })
  const stored = (await listEvents()).length
  expect(stored).toBeGreaterThan(0)
  t.clock.advance(35 * 86_400_000)
  await retention(t.deps)
  expect(await listEvents()).toHaveLength(stored)
  t.clock.advance(1)
  await retention(t.deps)
  expect(await listEvents()).toEqual([])
})
