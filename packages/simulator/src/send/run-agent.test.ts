import { digestOf } from '@plimsoll/agent'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { aScenario, START } from '../../test/a-scenario.ts'
import { SimulatedAgent } from '../batches/simulated-agent.ts'
import { Random } from '../random.ts'
import { openWorld } from '../world/world.ts'
import { runAgent, type RunOptions } from './run-agent.ts'

type Answer = { status: number; headers?: Record<string, string>; body?: object }
type Received = { headers: IncomingMessage['headers']; url: string; isWhole: boolean; bytes: number }

const open: Server[] = []
afterEach(() => open.splice(0).forEach((server) => server.close()))

const accepted = (directives: object = {}): Answer => ({
  status: 202,
  body: { directives: { interval_seconds: 60, sync_requested: false, max_encoded_bytes: 1e7, ...directives } },
})

/** Answers with the scripted replies first, and then accepts everything. */
async function scriptedServer(script: Answer[]) {
  const received: Received[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const isWhole = digestOf(Buffer.concat(chunks)) === request.headers['content-digest']
      const bytes = chunks.reduce((sum, chunk) => sum + chunk.length, 0)
      received.push({ headers: request.headers, url: request.url ?? '', isWhole, bytes })
      const { status, headers = {}, body = {} } = script[received.length - 1] ?? accepted()
      response.writeHead(status, { ...headers, connection: 'close' }).end(JSON.stringify(body))
    })
  })
  open.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received }
}

async function run(script: Answer[], options: Partial<RunOptions> = {}) {
  const { url, received } = await scriptedServer(script)
  const slept: number[] = []
  let now = START
  const sleep = async (seconds: number) => {
    slept.push(seconds)
    now += seconds
  }
  const agent = new SimulatedAgent(openWorld(aScenario(), START))
  const target = { url, token: 'pla_test', random: new Random(1), sleep, attemptsMax: 3 }
  const report = await runAgent(agent, target, { pace: 'fast', now: () => now, minutes: 3, ...options })
  return { report, received, slept, seqs: received.map(({ headers }) => headers['plimsoll-seq']) }
}

test('sends a snapshot at once, then a batch per minute, with token and envelope', async () => {
  const { report, received, seqs } = await run([])
  expect(report).toMatchObject({ stopped: 'done', minutes: 3, sent: { accepted: 4 } })
  expect(seqs).toEqual(['1', '2', '3', '4'])
  expect(received[0]).toMatchObject({
    url: '/api/v1/agent/metrics',
    isWhole: true,
    headers: { authorization: 'Bearer pla_test', 'plimsoll-part': '1/1', 'content-encoding': 'gzip' },
  })
  expect(received[1]?.headers['plimsoll-part']).toBeUndefined()
})

test('too many requests: waits as long as the server says, and sends the same again', async () => {
  const { slept, seqs } = await run([accepted(), { status: 429, headers: { 'retry-after': '17' } }])
  expect(slept).toEqual([17])
  expect(seqs).toEqual(['1', '2', '2', '3', '4'])
})

test('server errors are retried with jitter, up to a limit', async () => {
  const { report, slept } = await run(Array.from({ length: 9 }, () => ({ status: 503 })))
  expect(report).toMatchObject({ stopped: 'unreachable', minutes: 0 })
  expect(slept).toHaveLength(2)
  expect(Math.max(...slept)).toBeLessThan(4)
})

test('a refused connection is retried too', async () => {
  const agent = new SimulatedAgent(openWorld(aScenario(), START))
  const target = {
    url: 'http://127.0.0.1:9',
    token: '',
    random: new Random(1),
    sleep: async () => undefined,
    attemptsMax: 2,
  }
  expect(await runAgent(agent, target, { pace: 'fast', now: () => 0 })).toMatchObject({ stopped: 'unreachable' })
})

test('after a sync request, it sends a full snapshot with the next batch', async () => {
  const { received } = await run([accepted(), accepted({ sync_requested: true })])
  const parts = received.map(({ headers }) => headers['plimsoll-part'])
  expect(parts).toEqual(['1/1', undefined, '1/1', undefined, undefined])
})

test('too large: the same rows in smaller batches with the same number', async () => {
  const { report, seqs } = await run([{ status: 413 }])
  expect(report).toMatchObject({ stopped: 'done', sent: { 'too-large': 1 } })
  expect(seqs.slice(0, 2)).toEqual(['1', '1'])
})

test('with a size limit, it sends no larger batch', async () => {
  const { received: whole } = await run([])
  const max = (whole[1]?.bytes ?? 0) - 1
  const { received, report } = await run([accepted({ max_encoded_bytes: max })])
  expect(report.sent['too-large']).toBeGreaterThan(0)
  expect(received.slice(1).filter(({ bytes }) => bytes > max)).toEqual([])
})

test('a conflict is counted and skipped; a deleted cluster or a rejection ends the run', async () => {
  expect((await run([{ status: 409 }])).report).toMatchObject({ stopped: 'done', sent: { conflict: 1, accepted: 3 } })
  expect((await run([accepted(), { status: 410 }])).report).toMatchObject({ stopped: 'gone', minutes: 1 })
  const refused = { stopped: 'refused', detail: '401 who?' }
  expect((await run([{ status: 401, body: { detail: 'who?' } }])).report).toMatchObject(refused)
})

test('at live pace, a simulated minute takes a minute', async () => {
  const { slept, report } = await run([], { pace: 'live' })
  expect(report.minutes).toBe(3)
  expect(slept.reduce((a, b) => a + b)).toBe(180)
})

test('an abort stops it between two minutes', async () => {
  const { report } = await run([], { signal: AbortSignal.abort() })
  expect(report).toMatchObject({ stopped: 'done', minutes: 0, sent: { accepted: 1 } })
})
