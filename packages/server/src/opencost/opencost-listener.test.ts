import { request as httpRequest } from 'node:http'
import { endSecond, twoNodes } from '@plimsoll/pipeline/testing'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../../../test/free-port.ts'
import { aFoldedCluster, isoHour } from '../../test/folded-cluster.ts'
import { anApiKey, aPerson, aRole } from '../../test/people.ts'
import { send, useTestApp } from '../../test/test-app.ts'
import { demandListenerKey, listenForOpencost, makeOpencostServer } from './opencost-listener.ts'

const t = useTestApp({ limits: { api_key: 100 } })

beforeEach(() => {
  t.clock.now = new Date(endSecond * 1000)
})

const window = `window=${isoHour(0)},${isoHour(2)}&aggregate=namespace`.replaceAll('.000Z', 'Z')

async function aListener(apiKey: string): Promise<number> {
  const port = await freePort()
  const close = await listenForOpencost(makeOpencostServer(t.app, t.deps, apiKey), { host: '127.0.0.1', port })
  onTestFinished(close)
  return port
}

/** With the path as it is: `fetch` would resolve its dots. */
function get(port: number, path: string, options: { method?: string; headers?: Record<string, string> } = {}) {
  return new Promise<{ status: number; body: string; headers: Record<string, unknown> }>((resolve, reject) => {
    httpRequest({ host: '127.0.0.1', port, path, ...options }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        const body = Buffer.concat(chunks).toString()
        resolve({ status: response.statusCode ?? 0, body, headers: response.headers })
      })
    })
      .on('error', reject)
      .end()
  })
}

test('the listener answers at / and /model/ as its key: its narrowing, rate limit and last use', async () => {
  const { clusterId } = await aFoldedCluster(t, twoNodes)
  const role = await aRole(t, ['reports:read'], { clusters: [clusterId], namespaces: ['shop'] })
  const { key, keyId, header } = await anApiKey(t, (await aPerson(t, role)).userId)
  const expected = await send(t, { url: `/model/allocation?${window}`, headers: header })
  const port = await aListener(key)
  for (const path of ['/allocation', '/model/allocation', '/allocation/compute', '/model/allocation/compute']) {
    const { status, body, headers } = await get(port, `${path}?${window}`)
    expect([path, status, JSON.parse(body)]).toEqual([path, 200, expected.json()])
    expect(headers['x-ratelimit-limit']).toBe('100')
  }
  expect(Object.keys(expected.json<{ data: [object] }>().data[0])).toEqual(['shop'])
  const used = await t.db.selectFrom('last_use').select('at').where('subject_id', '=', keyId).execute()
  expect(used).toHaveLength(1)
})

test('credentials of a client do not count', async () => {
  const role = await aRole(t, ['reports:read'], { clusters: [] })
  const port = await aListener((await anApiKey(t, (await aPerson(t, role)).userId)).key)
  const admin = await aPerson(t, 'admin')
  await aFoldedCluster(t, twoNodes)
  const stranger = await anApiKey(t, admin.userId)
  for (const headers of [
    admin.bearer,
    stranger.header,
    { cookie: `plimsoll_session=${admin.bearer.authorization.slice('Bearer '.length)}` },
    { authorization: 'Basic YTpi' },
  ])
    expect(JSON.parse((await get(port, '/clusterInfoMap', { headers })).body)).toMatchObject({ code: 200, data: {} })
})

test.each([
  ...['/api/v1/clusters', '/healthz', '/metrics', '/docs', '/', '/auth/me', '/openapi.json', '/modelx'],
  ...['/model/../api/v1/clusters', '/../api/v1/clusters', '//api/v1/clusters', '/%2e%2e/api/v1/clusters'],
])('%s is not served', async (path) => {
  const port = await aListener((await anApiKey(t, (await aPerson(t, 'viewer')).userId)).key)
  const { status, body } = await get(port, path, { headers: { accept: 'text/html' } })
  expect([path, status, JSON.parse(body)]).toMatchObject([path, 404, { code: 'not_found' }])
})

test('a key that may do more than read, or cannot read reports, does not open the listener', async () => {
  const { userId } = await aPerson(t, 'editor')
  const demand = async (key: string) => demandListenerKey(t.deps, key)
  const wide = await anApiKey(t, userId)
  await expect(demand(wide.key)).rejects.toThrow(/may do more than read: clusters:write, .*scope reports:read\.$/)
  const clusters = await anApiKey(t, userId, ['clusters:read'])
  await expect(demand(clusters.key)).rejects.toThrow('needs the permission reports:read')
  await expect(demand(`${clusters.key}x`)).rejects.toThrow('is unknown, expired or revoked')
  await expect(demand((await anApiKey(t, userId, ['reports:read'])).key)).resolves.toBeUndefined()
})

test('a request that is not HTTP gets an answer, and a port in use a sentence', async () => {
  const { key } = await anApiKey(t, (await aPerson(t, 'viewer')).userId)
  const port = await aListener(key)
  expect((await get(port, '/allocation', { headers: { 'x-long': 'a'.repeat(20_000) } })).status).toBe(431)
  const again = listenForOpencost(makeOpencostServer(t.app, t.deps, key), { host: '127.0.0.1', port })
  await expect(again).rejects.toThrow(`Cannot serve OpenCost on 127.0.0.1:${port} (the port is in use).`)
})
