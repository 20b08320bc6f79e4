import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { openLog } from '../log.ts'
import { openStatusServer } from './status-server.ts'
import { notReady, type Status } from './status.ts'

const now = 1_800_000_000_000
const status: Status = {
  freshness: [{ kind: 'pods', synced: true, lastEventAt: now - 60_000 }],
  connection: { kind: 'connected' },
  pending: { live: 1, backlog: 2 },
  bytes: 3,
  losses: { dropped: 4, damaged: 5, refused: 6 },
  counts: { requests: 7, accepted: 8, duplicates: 9, conflicts: 10, bytes: 11 },
  now,
  memoryBytes: 12,
}

test('ready means that all kinds are listed and every watch is fresh', () => {
  expect(notReady(status)).toEqual([])
  expect(notReady({ ...status, freshness: [] })).toEqual(['no watch has started'])
  const [notListed, silent] = [
    { kind: 'pods', synced: false, lastEventAt: 0 },
    { kind: 'nodes', synced: true, lastEventAt: now - 700_000 },
  ]
  expect(notReady({ ...status, freshness: [notListed, silent] })).toEqual([
    'pods are not listed yet',
    'no event for nodes in the last 700 s',
  ])
})

test('readiness ignores the server connection, because a restart would not help', () => {
  expect(notReady({ ...status, connection: { kind: 'offline', since: 0, detail: '' } })).toEqual([])
})

test('answers the kubelet and Prometheus, and rejects other requests', async () => {
  let current: Status = status
  const server = await openStatusServer(() => current, { host: '127.0.0.1', port: 0 })
  onTestFinished(() => void server.close())
  const get = (path: string, init?: RequestInit) =>
    fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, init)
  expect((await get('/healthz')).status).toBe(200)
  expect((await get('/readyz')).status).toBe(200)
  const metrics = await (await get('/metrics')).text()
  expect(metrics).toContain('\nplimsoll_agent_dropped_batches_total 4\n')
  expect(metrics).toContain('# TYPE plimsoll_agent_connected gauge\nplimsoll_agent_connected 1\n')
  current = { ...status, freshness: [] }
  expect((await get('/readyz')).status).toBe(503)
  expect((await get('/')).status).toBe(404)
  expect((await get('/metrics', { method: 'POST' })).status).toBe(405)
})

test('the log contains no tokens, whatever a message contains', () => {
  const lines: string[] = []
  const log = openLog(
    (line) => lines.push(line),
    () => new Date(now),
  )
  log('warn', 'refused: Bearer pla_0123_secret', { detail: 'authorization: Bearer eyJhbGciOi.x.y', token: 'plk_a_b' })
  expect(lines.join('')).not.toMatch(/secret|eyJ|plk_a/)
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 'warn', time: new Date(now).toISOString() })
})
