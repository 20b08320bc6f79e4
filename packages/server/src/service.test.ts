import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { expect, onTestFinished, test, vi } from 'vitest'
import { freePort } from '../../../test/free-port.ts'
import { anApiKey, aPerson } from '../test/people.ts'
import { makeTestApp } from '../test/test-app.ts'
import { emptyDatabase, silent, testDatabase } from '../test/test-database.ts'
import { readConfig } from './platform/config.ts'
import { startService } from './service.ts'
import { StartupError } from './platform/startup-error.ts'
import { patience } from '../test/patience.ts'

type Environment = Record<string, string> & { DATABASE_URL: string }

const start = async (environment: Environment) => {
  const config = readConfig({ PORT: String(await freePort()), ...environment })
  const secretKeys = config.secretKey === undefined ? [] : [config.secretKey]
  return startService({ ...config, secretKeys, databaseUrl: environment.DATABASE_URL }, silent, () => new Date())
}

/** start-up.test.ts covers the common errors with whole processes; this covers the rarer ones. */
test.for<{ name: string; environment: () => Promise<Environment>; said: RegExp }>([
  {
    name: 'an address that this machine does not have',
    environment: async () => ({ DATABASE_URL: (await testDatabase()).url, HOST: '192.0.2.1' }),
    said: /^This machine does not have the address 192\.0\.2\.1\. Set HOST to one of its addresses, or to 0\.0\.0\.0 for all\.$/,
  },
  {
    name: 'an invalid host',
    environment: async () => ({ DATABASE_URL: (await testDatabase()).url, HOST: 'no host' }),
    said: /^Cannot listen on no host:\d+: .*\.$/,
  },
  {
    name: 'a database that does not exist',
    environment: async () => ({
      DATABASE_URL: Object.assign(new URL((await testDatabase()).url), { pathname: '/missing' }).href,
    }),
    said: /^The database at .*\/missing cannot be used \(database "missing" does not exist\)\. Check DATABASE_URL\.$/,
  },
  {
    name: 'a database user who may not create tables',
    environment: async () => ({ DATABASE_URL: await urlOfUserWithoutRights() }),
    said: /^The database at .* cannot be initialized \(permission denied for schema public\)\. Allow its user to .*\.$/,
  },
  {
    name: 'a read-only database',
    environment: async () => {
      const { url, db } = await emptyDatabase()
      await sql
        .raw(`alter database ${new URL(url).pathname.slice(1)} set default_transaction_read_only = on`)
        .execute(db)
      return { DATABASE_URL: url }
    },
    said: /^The database at .* cannot be initialized \(cannot execute .* in a read-only transaction\)\. .*\.$/,
  },
  {
    name: 'sealed secrets without their key',
    environment: async () => ({ DATABASE_URL: await urlOfSealedSecrets() }),
    said: /^The secrets in the database are encrypted\. Set PLIMSOLL_SECRET_KEY\.$/,
  },
  {
    name: 'sealed secrets with another key',
    environment: async () => ({
      DATABASE_URL: await urlOfSealedSecrets(),
      PLIMSOLL_SECRET_KEY: 'another key of that length',
    }),
    said: /^The secrets in the database are encrypted with another key\. Set PLIMSOLL_SECRET_KEY to that key, or .*\.$/,
  },
])('$name stops the start with a sentence, and leaves nothing open', async ({ environment, said }) => {
  const settings = await environment()
  const error = await start(settings).catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(StartupError)
  expect((error as StartupError).message).toMatch(said)
})

test('a start that fails at the last step closes its connections', async () => {
  const { url, db } = await testDatabase()
  await expect(start({ DATABASE_URL: url, HOST: '192.0.2.1' })).rejects.toThrow(StartupError)
  const others = async () =>
    (await sql`select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`.execute(db))
      .rows.length
  // The database server detects the end of a connection with a delay.
  await vi.waitUntil(async () => (await others()) === 0, patience)
})

test('a stopped service leaves nothing open and can be started again', async () => {
  const { url } = await testDatabase()
  for (let time = 0; time < 2; time += 1) {
    const service = await start({ DATABASE_URL: url })
    expect(service.firstAdmin.kind).toBe('link')
    await service.stop()
  }
})

test('a worker serves metrics on the listener of PLIMSOLL_METRICS_LISTEN', async () => {
  const listen = `127.0.0.1:${await freePort()}`
  const { url } = await testDatabase()
  const service = await start({ DATABASE_URL: url, PLIMSOLL_ROLE: 'worker', PLIMSOLL_METRICS_LISTEN: listen })
  onTestFinished(() => service.stop())
  expect((await fetch(`http://${listen}/metrics`)).status).toBe(200)
  const taken = start({ DATABASE_URL: url, PLIMSOLL_METRICS_LISTEN: listen })
  await expect(taken).rejects.toThrow(`Cannot serve metrics on ${listen} (the port is in use)`)
})

test('the listener of PLIMSOLL_OPENCOST_LISTEN answers as its key, and a key that may write stops the start', async () => {
  const t = await makeTestApp()
  onTestFinished(() => t.app.close())
  const { userId } = await aPerson(t, 'editor')
  const listen = `127.0.0.1:${await freePort()}`
  const settings = { DATABASE_URL: t.url, PLIMSOLL_ROLE: 'api', PLIMSOLL_OPENCOST_LISTEN: listen }
  const wide = start({ ...settings, PLIMSOLL_OPENCOST_KEY: (await anApiKey(t, userId)).key })
  await expect(wide).rejects.toThrow('The API key in PLIMSOLL_OPENCOST_KEY_FILE may do more than read')
  const { key } = await anApiKey(t, userId, ['reports:read'])
  const service = await start({ ...settings, PLIMSOLL_OPENCOST_KEY: key })
  expect((await fetch(`http://${listen}/getConfigs`)).status).toBe(200)
  await service.stop()
  await expect(fetch(`http://${listen}/getConfigs`)).rejects.toThrow('fetch failed')
})

async function urlOfUserWithoutRights(): Promise<string> {
  const { db, url } = await emptyDatabase()
  const name = `guest_${randomBytes(4).toString('hex')}`
  await sql.raw(`create role ${name} login password 'guest'`).execute(db)
  onTestFinished(async () => void (await sql.raw(`drop role ${name}`).execute(db)))
  return Object.assign(new URL(url), { username: name, password: 'guest' }).href
}

async function urlOfSealedSecrets(): Promise<string> {
  const { url } = await testDatabase()
  const service = await start({
    DATABASE_URL: url,
    PLIMSOLL_SECRET_KEY: 'a key of sufficient length',
    PLIMSOLL_ROLE: 'api',
  })
  await service.stop()
  return url
}
