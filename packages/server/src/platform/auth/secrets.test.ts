import { beforeEach, describe, expect, test } from 'vitest'
import { testDatabase } from '../../../test/test-database.ts'
import type { Db } from '../db/database.ts'
import { StartupError } from '../startup-error.ts'
import { Secrets } from './secrets.ts'
import { Tokens } from './tokens.ts'

const passphrase = 'sixteen or more characters'
const hourMs = 3_600_000

let db: Db
let time = new Date('2026-03-01T12:00:00Z')
const now = () => time
const later = (ms: number) => (time = new Date(time.getTime() + ms))
const open = (key?: string) => Secrets.open({ db, now, passphrases: key === undefined ? [] : [key] })
const rotate = (secrets: Secrets, endSessions = false) =>
  db.transaction().execute((tx) => secrets.rotateSigningKey(tx, { endSessions }))
const rows = () => db.selectFrom('server_secret').selectAll().execute()

beforeEach(async () => {
  db = (await testDatabase()).db
})

test('replicas that start concurrently on an empty database agree on one secret and one key', async () => {
  const replicas = await Promise.all(Array.from({ length: 5 }, () => open()))
  expect(await rows()).toHaveLength(2)
  const kids = await Promise.all(replicas.map(async (secrets) => (await secrets.signingKey()).kid))
  expect(new Set(kids).size).toBe(1)
  expect(new Set(replicas.map((secrets) => secrets.mac('text').toString('hex'))).size).toBe(1)
})

test('two databases never share a secret', async () => {
  const mine = await open()
  db = (await testDatabase()).db
  expect((await open()).mac('text').equals(mine.mac('text'))).toBe(false)
})

test('a MAC matches its own text only', async () => {
  const secrets = await open()
  expect(secrets.macMatches('text', secrets.mac('text'))).toBe(true)
  expect(secrets.macMatches('texts', secrets.mac('text'))).toBe(false)
  expect(secrets.macMatches('text', secrets.mac('text').subarray(0, 31))).toBe(false)
  expect(secrets.macMatches('text', Buffer.alloc(0))).toBe(false)
})

describe('rotation', () => {
  test('signs with the new key at once, on every replica', async () => {
    const [here, elsewhere] = [await open(), await open()]
    const { kid } = await rotate(here)
    expect((await here.signingKey()).kid).toBe(kid)
    expect((await elsewhere.signingKey()).kid).toBe(kid)
  })

  test('keeps the old key for the lifetime of its last token, and no longer', async () => {
    const secrets = await open()
    const old = await secrets.signingKey()
    await rotate(secrets)
    later(24 * hourMs)
    expect(await (await open()).verificationKey(old.kid)).toBeDefined()
    later(hourMs)
    expect(await (await open()).verificationKey(old.kid)).toBeUndefined()
  })

  test('that ends sessions retires every older key at once', async () => {
    const secrets = await open()
    const first = await secrets.signingKey()
    await rotate(secrets)
    const last = await rotate(secrets, true)
    const reopened = await open()
    expect(await reopened.verificationKey(first.kid)).toBeUndefined()
    expect((await reopened.signingKey()).kid).toBe(last.kid)
  })

  test('does not extend the life of a retiring key', async () => {
    const secrets = await open()
    const first = await secrets.signingKey()
    await rotate(secrets)
    later(20 * hourMs)
    await rotate(secrets)
    later(5 * hourMs)
    expect(await (await open()).verificationKey(first.kid)).toBeUndefined()
  })

  test('by two replicas concurrently leaves one current key', async () => {
    const replicas = [await open(), await open()]
    await Promise.all(replicas.map((secrets) => rotate(secrets)))
    expect((await rows()).filter(({ purpose, retires_at }) => purpose === 'jwt' && !retires_at)).toHaveLength(1)
  })

  test('is known to a replica that has just read the keys: a new token is accepted there at once', async () => {
    const [here, elsewhere] = [await open(), await open()]
    const elsewhereTokens = new Tokens(elsewhere, now)
    expect(await elsewhere.verificationKey('not a key of ours')).toBeUndefined()
    await rotate(here)
    const { token } = await new Tokens(here, now).issue({ sessionId: 'ses_1', userId: 'user' })
    expect(await elsewhereTokens.verify(token)).toMatchObject({ sessionId: 'ses_1', userId: 'user' })
  })
})

describe('PLIMSOLL_SECRET_KEY', () => {
  test('keeps the secrets out of the database', async () => {
    await open(passphrase)
    expect((await rows()).map(({ sealed }) => sealed)).toEqual([true, true])
    await expect(open()).rejects.toThrow(
      new StartupError('The secrets in the database are encrypted. Set PLIMSOLL_SECRET_KEY.'),
    )
    await expect(open(`${passphrase}!`)).rejects.toThrow(StartupError)
  })

  test('set later seals the existing secrets, and everything created before stays valid', async () => {
    const before = await open()
    const { kid } = await before.signingKey()
    const plain = (await rows()).map(({ material }) => material)
    const after = await open(passphrase)
    expect(after.mac('text')).toEqual(before.mac('text'))
    expect((await after.signingKey()).kid).toBe(kid)
    const sealed = await rows()
    for (const row of sealed) expect(plain.some((each) => row.material.includes(each))).toBe(false)
    expect(sealed.every((row) => row.sealed)).toBe(true)
  })

  test('set later does not affect a replica that still runs without it', async () => {
    const old = await open()
    await open(passphrase)
    expect((await old.signingKey()).kid).toBe((await (await open(passphrase)).signingKey()).kid)
  })

  test('seals the keys of a rotation as well', async () => {
    await rotate(await open(passphrase))
    expect((await rows()).every(({ sealed }) => sealed)).toBe(true)
  })
})

test('a key that is set later replaces the previous key of the secrets', async () => {
  const first = await open('the key in the data directory')
  const later = await Secrets.open({
    db,
    now,
    passphrases: ['the key of the settings', 'the key in the data directory'],
  })
  expect(later.mac('text')).toEqual(first.mac('text'))
  const again = await open('the key of the settings')
  expect(again.mac('text')).toEqual(first.mac('text'))
  await expect(open('the key in the data directory')).rejects.toThrow('Set PLIMSOLL_SECRET_KEY')
})
