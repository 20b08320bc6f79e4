import { once } from 'node:events'
import { connect } from 'node:net'
import type { ProblemCode } from '@plimsoll/contract'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { aCluster, aPerson, type Person } from '../../../test/people.ts'
import { expectProblem, expectPromisedHeaders } from '../../../test/promises.ts'
import { answerOn, exchange, listen, openSocket, rawRequest } from '../../../test/raw-http.ts'
import { send, useTestApp } from '../../../test/test-app.ts'
import { untilSomebodyWaits } from '../../../test/waiting.ts'
import { buildApp } from '../../app.ts'
import { lockPeople } from '../auth/queries/users.ts'
import { patience } from '../../../test/patience.ts'

const t = useTestApp()

const host = 'Host: plimsoll.test'
let port: number
let admin: Person

beforeAll(async () => {
  port = await listen(t.app)
  admin = await aPerson(t)
})

const bearer = () => `Authorization: ${admin.bearer.authorization}`

test.each<{ what: string; bytes: string | Buffer; status: number; code: ProblemCode }>([
  { what: 'not HTTP', bytes: 'garbage\r\n\r\n', status: 400, code: 'malformed_request' },
  {
    what: 'a TLS greeting',
    bytes: Buffer.from('1603010200010001fc0303', 'hex'),
    status: 400,
    code: 'malformed_request',
  },
  { what: 'an HTTP/2 preface', bytes: 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', status: 400, code: 'malformed_request' },
  { what: 'an unknown method', bytes: `FETCH / HTTP/1.1\r\n${host}\r\n\r\n`, status: 400, code: 'malformed_request' },
  {
    what: 'a header without a colon',
    bytes: `GET / HTTP/1.1\r\n${host}\r\nnonsense\r\n\r\n`,
    status: 400,
    code: 'malformed_request',
  },
  {
    what: 'a NUL in a header',
    bytes: `GET / HTTP/1.1\r\n${host}\r\nX-A: a\0b\r\n\r\n`,
    status: 400,
    code: 'malformed_request',
  },
  {
    what: 'a bare carriage return in a header',
    bytes: `GET / HTTP/1.1\r\n${host}\r\nX-A: a\rb\r\n\r\n`,
    status: 400,
    code: 'malformed_request',
  },
  {
    what: 'a space in the URL',
    bytes: `GET /a b HTTP/1.1\r\n${host}\r\n\r\n`,
    status: 400,
    code: 'malformed_request',
  },
  {
    what: 'two different lengths',
    bytes: `POST /auth/login HTTP/1.1\r\n${host}\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}`,
    status: 400,
    code: 'malformed_request',
  },
  {
    what: 'a length and chunked encoding',
    bytes: `POST /auth/login HTTP/1.1\r\n${host}\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}`,
    status: 400,
    code: 'malformed_request',
  },
  {
    what: 'headers of 20 KiB',
    bytes: rawRequest('GET / HTTP/1.1', [host, `X-Long: ${'x'.repeat(20_480)}`]),
    status: 431,
    code: 'headers_too_large',
  },
  {
    what: 'a URL of 20 KiB',
    bytes: rawRequest(`GET /${'x'.repeat(20_480)} HTTP/1.1`, [host]),
    status: 431,
    code: 'headers_too_large',
  },
])('$what is answered with $status, a problem and every promised header', async ({ bytes, status, code }) => {
  const response = await exchange(port, bytes)
  expect(response.statusCode).toBe(status)
  expectProblem(response, code)
})

test('a bad chunk gets one response, with a problem', async () => {
  const headers = [host, bearer(), 'Content-Type: application/json', 'Transfer-Encoding: chunked']
  const response = await exchange(port, rawRequest('POST /api/v1/clusters HTTP/1.1', headers, '2\r\n{}\r\nZZ\r\n'))
  expect(response.statusCode).toBe(400)
  expectProblem(response, 'malformed_request')
})

test('HTTP/1.1 without a Host gets 400', async () => {
  const response = await exchange(port, rawRequest('GET /healthz HTTP/1.1'))
  expect(response.statusCode).toBe(400)
  expectProblem(response, 'malformed_request')
})

test.each(['/healthz', '/api/v1/clusters', '/no/such/page'])('two Host headers on %s are rejected', async (path) => {
  const headers = [host, 'hOST: other.test', 'Accept: text/html']
  const response = await exchange(port, rawRequest(`GET ${path} HTTP/1.1`, headers))
  expect(response.statusCode).toBe(400)
  expectProblem(response, 'malformed_request')
})

test('CONNECT gets 405 and the supported methods', async () => {
  const response = await exchange(port, rawRequest('CONNECT example.com:443 HTTP/1.1', ['Host: example.com:443']))
  expect(response.statusCode).toBe(405)
  expectProblem(response, 'method_not_allowed')
  expect(response.headers.allow).toBe('DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT')
})

test('a client that resets the connection after CONNECT does not end the service', async () => {
  const socket = await openSocket(port)
  socket.write('CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n')
  socket.resetAndDestroy()
  expect((await exchange(port, rawRequest('GET /healthz HTTP/1.1', [host]))).statusCode).toBe(200)
})

test('a client that never closes its half of a CONNECT loses the connection', async () => {
  const app = await buildApp(t.deps)
  const socket = connect({ port: await listen(app), host: '127.0.0.1', allowHalfOpen: true })
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => undefined).write('CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n')
  await once(socket, 'data')
  // Waits for every connection.
  await app.close()
})

test.each(['websocket', 'h2c'])('an Upgrade to %s is ignored and the request is served', async (protocol) => {
  const headers = [host, `Upgrade: ${protocol}`].map((line) => `${line}\r\n`).join('')
  const request = `GET /healthz HTTP/1.1\r\n${headers}Connection: Upgrade, close\r\n\r\n`
  const response = await exchange(port, request)
  expect([response.statusCode, response.body]).toEqual([200, '{"status":"ok"}'])
})

test('HTTP/1.0, which has no Host, is served', async () => {
  const response = await exchange(port, 'GET /healthz HTTP/1.0\r\n\r\n')
  expect([response.statusCode, response.body]).toEqual([200, '{"status":"ok"}'])
  expectPromisedHeaders(response)
})

test('the absolute form of an address is served, and its host and password are not repeated', async () => {
  expect((await exchange(port, rawRequest('GET http://plimsoll.test/healthz HTTP/1.1', [host]))).statusCode).toBe(200)
  const missing = await exchange(port, rawRequest('GET http://ada:hunter2@plimsoll.test/none?q=1 HTTP/1.1', [host]))
  expect(missing.statusCode).toBe(404)
  expect(JSON.parse(missing.body)).toMatchObject({ instance: '/none', detail: 'There is no resource at /none.' })
  expect(missing.body).not.toContain('hunter2')
})

test('an unsupported expectation gets 417 and keeps its request id', async () => {
  const headers = [host, 'Expect: the-impossible', 'X-Request-Id: my-own']
  const response = await exchange(port, rawRequest('GET /healthz HTTP/1.1', headers))
  expect(response.statusCode).toBe(417)
  expectProblem(response, 'expectation_failed')
  expect(response.headers['x-request-id']).toBe('my-own')
})

test('100-continue is supported', async () => {
  const body = '{"name":"continued"}'
  const headers = [
    host,
    bearer(),
    'Expect: 100-continue',
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
  ]
  const socket = await openSocket(port)
  socket.write(rawRequest('POST /api/v1/clusters HTTP/1.1', headers))
  const [interim] = (await once(socket, 'data')) as [Buffer]
  expect(interim.toString()).toMatch(/^HTTP\/1\.1 100 /)
  socket.write(body)
  expect((await answerOn(socket)).statusCode).toBe(201)
})

test('a HEAD that fails has the headers and the length of the problem, and no body', async () => {
  const response = await exchange(port, rawRequest('HEAD /nothing/here HTTP/1.1', [host]))
  expect(response.statusCode).toBe(404)
  expectPromisedHeaders(response)
  expect(Number(response.headers['content-length'])).toBeGreaterThan(100)
  expect(response.body).toBe('')
})

test('a body of 10 MB is rejected with a response that arrives', async () => {
  for (const url of ['/auth/login', '/api/v1/clusters']) {
    const response = await fetch(`http://127.0.0.1:${port}${url}`, {
      method: 'POST',
      headers: { ...admin.bearer, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'x'.repeat(10_000_000) }),
    })
    expect(response.status).toBe(413)
    expectProblem({ statusCode: 413, headers: Object.fromEntries(response.headers), body: await response.text() })
  }
})

test('an unparsable request counts against its address', async () => {
  const before = await exchange(port, 'garbage\r\n\r\n')
  const after = await exchange(port, 'garbage\r\n\r\n')
  const remaining = [before, after].map(({ headers }) => Number(headers['x-ratelimit-remaining']))
  expect((remaining[0] ?? 0) - (remaining[1] ?? 0)).toBe(1)
})

test('beyond the limit of its address, an unparsable request gets 429', async () => {
  const app = await buildApp({ ...t.deps, limits: { ...t.deps.limits, address: 0 } })
  onTestFinished(() => app.close())
  const response = await exchange(await listen(app), 'garbage\r\n\r\n')
  expect(response.statusCode).toBe(429)
  expectProblem(response, 'rate_limited')
  expect(response.headers).toMatchObject({ 'x-ratelimit-limit': '0', 'x-ratelimit-remaining': '0' })
  expect(Number(response.headers['retry-after'])).toBeGreaterThan(0)
})

test.each([
  { what: 'headers', bytes: `GET /healthz HTTP/1.1\r\n${host}\r\nX-Slow: ` },
  {
    what: 'a body',
    bytes: `POST /auth/login HTTP/1.1\r\n${host}\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{`,
  },
])('a request whose $what never arrive gets 408', async ({ bytes }) => {
  const app = await buildApp(t.deps, { requestMsMax: 60 })
  onTestFinished(() => app.close())
  const response = await exchange(await listen(app), bytes)
  expect(response.statusCode).toBe(408)
  expectProblem(response, 'request_timeout')
})

test('a request has half a minute to arrive', () => {
  expect([t.app.server.requestTimeout, t.app.server.headersTimeout]).toEqual([30_000, 30_000])
})

test('a service that shuts down finishes accepted requests and answers the rest with 503', async () => {
  const app = await buildApp(t.deps)
  const ownPort = await listen(app)
  const late = await openSocket(ownPort)
  late.write('GET /healthz HTTP/1.1\r\n')

  const { accepted, closed } = await t.db.transaction().execute(async (tx) => {
    await lockPeople(tx)
    const body = '{"email":"accepted@example.com","role":"viewer"}'
    const headers = [host, bearer(), 'Content-Type: application/json', `Content-Length: ${body.length}`]
    const accepted = exchange(ownPort, rawRequest('POST /api/v1/users HTTP/1.1', headers, body))
    await untilSomebodyWaits(t)
    const closed = app.close()
    await expect.poll(() => app.server.listening, patience).toBe(false)
    late.write(`${host}\r\n\r\n`)
    const refused = await answerOn(late)
    expect(refused.statusCode).toBe(503)
    expectProblem(refused, 'service_unavailable')
    expect(refused.headers).toMatchObject({ 'retry-after': '5', 'x-ratelimit-remaining': '0', connection: 'close' })
    return { accepted: [accepted], closed: [closed] }
  })
  expect((await accepted[0])?.statusCode).toBe(201)
  await closed[0]
})

test('a cluster is not partially created when its caller disconnects during the body', async () => {
  const { clusterId } = await aCluster(t)
  const socket = await openSocket(port)
  const headers = [host, bearer(), 'Content-Type: application/json', 'Content-Length: 100']
  socket.write(rawRequest(`PATCH /api/v1/clusters/${clusterId} HTTP/1.1`, headers, '{"name":"half'))
  socket.destroy()
  const shown = await send(t, { url: '/api/v1/clusters', headers: admin.bearer })
  expect(shown.body).not.toContain('half')
})
