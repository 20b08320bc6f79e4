import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { testDatabase, type TestDatabase } from '../../../test/test-database.ts'
import { Secrets, type SigningKey } from './secrets.ts'
import { Tokens, tokenLifeMs } from './tokens.ts'

const start = new Date('2026-03-01T12:00:00Z')
const claims = { sessionId: 'ses_1', userId: 'user-1' }

let time = start
let database: TestDatabase
let secrets: Secrets
let key: SigningKey
const now = () => time
/** Each instance has its own cache, so that the instances are independent. */
const tokens = () => new Tokens(secrets, now)

beforeAll(async () => {
  database = await testDatabase({ dropLater: true })
  secrets = await Secrets.open({ db: database.db, now })
  key = await secrets.signingKey()
})
afterAll(() => database.drop())

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const seconds = (at: Date) => Math.floor(at.getTime() / 1000)

type Forgery = { header?: object; payload?: object; signWith?: KeyObject }

/** A token that is valid except for the given part. */
function forged({ header = {}, payload = {}, signWith = key.privateKey }: Forgery): Promise<string> {
  const whole = { sid: 'ses_1', sub: 'user-1', iss: 'plimsoll', exp: seconds(start) + 60, ...payload }
  return new SignJWT(whole).setProtectedHeader({ alg: 'EdDSA', kid: key.kid, ...header }).sign(signWith)
}

test('a token contains identity and expiry, and no permissions', async () => {
  const { token, expiresAt } = await tokens().issue(claims)
  expect(expiresAt.getTime() - start.getTime()).toBe(tokenLifeMs)
  expect(await tokens().verify(token)).toEqual({ ...claims, kid: key.kid, expiresAt })
  const payload = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as object
  expect(Object.keys(payload).sort()).toEqual(['exp', 'iat', 'iss', 'jti', 'sid', 'sub'])
})

test('the forgeries below fail for the stated reason: an unaltered one passes', async () => {
  expect(await tokens().verify(await forged({}))).toMatchObject(claims)
})

describe('is rejected:', () => {
  test('a token with another payload, header or signature', async () => {
    const { token } = await tokens().issue(claims)
    const [header = '', payload = '', signature = ''] = token.split('.')
    const admin = part({ sid: 'ses_2', sub: 'admin', iss: 'plimsoll', exp: seconds(start) + 60 })
    for (const wrong of [
      `${header}.${admin}.${signature}`,
      `${part({ alg: 'EdDSA', kid: key.kid })}.${payload}.${signature}`,
      `${header}.${payload}.${signature.slice(0, -4)}AAAA`,
      `${header}.${payload}.`,
      `${header}.${payload}`,
      `${token}.`,
    ]) {
      expect(await tokens().verify(wrong)).toBeUndefined()
    }
  })

  test('alg none, with and without a key id', async () => {
    const payload = part({ sid: 'ses_1', sub: 'user-1', iss: 'plimsoll', exp: seconds(start) + 60 })
    for (const header of [{ alg: 'none' }, { alg: 'none', kid: key.kid }, { alg: 'NONE', kid: key.kid }]) {
      expect(await tokens().verify(`${part(header)}.${payload}.`)).toBeUndefined()
    }
  })

  test('our public key used as an HMAC secret', async () => {
    const secret = key.publicKey.export({ type: 'spki', format: 'der' })
    const token = await new SignJWT({ sid: 'ses_1', sub: 'user-1', iss: 'plimsoll', exp: seconds(start) + 60 })
      .setProtectedHeader({ alg: 'HS256', kid: key.kid })
      .sign(secret)
    expect(await tokens().verify(token)).toBeUndefined()
  })

  test.each<{ name: string; forgery: Forgery }>([
    { name: 'another issuer', forgery: { payload: { iss: 'plimsol' } } },
    { name: 'no issuer', forgery: { payload: { iss: undefined } } },
    { name: 'an unknown key id', forgery: { header: { kid: '0'.repeat(26) } } },
    { name: 'no key id', forgery: { header: { kid: undefined } } },
    { name: 'a key id that is not text', forgery: { header: { kid: 7 } } },
    { name: 'the key of another user', forgery: { signWith: generateKeyPairSync('ed25519').privateKey } },
    { name: 'no expiry', forgery: { payload: { exp: undefined } } },
    { name: 'an expiry that has passed', forgery: { payload: { exp: seconds(start) } } },
    { name: 'no session', forgery: { payload: { sid: undefined } } },
    { name: 'a session that is not text', forgery: { payload: { sid: 1 } } },
    { name: 'no subject', forgery: { payload: { sub: undefined } } },
    { name: 'not valid yet', forgery: { payload: { nbf: seconds(start) + 10 } } },
  ])('$name', async ({ forgery }) => {
    expect(await tokens().verify(await forged(forgery))).toBeUndefined()
  })

  test('a token that expires while it is cached', async () => {
    const remembering = tokens()
    const { token, expiresAt } = await remembering.issue(claims)
    expect(await remembering.verify(token)).toBeDefined()
    time = expiresAt
    expect(await remembering.verify(token)).toBeUndefined()
    time = start
  })

  test('text that is not a token', async () => {
    for (const text of ['', '.', '..', 'a.b.c', '\0.\0.\0', `${'a'.repeat(10_000)}.b.c`]) {
      expect(await tokens().verify(text)).toBeUndefined()
    }
  })
})

test('an unavailable database does not make a token unknown', async () => {
  const { token } = await tokens().issue(claims)
  const away = vi.spyOn(secrets, 'verificationKey').mockRejectedValue(new Error('Connection terminated'))
  await expect(tokens().verify(token)).rejects.toThrow('Connection terminated')
  away.mockRestore()
})
