import type { ProblemCode } from '@plimsoll/contract'
import type { LightMyRequestResponse } from 'fastify'
import { beforeAll, expect, test } from 'vitest'
import { aCluster, aPerson, aRole, type Person } from './people.ts'
import { expectProblem, type AnyResponse } from './promises.ts'
import { exchange, listen, rawRequest } from './raw-http.ts'
import { refusedCalls } from './refused-calls.ts'
import { rowCounts } from './row-counts.ts'
import { send, useTestApp, type Call } from './test-app.ts'

const t = useTestApp()

let admin: Person
let clusterId: string
let role: string
let port: number

beforeAll(async () => {
  admin = await aPerson(t)
  clusterId = (await aCluster(t, 'the cluster')).clusterId
  role = await aRole(t, ['clusters:read'])
  port = await listen(t.app)
})

const asAdmin = (call: Call) => send(t, { ...call, headers: { ...admin.bearer, ...call.headers } })

const create = (body: unknown) => asAdmin({ method: 'POST', url: '/api/v1/clusters', body })

/** A clear rejection: a 4xx problem, and the same rows as before. */
async function expectRefused(request: () => Promise<AnyResponse>, code?: ProblemCode): Promise<AnyResponse> {
  const before = await rowCounts(t)
  const response = await request()
  expect(response.statusCode).toBeGreaterThanOrEqual(400)
  expect(response.statusCode).toBeLessThan(500)
  expectProblem(response, code)
  expect(await rowCounts(t)).toEqual(before)
  return response
}

const refusedNames: Record<string, unknown> = {
  'no character': '',
  '101 characters': 'x'.repeat(101),
  '200 characters': 'x'.repeat(200),
  '10 000 characters': 'x'.repeat(10_000),
  '101 rockets': '🚀'.repeat(101),
  'a NUL': 'a\0b',
  'an unpaired surrogate': 'a\ud83d',
  'a line break': 'a\nb',
  'a tab': 'a\tb',
  'an escape': 'a\u001b[31mb',
  'a delete character': 'a\u007fb',
  'a C1 control character': 'a\u0085b',
  'a line separator': 'a\u2028b',
  'a right-to-left mark': 'a\u200fb',
  'a right-to-left override': 'a\u202eb',
  'a right-to-left isolate': 'a\u2067b',
  'a zero-width space': 'a\u200bb',
  'a byte order mark': 'a\ufeffb',
  'a blank before': ' a',
  'a blank behind': 'a ',
  'only blanks': '   ',
  'an invisible blank before': '\u00a0a',
  'a number': 5,
  true: true,
  null: null,
  'a list': ['a'],
  'an object': { toString: 'a' },
}

test.each(Object.entries(refusedNames))(
  'a name of %s is rejected for every resource with a name',
  async (_what, name) => {
    await expectRefused(() => create({ name }), 'invalid_body')
    await expectRefused(
      () => asAdmin({ method: 'PATCH', url: `/api/v1/clusters/${clusterId}`, body: { name } }),
      'invalid_body',
    )
    await expectRefused(() => asAdmin({ method: 'POST', url: '/api/v1/api-keys', body: { name } }), 'invalid_body')
    await expectRefused(
      () => asAdmin({ method: 'POST', url: '/api/v1/roles', body: { name, permissions: [] } }),
      'invalid_body',
    )
  },
)

test.each([
  ['one character', 'x'],
  ['100 characters', 'x'.repeat(100)],
  ['100 rockets', '🚀'.repeat(100)],
  ['an emoji with joiners', '👨‍👩‍👧'],
  ['Arabic', 'مجموعة'],
  ['combining marks', 'e\u0301'],
  ['SQL', "'; drop table cluster; --"],
  ['HTML', '<script>alert(1)</script>'],
  ['a path', '../../etc/passwd'],
  ['a template', '${jndi:ldap://x}{{7*7}}%s%n'],
  ['a prototype', '__proto__'],
])('a name of %s is accepted and shown as sent', async (_what, name) => {
  const response = await create({ name })
  expect(response.statusCode).toBe(201)
  const { id } = response.json<{ id: string }>()
  expect((await asAdmin({ url: `/api/v1/clusters/${id}` })).json()).toMatchObject({ name })
})

test.each<[string, string | Buffer, ProblemCode]>([
  ['__proto__', '{"name":"n","__proto__":{"admin":true}}', 'invalid_body'],
  ['__proto__ alone', '{"__proto__":{"name":"n"}}', 'invalid_body'],
  ['constructor', '{"name":"n","constructor":{"prototype":{"admin":true}}}', 'invalid_body'],
  ['a duplicate key', '{"name":"n","name":"m"}', 'malformed_json'],
  ['a duplicate escaped key', '{"name":"n","n\\u0061me":"m"}', 'malformed_json'],
  ['40 levels', `{"name":${'['.repeat(40)}${']'.repeat(40)}}`, 'malformed_json'],
  ['100 000 levels', `${'['.repeat(100_000)}${']'.repeat(100_000)}`, 'malformed_json'],
  ['100 000 open brackets', '['.repeat(100_000), 'malformed_json'],
  ['20 000 keys', `{${Array.from({ length: 20_000 }, (_, n) => `"${n}":0`).join()}}`, 'malformed_json'],
  ['a hundred thousand numbers', `[${'0,'.repeat(100_000)}0]`, 'invalid_body'],
  ['a name of 200 000 characters', `{"name":"${'x'.repeat(200_000)}"}`, 'invalid_body'],
  ['a name of 100 000 escapes', `{"name":"${'\\"'.repeat(100_000)}"}`, 'invalid_body'],
  ['a body of 10 MB', `{"name":"${'x'.repeat(10_000_000)}"}`, 'body_too_large'],
  ['a number of a thousand digits', `{"name":${'9'.repeat(1000)}}`, 'invalid_body'],
  ['invalid UTF-8', Buffer.from([...Buffer.from('{"name":"'), 0xc3, 0x28, ...Buffer.from('"}')]), 'malformed_json'],
  [
    'an encoded surrogate',
    Buffer.from([...Buffer.from('{"name":"'), 0xed, 0xa0, 0x80, ...Buffer.from('"}')]),
    'malformed_json',
  ],
  ['UTF-16', Buffer.from('{"name":"n"}', 'utf16le'), 'malformed_json'],
  ['an unpaired surrogate', '{"name":"\\ud83d"}', 'invalid_body'],
  ['a NUL in a key', '{"name":"n","a\\u0000":1}', 'invalid_body'],
  ['a trailing comma', '{"name":"n",}', 'malformed_json'],
  ['a comment', '{"name":"n"/* */}', 'malformed_json'],
  ['single quotes', "{'name':'n'}", 'malformed_json'],
  ['NaN', '{"name":NaN}', 'malformed_json'],
  ['text behind', '{"name":"n"} x', 'malformed_json'],
  ['null', 'null', 'invalid_body'],
  ['a list', '[{"name":"n"}]', 'invalid_body'],
  ['a text', '"name"', 'invalid_body'],
  ['a number', '1', 'invalid_body'],
  ['only blanks', '   ', 'malformed_json'],
])('a body with %s is refused', async (_what, body, code) => {
  await expectRefused(() => create(body), code)
})

test('a long body is rejected in one short sentence', async () => {
  const response = await expectRefused(() => create(`{"name":"${'x'.repeat(1_000_000)}"}`))
  expect(response.body.length).toBeLessThan(1000)
  const many = await expectRefused(() =>
    create(`{${Array.from({ length: 1000 }, (_, n) => `"${'y'.repeat(500)}${n}":0`).join()}}`),
  )
  expect(many.body.length).toBeLessThan(20_000)
})

test.each([
  ['text/plain', '{"name":"n"}'],
  ['application/x-www-form-urlencoded', 'name=n'],
  ['multipart/form-data; boundary=b', '--b\r\ncontent-disposition: form-data; name="name"\r\n\r\nn\r\n--b--'],
  ['application/xml', '<name>n</name>'],
  ['application/json; charset=utf-16', '{"name":"n"}'],
  ['application/json; charset=latin1', '{"name":"n"}'],
])('a body of %s is rejected', async (contentType, payload) => {
  const headers = { ...admin.bearer, 'content-type': contentType }
  await expectRefused(
    () => t.app.inject({ method: 'POST', url: '/api/v1/clusters', headers, payload }),
    'unsupported_media_type',
  )
})

const sql = 'x\'; drop table cluster; -- " ) union select 1'

test('SQL in every field is plain text', async () => {
  const encoded = encodeURIComponent(sql)
  const before = await rowCounts(t)
  const calls: Call[] = [
    { url: `/api/v1/clusters/${encoded}` },
    { url: `/api/v1/users/${encoded}` },
    { url: `/api/v1/roles/${encoded}` },
    { method: 'DELETE', url: `/api/v1/api-keys/${encoded}` },
    { method: 'DELETE', url: `/api/v1/clusters/${clusterId}/agent-tokens/${encoded}` },
    { method: 'PATCH', url: `/api/v1/roles/${encoded}`, body: { permissions: [] } },
    { url: `/api/v1/clusters?sort=${encoded}` },
    { url: `/api/v1/clusters?cursor=${encoded}` },
    { url: `/api/v1/clusters?limit=${encoded}` },
    { url: `/api/v1/api-keys?user_id=${encoded}` },
    { url: `/api/v1/audit?from=${encoded}` },
    { url: `/api/v1/audit?action=${encoded}` },
    { method: 'POST', url: '/api/v1/users', body: { email: sql, role: 'viewer' } },
    { method: 'POST', url: '/api/v1/users', body: { email: 'sql@example.com', role: sql } },
    { method: 'POST', url: '/api/v1/roles', body: { name: sql, permissions: [] } },
    { method: 'POST', url: '/api/v1/roles', body: { name: 'sql', permissions: [sql] } },
    { method: 'POST', url: '/api/v1/roles', body: { name: 'sql', permissions: [], clusters: [sql] } },
    { method: 'POST', url: '/api/v1/roles', body: { name: 'sql', permissions: [], namespaces: [sql] } },
    { method: 'POST', url: '/api/v1/api-keys', body: { name: 'sql', expires_at: sql } },
    { method: 'POST', url: '/auth/login', body: { email: sql, password: sql } },
    { method: 'POST', url: '/auth/accept', body: { code: sql, password: 'long enough' } },
    { url: '/auth/me', headers: { authorization: `Bearer ${sql.replaceAll(' ', '+')}` } },
  ]
  for (const call of calls) {
    const response = await asAdmin(call)
    expect(response.statusCode, JSON.stringify(call)).toBeGreaterThanOrEqual(400)
    expect(response.statusCode, JSON.stringify(call)).toBeLessThan(500)
    expectProblem(response)
    expect(response.body).not.toMatch(/syntax error|pg_|relation|SELECT/)
  }
  // The failed sign-in is recorded.
  expect(await rowCounts(t)).toEqual({ ...before, audit_entry: (before.audit_entry ?? 0) + 1 })
  const empty = await asAdmin({ url: `/api/v1/audit?actor_id=${encoded}&target_id=${encoded}` })
  expect([empty.statusCode, empty.json()]).toEqual([200, { entries: [], next_cursor: null, has_more: false }])
})

test('a location may contain SQL, but neither hidden characters nor more than 100 characters', async () => {
  const made = await create({ name: 'placed', provider: sql, region: sql })
  expect(made.json()).toMatchObject({ provider: sql, region: sql })
  for (const region of ['a\u202eb', 'a\nb', 'a\0b', 'x'.repeat(101), 5, null]) {
    await expectRefused(() => create({ name: 'misplaced', region }), 'invalid_body')
  }
})

test.each(refusedCalls(() => ({ clusterId, role })))('$what is refused', async ({ call, code }) => {
  await expectRefused(() => asAdmin(call()), code)
})

test('a cursor of another list is rejected', async () => {
  await create({ name: 'for a second page' })
  const first = await asAdmin({ url: '/api/v1/clusters?limit=1' })
  const { next_cursor: cursor } = first.json<{ next_cursor: string }>()
  for (const list of ['users', 'audit', 'api-keys']) {
    await expectRefused(() => asAdmin({ url: `/api/v1/${list}?cursor=${cursor}` }), 'invalid_cursor')
  }
})

test('an Origin, a request id or a name cannot inject a response header', async () => {
  const injected = (headers: LightMyRequestResponse['headers'] | Record<string, string>) =>
    Object.keys(headers).includes('x-injected')
  const smuggled = [
    'X-Request-Id: a\r\nX-Injected: 1',
    'Origin: http://a\r\nX-Injected: 1',
    'Idempotency-Key: a\r\nX-Injected: 1',
  ]
  for (const header of smuggled) {
    const request = rawRequest('GET /api/v1/clusters HTTP/1.1', ['Host: h', header])
    expect(injected((await exchange(port, request)).headers)).toBe(false)
  }
  for (const url of [
    '/api/v1/roles/a%0d%0aX-Injected:%201',
    '/%0d%0aX-Injected:%201',
    '/assets/%0d%0aX-Injected:%201',
  ]) {
    const response = await asAdmin({ url })
    expectProblem(response)
    expect(injected(response.headers)).toBe(false)
  }
  const bare = await expectRefused(
    () => exchange(port, rawRequest('GET /healthz HTTP/1.1', ['Host: h', 'X-Request-Id: a\rX-Injected: 1'])),
    'malformed_request',
  )
  expect(injected(bare.headers as Record<string, string>)).toBe(false)
})

test('an address longer than the header limit is rejected', async () => {
  const line = `GET /api/v1/clusters?cursor=${'x'.repeat(100_000)} HTTP/1.1`
  await expectRefused(() => exchange(port, rawRequest(line, ['Host: h'])), 'headers_too_large')
})

test('after all of this the service still serves', async () => {
  expect((await create({ name: 'still alive' })).statusCode).toBe(201)
  expect((await send(t, { url: '/readyz' })).statusCode).toBe(200)
  expect(({} as { admin?: boolean }).admin).toBeUndefined()
})

test.each(['from=2026-11&to=2026-01', 'from=0000-01', 'to=9999-12', 'from=2026-13'])(
  'months that make no window are rejected: %s',
  async (query) => {
    const response = await asAdmin({ url: `/api/v1/savings?${query}` })
    expect(response.statusCode).toBe(400)
    expectProblem(response, 'invalid_parameter')
  },
)
