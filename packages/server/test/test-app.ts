import { readFileSync } from 'node:fs'
import { rateLimits, type RateLimits } from '@plimsoll/contract'
import { parsePriceBook } from '@plimsoll/pricebook'
import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import { afterAll, beforeAll } from 'vitest'
import { buildApp, type AppDeps } from '../src/app.ts'
import { Passwords } from '../src/platform/auth/passwords.ts'
import { Secrets } from '../src/platform/auth/secrets.ts'
import { Tokens } from '../src/platform/auth/tokens.ts'
import type { Settings } from '../src/platform/deps.ts'
import { DiskSpace } from '../src/platform/db/disk-space.ts'
import { priceBookFile } from '../src/directories.ts'
import {
  allocationJson,
  changesJson,
  scopeDaysJson,
  metricsText,
  opencostJson,
  statementsJson,
  teamsJson,
} from '../src/costs/compute-in-thread.ts'
import { exportHere } from './export-here.ts'
import { makeMetrics } from '../src/platform/http/metrics.ts'
import { analyse } from '../src/recommendations/analysis/analyse.ts'
import { fold } from '../src/ingest/jobs/fold.ts'
import { evaluateIncidents } from '../src/monitoring/incidents/evaluate-incidents.ts'
import { openPriceBooks } from '../src/prices/price-books.ts'
import { estimateChange } from '../src/recommendations/estimates/estimate-change.ts'
import { previewSavings } from '../src/recommendations/preview-savings.ts'
import { silent, testDatabase, type TestDatabase } from './test-database.ts'

export type TestClock = { now: Date; advance: (milliseconds: number) => void }

export type TestApp = TestDatabase & { app: FastifyInstance; deps: AppDeps; clock: TestClock }

export type TestAppOptions = { limits?: Partial<RateLimits>; settings?: Partial<Settings>; webDirectory?: URL }

/** A dashboard of one line: most tests do not need the real one. */
const oneLine = new URL('./fixtures/web/', import.meta.url)

const bytes = readFileSync(priceBookFile)
const releaseBook = { book: parsePriceBook(bytes), bytes }

/** Enough for every test that is not about limits. */
const generous: RateLimits = {
  person: 1e6,
  api_key: 1e6,
  agent: 1e6,
  address: 1e6,
  login: 1e6,
  redirect: 1e6,
  page: 1e6,
}

/** A busy machine may parse slowly. Tests of the limit create their own threads. */
const parseLimits = { timeMsMax: 200_000 }

/** It hashes a password when it is made, which takes longer than many tests. */
const passwords = new Passwords()

export async function makeTestApp({
  limits = generous,
  settings = {},
  webDirectory = oneLine,
}: TestAppOptions = {}): Promise<TestApp> {
  const database = await testDatabase({ dropLater: true })
  const clock = testClock()
  const now = () => clock.now
  const secrets = await Secrets.open({ db: database.db, now })
  const deps: AppDeps = {
    db: database.db,
    log: silent,
    now,
    secrets,
    tokens: new Tokens(secrets, now),
    passwords,
    metrics: makeMetrics(),
    limits: { ...rateLimits, ...limits },
    prices: await openPriceBooks(database.db, releaseBook, now()),
    disk: new DiskSpace({ now }),
    // In this thread: starting another one for each test file takes longer than most of them. The thread has separate
    // tests.
    analysing: { analyse: (clusterId) => analyse(deps, { clusterId }), close: async () => undefined },
    previewing: {
      preview: (request) => previewSavings(deps, request),
      estimate: (request) => estimateChange(deps, request),
      close: async () => undefined,
    },
    figuring: {
      allocation: (request) => allocationJson(database.db, request),
      changes: (request) => changesJson(database.db, request),
      scopeDays: (request) => scopeDaysJson(database.db, request),
      teams: (request) => teamsJson(database.db, request),
      statements: (request) => statementsJson(database.db, request),
      opencost: (request) => opencostJson(database.db, request),
      metrics: (request) => metricsText(database.db, request),
      close: async () => undefined,
    },
    exporting: { stream: (request) => exportHere(deps, request), close: async () => undefined },
    monitoring: {
      evaluateIncidents: (at, options) => evaluateIncidents(database.db, at, options),
      close: async () => undefined,
    },
    folding: { fold: (clusterId) => fold(deps, { clusterId }), close: async () => undefined },
    delivering: { start: async (_id, deliver) => void (await deliver(() => false)), close: async () => undefined },
    settings: {
      publicUrl: 'http://plimsoll.test',
      agentImage: undefined,
      corsOrigins: [],
      trustedProxies: [],
      outboundNetworks: [],
      smtp: undefined,
      oidc: undefined,
      passwordOnlyFor: null,
      ...settings,
    },
  }
  return { ...database, app: await buildApp(deps, { webDirectory, parseLimits }), deps, clock }
}

/** One app and one database for a test file, closed when the file ends. */
export function useTestApp(options: TestAppOptions = {}): TestApp {
  const holder: Partial<TestApp> = {}
  beforeAll(async () => {
    Object.assign(holder, await makeTestApp(options))
  })
  afterAll(async () => {
    await holder.app?.close()
    await holder.drop?.()
  })
  return holder as TestApp
}

function testClock(): TestClock {
  const clock: TestClock = {
    now: new Date('2026-03-01T12:00:00Z'),
    advance: (milliseconds) => {
      clock.now = new Date(clock.now.getTime() + milliseconds)
    },
  }
  return clock
}

export type Call = {
  method?: 'GET' | 'POST' | 'PATCH' | 'DELETE' | 'PUT' | 'HEAD' | 'OPTIONS'
  url: string
  body?: unknown
  headers?: Record<string, string>
}

/** A request as a client would send it: the body as JSON, the credential in its header. */
export function send(
  { app }: Pick<TestApp, 'app'>,
  { method = 'GET', url, body, headers = {} }: Call,
): Promise<LightMyRequestResponse> {
  return app.inject({
    method,
    url,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined
      ? {}
      : { payload: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body) }),
  })
}
