// Records the database of an earlier version for upgrade.test.ts. Run it by hand, from a checkout of this repository:
//
//   git worktree add --detach ../before d50c658
//   (cd ../before && npm ci && node scripts/build.mjs --quiet --server)
//   DATABASE_URL=postgres://…/an_empty_database node packages/server/test/upgrade/record.mjs ../before
//
// The server and the simulator of the earlier version fill the database over HTTP, as in production. This script adds
// people, keys, policies and decisions through the API, stores what the API answers, and dumps the database. It needs
// pg_dump of the version of the database, or a newer one. The bodies of batches are left out of the dump: each of them
// is folded, and the bodies are most of the size.
import { execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { brotliCompressSync, constants } from 'node:zlib'
import pg from 'pg'

const [before] = process.argv.slice(2)
const databaseUrl = process.env.DATABASE_URL
if (before === undefined || databaseUrl === undefined) throw new Error('usage: DATABASE_URL=… record.mjs <checkout>')

const port = Number(process.env.PORT ?? 18_099)
const url = `http://127.0.0.1:${port}`
/** Enough for one whole day at any time. */
const hoursBack = 49
const admin = { email: 'admin@example.com', password: 'a long password of the admin' }
const database = new pg.Pool({ connectionString: databaseUrl, max: 2 })
let token = ''

/** Throws for every response that is not a success. */
async function call(method, path, body) {
  const response = await fetch(url + path, {
    method,
    headers: {
      ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
  return text === '' ? undefined : JSON.parse(text)
}

async function startServer(role) {
  const child = spawn(process.execPath, [`${before}/packages/server/dist/main.js`], {
    env: {
      PATH: process.env.PATH,
      PORT: String(port),
      HOST: '127.0.0.1',
      DATABASE_URL: databaseUrl,
      PLIMSOLL_ROLE: role,
      PLIMSOLL_LOG_LEVEL: 'warn',
      PLIMSOLL_ADMIN_EMAIL: admin.email,
      PLIMSOLL_ADMIN_PASSWORD: admin.password,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  child.stdout.resume()
  return async () => {
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
}

/** Every answer that shows figures, decisions or people. */
const pathsOf = (clusterId) => {
  const of = `/api/v1/clusters/${clusterId}`
  const allocation = `/api/v1/allocation?cluster_id=${clusterId}`
  return [
    '/auth/me',
    '/api/v1/clusters',
    of,
    ...['24h', '7d'].map((window) => `${of}/summary?window=${window}`),
    `${of}/nodes?window=7d`,
    `${of}/workloads?window=7d&limit=500`,
    ...['namespace', 'workload', 'node', 'label:app'].map((by) => `${allocation}&by=${by}&window=7d`),
    `${allocation}&by=namespace&window=7d&step=day`,
    `${allocation}&by=namespace&window=7d&share_idle=proportional`,
    `/api/v1/idle-costs?cluster_id=${clusterId}&window=7d`,
    '/api/v1/overview',
    '/api/v1/recommendations?limit=500&status=pending,approved,rejected,implemented,resolved',
    '/api/v1/savings',
    '/api/v1/policies?cluster_id=' + clusterId,
    '/api/v1/price-overrides',
    '/api/v1/price-books',
    '/api/v1/users',
    '/api/v1/roles',
    '/api/v1/api-keys',
    '/api/v1/team-mapping',
    '/api/v1/audit?limit=50',
  ]
}

async function login({ email, password }) {
  const { token: bearer } = await call('POST', '/auth/login', { email, password })
  return { bearer }
}

async function until(what, isSo) {
  for (let tries = 0; tries < 600; tries += 1) {
    if (await isSo()) return
    await wait(1000)
  }
  throw new Error(`${what}: not within ten minutes`)
}

const count = async (text) => Number((await database.query(text)).rows[0]?.count)

/** A second run continues with the cluster of the first. */
async function fill() {
  token = (await login(admin)).bearer
  const { clusters } = await call('GET', '/api/v1/clusters')
  // The agent sends two days in minutes, which its rate limit would stretch to hours.
  const unlimited = setInterval(() => void database.query('delete from rate_limit'), 200)
  const clusterId = clusters[0]?.id ?? (await simulate())
  await until('all batches are folded', async () => {
    return (await count(`select count(*) from ingest_batch where state = 'pending'`)) === 0
  })
  await until('a day is summed up', async () => (await count('select count(*) from folded_day')) > 0)
  await call('POST', `/api/v1/clusters/${clusterId}/sync`)
  await until('recommendations exist', async () => (await count('select count(*) from recommendation')) > 3)
  await call('PUT', '/api/v1/policies', { cluster_id: clusterId, settings: { dial: 'safe' } })
  await decide()
  clearInterval(unlimited)
  return clusterId
}

async function simulate() {
  const cluster = await call('POST', '/api/v1/clusters', { name: 'office', provider: 'azure', region: 'westeurope' })
  const discount = { kind: 'discount', provider: 'azure', percent: 10, effective_from: '2026-01-01T00:00:00Z' }
  await call('POST', '/api/v1/price-overrides', discount)
  const target = ['--scenario', 'office', '--url', url]
  const time = ['--hours-back', String(hoursBack), '--minutes', String(hoursBack * 60)]
  const simulator = spawn(process.execPath, ['--import', 'tsx', 'packages/simulator/src/main.ts', ...target, ...time], {
    cwd: before,
    env: { PATH: process.env.PATH, PLIMSOLL_AGENT_TOKEN: cluster.agent_token },
    stdio: 'inherit',
  })
  const [code] = await once(simulator, 'exit')
  if (code !== 0) throw new Error(`the simulator ended with ${code}`)
  return cluster.id
}

/** One decision of each kind, as long as there are recommendations. */
async function decide() {
  const { recommendations } = await call('GET', '/api/v1/recommendations?status=pending&limit=500')
  const actions = ['apply', 'approve', 'reject']
  for (const [index, { id }] of recommendations.slice(0, actions.length).entries())
    await call('POST', `/api/v1/recommendations/${id}/${actions[index]}`, { reason: 'decided before the upgrade' })
}

async function addPeople() {
  token = (await login(admin)).bearer
  const viewer = { email: 'viewer@example.com', password: 'a long password of the viewer' }
  await call('POST', '/api/v1/users', { ...viewer, role: 'viewer' })
  const { key } = await call('POST', '/api/v1/api-keys', { name: 'recorded', scopes: ['clusters:read'] })
  return { admin: { ...admin, ...(await login(admin)) }, viewer: { ...viewer, ...(await login(viewer)) }, apiKey: key }
}

/** COPY needs its own protocol; statements run through any client. Lines with a backslash are for psql. */
async function dump() {
  const flags = [
    '--inserts',
    '--rows-per-insert=500',
    '--no-owner',
    '--no-privileges',
    '--exclude-table-data=ingest_body*',
  ]
  // As variables: every process of the machine can read the arguments, and the URL holds the password.
  const { hostname, port: databasePort, username, password, pathname } = new URL(databaseUrl)
  const env = {
    PATH: process.env.PATH,
    PGHOST: decodeURIComponent(hostname),
    PGPORT: databasePort || '5432',
    PGUSER: decodeURIComponent(username),
    PGPASSWORD: decodeURIComponent(password),
    PGDATABASE: decodeURIComponent(pathname.slice(1)),
  }
  const options = { maxBuffer: 256 * 1024 * 1024, env }
  const { stdout } = await promisify(execFile)('pg_dump', [...flags, '--exclude-table-data=rate_limit'], options)
  return stdout
    .replaceAll(/^\\.*$/gm, '')
    .replaceAll(/^--.*$/gm, '')
    .replaceAll(/\n{2,}/g, '\n')
}

const stopFilling = await startServer('all')
const clusterId = await fill()
await stopFilling()

// Without jobs nothing changes between the answers and the dump.
const stopAnswering = await startServer('api')
const credentials = await addPeople()
const answers = {}
for (const path of pathsOf(clusterId)) answers[path] = await call('GET', path)
const recordedAt = new Date().toISOString()
await stopAnswering()
const commit = execFileSync('git', ['-C', before, 'rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
const text = JSON.stringify({ commit, recordedAt, clusterId, credentials, answers, sql: await dump() })
const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 }
const bytes = brotliCompressSync(text, { params })
const file = new URL('before.json.br', import.meta.url)
writeFileSync(file, bytes)
console.log(`${text.length} characters, compressed to ${bytes.length} bytes in ${file.pathname}`)
await database.end()
