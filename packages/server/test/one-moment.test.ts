import { expect, test } from 'vitest'
import { aCluster, aPerson } from './people.ts'
import { send, useTestApp, type Call } from './test-app.ts'

const t = useTestApp()

/** The clock of a server never stops: two readings in one request differ. */
function letTheClockRun(): void {
  const { deps, clock } = t
  deps.now = () => {
    clock.advance(1)
    return clock.now
  }
}

type Times = Record<string, unknown>

const timesIn = (body: Times) =>
  Object.fromEntries(Object.entries(body).filter(([name]) => /_at$|^retires_at$/.test(name) && name !== 'last_used_at'))

test('the times in the response to a change equal the times that are read afterwards', async () => {
  const { bearer: headers } = await aPerson(t)
  const { clusterId } = await aCluster(t)
  letTheClockRun()
  const call = async (method: Call['method'], path: string, body?: unknown) =>
    (await send(t, { method: method ?? 'GET', url: `/api/v1/${path}`, headers, body })).json<Times>()
  const oneOf = async (path: string, list: string, key: string, value: unknown) =>
    ((await call('GET', path))[list] as Times[]).find((each) => each[key] === value)

  const cluster = await call('POST', 'clusters', { name: 'of one moment' })
  const token = await call('POST', `clusters/${clusterId}/agent-tokens`, {})
  const user = await call('POST', 'users', { email: 'moment@example.com', role: 'viewer' })
  const role = await call('POST', 'roles', { name: 'moment', permissions: [] })
  const key = await call('POST', 'api-keys', { name: 'moment', expires_at: '2027-01-01T00:00:00Z' })
  const signingKey = await call('POST', 'signing-keys')
  const price = await call('POST', 'price-overrides', { kind: 'discount', provider: 'aws', percent: 5 })
  const policy = await call('PUT', 'policies', { cluster_id: clusterId, settings: { dial: 'safe' } })
  const teams = await call('PUT', 'team-mapping', { rules: [{ team: 'all' }] })
  const job = await call('POST', `clusters/${clusterId}/sync`)

  const pairs = {
    cluster: [cluster, await call('GET', `clusters/${String(cluster.id)}`)],
    token: [token, await oneOf(`clusters/${clusterId}/agent-tokens`, 'agent_tokens', 'id', token.id)],
    user: [user, await call('GET', `users/${String(user.id)}`)],
    role: [role, await call('GET', 'roles/moment')],
    key: [key, await oneOf('api-keys', 'api_keys', 'id', key.id)],
    signingKey: [signingKey, await oneOf('signing-keys', 'signing_keys', 'kid', signingKey.kid)],
    price: [price, await oneOf('price-overrides', 'price_overrides', 'id', price.id)],
    policy: [policy, await oneOf(`policies?cluster_id=${clusterId}`, 'policies', 'cluster_id', clusterId)],
    teams: [teams, await call('GET', 'team-mapping')],
    job: [job, await call('GET', `jobs/${String(job.id)}`)],
  }
  for (const [name, [answered, read]] of Object.entries(pairs)) {
    const times = timesIn(answered ?? {})
    expect([name, Object.keys(times).length > 0]).toEqual([name, true])
    expect([name, timesIn(read ?? {})]).toEqual([name, times])
  }
})
