import { describe, expect, test } from 'vitest'
import { silent, testDatabase } from '../../../test/test-database.ts'
import { StartupError } from '../startup-error.ts'
import { demandUsableDatabase, demandVersion, explainRefusal, openDatabase, openPool } from './database.ts'

describe('the version of PostgreSQL', () => {
  test.each([150000, 150004, 160003, 180001])('%i is supported', (version) => {
    expect(() => demandVersion(version)).not.toThrow()
  })

  test.each([
    { version: 140012, message: 'PostgreSQL 14 is too old. Set DATABASE_URL to PostgreSQL 15 or newer.' },
    { version: 90624, message: 'PostgreSQL 9 is too old. Set DATABASE_URL to PostgreSQL 15 or newer.' },
  ])('$version is rejected with a sentence', ({ version, message }) => {
    expect(() => demandVersion(version)).toThrow(new StartupError(message))
  })
})

test('a reachable database is usable', async () => {
  const { db, url } = await testDatabase()
  await expect(demandUsableDatabase(db, url)).resolves.toBeUndefined()
})

test('a database that rejects the connection is named without its password', async () => {
  const { url } = await testDatabase()
  const wrong = Object.assign(new URL(url), { password: 'not-the-password' }).href
  const pool = openPool(wrong, { connectionsMax: 1 }, silent)
  const refused = await demandUsableDatabase(openDatabase(pool), wrong).catch((error: unknown) => error)
  await pool.end()
  expect(refused).toBeInstanceOf(StartupError)
  expect(String(refused)).toContain(new URL(url).host)
  expect(String(refused)).not.toContain('not-the-password')
})

test('a user without permissions gets a sentence, a bug stays a bug', () => {
  const denied = Object.assign(new Error('permission denied for schema public'), { code: '42501' })
  const explained = explainRefusal('postgres://user:hidden@db.example/plimsoll', denied)
  expect(explained).toBeInstanceOf(StartupError)
  expect(String(explained)).toContain(
    'The database at db.example/plimsoll cannot be initialized (permission denied for schema public)',
  )
  expect(String(explained)).not.toContain('hidden')
  const bug = Object.assign(new Error('syntax error'), { code: '42601' })
  expect(explainRefusal('postgres://db.example/plimsoll', bug)).toBe(bug)
})
