import { existsSync, readdirSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import {
  aDataDir,
  aDataDirWithCluster,
  aLog,
  query,
  start,
  startWriter,
  useSandbox,
  writerWithRows,
} from '../../../test/embedded-sandbox.ts'
import { rounds } from '../../../../../test/rounds.ts'
import { StartupError } from '../startup-error.ts'
import { startEmbeddedPostgres } from './embedded-postgres.ts'
import { findPostmaster } from './postmaster.ts'
import { patience } from '../../../test/patience.ts'

useSandbox()

const listFiles = (path: string) => (existsSync(path) ? readdirSync(path, { recursive: true }).map(String) : [])
const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8)

test('starts from an empty directory, on loopback only, and loses nothing by default', async () => {
  const dataDir = await aDataDir()

  const database = await startEmbeddedPostgres({ dataDir, log: aLog(), settings: { work_mem: '5MB' } })
  const shown = await query(
    database.url,
    `select name, setting from pg_settings where name in ('fsync', 'listen_addresses', 'server_encoding',
       'synchronous_commit', 'TimeZone', 'unix_socket_directories', 'work_mem') order by name`,
  )
  await database.stop()

  expect(database.adopted).toBe(false)
  expect(new URL(database.url).hostname).toBe('127.0.0.1')
  expect(shown).toEqual([
    { name: 'TimeZone', setting: 'UTC' },
    { name: 'fsync', setting: 'on' },
    { name: 'listen_addresses', setting: '127.0.0.1' },
    { name: 'server_encoding', setting: 'UTF8' },
    { name: 'synchronous_commit', setting: 'on' },
    { name: 'unix_socket_directories', setting: '' },
    { name: 'work_mem', setting: '5120' },
  ])
})

test('keeps its rows for the next start', async () => {
  const dataDir = await aDataDirWithCluster()

  const first = await start(dataDir)
  await query(first.url, `create table kept as select 'É' as letter`)
  await first.stop()
  const second = await start(dataDir)

  expect(await query(second.url, 'select lower(letter) as letter from kept')).toEqual([{ letter: 'é' }])
  expect(second.secretKey).toBe(first.secretKey)
})

test('other users cannot read the data or the password, and the password is required', async () => {
  const dataDir = await aDataDirWithCluster()
  const { url } = await start(dataDir)

  expect(await modeOf(dataDir)).toBe('700')
  expect(await modeOf(join(dataDir, 'secret-key'))).toBe('600')
  expect(await modeOf(join(dataDir, 'postgres'))).toBe('700')
  expect(await modeOf(join(dataDir, 'postgres-password'))).toBe('600')
  expect((await readFile(join(dataDir, 'postgres-password'), 'utf8')).trim()).toBe(new URL(url).password)
  await expect(query(url.replace(/:[^:@]+@/, ':wrong@'), 'select 1')).rejects.toThrow('password authentication failed')
})

test('a second start on the same directory is rejected and does not affect the first', async () => {
  const dataDir = await aDataDirWithCluster()
  const first = await start(dataDir)

  const second = startEmbeddedPostgres({ dataDir, log: aLog() })

  await expect(second).rejects.toThrow(
    new StartupError(
      `Another Plimsoll process (${process.pid}) uses ${dataDir}. Stop that process or set PLIMSOLL_DATA_DIR.`,
    ),
  )
  expect(await query(first.url, 'select 1 as one')).toEqual([{ one: 1 }])
})

test('of several concurrent starts on an empty directory exactly one wins', async () => {
  const dataDir = await aDataDir()

  const count = rounds({ short: 2, full: 3 })
  const starts = await Promise.allSettled(Array.from({ length: count }, () => start(dataDir)))

  const won = starts.filter(({ status }) => status === 'fulfilled')
  const reasons = starts.flatMap((result) => (result.status === 'rejected' ? [String(result.reason)] : []))
  expect(won).toHaveLength(1)
  expect(reasons).toEqual(Array(count - 1).fill(expect.stringContaining('Another Plimsoll process')))
})

test('SIGTERM stops the server cleanly: no process remains and no recovery is needed', async () => {
  const dataDir = await aDataDirWithCluster()
  const { child, ended } = await writerWithRows(dataDir, 1)

  child.kill('SIGTERM')

  expect(await ended).toEqual([0, null])
  expect(await findPostmaster(join(dataDir, 'postgres'))).toBeUndefined()
  const log = await readFile(join(dataDir, 'postgres.log'), 'utf8')
  expect(log.trim().split('\n').at(-1)).toContain('database system is shut down')
})

test('kill -9 during the first start does not affect the next', async () => {
  const dataDir = await aDataDir()
  const { child, ended } = startWriter(dataDir)
  await vi.waitUntil(() => listFiles(dataDir).some((path) => path.endsWith('PG_VERSION')), { ...patience, interval: 5 })

  child.kill('SIGKILL')
  await ended
  expect(existsSync(join(dataDir, 'postgres'))).toBe(false)

  const { url } = await start(dataDir)
  expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }])
})

const installDir = ['15', '16', '17'].map((major) => `/usr/lib/postgresql/${major}`).find((path) => existsSync(path))

test.skipIf(installDir === undefined)('an installed PostgreSQL can be used instead', async () => {
  const dataDir = await aDataDir()
  const { url } = await start(dataDir, { installDir: installDir ?? '', database: 'an other' })

  expect(await query(url, 'select current_database() as name')).toEqual([{ name: 'an other' }])
  const [row] = (await query(url, 'show server_version')) as [{ server_version: string }]
  expect(installDir).toContain(row.server_version.slice(0, 2))
})
