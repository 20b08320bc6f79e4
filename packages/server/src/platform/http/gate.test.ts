import { beforeAll, expect, test } from 'vitest'
import { aCluster, anApiKey, aPerson, aRole, password, type Person } from '../../../test/people.ts'
import { expectProblem } from '../../../test/promises.ts'
import { send, useTestApp, type Call } from '../../../test/test-app.ts'

const t = useTestApp()

const clusters = '/api/v1/clusters'
const malformed = '{"name":'
let admin: Person
let viewer: Person

beforeAll(async () => {
  admin = await aPerson(t)
  viewer = await aPerson(t, 'viewer')
})

test.each<{ what: string; call: () => Call | Promise<Call>; code: string }>([
  {
    what: 'an anonymous caller with a malformed body gets 401',
    call: () => ({ method: 'POST', url: clusters, body: malformed }),
    code: 'unauthenticated',
  },
  {
    what: 'a viewer with a malformed body is forbidden',
    call: () => ({ method: 'POST', url: clusters, headers: viewer.bearer, body: malformed }),
    code: 'forbidden',
  },
  {
    what: 'a viewer with an unknown parameter is forbidden',
    call: () => ({ method: 'POST', url: `${clusters}?a=1`, headers: viewer.bearer }),
    code: 'forbidden',
  },
  {
    what: 'a viewer who changes a missing object is forbidden',
    call: () => ({ method: 'DELETE', url: `${clusters}/cls_none`, headers: viewer.bearer }),
    code: 'forbidden',
  },
  {
    what: 'a narrowed role with a malformed body cannot connect clusters',
    call: async () => {
      const { bearer } = await aPerson(t, await aRole(t, ['clusters:write'], { clusters: [] }))
      return { method: 'POST', url: clusters, headers: bearer, body: malformed }
    },
    code: 'role_narrowed',
  },
  {
    what: 'a malformed body for a missing cluster returns 404',
    call: () => ({ method: 'PATCH', url: `${clusters}/cls_none`, headers: admin.bearer, body: malformed }),
    code: 'cluster_not_found',
  },
  {
    what: 'an unacceptable body for a missing cluster returns 404',
    call: () => ({ method: 'PATCH', url: `${clusters}/cls_none`, headers: admin.bearer, body: { name: 1 } }),
    code: 'cluster_not_found',
  },
  {
    what: 'a malformed body for a missing user returns 404',
    call: () => ({ method: 'PATCH', url: '/api/v1/users/none', headers: admin.bearer, body: malformed }),
    code: 'user_not_found',
  },
  {
    what: 'a malformed body for a missing role returns 404',
    call: () => ({ method: 'PATCH', url: '/api/v1/roles/none', headers: admin.bearer, body: malformed }),
    code: 'role_not_found',
  },
  {
    what: 'a malformed body for a missing URL returns 404',
    call: () => ({ method: 'POST', url: '/none', headers: admin.bearer, body: malformed }),
    code: 'not_found',
  },
  {
    what: 'a malformed body with a wrong method returns 405',
    call: () => ({ method: 'PUT', url: clusters, headers: admin.bearer, body: malformed }),
    code: 'method_not_allowed',
  },
  {
    what: 'a known caller at a missing URL gets 404',
    call: () => ({ url: '/none', headers: viewer.bearer }),
    code: 'not_found',
  },
  {
    what: 'a bad credential is rejected at any URL',
    call: () => ({ url: '/none', headers: { authorization: 'Bearer x' } }),
    code: 'unauthenticated',
  },
])('$what', async ({ call, code }) => {
  const response = await send(t, await call())
  expectProblem(response)
  expect(response.json()).toMatchObject({ code })
})

test.each([
  { url: '/api/v1/clusters/', meant: '/api/v1/clusters' },
  { url: '/api/v1/clusters/cls_none/summary/?window=7d', meant: '/api/v1/clusters/cls_none/summary' },
  { url: '/api/v1//clusters', meant: '/api/v1/clusters' },
])('$url gets the path that was probably meant', async ({ url, meant }) => {
  const response = await send(t, { url, headers: viewer.bearer })
  expectProblem(response, 'not_found')
  expect(response.json<{ detail: string }>().detail).toContain(`Did you mean ${meant}?`)
})

test('a path that no slash explains gets no suggestion', async () => {
  const response = await send(t, { url: '/api/v1/cluster/', headers: viewer.bearer })
  expect(response.json<{ detail: string }>().detail).toBe('There is no resource at /api/v1/cluster/.')
})

test('a caller without a permission gets its name', async () => {
  const response = await send(t, { method: 'POST', url: clusters, headers: viewer.bearer })
  expect(response.json()).toMatchObject({ code: 'forbidden', required_permission: 'clusters:write' })
})

test('missing and inaccessible resources get the same response', async () => {
  const { clusterId } = await aCluster(t)
  const { bearer } = await aPerson(t, await aRole(t, ['clusters:read'], { clusters: [] }))
  const invisible = await send(t, { url: `${clusters}/${clusterId}`, headers: bearer })
  const absentId = `${clusterId.slice(0, -1)}${clusterId.endsWith('0') ? '1' : '0'}`
  const absent = await send(t, { url: `${clusters}/${absentId}`, headers: bearer })
  const withoutIds = (body: string, id: string) => body.replaceAll(id, '<id>').replace(/"request_id":"[^"]*"/, '')
  expect(invisible.statusCode).toBe(404)
  expect(withoutIds(invisible.body, clusterId)).toBe(withoutIds(absent.body, absentId))
})

test('two credentials in one request are rejected with 400', async () => {
  const { header } = await anApiKey(t, admin.userId)
  const response = await send(t, { url: clusters, headers: { ...admin.bearer, ...header } })
  expectProblem(response, 'conflicting_credentials')
})

test.each([
  ['a bearer without token', 'Bearer'],
  ['another scheme', 'Basic YWRhOmh1bnRlcjI='],
  ['a token with a space', 'Bearer a b'],
  ['a bare token', 'eyJhbGciOiJub25lIn0.e30.'],
  ['an unsigned token', 'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.'],
  ['an API key as bearer', 'Bearer plk_00000000000000000000000000_0'],
])('%s is unknown', async (_what, authorization) => {
  const response = await send(t, { url: clusters, headers: { authorization } })
  expectProblem(response, 'unauthenticated')
  expect(response.headers['www-authenticate']).toBe('Bearer realm="plimsoll"')
})

test('a credential in the address is never read', async () => {
  const { key } = await anApiKey(t, admin.userId)
  for (const query of [`token=${admin.token}`, `access_token=${admin.token}`, `api_key=${key}`, `X-API-Key=${key}`]) {
    const response = await send(t, { url: `${clusters}?${query}` })
    expectProblem(response, 'unauthenticated')
    expect(response.body).not.toContain(key)
    expect(response.body).not.toContain(admin.token)
  }
})

async function cookiesOf(person: Person, settings = {}): Promise<string[]> {
  const response = await send(t, {
    method: 'POST',
    url: '/auth/login',
    body: { email: person.email, password, cookie: true, ...settings },
  })
  return [response.headers['set-cookie'] ?? []].flat()
}

const sessionOf = async (person: Person) => ({ cookie: (await cookiesOf(person))[0]?.split(';')[0] ?? '' })

test('the session cookie is not accessible to scripts and other sites, and only set on request', async () => {
  const [session = '', device = '', marker = ''] = await cookiesOf(admin)
  expect(session).toMatch(/^plimsoll_session=[^;]+; Max-Age=86400; Path=\/; HttpOnly; SameSite=Strict$/)
  expect(device).toMatch(/^plimsoll_device=[^;]+; Max-Age=31536000; Path=\/auth; HttpOnly; SameSite=Strict$/)
  // Scripts can read that a session exists, and nothing of it.
  expect(marker).toBe('plimsoll_signed_in=signed-in; Max-Age=86400; Path=/; SameSite=Strict')
  expect(await cookiesOf(admin, { cookie: false })).toEqual([])
})

test('the session cookie allows reads from any page of a browser', async () => {
  const response = await send(t, { url: '/auth/me', headers: await sessionOf(viewer) })
  expect(response.json()).toMatchObject({ user: { email: viewer.email } })
})

test.each([
  { what: 'without Origin', origin: {}, status: 403 },
  { what: 'from another site', origin: { origin: 'https://evil.example' }, status: 403 },
  { what: 'from a page without origin', origin: { origin: 'null' }, status: 403 },
  { what: 'from another port', origin: { origin: 'http://plimsoll.test:8443' }, status: 403 },
  { what: 'from another scheme', origin: { origin: 'https://plimsoll.test' }, status: 403 },
  { what: 'come from the dashboard', origin: { origin: 'http://plimsoll.test' }, status: 201 },
  {
    what: 'from the host that was asked',
    origin: { origin: 'http://localhost:80', host: 'localhost:80' },
    status: 201,
  },
])('a write with the cookie $what is $status', async ({ what, origin, status }) => {
  const headers: Record<string, string> = { ...(await sessionOf(admin)), ...origin }
  const response = await send(t, { method: 'POST', url: clusters, headers, body: { name: `written ${what}` } })
  expect(response.statusCode).toBe(status)
  if (status === 403) expectProblem(response, 'cross_site_request')
})

test('a header takes precedence over the cookie, even if it is invalid', async () => {
  const { cookie } = await sessionOf(admin)
  const me = await send(t, { url: '/auth/me', headers: { cookie, ...viewer.bearer } })
  expect(me.json()).toMatchObject({ user: { email: viewer.email } })
  expectProblem(await send(t, { url: '/auth/me', headers: { cookie, authorization: 'Bearer x' } }), 'unauthenticated')
  expectProblem(await send(t, { url: '/auth/me', headers: { cookie, 'x-api-key': 'x' } }), 'unauthenticated')
})

test('an agent token in the cookie grants nothing', async () => {
  const { agentToken } = await aCluster(t)
  const response = await send(t, { url: clusters, headers: { cookie: `plimsoll_session=${agentToken}` } })
  expectProblem(response, 'unauthenticated')
})
