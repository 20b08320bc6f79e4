import type { IncomingMessage } from 'node:http'
import { Writable } from 'node:stream'
import { sql } from 'kysely'
import pg from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { aPerson } from '../../../test/people.ts'
import { expectProblem, expectPromisedHeaders } from '../../../test/promises.ts'
import { exchange, listen, openSocket } from '../../../test/raw-http.ts'
import { send, useTestApp } from '../../../test/test-app.ts'
import { silent } from '../../../test/test-database.ts'
import { buildApp, type AppDeps } from '../../app.ts'
import { openDatabase, openPool } from '../db/database.ts'
import { patience } from '../../../test/patience.ts'

const t = useTestApp()

/** Nothing listens on port 1. */
const nowhere = openPool('postgres://nobody@127.0.0.1:1/none', { connectionsMax: 2 }, silent)
let away: AppDeps

beforeAll(() => {
  away = { ...t.deps, db: openDatabase(nowhere) }
})
afterAll(() => nowhere.end())

async function appWith(deps: AppDeps) {
  const app = await buildApp(deps)
  onTestFinished(() => app.close())
  return { app }
}

function collectLog() {
  const lines: string[] = []
  const write = (chunk: Buffer, _encoding: string, done: () => void) => {
    lines.push(chunk.toString())
    done()
  }
  return { lines, log: pino({ level: 'info' }, new Writable({ write })) }
}

test('without the database, dependent requests get 503 with nothing remaining and a retry time', async () => {
  const app = await appWith(away)
  const { bearer } = await aPerson(t)
  const calls = [
    { url: '/api/v1/clusters', headers: bearer },
    { url: '/api/v1/clusters' },
    { url: '/nothing' },
    { url: '/%zz' },
    { url: '/readyz' },
    { method: 'POST' as const, url: '/auth/login', body: { email: 'a@example.com', password: 'x' } },
    { url: '/api/v1/clusters', headers: { authorization: 'Bearer x' } },
  ]
  for (const call of calls) {
    const response = await send(app, call)
    expect(response.statusCode, call.url).toBe(503)
    expectProblem(response, 'service_unavailable')
    expect(response.headers).toMatchObject({ 'retry-after': '5', 'x-ratelimit-remaining': '0' })
    expect(response.body).not.toMatch(/ECONNREFUSED|127\.0\.0\.1/)
  }
})

test('a slow query gets 503 with a hint what to narrow', async () => {
  const hasty = new pg.Pool({ connectionString: t.url, max: 2, statement_timeout: 200 })
  onTestFinished(() => hasty.end())
  const app = await appWith({ ...t.deps, db: openDatabase(hasty) })
  const { bearer } = await aPerson(t)
  const response = await t.db.transaction().execute(async (tx) => {
    await sql`lock table team_mapping in access exclusive mode`.execute(tx)
    return send(app, { url: '/api/v1/team-mapping', headers: bearer })
  })
  expect(response.statusCode).toBe(503)
  expectProblem(response, 'service_unavailable')
  expect(response.json()).toMatchObject({ detail: expect.stringContaining('shorter window') as string })
  expect(response.headers).toMatchObject({ 'retry-after': '30' })
})

test('without the database the process is alive, and invalid requests still get their response', async () => {
  const app = await appWith(away)
  const alive = await send(app, { url: '/healthz' })
  expect(alive.statusCode).toBe(200)
  expectPromisedHeaders(alive)
  const garbage = await exchange(await listen(app.app), 'garbage\r\n\r\n')
  expect([garbage.statusCode, garbage.headers['x-ratelimit-remaining']]).toEqual([400, '0'])
  expectProblem(garbage, 'malformed_request')
})

test('an internal error is 500, logged once with its cause and reported without it', async () => {
  const { lines, log } = collectLog()
  const broken = { ...t.deps, log, tokens: Object.create(null) as AppDeps['tokens'] }
  const response = await send(await appWith(broken), { url: '/auth/me', headers: { authorization: 'Bearer x' } })
  expect(response.statusCode).toBe(500)
  expectProblem(response, 'internal_error')
  expect(response.body).not.toMatch(/TypeError|verify|\.ts|node_modules/)
  const errors = lines.filter((line) => (JSON.parse(line) as { level: number }).level >= 50)
  expect(errors).toHaveLength(1)
  expect(JSON.parse(errors[0] ?? '')).toMatchObject({
    request_id: response.headers['x-request-id'],
    err: { type: 'TypeError' },
  })
})

test('a caller who disconnects during a body is not an internal error', async () => {
  const { lines, log } = collectLog()
  const { app } = await appWith({ ...t.deps, log })
  const { bearer } = await aPerson(t)
  const socket = await openSocket(await listen(app))
  const reading = new Promise((resolve) =>
    app.server.once('request', (request: IncomingMessage) => request.once('resume', resolve)),
  )
  socket.write(
    `POST /api/v1/clusters HTTP/1.1\r\nHost: h\r\nAuthorization: ${bearer.authorization}\r\n` +
      'Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"name":"half',
  )
  await reading
  socket.destroy()
  const answered = () => lines.filter((line) => line.includes('request rejected')).length
  await expect.poll(answered, patience).toBe(1)
  expect(lines.filter((line) => (JSON.parse(line) as { level: number }).level >= 40)).toEqual([])
})
