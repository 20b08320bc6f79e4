import { Readable } from 'node:stream'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ApiClient } from '../watch/api-client.ts'
import { ApiHealth } from './api-health.ts'
import { LoginError } from './cluster-access.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A client that answers with the given statuses; 0 is a refused connection, and -1 a failed login. */
function healthOf() {
  const logged: [string, object | undefined][] = []
  let now = 0
  let status = 200
  const client: ApiClient = {
    get: async () => {
      if (status === 0) throw new Error('connect ECONNREFUSED')
      if (status < 0) throw new LoginError('the exec plugin fails')
      return { status, retryAfter: undefined, body: Readable.from([]) }
    },
  }
  const log = (_level: string, message: string, fields?: object) => void logged.push([message, fields])
  const health = new ApiHealth({ log, now: () => now })
  const observed = health.observe(client)
  const ask = async (answer: number, second: number, paths = ['/pods', '/nodes', '/services']) => {
    status = answer
    now = second * 1000
    const { signal } = new AbortController()
    for (const path of paths) await observed.get(path, {}, signal).catch(() => undefined)
  }
  return { health, logged, ask }
}

test('an outage of 30 seconds is two log lines for all watches, the second with its duration', async () => {
  const { health, logged, ask } = healthOf()
  await ask(200, 0)
  for (const second of [10, 20, 30]) await ask(0, second)
  expect(health.condition()).toMatchObject({ kind: 'api_server', status: 'failing', reason: 'Unreachable' })
  // A starting server alternates between success and failure.
  await ask(200, 35)
  await ask(503, 36)
  await ask(200, 40)
  await ask(200, 42)
  vi.advanceTimersByTime(5000)
  expect(logged).toEqual([
    ['the API server is not reachable', { detail: 'connect ECONNREFUSED' }],
    ['the API server is reachable again', { seconds: 30 }],
  ])
  expect(health.condition()).toBeUndefined()
})

test('a rejected login is not an outage, and neither is a missing permission', async () => {
  const { health, logged, ask } = healthOf()
  await ask(401, 0)
  expect(health.condition()).toMatchObject({ reason: 'Unauthenticated' })
  expect(health.condition()?.message).toContain('rejected the credentials of the agent (401)')
  await ask(403, 5)
  vi.advanceTimersByTime(5000)
  expect(health.condition()).toBeUndefined()
  expect(logged.map(([message]) => message)).toEqual([
    'the API server rejected the credentials of the agent (401)',
    'the API server accepts the credentials of the agent again',
  ])
})

test.each([
  ['a single failing path', 0, ['/pods', '/pods', '/pods']],
  ['a kind whose conversion fails', 500, ['/pods', '/nodes', '/services']],
])('%s is not an outage', async (_name, status, paths) => {
  const { health, logged, ask } = healthOf()
  await ask(status, 0, paths)
  expect(health.condition()).toBeUndefined()
  expect(logged).toEqual([])
})

test('a failed login is a missing login, not an outage', async () => {
  const { health, ask } = healthOf()
  await ask(-1, 0)
  expect(health.condition()).toMatchObject({ reason: 'Unauthenticated', detail: 'the exec plugin fails' })
})

test('an error of a load balancer in front of the API server is an outage', async () => {
  const { health, ask } = healthOf()
  await ask(503, 0)
  expect(health.condition()).toMatchObject({ reason: 'Unreachable', detail: 'the API server answered 503' })
})
