// How long answers take over 30 days of one large cluster: npm run bench:answers [scale]
// Scale 1 is 5,000 nodes, 30,000 workloads and 200 namespaces. The stored sums are made up in SQL; the requests go through
// the whole application, with authentication and limits, one after the other.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rateLimits } from '@plimsoll/contract'
import { parsePriceBook } from '@plimsoll/pricebook'
import { pino } from 'pino'
import { buildApp } from '../packages/server/src/app.ts'
import { newCredential } from '../packages/server/src/auth/credential-text.ts'
import { Passwords } from '../packages/server/src/auth/passwords.ts'
import { Secrets } from '../packages/server/src/auth/secrets.ts'
import { Tokens } from '../packages/server/src/auth/tokens.ts'
import { insertApiKey } from '../packages/server/src/db/api-keys.ts'
import { insertCluster } from '../packages/server/src/db/clusters.ts'
import { openDatabase, openPool, type Db } from '../packages/server/src/db/database.ts'
import { startEmbeddedPostgres } from '../packages/server/src/db/embedded/embedded-postgres.ts'
import { migrate } from '../packages/server/src/db/migrate.ts'
import { writeBuiltInRoles } from '../packages/server/src/db/roles.ts'
import { sumUpHour } from '../packages/server/src/db/rollups.ts'
import { insertUser } from '../packages/server/src/db/users.ts'
import type { Deps } from '../packages/server/src/deps.ts'
import { migrationsDirectory, priceBookFile } from '../packages/server/src/directories.ts'
import { makeMetrics } from '../packages/server/src/http/metrics.ts'
import { newId, newOpaqueId } from '../packages/server/src/ids.ts'
import { FoldThread } from '../packages/server/src/jobs/fold-thread.ts'
import { prepareJobs } from '../packages/server/src/jobs/index.ts'
import { openPriceBooks } from '../packages/server/src/prices/price-books.ts'
import { fillDays, hourlyHours } from './lib/fill-days.ts'

const scale = Number(process.argv[2] ?? 1)
const size = {
  nodes: Math.ceil(5000 * scale),
  workloads: Math.ceil(30_000 * scale),
  namespaces: Math.ceil(200 * Math.sqrt(scale)),
}
const now = new Date('2026-06-30T13:20:00Z')
const log = pino({ level: 'silent' })
const dataDir = await mkdtemp(join(tmpdir(), 'plimsoll-bench-'))
const postgres = await startEmbeddedPostgres({ dataDir, log })
const pool = openPool(postgres.url, { connectionsMax: 5 }, log)
try {
  await measure(openDatabase(pool))
} finally {
  await pool.end()
  await postgres.stop()
  await rm(dataDir, { recursive: true, force: true })
}

async function measure(db: Db): Promise<void> {
  await migrate(db, migrationsDirectory)
  await prepareJobs(pool)
  await writeBuiltInRoles(db, now)
  const deps = await makeDeps(db)
  const clusterId = newId('cls', now)
  await insertCluster(db, { clusterId, name: 'large', provider: 'aws', region: 'eu-central-1', now })
  const headers = { 'x-api-key': await makeKey(deps) }

  const filledIn = await timed(() => fillDays(db, clusterId, size, now))
  console.log(`filled in ${(filledIn / 1000).toFixed(0)} s: ${JSON.stringify(size)}`)
  const hour = hourlyHours(now).at(-1) ?? now
  const summing = await timed(() => db.transaction().execute((tx) => sumUpHour(tx, clusterId, hour)))
  console.log(`${'sums of an hour, when it is written'.padEnd(52)} ${summing.toFixed(0).padStart(7)} ms`)

  const app = await buildApp(deps)
  const of = `/api/v1/clusters/${clusterId}`
  const allocation = `/api/v1/allocation?cluster_id=${clusterId}`
  const requests: [name: string, url: string, aim: string][] = [
    ['idle costs, 30 days', `/api/v1/idle-costs?cluster_id=${clusterId}&window=30d`, 'p99 < 20 ms'],
    ['summary, 30 days', `${of}/summary?window=30d`, 'p99 < 20 ms'],
    ['summary, 7 days', `${of}/summary`, ''],
    ['allocation by namespace, 7 days', `${allocation}&window=7d`, 'p99 < 200 ms'],
    ['allocation by namespace, 30 days', `${allocation}&window=30d`, 'p99 < 1 s'],
    ['allocation by namespace, 30 days, idle shared', `${allocation}&window=30d&share_idle=proportional`, ''],
    ['allocation by namespace, 30 days, daily', `${allocation}&window=30d&step=day`, ''],
    ['allocation by label, 7 days', `${allocation}&window=7d&by=label:team`, ''],
    ['allocation by node pool, 30 days', `${allocation}&window=30d&by=node_pool`, ''],
    ['workloads, 7 days, first page', `${of}/workloads`, ''],
    ['nodes, 7 days, first page', `${of}/nodes`, ''],
    ['data quality, 30 days', `${of}/data-quality?window=30d`, ''],
    ['explain the total, 30 days', `${of}/explain?window=30d`, ''],
  ]
  for (const [name, url, aim] of requests) {
    const times: number[] = []
    let bytes = 0
    for (let run = 0, spent = 0; run < 3 || (run < 100 && spent < 10_000); run += 1) {
      const ms = await timed(async () => {
        const response = await app.inject({ url, headers })
        if (response.statusCode !== 200) throw new Error(`${url}: ${response.body}`)
        bytes = response.rawPayload.length
      })
      times.push(ms)
      spent += ms
    }
    const first = times[0] ?? 0
    times.sort((a, b) => a - b)
    const at = (share: number) => (times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0).toFixed(0)
    console.log(
      `${name.padEnd(52)} first ${first.toFixed(0).padStart(6)}  p50 ${at(0.5).padStart(6)}  p99 ${at(0.99).padStart(6)} ms  ` +
        `${String(Math.round(bytes / 1024)).padStart(5)} KiB  ${aim}`,
    )
  }
  await app.close()
}

async function makeDeps(db: Db): Promise<Deps> {
  const secrets = await Secrets.open({ db, now: () => now })
  const bytes = await readFile(priceBookFile)
  return {
    db,
    log,
    now: () => now,
    secrets,
    tokens: new Tokens(secrets, () => now),
    passwords: new Passwords(),
    metrics: makeMetrics(),
    limits: { ...rateLimits, api_key: 1e9 },
    prices: await openPriceBooks(db, { book: parsePriceBook(bytes), bytes }, now),
    folding: new FoldThread({ databaseUrl: postgres.url, log, now: () => now }),
    analysing: { analyse: async () => undefined, close: async () => undefined },
    previewing: { preview: () => Promise.reject(new Error('not asked for')), close: async () => undefined },
    settings: { publicUrl: 'http://localhost', corsOrigins: [], trustedProxies: [] },
  }
}

async function makeKey({ db, secrets }: Deps): Promise<string> {
  const userId = '00000000-0000-4000-8000-000000000000'
  await insertUser(db, { userId, email: 'bench@example.com', role: 'viewer', passwordHash: null, now })
  const id = newOpaqueId(now)
  const { text, secret } = newCredential('plk', id)
  const key = { key_id: `key_${id}`, user_id: userId, name: 'bench', scopes: null, expires_at: null, created_at: now }
  await insertApiKey(db, { ...key, secret_mac: secrets.mac(secret) })
  return text
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}
