import type { ProblemCode } from '@plimsoll/contract'
import { beforeAll, expect, test } from 'vitest'
import { aCluster, aPerson, type Person } from '../../../test/people.ts'
import { expectProblem, expectPromisedHeaders } from '../../../test/promises.ts'
import { send, useTestApp, type Call } from '../../../test/test-app.ts'

const t = useTestApp()

let admin: Person
let viewer: Person
let clusterId: string

beforeAll(async () => {
  admin = await aPerson(t)
  viewer = await aPerson(t, 'viewer')
  clusterId = (await aCluster(t, 'the cluster')).clusterId
})

const clusters = '/api/v1/clusters'
const asAdmin = (call: Call): Call => ({ ...call, headers: { ...admin.bearer, ...call.headers } })

test.each<{ what: string; status: number; call: () => Call | Promise<Call> }>([
  { what: 'a list', status: 200, call: () => asAdmin({ url: clusters }) },
  {
    what: 'a created resource',
    status: 201,
    call: () => asAdmin({ method: 'POST', url: clusters, body: { name: 'made' } }),
  },
  { what: 'HEAD', status: 200, call: () => asAdmin({ method: 'HEAD', url: clusters }) },
  { what: 'OPTIONS', status: 204, call: () => asAdmin({ method: 'OPTIONS', url: clusters }) },
  {
    what: 'a sign-out',
    status: 204,
    call: async () => ({ method: 'POST', url: '/auth/logout', headers: (await aPerson(t)).bearer }),
  },
  {
    what: 'an unchanged resource',
    status: 304,
    call: () => asAdmin({ url: `${clusters}/${clusterId}`, headers: { 'if-none-match': '*' } }),
  },
  { what: 'the liveness probe', status: 200, call: () => ({ url: '/healthz' }) },
  { what: 'HEAD of the liveness probe', status: 200, call: () => ({ method: 'HEAD', url: '/healthz' }) },
  { what: 'the readiness probe', status: 200, call: () => ({ url: '/readyz' }) },
  { what: 'the metrics', status: 200, call: () => ({ url: '/metrics' }) },
  { what: 'the documentation', status: 200, call: () => ({ url: '/docs' }) },
  { what: 'the OpenAPI document', status: 200, call: () => ({ url: '/openapi.json' }) },
  { what: 'a page', status: 200, call: () => ({ url: '/welcome' }) },
  { what: 'a static file', status: 200, call: () => ({ url: '/assets/plimsoll.css' }) },
  { what: 'a file of the dashboard', status: 200, call: () => ({ url: '/assets/index-Abc12345.js' }) },
])('$what, $status, carries every promised header', async ({ status, call }) => {
  const response = await send(t, await call())
  expect(response.statusCode).toBe(status)
  expectPromisedHeaders(response)
  if (status === 204 || status === 304) expect(response.body).toBe('')
})

test.each<{ status: number; code: ProblemCode; call: () => Call }>([
  { status: 400, code: 'malformed_url', call: () => ({ url: '/api/v1/%zz' }) },
  { status: 400, code: 'malformed_url', call: () => ({ url: `${clusters}/%ff` }) },
  { status: 400, code: 'malformed_json', call: () => asAdmin({ method: 'POST', url: clusters, body: '{' }) },
  { status: 400, code: 'invalid_parameter', call: () => asAdmin({ url: `${clusters}?limit=none` }) },
  { status: 401, code: 'unauthenticated', call: () => ({ url: clusters }) },
  { status: 403, code: 'forbidden', call: () => ({ method: 'POST', url: clusters, headers: viewer.bearer }) },
  { status: 404, code: 'not_found', call: () => ({ url: '/nothing/here' }) },
  { status: 404, code: 'cluster_not_found', call: () => asAdmin({ url: `${clusters}/cls_none` }) },
  { status: 404, code: 'not_found', call: () => ({ url: '/assets/none.js' }) },
  { status: 405, code: 'method_not_allowed', call: () => asAdmin({ method: 'PUT', url: clusters }) },
  {
    status: 409,
    code: 'cluster_name_taken',
    call: () => asAdmin({ method: 'POST', url: clusters, body: { name: 'the cluster' } }),
  },
  {
    status: 412,
    code: 'precondition_failed',
    call: () =>
      asAdmin({
        method: 'PATCH',
        url: `${clusters}/${clusterId}`,
        headers: { 'if-match': '"0-x"' },
        body: { name: 'n' },
      }),
  },
  {
    status: 413,
    code: 'body_too_large',
    call: () => asAdmin({ method: 'POST', url: clusters, body: { name: 'n'.repeat(1024 * 1024) } }),
  },
  { status: 422, code: 'invalid_body', call: () => asAdmin({ method: 'POST', url: clusters, body: {} }) },
])('$status $code is a problem with every promised header', async ({ status, code, call }) => {
  const response = await send(t, call())
  expect(response.statusCode).toBe(status)
  expectProblem(response, code)
})

test('415 is a problem with every documented header', async () => {
  const response = await t.app.inject({
    method: 'POST',
    url: clusters,
    headers: { ...admin.bearer, 'content-type': 'text/plain' },
    payload: 'name: x',
  })
  expect(response.statusCode).toBe(415)
  expectProblem(response, 'unsupported_media_type')
})

test('405 and OPTIONS list the methods of the address', async () => {
  const url = `${clusters}/${clusterId}`
  const wrong = await send(t, asAdmin({ method: 'PUT', url }))
  expect(wrong.headers.allow).toBe('DELETE, GET, HEAD, OPTIONS, PATCH')
  expect(wrong.json()).toMatchObject({ detail: `${url} supports DELETE, GET, HEAD, OPTIONS, PATCH, not PUT.` })
  expect((await send(t, { method: 'OPTIONS', url })).headers.allow).toBe('DELETE, GET, HEAD, OPTIONS, PATCH')
  expect((await send(t, { method: 'OPTIONS', url: '/nothing' })).statusCode).toBe(404)
})

test.each(['a', 'A-Z_0.9', 'x'.repeat(128)])('the valid request id %s is reused', async (id) => {
  const response = await send(t, { url: clusters, headers: { 'x-request-id': id } })
  expect(response.headers['x-request-id']).toBe(id)
  expect(response.json()).toMatchObject({ request_id: id })
})

test.each(['', 'a b', 'x'.repeat(129), 'é', 'a;b', '<script>'])('the request id %j is replaced', async (id) => {
  const response = await send(t, { url: clusters, headers: { 'x-request-id': id } })
  expect(response.headers['x-request-id']).toMatch(/^req_[0-9a-z]{26}$/)
  expectProblem(response, 'unauthenticated')
})

test('the request ID is stored with its change', async () => {
  const headers = { 'x-request-id': 'from-the-caller' }
  const { id } = (await send(t, asAdmin({ method: 'POST', url: clusters, headers, body: { name: 'traced' } }))).json<{
    id: string
  }>()
  const audit = await send(t, asAdmin({ url: `/api/v1/audit?target_id=${id}` }))
  expect(audit.json()).toMatchObject({ entries: [{ action: 'cluster.create', request_id: 'from-the-caller' }] })
})

test('private responses are not cached; public ones are, for minutes or, with a hashed name, forever', async () => {
  expect((await send(t, asAdmin({ url: clusters }))).headers['cache-control']).toBe('no-store')
  expect((await send(t, asAdmin({ url: `${clusters}/${clusterId}` }))).headers['cache-control']).toBe(
    'private, no-cache',
  )
  expect((await send(t, { url: '/assets/plimsoll.css' })).headers['cache-control']).toBe('public, max-age=300')
  expect((await send(t, { url: '/assets/index-Abc12345.js' })).headers['cache-control']).toContain('immutable')
  expect((await send(t, { url: '/recommendations' })).headers['cache-control']).toBe('no-cache')
})
