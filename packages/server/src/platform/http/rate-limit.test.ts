import { rateLimits } from '@plimsoll/contract'
import { expect, onTestFinished, test } from 'vitest'
import { aCluster, anApiKey, aPerson } from '../../../test/people.ts'
import { expectProblem } from '../../../test/promises.ts'
import { send, useTestApp, type Call } from '../../../test/test-app.ts'
import { buildApp } from '../../app.ts'
import { deleteCluster } from '../../clusters/queries/clusters.ts'

const t = useTestApp({ limits: rateLimits })

let lastAddress = 0

/** An address without counted requests. */
const newAddress = () => `198.51.100.${(lastAddress += 1)}`

async function sendFrom(remoteAddress: string, { method = 'GET', url, headers = {}, body }: Call) {
  return t.app.inject({
    method,
    url,
    remoteAddress,
    headers,
    ...(body === undefined ? {} : { payload: body as object }),
  })
}

type Answer = Awaited<ReturnType<typeof sendFrom>>

const limitOf = ({ headers }: Answer) => Number(headers['x-ratelimit-limit'])
const remainingOf = ({ headers }: Answer) => Number(headers['x-ratelimit-remaining'])
const resetOf = ({ headers }: Answer) => Number(headers['x-ratelimit-reset'])

/** As if this many requests had already come. */
async function setHits(bucket: string, hits: number): Promise<void> {
  await t.db.updateTable('rate_limit').set({ hits }).where('bucket', '=', bucket).execute()
}

const hitsOf = async (bucket: string) =>
  (await t.db.selectFrom('rate_limit').select('hits').where('bucket', '=', bucket).executeTakeFirst())?.hits

test('a user has 100 requests a minute, over all sessions', async () => {
  const { bearer, userId } = await aPerson(t, 'viewer')
  const first = await sendFrom(newAddress(), { url: '/api/v1/clusters', headers: bearer })
  expect([limitOf(first), remainingOf(first)]).toEqual([100, 99])
  await setHits(`person:${userId}`, 99)
  const last = await sendFrom(newAddress(), { url: '/api/v1/clusters', headers: bearer })
  expect([last.statusCode, remainingOf(last)]).toEqual([200, 0])
  const beyond = await sendFrom(newAddress(), { url: '/api/v1/clusters', headers: bearer })
  expect([beyond.statusCode, remainingOf(beyond)]).toEqual([429, 0])
  expectProblem(beyond, 'rate_limited')
})

test('an API key has 200, separate from its user', async () => {
  const { userId, bearer } = await aPerson(t, 'viewer')
  const { header } = await anApiKey(t, userId)
  await sendFrom(newAddress(), { url: '/api/v1/clusters', headers: bearer })
  const response = await sendFrom(newAddress(), { url: '/api/v1/clusters', headers: header })
  expect([limitOf(response), remainingOf(response)]).toEqual([200, 199])
})

test('the agent of a deleted cluster has the limit of an agent, also on 410', async () => {
  const { clusterId, bearer } = await aCluster(t)
  await deleteCluster(t.db, clusterId, t.clock.now)
  const call: Call = { method: 'POST', url: '/api/v1/agent/metrics', headers: bearer }
  const first = await sendFrom(newAddress(), call)
  expect([first.statusCode, limitOf(first), remainingOf(first)]).toEqual([410, 20, 19])
  await setHits(`agent:${clusterId}`, 20)
  const beyond = await sendFrom(newAddress(), call)
  expect([beyond.statusCode, limitOf(beyond)]).toEqual([429, 20])
})

test("an agent's cluster has 20, over all its tokens, and forbidden requests count", async () => {
  const response = await sendFrom(newAddress(), { url: '/api/v1/clusters', headers: (await aCluster(t)).bearer })
  expect([response.statusCode, limitOf(response), remainingOf(response)]).toEqual([403, 20, 19])
})

test('an address without a credential has 60, for any request', async () => {
  const address = newAddress()
  const urls = ['/api/v1/clusters', '/none', '/api/v1/%zz', '/api/v1/roles/none']
  const answers: Answer[] = []
  for (const url of urls) answers.push(await sendFrom(address, { url }))
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([401, 404, 400, 401])
  expect(answers.map(limitOf)).toEqual([60, 60, 60, 60])
  expect(answers.map(remainingOf)).toEqual([59, 58, 57, 56])

  await setHits(`address:${address}`, 60)
  for (const url of urls) {
    const beyond = await sendFrom(address, { url })
    expect([beyond.statusCode, remainingOf(beyond)]).toEqual([429, 0])
  }
  expect((await sendFrom(newAddress(), { url: '/api/v1/clusters' })).statusCode).toBe(401)
})

test('the hosts of one IPv6 network share a limit', async () => {
  const first = await sendFrom('2001:db8:1:2::1', { url: '/none' })
  const second = await sendFrom('2001:db8:1:2:ffff::2', { url: '/none' })
  expect([remainingOf(first), remainingOf(second)]).toEqual([59, 58])
})

test('failed credentials count against the address, even when they name a user', async () => {
  const address = newAddress()
  const { userId, bearer, token } = await aPerson(t, 'viewer')
  const forged = `Bearer ${token.slice(0, -4)}AAAA`
  for (const authorization of ['Bearer x', forged])
    await sendFrom(address, { url: '/auth/me', headers: { authorization } })
  const { header } = await anApiKey(t, userId)
  await sendFrom(address, { url: '/auth/me', headers: { ...bearer, ...header } })
  expect([await hitsOf(`address:${address}`), await hitsOf(`person:${userId}`)]).toEqual([3, undefined])
})

test('beyond the limit, an invalid credential is 429 and a valid one is served', async () => {
  const address = newAddress()
  await sendFrom(address, { url: '/none' })
  await setHits(`address:${address}`, 60)
  expect((await sendFrom(address, { url: '/auth/me', headers: { authorization: 'Bearer x' } })).statusCode).toBe(429)
  const { bearer } = await aPerson(t, 'viewer')
  expect((await sendFrom(address, { url: '/auth/me', headers: bearer })).statusCode).toBe(200)
})

test('sign-in and anonymous requests do not block each other', async () => {
  const address = newAddress()
  const login: Call = { method: 'POST', url: '/auth/login', body: { email: 'nobody@example.com', password: 'x' } }
  await sendFrom(address, { url: '/none' })
  await setHits(`address:${address}`, 60)
  const attempt = await sendFrom(address, login)
  expect([attempt.statusCode, limitOf(attempt), remainingOf(attempt)]).toEqual([401, 60, 59])

  await setHits(`login:${address}`, 60)
  await setHits(`address:${address}`, 0)
  expectProblem(await sendFrom(address, login), 'rate_limited')
  expect((await sendFrom(address, { url: '/none' })).statusCode).toBe(404)
})

test.each(['/', '/docs', '/openapi.json', '/welcome', '/assets/plimsoll.css', '/assets/none.js', '/unknown-page'])(
  '%s counts against the page limit only',
  async (url) => {
    const address = newAddress()
    const headers = { accept: 'text/html' }
    const answers = [
      await sendFrom(address, { url, headers }),
      await sendFrom(address, { method: 'HEAD', url, headers }),
    ]
    expect(answers.map((answer) => [limitOf(answer), remainingOf(answer)])).toEqual([
      [3000, 2999],
      [3000, 2998],
    ])
    expect(await hitsOf(`address:${address}`)).toBeUndefined()
  },
)

test.each(['/', '/unknown-page', '/assets/plimsoll.css'])('%s beyond the page limit is 429', async (url) => {
  const webDirectory = new URL('../../../test/fixtures/web/', import.meta.url)
  const app = await buildApp({ ...t.deps, limits: { ...rateLimits, page: 1 } }, { webDirectory })
  onTestFinished(() => app.close())
  const ask = (remoteAddress: string, path = url) =>
    app.inject({ url: path, remoteAddress, headers: { accept: 'text/html' } })
  const address = newAddress()
  const first = await ask(address)
  const beyond = await ask(address)
  expectProblem(beyond, 'rate_limited')
  expect([limitOf(beyond), remainingOf(beyond), resetOf(beyond)]).toEqual([1, 0, resetOf(first)])
  expect(Number(beyond.headers['retry-after'])).toBe(60)
  expect([(await ask(newAddress())).statusCode, (await ask(address, '/healthz')).statusCode]).toEqual([
    first.statusCode,
    200,
  ])

  t.clock.advance(60_000)
  expect((await ask(address)).statusCode).toBe(first.statusCode)
})

test.each(['/healthz', '/readyz', '/metrics'])('%s shows a limit and consumes nothing', async (url) => {
  const address = newAddress()
  const answers = [await sendFrom(address, { url }), await sendFrom(address, { method: 'HEAD', url })]
  expect(answers.map((answer) => [limitOf(answer), remainingOf(answer)])).toEqual([
    [60, 60],
    [60, 60],
  ])
  expect(await hitsOf(`address:${address}`)).toBeUndefined()
})

test('the first request opens a window, which is fixed and followed by a new one after 60 seconds', async () => {
  const address = newAddress()
  const bucket = `address:${address}`
  const windowOf = async () => {
    const { rows } = await t.pool.query<{ left: number }>(
      'select extract(epoch from resets_at - statement_timestamp())::float as left from rate_limit where bucket = $1',
      [bucket],
    )
    return rows[0]?.left ?? 0
  }
  const first = await sendFrom(address, { url: '/none' })
  expect(await windowOf()).toBeLessThanOrEqual(60)
  expect(await windowOf()).toBeGreaterThan(30)
  await setHits(bucket, 60)
  const beyond = await sendFrom(address, { url: '/none' })
  expect([beyond.statusCode, resetOf(beyond)]).toEqual([429, resetOf(first)])
  expect(Number(beyond.headers['retry-after'])).toBeGreaterThan(0)
  expect(Number(beyond.headers['retry-after'])).toBeLessThanOrEqual(60)

  await t.pool.query("update rate_limit set resets_at = resets_at - interval '60 seconds' where bucket = $1", [bucket])
  const fresh = await sendFrom(address, { url: '/none' })
  expect([fresh.statusCode, remainingOf(fresh)]).toEqual([404, 59])
  expect(resetOf(fresh)).toBeGreaterThanOrEqual(resetOf(first))
})

test('rejected requests do not extend the window', async () => {
  const address = newAddress()
  const first = await sendFrom(address, { url: '/none' })
  await setHits(`address:${address}`, 1000)
  const beyond = await sendFrom(address, { url: '/none' })
  expect(resetOf(beyond)).toBe(resetOf(first))
  expect(beyond.json()).toMatchObject({
    detail: expect.stringContaining('More than 60 requests in 60 seconds') as string,
  })
})

test('X-Forwarded-For of an untrusted address is ignored', async () => {
  const address = newAddress()
  await sendFrom(address, { url: '/none', headers: { 'x-forwarded-for': '203.0.113.9' } })
  expect([await hitsOf(`address:${address}`), await hitsOf('address:203.0.113.9')]).toEqual([1, undefined])
})

test('X-Forwarded-For of a trusted proxy is used, up to the first untrusted address', async () => {
  const app = await buildApp({ ...t.deps, settings: { ...t.deps.settings, trustedProxies: ['10.0.0.0/8'] } })
  onTestFinished(() => app.close())
  const ask = (forwarded: string) =>
    app.inject({ url: '/none', remoteAddress: '10.1.2.3', headers: { 'x-forwarded-for': forwarded } })
  await ask('203.0.113.1, 203.0.113.2, 10.9.9.9')
  await ask('203.0.113.3:4711')
  expect(await hitsOf('address:203.0.113.1')).toBeUndefined()
  expect(await hitsOf('address:203.0.113.2')).toBe(1)
  expect(await hitsOf('address:203.0.113.3')).toBe(1)
  expect((await ask('x'.repeat(5000))).statusCode).toBe(404)
  expect(await hitsOf('address:unknown')).toBe(1)
})

test('the OPTIONS and HEAD of a route count like its GET', async () => {
  const { bearer } = await aPerson(t, 'viewer')
  const answers: Answer[] = []
  for (const method of ['GET', 'HEAD', 'OPTIONS'] as const) {
    answers.push(await send(t, { method, url: '/api/v1/clusters', headers: bearer }))
  }
  expect(answers.map(remainingOf)).toEqual([99, 98, 97])
})
