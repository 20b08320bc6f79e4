import { expect, onTestFinished, test } from 'vitest'
import { aPerson, password } from '../../../test/people.ts'
import { expectPromisedHeaders } from '../../../test/promises.ts'
import { send, useTestApp } from '../../../test/test-app.ts'
import { buildApp } from '../../app.ts'
import type { Settings } from '../deps.ts'

const t = useTestApp()

const clusters = '/api/v1/clusters'
const origin = 'https://console.example'
const preflight = { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'x-api-key' }

async function appWith(settings: Partial<Settings>) {
  const app = await buildApp({ ...t.deps, settings: { ...t.deps.settings, ...settings } })
  onTestFinished(() => app.close())
  return { app }
}

const corsHeaders = (headers: Record<string, unknown>) =>
  Object.keys(headers).filter((name) => name.startsWith('access-control-'))

test('by default no other site may read a response', async () => {
  const answers = [
    await send(t, { method: 'OPTIONS', url: clusters, headers: preflight }),
    await send(t, { url: clusters, headers: { origin } }),
    await send(t, { url: '/healthz', headers: { origin } }),
  ]
  expect(answers.flatMap(({ headers }) => corsHeaders(headers))).toEqual([])
  expect(answers.map(({ headers }) => headers['cross-origin-resource-policy'])).toEqual(Array(3).fill('same-origin'))
})

test('a configured origin is in the preflight and in every response, never with cookies', async () => {
  const app = await appWith({ corsOrigins: [origin] })
  const allowed = await send(app, { method: 'OPTIONS', url: clusters, headers: preflight })
  expect(allowed.statusCode).toBe(204)
  expect(allowed.headers).toMatchObject({
    'access-control-allow-origin': origin,
    'access-control-allow-methods': 'GET, HEAD, POST, PATCH, PUT, DELETE',
    'access-control-allow-headers': expect.stringContaining('X-API-Key') as string,
    vary: 'Origin',
  })
  expectPromisedHeaders(allowed)

  const { bearer } = await aPerson(t)
  for (const headers of [{ origin }, { origin, ...bearer }]) {
    const response = await send(app, { url: clusters, headers })
    expect(response.headers).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-expose-headers': expect.stringContaining('X-RateLimit-Remaining') as string,
      'cross-origin-resource-policy': 'cross-origin',
    })
    expect(response.headers).not.toHaveProperty('access-control-allow-credentials')
  }
  const malformed = await send(app, { url: '/%zz', headers: { origin } })
  expect([malformed.statusCode, malformed.headers['access-control-allow-origin']]).toEqual([400, origin])
})

test.each(['https://evil.example', 'https://console.example.evil', 'http://console.example', 'null', ''])(
  'the origin %j is not configured',
  async (other) => {
    const app = await appWith({ corsOrigins: [origin] })
    const response = await send(app, { method: 'OPTIONS', url: clusters, headers: { ...preflight, origin: other } })
    expect(corsHeaders(response.headers)).toEqual([])
    expect(response.headers.vary).toBe('Origin')
  },
)

test('a service with https sends HSTS and restricts its cookies to https', async () => {
  expect((await send(t, { url: '/healthz' })).headers).not.toHaveProperty('strict-transport-security')
  const app = await appWith({ publicUrl: 'https://plimsoll.example' })
  expect((await send(app, { url: '/healthz' })).headers['strict-transport-security']).toBe('max-age=31536000')
  const { email } = await aPerson(t)
  const login = await send(app, { method: 'POST', url: '/auth/login', body: { email, password, cookie: true } })
  expect([login.headers['set-cookie'] ?? []].flat().map((cookie) => cookie.includes('; Secure'))).toEqual([
    true,
    true,
    true,
  ])
})

test('pages may use only our own scripts and styles', async () => {
  const policy = String((await send(t, { url: '/welcome' })).headers['content-security-policy'])
  const directives = Object.fromEntries(
    policy.split('; ').map((each): [string, string[]] => {
      const [name = '', ...sources] = each.split(' ')
      return [name, sources]
    }),
  )
  expect(directives).toMatchObject({
    'default-src': ["'none'"],
    'script-src': ["'self'"],
    'style-src': ["'self'"],
    'connect-src': ["'self'"],
    'frame-ancestors': ["'none'"],
    'base-uri': ["'none'"],
  })
  expect(policy).not.toContain('unsafe')
})
