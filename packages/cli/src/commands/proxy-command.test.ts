import { request as httpRequest } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { aRun } from '../../test/a-run.ts'
import { aClosedAddress, aServer } from '../../test/a-server.ts'
import { targetOf } from './proxy-command.ts'

/** Runs `plimsoll proxy` on a free port until the test ends. */
async function aProxy(server: string): Promise<URL> {
  const stop = new AbortController()
  let serving: (url: URL) => void
  const address = new Promise<URL>((resolve) => (serving = resolve))
  const ended = aRun(['proxy', '--port', '0'], {
    env: { PLIMSOLL_URL: server, PLIMSOLL_API_KEY: 'plk_1' },
    stopSignal: stop.signal,
    onWarning: (text) => serving(new URL(/at (http:\/\/127\.0\.0\.1:\d+)\./.exec(text)?.[1] ?? '')),
  })
  onTestFinished(async () => {
    stop.abort()
    expect((await ended).exitCode).toBe(0)
  })
  return address
}

/** With the path and the headers as they are. */
function call(
  { hostname, port }: URL,
  path: string,
  options: { method?: string; headers?: object; body?: string } = {},
) {
  const { body = '', method = 'GET', headers = {} } = options
  return new Promise<{ status: number; body: string }>((resolve, reject) => {
    httpRequest({ hostname, port, path, method, headers: { ...headers } }, (response) => {
      let text = ''
      response.on('data', (chunk: Buffer) => (text += chunk.toString()))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: text }))
    })
      .on('error', reject)
      .end(body)
  })
}

test('the proxy sends every request below /model, with the key of the context', async () => {
  const server = await aServer(() => ({ status: 422, body: { code: 422 } }))
  const proxy = await aProxy(`${server.url}/costs`)
  for (const path of [
    '/allocation?window=7d',
    '/model/allocation?window=7d',
    '/api/v1/clusters',
    '/model/assets?filter=a..b',
  ])
    expect(await call(proxy, path, { headers: { 'x-api-key': 'own', cookie: 'a=b' } })).toEqual({
      status: 422,
      body: '{"code":422}',
    })
  const model = '/costs/model'
  expect(server.requests).toEqual(
    [
      `${model}/allocation?window=7d`,
      `${model}/allocation?window=7d`,
      `${model}/api/v1/clusters`,
      `${model}/assets?filter=a..b`,
    ].map((url) => ({ url, key: 'plk_1' })),
  )
})

test.each([
  '/model/../auth/me',
  '/model/%2e%2e/auth/me',
  '/model/.%2E/api/v1/clusters',
  '/model/.%2..e/api/v1/clusters',
  '/../auth/me',
  '/model/x/../../auth/me',
])('no spelling of %s leaves /model', (path) => {
  for (const server of ['http://127.0.0.1:8080', 'https://plimsoll.example/costs']) {
    const target = targetOf(server, path)
    if (target !== undefined) expect(new URL(target).pathname).toMatch(/^(\/costs)?\/model\//)
  }
})

test('a path that leaves /model, and a page of another website, are refused', async () => {
  const server = await aServer(() => ({}))
  const proxy = await aProxy(server.url)
  expect((await call(proxy, '/model/../auth/me')).status).toBe(404)
  expect((await call(proxy, '/allocation', { headers: { origin: 'https://evil.example' } })).status).toBe(403)
  expect((await call(proxy, '/allocation', { headers: { origin: 'http://localhost:9090' } })).status).toBe(200)
  expect(server.requests.map(({ url }) => url)).toEqual(['/model/allocation'])
})

test('the proxy refuses other names and methods, and says when the server is away', async () => {
  const server = await aServer(() => ({}))
  const proxy = await aProxy(server.url)
  expect((await call(proxy, '/allocation', { headers: { host: 'evil.example' } })).status).toBe(403)
  expect((await call(proxy, '/allocation', { method: 'DELETE' })).status).toBe(405)
  expect(server.requests).toEqual([])
  const away = await aProxy(await aClosedAddress())
  expect(await call(away, '/allocation')).toMatchObject({ status: 502 })
})

test('wrong ports and ports in use are reported', async () => {
  const { url } = await aServer(() => ({}))
  const env = { PLIMSOLL_URL: url, PLIMSOLL_API_KEY: 'plk_1' }
  expect(await aRun(['proxy', '--port', '70000'], { env })).toMatchObject({ exitCode: 2 })
  const taken = await aRun(['proxy', '--port', new URL(url).port], { env })
  expect(taken).toMatchObject({ exitCode: 1 })
  expect(taken.errors).toContain('EADDRINUSE')
})
