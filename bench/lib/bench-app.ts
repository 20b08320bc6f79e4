import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rateLimits } from '@plimsoll/contract'
import { parsePriceBook } from '@plimsoll/pricebook'
import type { Pool } from 'pg'
import { pino, type Logger } from 'pino'
import { newCredential, storedText } from '../../packages/server/src/platform/auth/credential-text.ts'
import { Passwords } from '../../packages/server/src/platform/auth/passwords.ts'
import { Secrets } from '../../packages/server/src/platform/auth/secrets.ts'
import { Tokens } from '../../packages/server/src/platform/auth/tokens.ts'
import { insertApiKey } from '../../packages/server/src/people/queries/api-keys.ts'
import { insertCluster } from '../../packages/server/src/clusters/queries/clusters.ts'
import { openDatabase, openPool, type Db } from '../../packages/server/src/platform/db/database.ts'
import { DiskSpace } from '../../packages/server/src/platform/db/disk-space.ts'
import { startEmbeddedPostgres } from '../../packages/server/src/platform/embedded/embedded-postgres.ts'
import { migrate } from '../../packages/server/src/platform/db/migrate.ts'
import { insertSession } from '../../packages/server/src/platform/auth/queries/sessions.ts'
import { writeBuiltInRoles } from '../../packages/server/src/platform/auth/queries/roles.ts'
import { insertUser } from '../../packages/server/src/platform/auth/queries/users.ts'
import type { AppDeps } from '../../packages/server/src/app.ts'
import { migrationsDirectory, priceBookFile } from '../../packages/server/src/directories.ts'
import { buildService } from '../../packages/server/test/environment-build.ts'
import { FiguresThread } from '../../packages/server/src/costs/figures-thread.ts'
import { FocusProcess } from '../../packages/server/src/exports/focus-process.ts'
import { makeMetrics } from '../../packages/server/src/platform/http/metrics.ts'
import { newId, newOpaqueId } from '../../packages/server/src/platform/ids.ts'
import { prepareJobs } from '../../packages/server/src/job-handlers.ts'
import { openPriceBooks } from '../../packages/server/src/prices/price-books.ts'

export type BenchDatabase = { db: Db; pool: Pool; log: Logger; dataDir: string; url: string }

/** A temporary embedded database with all tables and jobs. */
export async function withBenchDatabase(work: (bench: BenchDatabase) => Promise<void>): Promise<void> {
  const log = pino({ level: 'silent' })
  const dataDir = await mkdtemp(join(tmpdir(), 'plimsoll-bench-'))
  const postgres = await startEmbeddedPostgres({ dataDir, log })
  const pool = openPool(postgres.url, { connectionsMax: 5 }, log)
  try {
    const db = openDatabase(pool)
    await migrate(db, migrationsDirectory)
    await prepareJobs(pool)
    await work({ db, pool, log, dataDir, url: postgres.url })
  } finally {
    await pool.end()
    await postgres.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

export async function openBenchPrices(db: Db, now: Date) {
  const bytes = await readFile(priceBookFile)
  return openPriceBooks(db, { book: parsePriceBook(bytes), bytes }, now)
}

const noJob = async () => undefined

/** The dependencies of the application with a fixed time, without running jobs and without rate limits. */
export async function benchDeps({ db, log, url }: BenchDatabase, now: Date): Promise<AppDeps> {
  // Threads run the built files.
  await buildService()
  await writeBuiltInRoles(db, now)
  const secrets = await Secrets.open({ db, now: () => now })
  return {
    db,
    log,
    now: () => now,
    secrets,
    tokens: new Tokens(secrets, () => now),
    passwords: new Passwords(),
    metrics: makeMetrics(),
    limits: {
      ...rateLimits,
      person: 1e9,
      api_key: 1e9,
      agent: 1e9,
      address: 1e9,
      login: 1e9,
      redirect: 1e9,
      page: 1e9,
    },
    prices: await openBenchPrices(db, now),
    disk: new DiskSpace({ now: () => now }),
    exporting: new FocusProcess({ databaseUrl: url, log }),
    figuring: new FiguresThread({ databaseUrl: url, log }),
    folding: { fold: noJob, close: noJob },
    analysing: { analyse: noJob, close: noJob },
    delivering: { start: noJob, close: noJob },
    monitoring: { evaluateIncidents: noJob, close: noJob },
    previewing: {
      preview: () => Promise.reject(new Error('not used')),
      estimate: () => Promise.reject(new Error('not used')),
      close: noJob,
    },
    settings: {
      publicUrl: 'http://localhost',
      agentImage: undefined,
      corsOrigins: [],
      trustedProxies: [],
      outboundNetworks: [],
      smtp: undefined,
      oidc: undefined,
      passwordOnlyFor: null,
    },
  }
}

export const benchUserId = '00000000-0000-4000-8000-000000000000'

/** A new session of the bench user, as a request header. */
export async function benchSession({ db, tokens, now }: AppDeps): Promise<{ authorization: string }> {
  const sessionId = newId('ses', now())
  const { token, expiresAt } = await tokens.issue({ sessionId, userId: benchUserId })
  const client = { address: '127.0.0.1', userAgent: 'bench' }
  await insertSession(db, { sessionId, userId: benchUserId, expiresAt, ...client, now: now() })
  return { authorization: `Bearer ${token}` }
}

/** The key of a user with this role, as a request header. */
export async function benchKey({ db, secrets, now }: AppDeps, role = 'viewer'): Promise<{ 'x-api-key': string }> {
  const userId = benchUserId
  await insertUser(db, { userId, email: 'bench@example.com', role, passwordHash: null, now: now() })
  const id = newOpaqueId(now())
  const { text, secret } = newCredential('plk', id)
  const key = { key_id: `key_${id}`, user_id: userId, name: 'bench', scopes: null, expires_at: null, created_at: now() }
  await insertApiKey(db, { ...key, secret_mac: secrets.mac(storedText('plk', secret)) })
  return { 'x-api-key': text }
}

export async function benchCluster(db: Db, now: Date): Promise<string> {
  const clusterId = newId('cls', now)
  await insertCluster(db, { clusterId, name: 'large', provider: 'aws', region: 'eu-central-1', now })
  return clusterId
}
