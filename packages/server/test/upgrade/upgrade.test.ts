import { readFileSync } from 'node:fs'
import { brotliDecompressSync } from 'node:zlib'
import { BatchWriter, type PriceBookEntry, type RotatedAgentToken } from '@plimsoll/contract'
import { agent } from '@plimsoll/pipeline/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../../../../test/free-port.ts'
import { fold } from '../../src/ingest/jobs/fold.ts'
import { readConfig } from '../../src/platform/config.ts'
import { PriceBooks } from '../../src/prices/price-books.ts'
import { analyse } from '../../src/recommendations/analysis/analyse.ts'
import { startService, type Service } from '../../src/service.ts'
import { batchRequest } from '../send-batch.ts'
import { emptyDatabase, silent, type TestDatabase } from '../test-database.ts'

/** Created by record.mjs with an earlier version, which filled the database and recorded the responses. */
type Recorded = {
  commit: string
  recordedAt: string
  clusterId: string
  credentials: { admin: Session; viewer: Session; apiKey: string }
  answers: Record<string, unknown>
  sql: string
}

type PriceBookAnswer = { price_books: PriceBookEntry[] }

type Session = { email: string; password: string; bearer: string }

const recorded = JSON.parse(
  brotliDecompressSync(readFileSync(new URL('before.json.br', import.meta.url))).toString('utf8'),
) as Recorded
const { admin, viewer, apiKey } = recorded.credentials

let database: TestDatabase
let service: Service
let url: string
let now = new Date(recorded.recordedAt)

beforeAll(async () => {
  database = await emptyDatabase({ dropLater: true })
  await database.db.connection().execute(async (connection) => {
    await sql.raw(recorded.sql).execute(connection)
    // The dump sets an empty search path for its own statements.
    await sql`reset all`.execute(connection)
  })
  const port = await freePort()
  url = `http://127.0.0.1:${port}`
  const config = readConfig({ PORT: String(port), HOST: '127.0.0.1', PLIMSOLL_ROLE: 'api' })
  service = await startService({ ...config, databaseUrl: database.url, secretKeys: [] }, silent, () => now)
})

afterAll(async () => {
  await service?.stop()
  await database?.drop()
})

const ask = (path: string, headers: Record<string, string>) => fetch(url + path, { headers })
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

test('the fixture has an older schema', async () => {
  expect(recorded.sql).toContain('schema_migration')
  const { rows } = await sql<{ version: number }>`select max(version) as version from schema_migration`.execute(
    database.db,
  )
  expect(recorded.sql).not.toContain(`(${rows[0]?.version}, '`)
})

/** Intended differences are compared by the tests below. */
const differsOnPurpose = ['/auth/me', '/api/v1/price-books']
const alike = Object.keys(recorded.answers).filter((path) => !differsOnPurpose.includes(path))

test.each(alike)('%s returns the same as before the upgrade', async (path) => {
  const response = await ask(path, bearer(admin.bearer))
  expect([path, response.status]).toEqual([path, 200])
  expect(await response.json()).toMatchObject(JSON.parse(JSON.stringify(recorded.answers[path]), sameMeaning) as object)
})

/**
 * The mean usage of a workload now covers only the measured time; before, a gap in the metrics counted as zero. An approval can now be
 * withdrawn, which is one more allowed action. New permissions belong to the built-in roles.
 */
const sameMeaning = (name: string, value: unknown): unknown => {
  if (name === 'allowed_actions' || name === 'permissions') return expect.arrayContaining(value as string[]) as unknown
  if ((name !== 'memory_bytes' && name !== 'cpu_cores') || typeof value !== 'object') return value
  const { used: _used, ...others } = value as Record<string, number>
  return others
}

test('the price list from before the upgrade still applies to the hours before it', async () => {
  const { price_books: before } = recorded.answers['/api/v1/price-books'] as PriceBookAnswer
  const { price_books: after } = (await (
    await ask('/api/v1/price-books', bearer(admin.bearer))
  ).json()) as PriceBookAnswer
  expect(after).toMatchObject([{ in_use: true }, ...before.map((book) => ({ ...book, in_use: false }))])
})

test('sessions from before the upgrade continue, and can be renewed', async () => {
  for (const { email, bearer: token } of [admin, viewer]) {
    const me = await (await ask('/auth/me', bearer(token))).json()
    expect(me).toMatchObject({ user: { email } })
  }
  const renewed = await fetch(`${url}/auth/refresh`, { method: 'POST', headers: bearer(viewer.bearer) })
  expect(renewed.status).toBe(200)
})

test('passwords and API keys from before the upgrade are accepted', async () => {
  const { email, password } = viewer
  expect((await post('/auth/login', { email, password })).status).toBe(200)
  const listed = await ask('/api/v1/clusters', { 'x-api-key': apiKey })
  expect(await listed.json()).toMatchObject({ clusters: [{ id: recorded.clusterId }] })
  const refused = await ask('/api/v1/users', { 'x-api-key': apiKey })
  expect(refused.status).toBe(403)
})

const post = (path: string, body: object, headers: Record<string, string> = {}) =>
  fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })

const hourMs = 3_600_000

/** Without the runs of a CronJob, which end by themselves. */
const namesIn = async (hour: Date) => {
  const { rows } = await sql<{ name: string }>`
    select distinct workload_name as name from workload_hour
    where hour = ${hour} and workload_kind <> 'CronJob' order by 1`.execute(database.db)
  return rows.map(({ name }) => name)
}

/** One more batch of the agent, without changes for an hour. */
async function sendNextBatch(clusterId: string): Promise<void> {
  const made = await post(`/api/v1/clusters/${clusterId}/agent-tokens`, {}, bearer(admin.bearer))
  const { token = '' } = (await made.json()) as RotatedAgentToken
  const { rows } = await sql<{ epoch: string; seq: number; clusterUid: string }>`
    select epoch, max(seq)::int + 1 as seq, kube_system_uid as "clusterUid"
    from ingest_batch join cluster using (cluster_id) group by 1, 3`.execute(database.db)
  const [envelope] = rows
  if (!envelope) throw new Error('the fixture has no batch')
  const batch = new BatchWriter().finish(agent, now.getTime() / 1000)
  const sent = await fetch(`${url}/api/v1/agent/metrics`, { method: 'POST', ...batchRequest(token, batch, envelope) })
  expect([sent.status, sent.ok ? '' : await sent.text()]).toEqual([202, ''])
}

const decisions = () =>
  database.db
    .selectFrom('recommendation')
    .select(['recommendation_id', 'status', 'estimated_savings', 'bankable_savings', 'drift'])
    .where('status', 'in', ['approved', 'rejected', 'implemented'])
    .orderBy('recommendation_id')
    .execute()

const backgroundDeps = () => ({ db: database.db, log: silent, now: () => now, prices: new PriceBooks() })

test('the stored state from before the upgrade is analysed, and decisions stay', async () => {
  const decided = await decisions()
  expect(decided).toHaveLength(3)
  const judged = database.db.selectFrom('node_verdict').select('node_uid').orderBy('node_uid')
  const before = await judged.execute()
  expect(before.length).toBeGreaterThan(3)
  await database.db.deleteFrom('node_verdict').execute()
  await analyse(backgroundDeps(), recorded)
  expect(await judged.execute()).toEqual(before)
  expect(await decisions()).toEqual(decided)
})

test('the next batch is folded into the stored state from before the upgrade', async () => {
  const hour = new Date(Math.floor(now.getTime() / hourMs) * hourMs)
  now = new Date(hour.getTime() + hourMs + 5 * 60_000)
  await sendNextBatch(recorded.clusterId)
  await fold(backgroundDeps(), recorded)
  const states = await database.db.selectFrom('ingest_batch').select('state').distinct().execute()
  expect(states).toEqual([{ state: 'folded' }])
  const before = await namesIn(new Date(hour.getTime() - hourMs))
  expect(before.length).toBeGreaterThan(3)
  expect(await namesIn(hour)).toEqual(before)
})

test('decisions and their figures stay after an hour without data', async () => {
  const decided = await decisions()
  await analyse(backgroundDeps(), recorded)
  expect(await decisions()).toEqual(decided)
})
