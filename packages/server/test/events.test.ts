import { sql } from 'kysely'
import type { Observation } from '@plimsoll/engine/rules'
import { batchesOf, endSecond, startSecond, twoNodes } from '@plimsoll/pipeline/testing'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { purgeCluster } from '../src/clusters/jobs/purge-cluster.ts'
import { recordConnections } from '../src/clusters/queries/connections.ts'
import { reprice } from '../src/ingest/jobs/reprice.ts'
import { writeHour } from '../src/ingest/queries/hours.ts'
import { deleteClusterEvents } from '../src/platform/events.ts'
import { retention } from '../src/maintenance/retention.ts'
import { verifyApplied } from '../src/recommendations/verify-applied.ts'
import { aFinding, analysed, idsOf } from './findings.ts'
import { aBridgedCluster, aFoldedCluster, deliver, foldAt } from './folded-cluster.ts'
import { aCluster, aPerson, password } from './people.ts'
import { sendBatch } from './send-batch.ts'
import { send, useTestApp, type Call } from './test-app.ts'

const t = useTestApp()

beforeEach(() => sql`delete from event`.execute(t.db))

/** While the trigger exists no event can be written, so a cause in the same transaction cannot be stored either. */
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

test('a changed condition adds one event, an unchanged condition adds none', async () => {
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

test('the event of an hour has its origin and its revision', async () => {
  const { clusterId } = await aBridgedCluster(t, 2)
  const stored = await t.db
    .selectFrom('folded_hour')
    .select(['hour', 'origin', 'revision'])
    .where('cluster_id', '=', clusterId)
    .orderBy('hour')
    .execute()
  expect(stored.map(({ origin }) => origin)).toContain('bridged')
  const finalised = (await listEvents()).filter(({ kind }) => kind === 'hour.finalised')
  expect(finalised.map(({ subject_id, data }) => ({ hour: new Date(subject_id), ...data }))).toEqual(stored)
})

test('an hour that is not stored has no event', async () => {
  const { clusterId } = await aCluster(t)
  const hour = new Date(startSecond * 1000)
  const nothing = { nodes: [], workloads: [] }
  const usage = { containers: [], measured: [], bridged: [] }
  const folded = { hour: startSecond / 3600, measured: nothing, bridged: nothing, cloudResources: [], usage }
  const write = () => writeHour(t.db, clusterId, { hour, folded, rateIds: new Map() }, t.clock.now)
  expect(await write()).toEqual([{ hour, origin: 'bridged', revision: 1 }])
  expect(await write()).toEqual([{ hour, origin: 'bridged', revision: 2 }])
  await sql`update folded_hour set origin = 'backfill' where cluster_id = ${clusterId}`.execute(t.db)
  expect(await write()).toEqual([])
})

test('repricing of finalised hours is an event', async () => {
  const { clusterId } = await aFoldedCluster(t, twoNodes)
  const { bearer: headers } = await aPerson(t)
  const from = new Date(startSecond * 1000).toISOString()
  const body = { cluster_id: clusterId, kind: 'discount', provider: 'aws', percent: 10, effective_from: from }
  expect((await send(t, { method: 'POST', url: '/api/v1/price-overrides', headers, body })).statusCode).toBe(201)
  await reprice(t.deps)
  const [repriced, ...others] = (await listEvents()).filter(({ kind }) => kind === 'hour.repriced')
  expect(repriced).toMatchObject({ cluster_id: clusterId, subject_id: from, data: { hours: 2 } })
  expect(others).toEqual([])
})

test('the event of a deleted cluster stays when the cluster is purged', async () => {
  const { bearer: headers } = await aPerson(t)
  const url = '/api/v1/clusters'
  const made = await send(t, { method: 'POST', url, headers, body: { name: 'short-lived' } })
  const { id } = made.json<{ id: string }>()
  expect(await kinds()).toEqual(['agent_token.create', 'cluster.create'])
  expect((await send(t, { method: 'DELETE', url: `${url}/${id}`, headers })).statusCode).toBe(204)
  await purgeCluster(t.deps, { clusterId: id })
  expect(await listEvents()).toMatchObject([{ kind: 'cluster.delete', cluster_id: null, subject_id: id }])
})

test('an agent that stops or resumes reporting adds one event each time', async () => {
  const { clusterId } = await aCluster(t)
  const report = () =>
    sql`
    update cluster_state set agent_last_seen_at = ${t.clock.now} where cluster_id = ${clusterId}`.execute(t.db)
  const look = async (minutes: number) => {
    t.clock.advance(minutes * 60_000)
    for (const time of [1, 2]) await recordConnections(t.db, new Date(t.clock.now.getTime() + time))
    const events = (await listEvents()).filter(({ cluster_id }) => cluster_id === clusterId)
    return events.map(({ kind, subject_id, data }) => [kind, subject_id, (data as { reason: string }).reason])
  }
  await sql`delete from event`.execute(t.db)
  expect(await look(0)).toEqual([])
  await report()
  expect(await look(4)).toEqual([])
  const changed = (reason: string) => ['condition.changed', 'connection', reason]
  expect(await look(2)).toEqual([changed('stale')])
  expect(await look(25)).toEqual([changed('stale'), changed('disconnected')])
  await report()
  expect(await look(1)).toEqual([changed('stale'), changed('disconnected'), changed('connected')])
})

test('users, roles, keys and tokens have an event for each change', async () => {
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

  // The rejected user was not stored; otherwise the e-mail address would be in use.
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
    ...['api_key.create', 'api_key.revoke'],
    ...['agent_token.expire', 'agent_token.create', 'agent_token.revoke'],
  ])
  const ofTokens = (await listEvents()).slice(-2)
  expect(ofTokens.map(({ cluster_id, subject_id }) => [cluster_id, subject_id])).toEqual([
    [clusterId, token.id],
    [clusterId, token.id],
  ])
})

test('old events are deleted in chunks', async () => {
  await sql
    .raw(
      `create function refuse_many() returns trigger language plpgsql as $$ begin
         if (select count(*) from gone) > 10000 then raise exception 'too many rows'; end if; return null; end $$;
       create trigger refuse_many after delete on event referencing old table as gone
         for each statement execute function refuse_many()`,
    )
    .execute(t.db)
  onTestFinished(() => void sql.raw('drop function refuse_many() cascade').execute(t.db))
  await sql`insert into event (at, cluster_id, kind, subject_type, subject_id, data)
    select now(), 'cls_many', 'hour.finalised', 'hour', n, '{}' from generate_series(1, 20001) n`.execute(t.db)
  await deleteClusterEvents(t.db, 'cls_many')
  expect(await listEvents()).toEqual([])
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
