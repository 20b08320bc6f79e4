// How long answers take over 30 days of one large cluster: npm run bench:answers [scale]
// Scale 1 is 5,000 nodes, 30,000 workloads and 200 namespaces. The stored sums are made up in SQL; the requests go through
// the whole application, with authentication and limits, one after the other.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rateLimits } from '@plimsoll/contract'
import { parsePriceBook } from '@plimsoll/pricebook'
import { sql } from 'kysely'
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
import { ensureDay } from '../packages/server/src/db/partitions.ts'
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

const scale = Number(process.argv[2] ?? 1)
const size = {
  nodes: Math.ceil(5000 * scale),
  workloads: Math.ceil(30_000 * scale),
  namespaces: Math.ceil(200 * Math.sqrt(scale)),
}
const now = new Date('2026-06-30T13:20:00Z')
const hourMs = 3_600_000
const dayMs = 24 * hourMs
const today = Math.floor(now.getTime() / dayMs) * dayMs
const days = Array.from({ length: 31 }, (_each, index) => new Date(today - (31 - index) * dayMs))
/** The days in which windows of 7 and of 30 days begin, and today, are read by the hour. */
const hourlyDays = [today - 30 * dayMs, today - 7 * dayMs, today]
const hours = hourlyDays.flatMap((day) =>
  Array.from({ length: 24 }, (_each, index) => new Date(day + index * hourMs)).filter(
    (hour) => hour.getTime() + hourMs <= now.getTime(),
  ),
)

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

  const filledIn = await timed(() => fill(db, clusterId))
  console.log(`filled in ${(filledIn / 1000).toFixed(0)} s: ${JSON.stringify(size)}`)
  const hour = hours.at(-1) ?? now
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
    limits: { ...rateLimits, key: 1e9 },
    prices: await openPriceBooks(db, { book: parsePriceBook(bytes), bytes }, now),
    folding: new FoldThread({ databaseUrl: postgres.url, log, now: () => now }),
    analysing: { analyse: async () => undefined, close: async () => undefined },
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

async function fill(db: Db, clusterId: string): Promise<void> {
  await sql`
    insert into rate (class_key, price_key, valid_from, node_usd_per_hour, cpu_usd_per_microcore_second, memory_usd_per_kib_second,
      estimated, evidence)
    select '{"type":' || n || '}', 'bench', '2020-01-01', 0.2, 0.000000000008679750416667 * n, 0.000000000001109521583333 * n, false, '{}'
    from generate_series(1, 3) n`.execute(db)
  for (const day of days) for (const table of ['node_day', 'workload_day'] as const) await ensureDay(db, table, day)
  for (const day of hourlyDays) {
    for (const table of ['node_hour', 'workload_hour'] as const) await ensureDay(db, table, new Date(day))
  }
  await sql`
    insert into node (cluster_id, node_uid, name, facts, first_seen_at)
    select ${clusterId}, 'node-' || n, 'node-' || n,
      jsonb_build_object('pool', 'pool-' || n % 10, 'pods_allocatable', 58, 'class_key', '{"type":1}',
        'capacity', '{"cpu":4000000,"memory":16777216,"gpu":0}'::jsonb, 'allocatable', '{"cpu":3800000,"memory":15728640,"gpu":0}'::jsonb,
        'provider_id', '', 'instance_type', 'm5.xlarge', 'region', '', 'zone', '', 'capacity_type', '', 'os', '', 'arch', ''),
      '2020-01-01' from generate_series(1, ${size.nodes}::int) n`.execute(db)
  const every = [
    ...days.map((day) => Array.from({ length: 24 }, (_each, hour) => new Date(day.getTime() + hour * hourMs))),
  ]
  await sql`
    insert into folded_hour (cluster_id, hour, revision, written_at)
    select distinct ${clusterId}, hour, 1, ${now}::timestamptz
    from unnest(${[...every.flat(), ...hours]}::timestamptz[]) hour`.execute(db)
  await sql`
    insert into folded_day (cluster_id, day, hours) select ${clusterId}, day, 24 from unnest(${days}::timestamptz[]) day`.execute(
    db,
  )
  for (const hour of hours) await fillRows(db, clusterId, 'hour', hour, 3600)
  for (const day of days) await fillRows(db, clusterId, 'day', day, 86_400)
  await fillSums(db, clusterId, 'hour', hours)
  await fillSums(
    db,
    clusterId,
    'hour',
    every.flat().filter((hour) => !hours.some((each) => each.getTime() === hour.getTime())),
  )
  await fillSums(db, clusterId, 'day', days)
  await sql`analyze`.execute(db)
}

/** As many nodes and workloads as there are, each with a quarter of its size in use. */
async function fillRows(db: Db, clusterId: string, column: 'hour' | 'day', at: Date, seconds: number): Promise<void> {
  const bridged = column === 'hour' ? sql`, bridged` : sql``
  const no = column === 'hour' ? sql`, false` : sql``
  const cores = sql`${4_000_000}::bigint * ${seconds}::bigint`
  const kib = sql`${16_777_216}::bigint * ${seconds}::bigint`
  await sql`
    insert into ${sql.table(`node_${column}`)}
    (cluster_id, ${sql.ref(column)}, node_uid, rate_id, seconds ${bridged}, ${uses('capacity', 'allocatable', 'alloc', 'used', 'reserved')})
    select ${clusterId}, ${at}, 'node-' || n, 1 + n % 3, ${seconds}::int ${no},
      ${cores}, ${cores}, ${cores} / 2, ${cores} / 4, 0, ${kib}, ${kib}, ${kib} / 2, ${kib} / 4, 0, 0, 0, 0, 0, 0
    from generate_series(1, ${size.nodes}::int) n`.execute(db)
  await sql`
    insert into ${sql.table(`workload_${column}`)}
    (cluster_id, ${sql.ref(column)}, namespace, workload_kind, workload_name, labels, labels_hash, rate_id, seconds, container_seconds
      ${bridged}, ${uses('request', 'usage', 'alloc', 'used', 'known')})
    select ${clusterId}, ${at}, 'ns-' || n % ${size.namespaces}::int, 'Deployment', 'workload-' || n,
      jsonb_build_object('app', 'app-' || n, 'team', 'team-' || n % 20), 'h' || n, 1 + n % 3, ${seconds}::int, ${seconds}::int ${no},
      300000::bigint * ${seconds}::int, 150000::bigint * ${seconds}::int, 300000::bigint * ${seconds}::int + n,
      150000::bigint * ${seconds}::int, ${seconds}::int, 1400000::bigint * ${seconds}::int, 700000::bigint * ${seconds}::int,
      1400000::bigint * ${seconds}::int, 700000::bigint * ${seconds}::int, ${seconds}::int, 0, 0, 0, 0, 0
    from generate_series(1, ${size.workloads}::int) n`.execute(db)
}

function uses(...names: string[]) {
  const columns = ['cpu', 'memory', 'gpu'].flatMap((resource) => names.map((name) => `${resource}_${name}`))
  return sql.raw(columns.join(', '))
}

/** Of namespaces and of the cluster. Only their number matters here, not that they are sums. */
async function fillSums(db: Db, clusterId: string, column: 'hour' | 'day', at: Date[]): Promise<void> {
  const seconds = column === 'hour' ? 3600 : 86_400
  const workloads = Math.ceil(size.workloads / size.namespaces / 3) * seconds
  const nodes = Math.ceil(size.nodes / 3) * seconds
  await sql`
    insert into ${sql.table(`namespace_${column}`)}
    (cluster_id, ${sql.ref(column)}, namespace, rate_id, seconds, container_seconds, ${uses('request', 'usage', 'alloc', 'used', 'known')})
    select ${clusterId}, at, 'ns-' || n, rate, q, q, 300000 * q, 150000 * q, 300000 * q, 150000 * q, q,
      1400000 * q, 700000 * q, 1400000 * q, 700000 * q, q, 0, 0, 0, 0, 0
    from unnest(${at}::timestamptz[]) at, generate_series(0, ${size.namespaces}::int - 1) n, generate_series(1, 3) rate,
      (select ${workloads}::bigint as q) quantity`.execute(db)
  await sql`
    insert into ${sql.table(`cluster_${column}`)}
    (cluster_id, ${sql.ref(column)}, rate_id, seconds, bridged_seconds, ${uses('capacity', 'allocatable', 'alloc', 'used', 'reserved')})
    select ${clusterId}, at, rate, q, 0, 4000000 * q, 4000000 * q, 2000000 * q, 1000000 * q, 0,
      16777216 * q, 16777216 * q, 8388608 * q, 4194304 * q, 0, 0, 0, 0, 0, 0
    from unnest(${at}::timestamptz[]) at, generate_series(1, 3) rate, (select ${nodes}::bigint as q) quantity`.execute(
    db,
  )
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}
