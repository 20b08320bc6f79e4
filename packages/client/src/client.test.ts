import { expect, test } from 'vitest'
import { ApiError, secondsUntil } from './api-error.ts'
import { createClient, linkTo, type ClientOptions } from './client.ts'

type Sent = { url: string; init: RequestInit }

/** A client with stubbed responses that records its requests. */
function answering(answer: () => Response | Promise<Response>, options: ClientOptions = {}) {
  const sent: Sent[] = []
  const fetch = async (url: string, init: RequestInit) => {
    sent.push({ url, init })
    return answer()
  }
  return { client: createClient({ ...options, fetch }), sent }
}

const json = (body: unknown, init?: ResponseInit) => () => Response.json(body, init)

test('ids and queries are encoded, and undefined or empty values are omitted', async () => {
  const { client, sent } = answering(json({}), { baseUrl: 'https://plimsoll.test' })
  const query = { include: 'history,also_open' }
  await client.getRecommendation({ params: { id: 'a/b?c' }, query })
  await client.listClusters({ query: { limit: 10, cursor: undefined } })
  await client.listRecommendations({ query: { text: '' } })
  expect(sent.map(({ url }) => url)).toEqual([
    'https://plimsoll.test/api/v1/recommendations/a%2Fb%3Fc?include=history%2Calso_open',
    'https://plimsoll.test/api/v1/clusters?limit=10',
    'https://plimsoll.test/api/v1/recommendations',
  ])
})

test.each([
  { credential: { bearer: 'jwt' }, headers: { authorization: 'Bearer jwt' }, credentials: 'omit' },
  { credential: { apiKey: 'plk_1' }, headers: { 'x-api-key': 'plk_1' }, credentials: 'omit' },
  { credential: 'cookie' as const, headers: {}, credentials: 'same-origin' },
  { credential: () => ({ bearer: 'newer' }), headers: { authorization: 'Bearer newer' }, credentials: 'omit' },
])('each credential is sent in its header: $headers', async ({ credential, headers, credentials }) => {
  const { client, sent } = answering(json({}), { credential })
  await client.getMe()
  expect(sent[0]?.init).toMatchObject({ method: 'GET', headers, credentials })
})

test('a change sends its body, its ETag and its idempotency key', async () => {
  const { client, sent } = answering(json({}, { status: 201 }))
  await client.createCluster({ body: { name: 'shop' }, idempotencyKey: 'once' })
  await client.updateCluster({ params: { cluster_id: 'cls_1' }, body: { name: 'till' }, ifMatch: '"1-a"' })
  expect(sent[0]?.init).toMatchObject({
    method: 'POST',
    body: '{"name":"shop"}',
    headers: { 'content-type': 'application/json', 'idempotency-key': 'once' },
  })
  expect(sent[1]?.init).toMatchObject({ method: 'PATCH', headers: { 'if-match': '"1-a"' } })
})

test('204 is null, and text is text', async () => {
  const empty = answering(() => new Response(null, { status: 204 }))
  expect(await empty.client.deleteCluster({ params: { cluster_id: 'cls_1' } })).toBeNull()
  const yaml = answering(() => new Response('kind: List', { headers: { 'content-type': 'application/yaml' } }))
  expect(await yaml.client.getAgentManifest({ params: { cluster_id: 'cls_1' } })).toBe('kind: List')
})

test('a problem document becomes an error with its code, and the listener is called first', async () => {
  const problem = { status: 429, code: 'rate_limited', detail: 'Too many.', request_id: 'r1', limit: 3 }
  const reported: string[] = []
  const { client } = answering(json(problem, { status: 429, headers: { 'retry-after': '7' } }), {
    onError: ({ code }, operation) => reported.push(`${operation} ${code}`),
  })
  const error = await client.listRules().catch((each: unknown) => each)
  expect(error).toBeInstanceOf(ApiError)
  expect(error).toMatchObject({ status: 429, code: 'rate_limited', message: 'Too many.', requestId: 'r1' })
  expect(error).toMatchObject({ members: { limit: 3, retryAfterSeconds: 7 } })
  expect(reported).toEqual(['listRules rate_limited'])
})

test.each([
  {
    name: 'a page of a proxy',
    answer: () => new Response('<html>', { status: 502 }),
    status: 502,
    code: 'internal_error',
  },
  {
    name: 'a page with status 200',
    answer: () => new Response('<html>', { headers: { 'content-type': 'text/html' } }),
    status: 0,
    code: 'offline',
  },
  {
    name: 'a body that breaks off',
    answer: () => new Response('{"rules":[', { headers: { 'content-type': 'application/json' } }),
    status: 0,
    code: 'offline',
  },
  { name: 'no response', answer: () => Promise.reject(new TypeError('fetch failed')), status: 0, code: 'offline' },
])('$name is an error of the same kind', async ({ answer, status, code }) => {
  await expect(answering(answer).client.listRules()).rejects.toMatchObject({ status, code })
})

test('an aborted call throws the reason of its signal', async () => {
  const reported: string[] = []
  const controller = new AbortController()
  controller.abort(new Error('left the page'))
  const { client } = answering(() => Promise.reject(controller.signal.reason as Error), {
    onError: ({ code }) => reported.push(code),
  })
  await expect(client.listRules({ signal: controller.signal })).rejects.toThrow('left the page')
  expect(reported).toEqual([])
})

test.each([
  { retryAfter: '7', seconds: 7 },
  { retryAfter: 'Tue, 03 Mar 2026 12:00:30 GMT', seconds: 30 },
  { retryAfter: 'Tue, 03 Mar 2026 11:00:00 GMT', seconds: 0 },
  { retryAfter: 'soon', seconds: 0 },
  { retryAfter: null, seconds: 0 },
])('Retry-After $retryAfter is $seconds seconds', ({ retryAfter, seconds }) => {
  expect(secondsUntil(retryAfter, new Date('2026-03-03T12:00:00Z'))).toBe(seconds)
})

test('a link names the path of its operation, with the query encoded', () => {
  expect(linkTo('startOidc', { return_to: '/savings?window=30d&x=1' })).toBe(
    '/auth/oidc/start?return_to=%2Fsavings%3Fwindow%3D30d%26x%3D1',
  )
})
