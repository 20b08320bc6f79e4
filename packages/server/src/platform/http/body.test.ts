import { beforeAll, expect, test } from 'vitest'
import { aCluster, aPerson, type Person } from '../../../test/people.ts'
import { expectProblem } from '../../../test/promises.ts'
import { send, useTestApp } from '../../../test/test-app.ts'

const t = useTestApp()

let admin: Person
let clusterId: string

beforeAll(async () => {
  admin = await aPerson(t)
  clusterId = (await aCluster(t)).clusterId
})

type Sent = { url?: string; contentType?: string | undefined; payload?: string | Buffer; more?: Record<string, string> }

const post = ({ url = '/api/v1/clusters', contentType, payload = '', more = {} }: Sent) =>
  t.app.inject({
    method: 'POST',
    url,
    headers: { ...admin.bearer, ...more, ...(contentType === undefined ? {} : { 'content-type': contentType }) },
    payload,
  })

test.each([
  'application/json',
  'application/json; charset=utf-8',
  'application/json;charset="UTF-8"',
  'APPLICATION/JSON; Charset=UTF8',
  'application/json; profile=x',
])('a body of type %s is accepted', async (contentType) => {
  const response = await post({
    contentType,
    payload: JSON.stringify({ name: `of ${contentType.replaceAll('"', "'")}` }),
  })
  expect(response.statusCode).toBe(201)
})

test.each([
  'application/json; charset=utf-16',
  'application/json; charset=iso-8859-1',
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/xml',
  'application/jsonp',
  'application/json-patch+json',
  'json',
  '*/*',
  ';',
  '',
])('a body of type %j is rejected with 415', async (contentType) => {
  expectProblem(await post({ contentType, payload: '{"name":"x"}' }), 'unsupported_media_type')
})

test('a body without a type is rejected with 415 and a hint', async () => {
  const response = await post({ payload: Buffer.from('{"name":"x"}') })
  expectProblem(response, 'unsupported_media_type')
  expect(response.json()).toMatchObject({ detail: 'Send application/json, and set Content-Type.' })
})

test.each(['gzip', 'br', 'made-up', 'identity, gzip'])(
  'a body with the content encoding %s is rejected with 415 and the supported encoding',
  async (encoding) => {
    const more = { 'content-encoding': encoding }
    const response = await post({ contentType: 'application/json', payload: '{}', more })
    expectProblem(response, 'unsupported_media_type')
    expect(response.headers['accept-encoding']).toBe('identity')
  },
)

test('the content encoding identity is accepted in any letter case', async () => {
  const more = { 'content-encoding': 'Identity' }
  const payload = '{"name":"uncompressed"}'
  expect((await post({ contentType: 'application/json', payload, more })).statusCode).toBe(201)
})

test.each(['application/json', 'text/plain', 'application/x-www-form-urlencoded', undefined])(
  'an empty body of type %s means no body',
  async (contentType) => {
    const url = `/api/v1/clusters/${clusterId}/agent-tokens`
    expect((await post({ url, contentType })).statusCode).toBe(201)
    expectProblem(await post({ contentType }), 'invalid_body')
  },
)

test.each(['{}', 'null', ''])('a route without a body accepts %j', async (payload) => {
  const response = await post({ url: '/auth/refresh', contentType: 'application/json', payload })
  expect(response.statusCode).toBe(200)
})

test.each(['{"token":"x"}', '[1]', '"text"', '0'])('a route without a body rejects %s', async (payload) => {
  const response = await post({ url: '/auth/refresh', contentType: 'application/json', payload })
  expectProblem(response, 'invalid_body')
})

test('a number is not converted to text, nor text to a number', async () => {
  const named = await send(t, { method: 'POST', url: '/api/v1/clusters', headers: admin.bearer, body: { name: 5 } })
  expectProblem(named, 'invalid_body')
  expect(named.json()).toMatchObject({
    detail: '/name: must be text, got 5.',
    errors: [{ pointer: '/name', code: 'type', detail: 'must be text, got 5' }],
  })
  const url = `/api/v1/clusters/${clusterId}/agent-tokens`
  for (const overlap of ['60', true, null, [60], 1.5]) {
    const body = { overlap_minutes: overlap }
    expectProblem(await send(t, { method: 'POST', url, headers: admin.bearer, body }), 'invalid_body')
  }
})

test('an unknown field is rejected and named, not dropped', async () => {
  const body = { name: 'with extras', regoin: 'eu', 'a/b~c': 1 }
  const response = await send(t, { method: 'POST', url: '/api/v1/clusters', headers: admin.bearer, body })
  expectProblem(response, 'invalid_body')
  expect(response.json()).toMatchObject({
    detail: '/regoin: is unknown; did you mean region? (1 more in errors).',
    errors: [
      { pointer: '/regoin', code: 'additionalProperties' },
      { pointer: '/a~1b~0c', code: 'additionalProperties' },
    ],
  })
})

test('all errors of a body are reported at once', async () => {
  const response = await send(t, {
    method: 'POST',
    url: '/api/v1/users',
    headers: admin.bearer,
    body: { email: 'x', password: 'short' },
  })
  expect(
    response
      .json<{ errors: { pointer: string }[] }>()
      .errors.map(({ pointer }) => pointer)
      .sort(),
  ).toEqual(['/email', '/password', '/role'])
})

test('a rejected secret is not quoted', async () => {
  const secret = 'hunter2'
  const bodies = [
    { email: 'a@example.com', role: 'viewer', password: secret },
    [secret],
    secret,
    { password: { is: secret } },
  ]
  for (const body of bodies) {
    const response = await send(t, {
      method: 'POST',
      url: '/api/v1/users',
      headers: admin.bearer,
      body: JSON.stringify(body),
    })
    expectProblem(response, 'invalid_body')
    expect(response.body).not.toContain(secret)
  }
  const payload = `{"email":"a@example.com","password":${secret}}`
  const malformed = await post({ url: '/auth/login', contentType: 'application/json', payload })
  expectProblem(malformed, 'malformed_json')
  expect(malformed.json()).toMatchObject({ detail: "The body is not JSON: Unexpected token 'h'." })
})

test.each([
  ['/api/v1/clusters?colour=red', 'colour'],
  ['/api/v1/clusters?limit=1&limit=2', 'limit'],
  ['/api/v1/clusters?limit=0', 'limit'],
  ['/api/v1/clusters?limit=1001', 'limit'],
  ['/api/v1/clusters?limit=1.5', 'limit'],
  ['/api/v1/clusters?limit=', 'limit'],
  ['/api/v1/clusters?sort=cost', 'sort'],
  ['/api/v1/clusters?sort[]=name', 'sort[]'],
  ['/api/v1/clusters?__proto__=1', '__proto__'],
  ['/api/v1/clusters?constructor=1', 'constructor'],
  ['/api/v1/clusters?cursor=%00', 'cursor'],
  ['/api/v1/roles?name=x', 'name'],
  ['/api/v1/roles/%00', 'role'],
  ['/api/v1/audit?from=yesterday', 'from'],
  ['/api/v1/audit?from=2026-02-30T00:00:00Z', 'from'],
  ['/api/v1/audit?from=0000-01-01T00:00:00Z', 'from'],
  ['/auth/me?verbose=1', 'verbose'],
])('%s is rejected with 400 for its %s', async (url, parameter) => {
  const response = await send(t, { url, headers: admin.bearer })
  expect(response.statusCode).toBe(400)
  expectProblem(response, 'invalid_parameter')
  expect(response.json()).toMatchObject({ errors: [{ parameter }] })
})

test('a change with an unknown parameter is rejected', async () => {
  const before = await t.db.selectFrom('cluster').select('cluster_id').execute()
  const response = await send(t, {
    method: 'POST',
    url: '/api/v1/clusters?dry_run=true',
    headers: admin.bearer,
    body: { name: 'dry' },
  })
  expectProblem(response, 'invalid_parameter')
  expect(await t.db.selectFrom('cluster').select('cluster_id').execute()).toHaveLength(before.length)
})

test('pages and probes ignore parameters that caches and load balancers add', async () => {
  for (const url of ['/healthz?probe=1', '/assets/plimsoll.css?v=2']) {
    expect((await send(t, { url })).statusCode).toBe(200)
  }
})
