import { beforeAll, expect, test } from 'vitest'
import { aCluster, anApiKey, aPerson, type Person } from '../../../test/people.ts'
import { expectProblem, expectPromisedHeaders } from '../../../test/promises.ts'
import { send, useTestApp } from '../../../test/test-app.ts'
import { untilSomebodyWaits } from '../../../test/waiting.ts'
import { lockPeople } from '../auth/queries/users.ts'

const t = useTestApp()

let admin: Person
let lastKey = 0
const newKey = () => `key-${(lastKey += 1)}`

beforeAll(async () => {
  admin = await aPerson(t)
})

const post = (url: string, key: string, body: unknown, headers: Record<string, string> = admin.bearer) =>
  send(t, { method: 'POST', url, headers: { ...headers, 'idempotency-key': key }, body })

const countClusters = async () => (await t.db.selectFrom('cluster').select('cluster_id').execute()).length

test('a repeated request runs once and gets the same response', async () => {
  const key = newKey()
  const first = await post('/api/v1/clusters', key, { name: 'once' })
  const made = await countClusters()
  const again = await post('/api/v1/clusters', key, { name: 'once' })
  expect(await countClusters()).toBe(made)
  expect([again.statusCode, again.headers.location]).toEqual([201, first.headers.location])
  expect([first.headers['idempotency-replayed'], again.headers['idempotency-replayed']]).toEqual([undefined, 'true'])
  expectPromisedHeaders(again)
  expect(first.json()).toMatchObject(again.json())
})

test.each<{ what: string; url: (clusterId: string) => string; body: object; secrets: string[] }>([
  {
    what: 'a cluster',
    url: () => '/api/v1/clusters',
    body: { name: 'no secrets' },
    secrets: ['agent_token', 'install'],
  },
  { what: 'an API key', url: () => '/api/v1/api-keys', body: { name: 'script' }, secrets: ['key'] },
  {
    what: 'an agent token',
    url: (id) => `/api/v1/clusters/${id}/agent-tokens`,
    body: {},
    secrets: ['token', 'install'],
  },
  {
    what: 'an invitation',
    url: () => '/api/v1/users',
    body: { email: 'new@example.com', role: 'viewer' },
    secrets: ['invitation'],
  },
])('the secrets of $what are shown once and are not in what is kept', async ({ url, body, secrets }) => {
  const key = newKey()
  const { clusterId } = await aCluster(t)
  const first = (await post(url(clusterId), key, body)).json<Record<string, unknown>>()
  const again = (await post(url(clusterId), key, body)).json<Record<string, unknown>>()
  expect(Object.keys(first)).toEqual(expect.arrayContaining(secrets))
  expect(
    Object.keys(first)
      .filter((name) => !(name in again))
      .sort(),
  ).toEqual([...secrets].sort())
  const kept = await t.db.selectFrom('idempotent_answer').selectAll().where('idempotency_key', '=', key).execute()
  expect(kept).toHaveLength(1)
  for (const secret of secrets) expect(JSON.stringify(kept)).not.toContain(JSON.stringify(first[secret]).slice(1, -1))
})

test('a key with another body or address is rejected with 422', async () => {
  const key = newKey()
  await post('/api/v1/clusters', key, { name: 'first body' })
  const before = await countClusters()
  expectProblem(await post('/api/v1/clusters', key, { name: 'second body' }), 'idempotency_key_reused')
  expectProblem(await post('/api/v1/api-keys', key, { name: 'first body' }), 'idempotency_key_reused')
  expect(await countClusters()).toBe(before)
})

test('while the first request runs, the second gets 409 and may retry', async () => {
  const key = newKey()
  const body = { email: 'slow@example.com', role: 'viewer' }
  const { first } = await t.db.transaction().execute(async (tx) => {
    await lockPeople(tx)
    const first = post('/api/v1/users', key, body)
    await untilSomebodyWaits(t)
    const second = await post('/api/v1/users', key, body)
    expectProblem(second, 'idempotency_in_progress')
    expect(second.headers['retry-after']).toBe('1')
    return { first: [first] }
  })
  expect((await first[0])?.statusCode).toBe(201)
  const third = await post('/api/v1/users', key, body)
  expect([third.statusCode, third.headers['idempotency-replayed']]).toEqual([201, 'true'])
})

test('of many equal concurrent requests one runs, and the others get 409 or its response', async () => {
  const key = newKey()
  const before = await countClusters()
  const answers = await Promise.all(
    Array.from({ length: 12 }, () => post('/api/v1/clusters', key, { name: 'stampede' })),
  )
  expect([201, 409]).toEqual(expect.arrayContaining(answers.map(({ statusCode }) => statusCode)))
  expect(
    answers.filter(({ statusCode, headers }) => statusCode === 201 && !headers['idempotency-replayed']),
  ).toHaveLength(1)
  expect(await countClusters()).toBe(before + 1)
})

test('a failed request leaves its key free', async () => {
  const key = newKey()
  const { name } = await aCluster(t, 'in the way')
  expectProblem(await post('/api/v1/clusters', key, { name }), 'cluster_name_taken')
  expectProblem(await post('/api/v1/clusters', key, { name: 5 }), 'invalid_body')
  const later = await post('/api/v1/clusters', key, { name: 'out of the way' })
  expect([later.statusCode, later.headers['idempotency-replayed']]).toEqual([201, undefined])
})

test('each caller has separate keys; a user keeps them across sign-ins', async () => {
  const key = newKey()
  const { header } = await anApiKey(t, admin.userId)
  const other = await aPerson(t)
  await post('/api/v1/clusters', key, { name: 'of the person' })
  const byKey = await post('/api/v1/clusters', key, { name: 'of the key' }, header)
  const byOther = await post('/api/v1/clusters', key, { name: 'of another person' }, other.bearer)
  expect([byKey.statusCode, byOther.statusCode]).toEqual([201, 201])

  const refreshed = await send(t, { method: 'POST', url: '/auth/refresh', headers: admin.bearer })
  const { token } = refreshed.json<{ token: string }>()
  const again = await post('/api/v1/clusters', key, { name: 'of the person' }, { authorization: `Bearer ${token}` })
  expect(again.headers['idempotency-replayed']).toBe('true')
})

test('a response is stored for 24 hours', async () => {
  const key = newKey()
  const person = await aPerson(t)
  await post('/api/v1/clusters', key, { name: 'yesterday' }, person.bearer)
  const age = (hours: number) =>
    t.pool.query('update idempotent_answer set created_at = $1 where idempotency_key = $2', [
      new Date(t.clock.now.getTime() - hours * 3_600_000),
      key,
    ])
  await age(23.99)
  expect((await post('/api/v1/clusters', key, { name: 'yesterday' }, person.bearer)).statusCode).toBe(201)
  await age(24)
  expectProblem(await post('/api/v1/clusters', key, { name: 'yesterday' }, person.bearer), 'cluster_name_taken')
  expect((await post('/api/v1/clusters', key, { name: 'today' }, person.bearer)).statusCode).toBe(201)
})

test.each(['', 'a b', 'x'.repeat(256), 'é', '\t'])('the key %j is rejected with 400', async (key) => {
  const before = await countClusters()
  const response = await post('/api/v1/clusters', key, { name: 'never' })
  expectProblem(response, 'invalid_header')
  expect(response.json()).toMatchObject({ errors: [{ parameter: 'Idempotency-Key' }] })
  expect(await countClusters()).toBe(before)
})

test('any 255 visible characters are a key', async () => {
  expect((await post('/api/v1/clusters', '~'.repeat(255), { name: 'long key' })).statusCode).toBe(201)
})
