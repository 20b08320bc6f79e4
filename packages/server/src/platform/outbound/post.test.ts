import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { answering, openReceiver, type Receiver } from '../../../test/receiver.ts'
import { AddressGuard } from './address-guard.ts'
import { postGuarded, type Post } from './post.ts'

let receiver: Receiver
let other: Receiver

beforeAll(async () => {
  receiver = await openReceiver()
  other = await openReceiver()
})
afterAll(async () => {
  await receiver.close()
  await other.close()
})
beforeEach(() => {
  receiver.received.length = 0
  other.received.length = 0
  receiver.answer = answering(200)
})

const loopback = new AddressGuard(['127.0.0.1', '::1'])
const post = (url: string, options: Partial<Post> = {}) =>
  postGuarded({ url, headers: { 'x-test': 'yes' }, body: '{"a":"ü"}', guard: loopback, msMax: 60_000, ...options })

test('a request arrives whole', async () => {
  receiver.answer = answering(503, { 'retry-after': '120' })
  expect(await post(`${receiver.url}/hook?a=b`)).toEqual({ kind: 'answered', status: 503, retryAfter: '120' })
  expect(receiver.received).toMatchObject([
    { path: '/hook?a=b', body: '{"a":"ü"}', headers: { 'x-test': 'yes', 'content-type': 'application/json' } },
  ])
})

test('a private address is refused before anything is sent, as an address and as a name', async () => {
  const guard = new AddressGuard([])
  const refused = { kind: 'failed', error: 'address_refused' }
  const { port } = new URL(receiver.url)
  expect(await post(receiver.url, { guard })).toEqual(refused)
  expect(await post(`http://localhost:${port}/`, { guard })).toEqual(refused)
  expect(await post(`https://localhost:${port}/`, { guard })).toEqual(refused)
  expect(await post(`http://[::ffff:127.0.0.1]:${port}/`, { guard })).toEqual(refused)
  expect(await post(`http://2130706433:${port}/`, { guard })).toEqual(refused)
  expect(receiver.received).toEqual([])
})

test('a request to a name connects to the address that was checked', async () => {
  const { port } = new URL(receiver.url)
  expect(await post(`http://localhost:${port}/`, { guard: loopback })).toMatchObject({ kind: 'answered', status: 200 })
  expect(receiver.received[0]?.headers.host).toBe(`localhost:${port}`)
})

test('a redirect to a metadata service, or to any other address, is not followed', async () => {
  for (const location of ['http://169.254.169.254/latest/meta-data/', other.url]) {
    receiver.answer = answering(307, { location })
    expect(await post(receiver.url)).toMatchObject({ kind: 'answered', status: 307 })
  }
  expect(other.received).toEqual([])
})

test('a metadata service is refused although its network is allowed', async () => {
  const guard = new AddressGuard(['169.254.0.0/16'])
  expect(await post('http://169.254.169.254/', { guard })).toEqual({ kind: 'failed', error: 'address_refused' })
})

test('plain HTTP is refused outside of allowed networks', async () => {
  expect(await post('http://1.1.1.1/')).toEqual({ kind: 'failed', error: 'address_refused' })
})

test('a receiver that does not answer in time, does not listen, or has no TLS has its own failure class', async () => {
  receiver.answer = () => undefined
  expect(await post(receiver.url, { msMax: 100 })).toEqual({ kind: 'failed', error: 'timeout' })
  const closed = await openReceiver()
  await closed.close()
  expect(await post(closed.url)).toEqual({ kind: 'failed', error: 'connection' })
  expect(await post(receiver.url.replace('http:', 'https:'))).toEqual({ kind: 'failed', error: 'tls' })
  expect(await post('https://no-such-host.invalid/')).toEqual({ kind: 'failed', error: 'dns' })
})

test('an endless response does not block the sender', async () => {
  receiver.answer = (_received, response) => {
    const writing = setInterval(() => response.write('x'.repeat(1_000)), 5)
    response.on('close', () => clearInterval(writing))
  }
  expect(await post(receiver.url)).toMatchObject({ kind: 'answered', status: 200 })
})
