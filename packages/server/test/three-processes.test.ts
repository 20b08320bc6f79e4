import { readdir } from 'node:fs/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { migrationsDirectory } from '../src/directories.ts'
import { call, startServer, type Environment, type Reply, type Request, type ServerProcess } from './server-process.ts'
import { emptyDatabase, testDatabase, type TestDatabase } from './test-database.ts'
import { aMessage } from './channels.ts'
import { patience } from './patience.ts'
import { openReceiver } from './receiver.ts'
import { queueMessage } from '../src/channels/queue-message.ts'

const admin = { email: 'admin@example.com', password: 'correct horse battery' }

const environment = (database: TestDatabase): Environment => ({
  DATABASE_URL: database.url,
  PLIMSOLL_DB_CONNECTIONS: '5',
  PLIMSOLL_ADMIN_EMAIL: admin.email,
  PLIMSOLL_ADMIN_PASSWORD: admin.password,
  // Each test has its own IP address, so that tests do not share rate limits.
  PLIMSOLL_TRUSTED_PROXIES: '127.0.0.1',
  PLIMSOLL_OUTBOUND_NETWORKS: '127.0.0.1',
})

let database: TestDatabase
let servers: [ServerProcess, ServerProcess, ServerProcess]
let adminHeaders: Record<string, string>

beforeAll(async () => {
  database = await emptyDatabase({ dropLater: true })
  const start = () => startServer(environment(database))
  servers = await Promise.all([start(), start(), start()])
  adminHeaders = await logIn(admin)
})
afterAll(async () => {
  await Promise.all(servers.map((server) => server.end()))
  await database.drop()
})

let addresses = 0
const anAddress = () => ({ 'x-forwarded-for': `203.0.113.${(addresses += 1)}` })

async function logIn(account: { email: string; password: string }, server: ServerProcess = servers[0]) {
  const { status, body } = await call(server, '/auth/login', { method: 'POST', headers: anAddress(), body: account })
  expect(status).toBe(200)
  return { ...anAddress(), authorization: `Bearer ${(body as { token: string }).token}` }
}

/** Through the first process, as an admin; returns the response or fails. */
async function asAdmin<Body>(method: string, path: string, body?: unknown): Promise<Body> {
  const reply = await call(servers[0], path, { method, headers: adminHeaders, ...(body === undefined ? {} : { body }) })
  expect(reply, JSON.stringify(reply.body)).toMatchObject({
    status: expect.toSatisfy((each: number) => each < 300) as number,
  })
  return reply.body as Body
}

test('three processes send each message once', async () => {
  const receiver = await openReceiver()
  onTestFinished(() => receiver.close())
  const body = { name: 'receiver', kind: 'webhook', url: receiver.url }
  const { id } = await asAdmin<{ id: string }>('POST', '/api/v1/channels', body)
  const messages = Array.from({ length: 30 }, (_, index) => aMessage({ dedupKey: `key ${index}` }))
  // In several transactions, so that several processes get a job.
  for (let first = 0; first < messages.length; first += 10) {
    await database.db.transaction().execute(async (tx) => {
      for (const message of messages.slice(first, first + 10))
        await queueMessage(tx, { message, transition: 'firing' }, new Date())
    })
  }
  const waiting = async () => (await asAdmin<{ waiting: number }>('GET', `/api/v1/channels/${id}`)).waiting
  await vi.waitUntil(async () => (await waiting()) === 0, { ...patience, interval: 1_000 })
  const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
  expect([ids.length, new Set(ids).size]).toEqual([30, 30])
  await asAdmin('DELETE', `/api/v1/channels/${id}`)
})

let people = 0
async function aPerson(role: string) {
  const account = { email: `person-${(people += 1)}@example.com`, password: admin.password }
  const { id } = await asAdmin<{ id: string }>('POST', '/api/v1/users', { ...account, role })
  return { id, account, headers: await logIn(account) }
}

async function aKey(headers: Record<string, string>) {
  const { body } = await call(servers[0], '/api/v1/api-keys', { method: 'POST', headers, body: { name: 'a key' } })
  const { id, key } = body as { id: string; key: string }
  return { id, headers: { ...anAddress(), 'x-api-key': key } }
}

let clusters = 0
async function aCluster() {
  const body = { name: `cluster ${(clusters += 1)}` }
  const { id, agent_token: token } = await asAdmin<{ id: string; agent_token: string }>(
    'POST',
    '/api/v1/clusters',
    body,
  )
  return { id, headers: { ...anAddress(), authorization: `Bearer ${token}` } }
}

/** The response of each of the three processes to the next request. */
async function everywhere(path: string, request: Request): Promise<number[]> {
  const replies = await Promise.all(servers.map((server) => call(server, path, request)))
  return replies.map(({ status }) => status)
}

const me = (headers: Record<string, string>) => everywhere('/auth/me', { headers })

describe('three processes that start at once on an empty database', () => {
  test('migrate the database once', async () => {
    const files = (await readdir(migrationsDirectory)).filter((file) => file.endsWith('.sql'))
    const { rows } = await sql<{ name: string }>`select name from schema_migration order by version`.execute(
      database.db,
    )
    expect(rows.map(({ name }) => name)).toEqual(files.sort())
  })

  test('create one admin and one set of secrets', async () => {
    expect(servers.filter(({ stdout }) => stdout.includes(`${admin.email} was created`))).toHaveLength(1)
    expect(servers.filter(({ stdout }) => stdout.includes('existing users can sign in'))).toHaveLength(2)
    const { rows } = await sql<{ purpose: string }>`select purpose from server_secret order by 1`.execute(database.db)
    expect(rows.map(({ purpose }) => purpose)).toEqual(['jwt', 'mac'])
  })

  test('accept the tokens, keys and cursors of each other', async () => {
    for (const server of servers) expect(await me(await logIn(admin, server))).toEqual([200, 200, 200])
    expect(await me((await aKey(adminHeaders)).headers)).toEqual([200, 200, 200])
    await aPerson('viewer')
    const { next_cursor: cursor } = await asAdmin<{ next_cursor: string }>('GET', '/api/v1/users?limit=1')
    expect(await everywhere(`/api/v1/users?limit=1&cursor=${cursor}`, { headers: adminHeaders })).toEqual([
      200, 200, 200,
    ])
  })
})

describe('a limit is exact over all processes', () => {
  async function fire(count: number, path: string, headers: Record<string, string>): Promise<Reply[]> {
    const targets = Array.from({ length: count }, (_, index) => servers[(index % 3) as 0 | 1 | 2])
    return Promise.all(targets.map((server) => callUntilServed(server, path, headers)))
  }

  /** A machine that is too slow for this many requests answers some with 503, before it counts them. */
  async function callUntilServed(server: ServerProcess, path: string, headers: Record<string, string>): Promise<Reply> {
    const reply = await call(server, path, { headers })
    return reply.status === 503 ? callUntilServed(server, path, headers) : reply
  }

  type Expected = { limit: number; left: number; acceptedStatus: number }

  function expectExactly(replies: Reply[], { limit, left, acceptedStatus }: Expected): void {
    const accepted = replies.filter(({ status }) => status !== 429)
    expect(accepted.map(({ status }) => status)).toEqual(Array(left).fill(acceptedStatus))
    // Each accepted request has its own position in the window.
    const remaining = accepted.map(({ headers }) => Number(headers.get('x-ratelimit-remaining'))).sort((a, b) => a - b)
    expect(remaining).toEqual(Array.from({ length: left }, (_, index) => index))
    for (const { status, headers } of replies.filter((reply) => reply.status === 429)) {
      const shown = [status, headers.get('x-ratelimit-limit'), headers.get('x-ratelimit-remaining')]
      expect(shown).toEqual([429, String(limit), '0'])
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    }
  }

  /** Opens a window in which `hits` requests are counted. A slow machine needs longer than the usual 60 s. */
  async function openWindow(bucket: string, hits: number): Promise<void> {
    await sql`
      insert into rate_limit (bucket, hits, resets_at) values (${bucket}, ${hits}, now() + interval '1 hour')
      on conflict (bucket) do update set hits = excluded.hits, resets_at = excluded.resets_at`.execute(database.db)
  }

  test('a user: the last 30 of 100, over two sessions', async () => {
    const { id, headers, account } = await aPerson('viewer')
    const other = await logIn(account, servers[1])
    await openWindow(`person:${id}`, 100 - 30)
    const halves = await Promise.all([fire(45, '/auth/me', headers), fire(45, '/auth/me', other)])
    expectExactly(halves.flat(), { limit: 100, left: 30, acceptedStatus: 200 })
  })

  test('an API key: the last 30 of 200, and its user is not affected', async () => {
    const person = await aPerson('viewer')
    const key = await aKey(person.headers)
    await openWindow(`key:${key.id}`, 200 - 30)
    const replies = await fire(90, '/api/v1/clusters', key.headers)
    expectExactly(replies, { limit: 200, left: 30, acceptedStatus: 200 })
    expect(await me(person.headers)).toEqual([200, 200, 200])
  })

  test('an agent: 20 of 60 for its cluster, for all operations and tokens', async () => {
    const { id, headers } = await aCluster()
    const { token } = await asAdmin<{ token: string }>('POST', `/api/v1/clusters/${id}/agent-tokens`)
    const other = { ...anAddress(), authorization: `Bearer ${token}` }
    await openWindow(`agent:${id}`, 0)
    const halves = await Promise.all([fire(30, '/api/v1/clusters', headers), fire(30, '/auth/me', other)])
    expectExactly(halves.flat(), { limit: 20, left: 20, acceptedStatus: 403 })
  })

  test('anonymous requests: the last 30 of 60 per address', async () => {
    const address = anAddress()
    await openWindow(`address:${address['x-forwarded-for']}`, 60 - 30)
    const replies = await fire(90, '/api/v1/clusters', address)
    expectExactly(replies, { limit: 60, left: 30, acceptedStatus: 401 })
  })
})

describe('takes effect on the next request, on all three processes:', () => {
  test('revoking a key', async () => {
    const { headers } = await aPerson('viewer')
    const key = await aKey(headers)
    expect(await me(key.headers)).toEqual([200, 200, 200])
    await call(servers[1], `/api/v1/api-keys/${key.id}`, { method: 'DELETE', headers })
    expect(await me(key.headers)).toEqual([401, 401, 401])
  })

  test('signing out, for all tokens of the session and no other', async () => {
    const { headers, account } = await aPerson('viewer')
    const elsewhere = await logIn(account)
    const { body } = await call(servers[1], '/auth/refresh', { method: 'POST', headers })
    const refreshed = { ...headers, authorization: `Bearer ${(body as { token: string }).token}` }
    expect([await me(headers), await me(refreshed)].flat()).toEqual(Array(6).fill(200))
    await call(servers[2], '/auth/logout', { method: 'POST', headers })
    expect([await me(headers), await me(refreshed)].flat()).toEqual(Array(6).fill(401))
    expect(await me(elsewhere)).toEqual([200, 200, 200])
  })

  test('changing the password, for the other sessions', async () => {
    const { headers, account } = await aPerson('viewer')
    const elsewhere = await logIn(account)
    expect(await me(elsewhere)).toEqual([200, 200, 200])
    const body = { current_password: account.password, new_password: 'staple battery horse' }
    expect((await call(servers[1], '/auth/password', { method: 'POST', headers, body })).status).toBe(204)
    expect([await me(headers), await me(elsewhere)].flat()).toEqual([200, 200, 200, 401, 401, 401])
  })

  test('assigning another role, up and down, for the token and the key', async () => {
    const { id, headers } = await aPerson('viewer')
    const key = await aKey(headers)
    const users = async () => [
      ...(await everywhere('/api/v1/users', { headers })),
      ...(await everywhere('/api/v1/users', { headers: key.headers })),
    ]
    expect(await users()).toEqual(Array(6).fill(403))
    await asAdmin('PATCH', `/api/v1/users/${id}`, { role: 'admin' })
    expect(await users()).toEqual(Array(6).fill(200))
    await asAdmin('PATCH', `/api/v1/users/${id}`, { role: 'viewer' })
    expect(await users()).toEqual(Array(6).fill(403))
  })

  test('changing the permissions of a role', async () => {
    await asAdmin('POST', '/api/v1/roles', { name: 'changing', permissions: ['clusters:read'] })
    const { headers } = await aPerson('changing')
    expect(await everywhere('/api/v1/clusters', { headers })).toEqual([200, 200, 200])
    await asAdmin('PATCH', '/api/v1/roles/changing', { permissions: [] })
    expect(await everywhere('/api/v1/clusters', { headers })).toEqual([403, 403, 403])
  })

  test('disabling and enabling a user', async () => {
    const { id, headers } = await aPerson('viewer')
    const key = await aKey(headers)
    expect([await me(headers), await me(key.headers)].flat()).toEqual(Array(6).fill(200))
    await asAdmin('PATCH', `/api/v1/users/${id}`, { disabled: true })
    expect([await me(headers), await me(key.headers)].flat()).toEqual(Array(6).fill(401))
    await asAdmin('PATCH', `/api/v1/users/${id}`, { disabled: false })
    expect([await me(headers), await me(key.headers)].flat()).toEqual([401, 401, 401, 200, 200, 200])
  })

  test('deleting a user', async () => {
    const { id, headers } = await aPerson('viewer')
    const key = await aKey(headers)
    expect([await me(headers), await me(key.headers)].flat()).toEqual(Array(6).fill(200))
    await asAdmin('DELETE', `/api/v1/users/${id}`)
    expect([await me(headers), await me(key.headers)].flat()).toEqual(Array(6).fill(401))
  })

  test('revoking an agent token', async () => {
    const { id, headers } = await aCluster()
    expect(await me(headers)).toEqual([403, 403, 403])
    const { agent_tokens: tokens } = await asAdmin<{ agent_tokens: { id: string }[] }>(
      'GET',
      `/api/v1/clusters/${id}/agent-tokens`,
    )
    await asAdmin('DELETE', `/api/v1/clusters/${id}/agent-tokens/${tokens[0]?.id}`)
    expect(await me(headers)).toEqual([401, 401, 401])
  })

  test('deleting a cluster: users get 404, its agent gets 410', async () => {
    const { id, headers } = await aCluster()
    const seen = () => everywhere(`/api/v1/clusters/${id}`, { headers: adminHeaders })
    expect([await seen(), await me(headers)].flat()).toEqual([200, 200, 200, 403, 403, 403])
    await asAdmin('DELETE', `/api/v1/clusters/${id}`)
    expect([await seen(), await me(headers)].flat()).toEqual([404, 404, 404, 410, 410, 410])
  })

  test('rotating the signing key: new tokens use it, old ones stay valid', async () => {
    const { headers, account } = await aPerson('viewer')
    expect(await me(headers)).toEqual([200, 200, 200])
    const { kid } = await asAdmin<{ kid: string }>('POST', '/api/v1/signing-keys')
    for (const server of servers) {
      const fresh = await logIn(account, server)
      expect(keyIdOf(fresh)).toBe(kid)
      expect(await me(fresh)).toEqual([200, 200, 200])
    }
    expect(await me(headers)).toEqual([200, 200, 200])
  })

  test('rotating the signing key and ending all sessions: all users sign in again, on every process', async () => {
    const { headers, account } = await aPerson('viewer')
    expect(await me(headers)).toEqual([200, 200, 200])
    await asAdmin('POST', '/api/v1/signing-keys', { end_sessions: true })
    expect([await me(headers), await me(adminHeaders)].flat()).toEqual(Array(6).fill(401))
    for (const server of servers) expect(await me(await logIn(account, server))).toEqual([200, 200, 200])
    adminHeaders = await logIn(admin)
  })

  function keyIdOf({ authorization }: { authorization: string }): string {
    const header = Buffer.from(authorization.slice('Bearer '.length).split('.')[0] ?? '', 'base64url').toString()
    return (JSON.parse(header) as { kid: string }).kid
  }
})

test('PLIMSOLL_ROLE: api serves requests and runs no jobs, worker runs jobs and does not listen', async () => {
  const own = await testDatabase()
  const api = await startServer({ ...environment(own), PLIMSOLL_ROLE: 'api' })
  onTestFinished(() => api.end())
  const { body: login } = await call(api, '/auth/login', { method: 'POST', body: admin })
  const headers = { authorization: `Bearer ${(login as { token: string }).token}` }
  const made = await call(api, '/api/v1/clusters', { method: 'POST', headers, body: { name: 'doomed' } })
  const { id } = made.body as { id: string }
  expect((await call(api, `/api/v1/clusters/${id}`, { method: 'DELETE', headers })).status).toBe(204)
  const left = async () => {
    const { rows } = await sql<{ jobs: number; states: number; crontabs: number }>`
      select (select count(*)::integer from graphile_worker.jobs) as jobs,
             (select count(*)::integer from cluster_state) as states,
             (select count(*)::integer from graphile_worker._private_known_crontabs) as crontabs`.execute(own.db)
    return rows[0]
  }
  expect(await left()).toEqual({ jobs: 1, states: 1, crontabs: 0 })

  const worker = await startServer({ ...environment(own), PLIMSOLL_ROLE: 'worker' })
  onTestFinished(() => worker.end())
  expect(worker.stdout).toContain('Plimsoll worker is running')
  await vi.waitUntil(async () => (await left())?.states === 0, patience)
  await expect(call(worker, '/healthz')).rejects.toThrow()
  expect(await Promise.all([api.stop(), worker.stop()])).toEqual([0, 0])
})
