/**
 * The event loop time of one request, for every route, on a cluster of 150,000 pods:
 *   npm run bench:loop [scale [text …]]
 *
 * With texts, only requests whose name contains one of them are sent.
 *
 * Every route returns its largest response or reads the largest allowed body. The result is the longest turn of the
 * event loop in CPU time; the target is 50 ms. A request without changes runs three times, and the best run counts. A
 * request with changes runs once, because a second run would find nothing to change. An unexpected status fails the
 * bench, because a rejected request does not measure the route.
 */
import { createHash, randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { readFile } from 'node:fs/promises'
import { batchLimits, routeAccess, type Route } from '@plimsoll/contract'
import { MANIFEST_FORMATS } from '@plimsoll/engine/vocabulary'
import { sql } from 'kysely'
import { buildApp } from '../packages/server/src/app.ts'
import { makeAgentToken } from '../packages/server/src/platform/auth/make-agent-token.ts'
import { priceBookFile } from '../packages/server/src/directories.ts'
import type { OpenApi } from '../packages/server/src/platform/http/openapi.ts'
import { largestBodies } from '../packages/server/test/largest-bodies.ts'
import { longestTurnMs } from '../packages/server/test/longest-turn.ts'
import { benchSession, benchUserId, type BenchDatabase } from './lib/bench-app.ts'
import { scaleArgument, withLargeCluster, type LargeCluster } from './lib/large-cluster.ts'
import { findingOf, store } from './lib/many-findings.ts'
import { storeObjects, type PathId } from './lib/path-ids.ts'

type Answer = Awaited<ReturnType<Awaited<ReturnType<typeof buildApp>>['inject']>>

const aimMs = 50
const runs = 3

type App = Awaited<ReturnType<typeof buildApp>>

type Request = {
  name: string
  url: string
  method?: 'POST' | 'PATCH' | 'PUT'
  headers?: Record<string, string>
  payload?: string | object
  /** By default 200. */
  isExpected?: (answer: { status: number; code?: string }) => boolean
}

async function measure({ bench, deps, clusterId, size, now }: LargeCluster): Promise<void> {
  const { db } = bench
  const findings = Array.from({ length: size.workloads }, (_, index) => findingOf(index))
  await store(db, clusterId, findings, now)
  await vacuum(bench)
  console.log(`one cluster: ${JSON.stringify(size)}`)

  const app = await buildApp(deps, { webDirectory: new URL('../packages/server/test/fixtures/web/', import.meta.url) })
  const ids = await recommendationIds(bench)
  const api = (await app.inject({ url: '/openapi.json' })).json<OpenApi>()
  const names: Record<PathId, string> = {
    ...(await storeObjects(app, deps, clusterId)),
    cluster_id: clusterId,
    id: ids[0] ?? '',
    role: 'viewer',
    section: 'users',
    user_id: benchUserId,
    month: now.toISOString().slice(0, 7),
    rule: 'cluster_silent',
    name: 'web',
    ...{ file: 'none', job_id: 'none', step_id: 'none' },
  }
  const requests = [
    ...heaviest(clusterId),
    ...everyGet(clusterId, names),
    ...withBodies(api, names),
    ...withIds(ids),
    aTeamMapping(),
    await aPriceBook(),
    aBatch((await makeAgentToken(deps, db, clusterId)).token),
  ]
  const texts = process.argv.slice(3)
  const isWanted = ({ name }: Request) => texts.length === 0 || texts.some((text) => name.includes(text))
  for (const request of requests.filter(isWanted)) {
    // A session, because some routes reject API keys. A new one for each request, because some requests end all
    // sessions.
    const credential = await benchSession(deps)
    await report(app, { ...request, headers: { ...credential, ...request.headers } })
  }
  await app.close()
}

/** On a busy machine it takes longer than the statement timeout of the service. */
const vacuum = ({ db }: BenchDatabase) =>
  db.connection().execute(async (connection) => {
    await sql`set statement_timeout = 0`.execute(connection)
    await sql`vacuum analyze`.execute(connection)
    await sql`reset statement_timeout`.execute(connection)
  })

async function report(app: App, { name, isExpected = isOk, ...request }: Request): Promise<void> {
  const turns: number[] = []
  let answer: { status: number } & ProblemText = { status: 0 }
  do {
    turns.push(
      await longestTurnMs(async () => {
        const response = await app.inject(request)
        answer = { status: response.statusCode, ...problemText(response) }
      }),
    )
  } while (turns.length < runs && (request.method === undefined || answer.status >= 300))
  const best = Math.min(...turns)
  const verdict = isExpected(answer) ? (best > aimMs ? 'OVER' : 'ok  ') : 'FAIL'
  const { status, code = '', detail = '' } = answer
  console.log(`${verdict} ${best.toFixed(1).padStart(8)} ms  ${status} ${code}  ${name}`)
  if (verdict === 'FAIL') console.log(`     ${detail}`)
  if (verdict !== 'ok  ') process.exitCode = 1
}

const isOk: Required<Request>['isExpected'] = ({ status }) => status === 200

type ProblemText = { code?: string; detail?: string }

function problemText({ headers, body }: Answer): ProblemText {
  const isProblem = String(headers['content-type']).startsWith('application/problem+json')
  if (!isProblem) return {}
  const { code, detail } = JSON.parse(body) as { code: string; detail: string }
  return { code, detail }
}

async function recommendationIds({ db }: BenchDatabase): Promise<string[]> {
  const rows = await db.selectFrom('recommendation').select('recommendation_id as id').limit(500).execute()
  return rows.map(({ id }) => id)
}

/** The widest windows and the longest pages. */
function heaviest(clusterId: string): Request[] {
  const of = `/api/v1/clusters/${clusterId}`
  const allocation = `/api/v1/allocation?cluster_id=${clusterId}&window=30d`
  return [
    '/api/v1/statements?include=sheets',
    `${of}/summary?window=30d`,
    `${of}/workloads?window=30d&limit=500`,
    `${of}/nodes?window=30d&limit=500`,
    `${of}/data-quality?window=30d`,
    `${of}/explain?window=30d`,
    `${allocation.replace('30d', '7d')}&by=namespace&step=hour`,
    `${allocation}&by=workload&share_idle=proportional`,
    `${allocation}&by=workload&trend=day`,
    `${allocation}&by=workload`,
    `${allocation}&by=label:team&step=day`,
    `${allocation}&by=node`,
    `/api/v1/recommendations?limit=500`,
    `/api/v1/idle-costs?cluster_id=${clusterId}&window=30d`,
  ].map((url) => ({ name: `GET ${url.replace(clusterId, '…')}`, url }))
}

function everyGet(clusterId: string, names: Partial<Record<string, string>>): Request[] {
  const routes = (Object.keys(routeAccess) as Route[]).filter((route) => route.startsWith('GET '))
  return routes.map((route) => {
    const path = route.slice('GET '.length).replaceAll(/:([^/]+)/g, (_all, name: string) => names[name] ?? 'none')
    const query = path.endsWith('/groups')
      ? '?by=workload'
      : path.endsWith('/search')
        ? '?q=wo&limit=20'
        : path.startsWith('/model/allocation') && !path.endsWith('/autocomplete')
          ? '?window=30d&aggregate=namespace,controller&includeIdle=true'
          : needsCluster.includes(path)
            ? `?cluster_id=${clusterId}`
            : (otherQuery[path] ?? '')
    return { name: route, url: path + query, isExpected: ({ status }) => status === (otherStatus[route] ?? 200) }
  })
}

/** The bench has one cluster, with this name. */
const otherQuery: Partial<Record<string, string>> = {
  '/metrics/costs': '?by=workload',
  '/metrics/opencost': '?cluster=large',
}

const needsCluster = ['/api/v1/idle-costs', '/api/v1/prices', '/api/v1/gitops/helm-paths']

/**
 * There is no job, no statement of the team and no identity provider, and the dashboard of this bench is a single page.
 */
const otherStatus: Partial<Record<Route, number>> = {
  'GET /docs/': 301,
  'GET /api/v1/jobs/:job_id': 404,
  'GET /api/v1/statements/:month/:team': 404,
  'GET /auth/oidc/start': 404,
  'GET /auth/oidc/callback': 404,
  'GET /assets/:file': 404,
}

function withIds(ids: string[]): Request[] {
  const post = (name: string, url: string, body: object): Request => ({
    name: `POST ${url}, ${name}`,
    method: 'POST',
    url,
    payload: body,
  })
  return [
    ...MANIFEST_FORMATS.map((format) =>
      post(`500 as ${format}`, '/api/v1/gitops/manifests', { recommendation_ids: ids, format }),
    ),
    post('500 approved', '/api/v1/recommendations/batch', { action: 'approve', ids }),
  ]
}

function withBodies(api: OpenApi, names: Partial<Record<string, string>>): Request[] {
  return Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { requestBody }]) => {
      const schema = requestBody?.content['application/json']?.schema
      if (!schema || path.endsWith('/agent/metrics')) return []
      const url = path.replaceAll(/\{([^{}]+)\}/g, (_all, name: string) => names[name] ?? 'none')
      return largestBodies(api, schema, requestBody['x-max-bytes']).map(({ name, body }) => ({
        name: `${method.toUpperCase()} ${path}, ${name}`,
        method: method.toUpperCase() as 'POST',
        url,
        headers: { 'content-type': 'application/json' },
        payload: body,
        isExpected: isRead,
      }))
    }),
  )
}

/** Whether the handler or the schema of the route has read the body. */
const isRead: Required<Request>['isExpected'] = ({ status, code = '' }) =>
  status < 300 || (status < 500 && !unreadCodes.includes(code))

const unreadCodes = ['malformed_json', 'body_too_large', 'unauthenticated', 'forbidden', 'credential_not_allowed']

/** The maximum number of rules in the contract. */
function aTeamMapping(): Request {
  const rules = Array.from({ length: 1000 }, (_, index) => ({
    team: `team-${index}`,
    namespace: `ns-${index}`,
    label: { key: 'team', value: `team-${index}` },
  }))
  const url = '/api/v1/team-mapping'
  return { name: `PUT ${url}, 1000 rules`, method: 'PUT', url, payload: { rules } }
}

async function aPriceBook(): Promise<Request> {
  return {
    name: 'POST /api/v1/price-books, price list of the release',
    method: 'POST',
    url: '/api/v1/price-books',
    headers: { 'content-type': 'application/octet-stream' },
    payload: await readFile(priceBookFile),
  }
}

function aBatch(agentToken: string): Request {
  const payload = gzipSync(randomBytes(batchLimits.encodedBytesMax - 16 * 1024), { level: 1 })
  return {
    name: 'POST /api/v1/agent/metrics, the largest batch',
    method: 'POST',
    url: '/api/v1/agent/metrics',
    headers: {
      authorization: `Bearer ${agentToken}`,
      'content-type': 'application/json',
      'content-encoding': 'gzip',
      'content-digest': `sha-256=:${createHash('sha256').update(payload).digest('base64')}:`,
      'plimsoll-schema': '1',
      'plimsoll-batch-id': 'batch-1',
      'plimsoll-epoch': 'epoch-1',
      'plimsoll-seq': '1',
      'plimsoll-kind': 'live',
      'plimsoll-cluster-uid': '0b6fbbcb-6a4d-4d8e-9d2a-3f1c2a7e5b10',
    },
    payload,
    isExpected: ({ status }) => status === 202,
  }
}

await withLargeCluster(scaleArgument(), 'admin', measure)
