import type { RecommendationStatus } from '@plimsoll/contract'
import type { Observation, RuleFinding } from '@plimsoll/engine/rules'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { rounds } from '../../../test/rounds.ts'
import { listHistory } from '../src/recommendations/queries/recommendation-history.ts'
import { lockAnalysis } from '../src/recommendations/queries/findings.ts'
import { storeFindings } from '../src/recommendations/store-findings.ts'
import { aFinding, idsOf } from './findings.ts'
import { call, startServer, type Reply, type ServerProcess } from './server-process.ts'
import { testDatabase, type TestDatabase } from './test-database.ts'

/** Several processes on one database, as behind a load balancer, and a concurrent analysis. */
let database: TestDatabase
let servers: ServerProcess[] = []
let bearer: Record<string, string>
let key: Record<string, string>
let clusterId: string

const admin = { email: 'admin@example.com', password: 'correct horse battery' }

beforeAll(async () => {
  database = await testDatabase({ dropLater: true })
  const environment = {
    DATABASE_URL: database.url,
    PLIMSOLL_DB_CONNECTIONS: '5',
    PLIMSOLL_ADMIN_EMAIL: admin.email,
    PLIMSOLL_ADMIN_PASSWORD: admin.password,
    PLIMSOLL_ROLE: 'api',
  }
  const starting = Array.from({ length: rounds({ short: 2, full: 3 }) }, () => startServer(environment))
  servers = await Promise.all(starting)
  const login = await post(0, '/auth/login', {}, admin)
  bearer = { authorization: `Bearer ${(login.body as { token: string }).token}` }
})
afterAll(async () => {
  await Promise.all(servers.map((server) => server.end()))
  await database.drop()
})

let clusters = 0
beforeEach(async () => {
  const made = await post(0, '/api/v1/clusters', bearer, { name: `raced ${(clusters += 1)}` })
  clusterId = (made.body as { id: string }).id
  // A separate key for each test: a key allows 200 requests per minute.
  key = { 'x-api-key': ((await post(0, '/api/v1/api-keys', bearer, { name: 'racer' })).body as { key: string }).key }
})

function post(index: number, path: string, headers: Record<string, string>, body?: unknown): Promise<Reply> {
  const server = servers[index % servers.length]
  if (!server) throw new Error('no server')
  return call(server, path, { method: 'POST', headers, ...(body === undefined ? {} : { body }) })
}

const unchanged: Observation = { kind: 'seen', cpuMillicores: 1000, memoryKib: 1024 * 1024, replicas: 1, price: null }

function analyse(findings: RuleFinding[]): Promise<unknown> {
  const found = { observedAt: new Date(), findings, withheld: [], observe: () => unchanged }
  return database.db.transaction().execute(async (tx) => {
    await lockAnalysis(tx, clusterId)
    return storeFindings(tx, clusterId, found, new Date())
  })
}

/**
 * On a slow machine, fifty concurrent requests may find every connection busy for seconds. They change nothing then,
 * and are repeated.
 */
async function act(index: number, id: string, action: string): Promise<Reply> {
  const reply = await post(index, `/api/v1/recommendations/${id}/${action}`, key)
  return reply.status === 503 ? act(index, id, action) : reply
}

async function stateOf(id: string) {
  const { status, content, drift } = await database.db
    .selectFrom('recommendation')
    .selectAll()
    .where('cluster_id', '=', clusterId)
    .where('recommendation_id', '=', id)
    .executeTakeFirstOrThrow()
  const history = await listHistory(database.db, clusterId, id)
  return { status, content, drift, moves: history.filter(({ actor_kind: kind }) => kind !== null) }
}

const changedOf = (replies: Reply[]) => replies.filter(({ body }) => (body as { changed?: boolean }).changed === true)

test('of 50 concurrent approvals on several processes, one changes the status and 49 report no change', async () => {
  await analyse([aFinding()])
  const id = (await idsOf(database, clusterId)).web ?? ''
  const replies = await Promise.all(Array.from({ length: 50 }, (_, index) => act(index, id, 'approve')))
  expect(replies.map(({ status }) => status)).toEqual(Array(50).fill(200))
  expect(changedOf(replies)).toHaveLength(1)
  expect((await stateOf(id)).moves).toHaveLength(1)
})

test('50 concurrent different actions end in one sequence that the history shows', async () => {
  await analyse([aFinding()])
  const id = (await idsOf(database, clusterId)).web ?? ''
  const wishes = ['approve', 'reject', 'apply', 'reopen']
  const replies = await Promise.all(
    Array.from({ length: 50 }, (_, index) => act(index, id, wishes[index % wishes.length] ?? '')),
  )
  expect(replies.every(({ status }) => status === 200 || status === 409)).toBe(true)
  const { status, moves } = await stateOf(id)
  expect(moves).toHaveLength(changedOf(replies).length)
  // Each action starts at the status where the previous one ended.
  const states: (RecommendationStatus | null)[] = ['pending', ...moves.map(({ to_status: to }) => to)]
  expect(moves.map(({ from_status: from }) => from)).toEqual(states.slice(0, -1))
  expect(states.at(-1)).toBe(status)
  expect(moves.filter(({ to_status: to }) => to === 'implemented').length).toBeLessThanOrEqual(1)
})

test('a concurrent analysis never overwrites a decision and never creates a duplicate', async () => {
  const names = Array.from({ length: 24 }, (_, index) => `w${index}`)
  const first = names.map((name) => aFinding({ name }))
  const second = names.map((name) => aFinding({ name, recommendedSpec: { cpuMillicores: 100, memoryKib: 102_400 } }))
  await analyse(first)
  const ids = await idsOf(database, clusterId)
  const wishes = ['approve', 'reject', 'apply']
  const wishOf = (index: number) => wishes[index % wishes.length] ?? ''
  const [replies] = await Promise.all([
    Promise.all(names.map((name, index) => act(index, ids[name] ?? '', wishOf(index)))),
    ...[first, second, first, second, first, second].map((findings) => analyse(findings)),
  ])
  expect(replies.map(({ status }) => status)).toEqual(Array(names.length).fill(200))
  await analyse(second)

  for (const [index, name] of names.entries()) {
    const { status, content, drift, moves } = await stateOf(ids[name] ?? '')
    const [approvedContent] = replies.slice(index, index + 1).map(({ body }) => body as { recommended_spec: object })
    expect(status).toBe({ approve: 'approved', reject: 'rejected', apply: 'implemented' }[wishOf(index)])
    expect(moves).toHaveLength(1)
    // The decisions that users saw are kept, whichever analysis ran before or after.
    const kept = content.recommended?.cpuMillicores === 100 ? '100m' : '500m'
    expect(approvedContent?.recommended_spec).toMatchObject({ cpu_request: kept })
    if (status === 'approved') expect(drift === null).toBe(kept === '100m')
  }
  const all = await database.db
    .selectFrom('recommendation')
    .select('status')
    .where('cluster_id', '=', clusterId)
    .execute()
  expect(all).toHaveLength(names.length)
})

test('batches of the same IDs in opposite order finish, and each ID changes once', async () => {
  const names = Array.from({ length: 40 }, (_, index) => `w${index}`)
  await analyse(names.map((name) => aFinding({ name })))
  const ids = Object.values(await idsOf(database, clusterId))
  const orders = Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? ids : [...ids].reverse()))
  const replies = await Promise.all([
    ...orders.map((order, index) =>
      post(index, '/api/v1/recommendations/batch', key, { action: 'approve', ids: order }),
    ),
    analyse(names.map((name) => aFinding({ name }))).then(() => undefined),
  ])
  const summaries = replies.flatMap((reply) =>
    reply ? [reply.body as { summary: { changed: number; failed: number } }] : [],
  )
  expect(summaries.reduce((sum, { summary }) => sum + summary.changed, 0)).toBe(ids.length)
  expect(summaries.every(({ summary }) => summary.failed === 0)).toBe(true)
})

test('concurrent analyses create each finding once', async () => {
  const findings = Array.from({ length: 30 }, (_, index) => aFinding({ name: `w${index}` }))
  await Promise.all(Array.from({ length: 4 }, () => analyse(findings)))
  const all = await database.db
    .selectFrom('recommendation')
    .select('status')
    .where('cluster_id', '=', clusterId)
    .execute()
  expect(all.map(({ status }) => status)).toEqual(Array(30).fill('pending'))
})
