import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { send, useTestApp } from '../../../test/test-app.ts'
import { buildApp } from '../../app.ts'

const t = useTestApp()

const script = '/assets/index-Abc12345.js'

test.each([
  '/',
  '/welcome',
  '/sign-in',
  '/recommendations/rec_1',
  '/clusters/new',
  '/clusters/cls_1',
  '/settings/roles',
])('%s is the dashboard, which selects the page in the browser', async (url) => {
  const response = await send(t, { url })
  expect(response.statusCode).toBe(200)
  expect(response.headers['content-type']).toBe('text/html; charset=utf-8')
  expect(response.body).toContain(script)
})

test('an address without a page does not get one', async () => {
  const response = await send(t, { url: '/recommendation' })
  expect(response.statusCode).toBe(404)
  expect(response.json()).toMatchObject({ code: 'not_found' })
})

test('caches separate the responses for browsers and programs at an unknown address', async () => {
  for (const accept of ['text/html', 'application/json']) {
    const response = await send(t, { url: '/nope', headers: { accept } })
    expect(response.headers.vary).toBe('Accept')
  }
  expect((await send(t, { url: '/api/v1/nope' })).headers).not.toHaveProperty('vary')
})

test.each(['/nope', '/recommendation', '/clusters/cls_1/no/such/page'])(
  'a browser at the unknown address %s gets the dashboard with an error, with or without a session',
  async (url) => {
    const accept = 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8'
    for (const headers of [{ accept }, { accept, cookie: 'plimsoll_session=long-ended' }]) {
      const response = await send(t, { url, headers })
      expect(response.statusCode).toBe(404)
      expect(response.headers['content-type']).toBe('text/html; charset=utf-8')
      expect(response.body).toContain(script)
    }
  },
)

test.each(['/api/v1/nope', '/auth/nope', '/docs/nope', '/assets/nope.js', '/robots.txt'])(
  'at %s there are no pages: a missing resource is a problem for browsers as well',
  async (url) => {
    const response = await send(t, { url, headers: { accept: 'text/html' } })
    expect(response.statusCode).toBe(404)
    expect(response.json()).toMatchObject({ code: 'not_found' })
  },
)

test('a script is compressed for clients that support it, with the same content', async () => {
  const plain = await send(t, { url: script })
  const zipped = await send(t, { url: script, headers: { 'accept-encoding': 'br, gzip' } })
  expect(plain.headers).not.toHaveProperty('content-encoding')
  expect(zipped.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' })
  expect(zipped.rawPayload.length).toBeLessThan(plain.rawPayload.length)
  expect(gunzipSync(zipped.rawPayload)).toEqual(plain.rawPayload)
})

test('without a built dashboard the pages say how to build it, and the API works', async () => {
  const app = await buildApp(t.deps, { webDirectory: new URL('./no-such-directory/', import.meta.url) })
  expect((await send({ app }, { url: '/' })).json()).toMatchObject({
    code: 'not_found',
    detail: expect.stringContaining('npm run build') as string,
  })
  expect((await send({ app }, { url: '/healthz' })).statusCode).toBe(200)
  await app.close()
})
