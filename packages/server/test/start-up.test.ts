import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { freePort } from '../../../test/free-port.ts'
import { call, ServerProcess, startServer, type Environment } from './server-process.ts'
import { emptyDatabase, testDatabase, type TestDatabase } from './test-database.ts'
import { patience } from './patience.ts'

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'plimsoll-start-'))
  // Accessible to the user that runs PostgreSQL when the tests run as root.
  await chmod(directory, 0o755)
})
afterAll(() => rm(directory, { recursive: true }))

async function aFile(name: string, text: string): Promise<string> {
  await writeFile(join(directory, name), text)
  return join(directory, name)
}

async function started(environment: Environment): Promise<ServerProcess> {
  const server = await startServer(environment)
  onTestFinished(() => server.end())
  return server
}

/** Output and exit code of a start with these settings, on both streams. */
async function failedStart(environment: Environment): Promise<{ code: number | null; said: string }> {
  const server = new ServerProcess(await freePort(), environment)
  onTestFinished(() => server.end())
  const code = await server.exitCode()
  return { code, said: server.output.trim() }
}

const changed = (url: string, change: Partial<URL>) => Object.assign(new URL(url), change).href

describe('fails with one sentence, exit code 1 and no stack trace:', () => {
  const refusals: { name: string; environment: () => Promise<Environment>; said: RegExp }[] = [
    {
      name: 'a taken port',
      environment: async () => {
        const { url } = await testDatabase()
        const other = createServer().listen(0, '127.0.0.1')
        onTestFinished(() => void other.close())
        await once(other, 'listening')
        return { DATABASE_URL: url, PORT: String((other.address() as { port: number }).port) }
      },
      said: /^Port \d+ on 127\.0\.0\.1 is in use\. Stop the other process or set PORT to another port\.$/,
    },
    {
      name: 'a data directory that cannot be written',
      environment: async () => ({ PLIMSOLL_DATA_DIR: join(await aFile('in-the-way', ''), 'data') }),
      said: /^Plimsoll cannot write to its data directory .*in-the-way\/data \(.*\)\. Make the directory writable or set PLIMSOLL_DATA_DIR to another directory\.$/,
    },
    {
      name: 'a database that refuses connections',
      environment: async () => ({ DATABASE_URL: `postgres://plimsoll:hidden@127.0.0.1:${await freePort()}/plimsoll` }),
      said: /^The database at 127\.0\.0\.1:\d+\/plimsoll cannot be used \(connect ECONNREFUSED .*\)\. Check DATABASE_URL\.$/,
    },
    {
      name: 'a wrong database password',
      environment: async () => ({ DATABASE_URL: changed((await testDatabase()).url, { password: 'hidden' }) }),
      said: /^The database at .* cannot be used \(password authentication failed for user .*\)\. Check DATABASE_URL\.$/,
    },
    {
      name: 'an invalid database URL',
      environment: async () => ({ DATABASE_URL: 'postgres://plimsoll:hidden@db:port/plimsoll' }),
      said: /^DATABASE_URL must have the form .*\.$/,
    },
    {
      name: 'the database of a newer version',
      environment: async () => {
        const { db, url } = await testDatabase()
        await sql`insert into schema_migration (version, name) values (999999, 'from the future')`.execute(db)
        return { DATABASE_URL: url }
      },
      said: /^The database belongs to a newer Plimsoll \(schema 999999; this version supports \d+\)\. Start that version or a later one\.$/,
    },
    {
      name: 'only half of the admin settings',
      environment: async () => ({ PLIMSOLL_ADMIN_EMAIL: 'ada@example.com' }),
      said: /^Set both PLIMSOLL_ADMIN_EMAIL and PLIMSOLL_ADMIN_PASSWORD \(or PLIMSOLL_ADMIN_PASSWORD_FILE\), or neither\.$/,
    },
  ]

  test.for(refusals)('$name', async ({ environment, said }) => {
    const failed = await failedStart(await environment())
    expect(failed).toEqual({ code: 1, said: expect.stringMatching(said) as string })
    expect(failed.said).not.toContain('hidden')
  })
})

const password = 'correct horse battery'

describe('the first admin', () => {
  test('is created with the link printed at start, which works once; several signals cause one clean stop', async () => {
    const { url } = await emptyDatabase()
    const server = await started({ DATABASE_URL: url, PLIMSOLL_PUBLIC_URL: 'https://costs.example.com' })
    const code = /https:\/\/costs\.example\.com\/welcome#(\S+)/.exec(server.stdout)?.[1]
    const accept = () =>
      call(server, '/auth/accept', { method: 'POST', body: { code, email: 'Ada@example.com', password } })

    const first = await accept()
    expect(first).toMatchObject({ status: 200, body: { user: { email: 'ada@example.com', role: 'admin' } } })
    const { token } = first.body as { token: string }
    const me = await call(server, '/auth/me', { headers: { authorization: `Bearer ${token}` } })
    expect(me.status).toBe(200)
    expect(await accept()).toMatchObject({ status: 410, body: { code: 'link_gone' } })

    // A terminal signals the whole group, and npm forwards the signal again.
    server.signal('SIGINT')
    server.signal('SIGTERM')
    server.signal('SIGINT')
    expect(await server.exitCode()).toBe(0)
  })
})

test('no secret leaves the process except where requested', async () => {
  const { url } = await emptyDatabase()
  const secretKey = 'a key that seals the secrets'
  const server = await started({
    DATABASE_URL: url,
    PLIMSOLL_LOG_LEVEL: 'trace',
    PLIMSOLL_ADMIN_EMAIL: 'ada@example.com',
    PLIMSOLL_ADMIN_PASSWORD_FILE: await aFile('admin-password', `${password}\n`),
    PLIMSOLL_SECRET_KEY_FILE: await aFile('secret-key', `${secretKey}\n`),
  })
  const post = (path: string, body: object, headers: Record<string, string> = {}) =>
    call(server, path, { method: 'POST', body, headers })

  const login = await post('/auth/login', { email: 'ada@example.com', password })
  expect(login.status).toBe(200)
  const { token } = login.body as { token: string }
  const bearer = { authorization: `Bearer ${token}` }
  const wrong = await post('/auth/login', { email: 'ada@example.com', password: 'a wrong password' })
  expect(wrong.status).toBe(401)
  const { key } = (await post('/api/v1/api-keys', { name: 'a key' }, bearer)).body as { key: string }
  const { agent_token: agentToken } = (await post('/api/v1/clusters', { name: 'one' }, bearer)).body as {
    agent_token: string
  }
  const invited = await post('/api/v1/users', { email: 'grace@example.com', role: 'viewer' }, bearer)
  const { link } = (invited.body as { invitation: { link: string } }).invitation
  await call(server, `/api/v1/clusters?token=${token}`, { headers: { 'x-api-key': key } })
  await call(server, '/api/v1/clusters', { headers: { authorization: `Bearer ${agentToken}` } })
  await call(server, '/api/v1/clusters', { headers: { cookie: `plimsoll_session=${token}` } })

  expect(await server.stop()).toBe(0)
  expect(server.stdout).toContain('ada@example.com was created')
  const secrets = [
    ...[password, 'a wrong password', secretKey, new URL(url).password],
    ...[
      token,
      token.split('.')[2] ?? '',
      key,
      key.slice(31),
      agentToken,
      agentToken.slice(31),
      link.split('#')[1] ?? '',
    ],
  ]
  for (const secret of secrets) {
    expect(secret.length).toBeGreaterThan(8)
    expect(server.output).not.toContain(secret)
  }
})

describe('SIGTERM', () => {
  let database: TestDatabase
  let server: ServerProcess
  let headers: Record<string, string>

  beforeAll(async () => {
    database = await testDatabase({ dropLater: true })
    const admin = { email: 'ada@example.com', password }
    server = await startServer({
      DATABASE_URL: database.url,
      PLIMSOLL_ADMIN_EMAIL: admin.email,
      PLIMSOLL_ADMIN_PASSWORD: admin.password,
    })
    const { body } = await call(server, '/auth/login', { method: 'POST', body: admin })
    headers = { authorization: `Bearer ${(body as { token: string }).token}` }
  })
  afterAll(async () => {
    await server.end()
    await database.drop()
  })

  test('finishes accepted requests, accepts no new ones and exits with 0', async () => {
    // Changes of roles wait for this lock, so the request runs as long as the test needs.
    const holder = await database.pool.connect()
    const peopleLock = "hashtextextended('plimsoll people', 0)"
    await holder.query(`select pg_advisory_lock(${peopleLock})`)
    const body = { name: 'late', permissions: ['clusters:read'] }
    const begun = call(server, '/api/v1/roles', { method: 'POST', headers, body })
    await vi.waitUntil(async () => {
      const { rows } = await holder.query(`
        select from pg_locks join pg_database on pg_database.oid = pg_locks.database
        where datname = current_database() and locktype = 'advisory' and not granted`)
      return rows.length > 0
    }, patience)

    server.signal('SIGTERM')
    await vi.waitUntil(() => server.stderr.includes('shutting down'), patience)
    const isRefused = () =>
      call(server, '/healthz').then(
        ({ status }) => status === 503,
        () => true,
      )
    await vi.waitUntil(isRefused, patience)

    await holder.query(`select pg_advisory_unlock(${peopleLock})`)
    holder.release()
    expect(await begun).toMatchObject({ status: 201, body: { name: 'late' } })
    expect(await server.exitCode()).toBe(0)
    const roles = await database.db.selectFrom('role').select('name').where('name', '=', 'late').execute()
    expect(roles).toHaveLength(1)
  })
})
