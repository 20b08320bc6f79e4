import type { LoginResult, SigningKey } from '@plimsoll/contract'
import { decodeProtectedHeader } from 'jose'
import { expect, test } from 'vitest'
import { anApiKey, aPerson, password, type Person } from '../../../test/people.ts'
import { send, useTestApp } from '../../../test/test-app.ts'
import { testDatabase } from '../../../test/test-database.ts'
import { Secrets } from '../../platform/auth/secrets.ts'
import { Tokens } from '../../platform/auth/tokens.ts'
import { listSecrets } from '../../platform/auth/queries/secrets.ts'
import { StartupError } from '../../platform/startup-error.ts'

const t = useTestApp()

const hour = 3_600_000
const url = '/api/v1/signing-keys'

const rotate = ({ bearer }: Person, body?: unknown) => send(t, { method: 'POST', url, headers: bearer, body })

const list = async ({ bearer }: Person) =>
  (await send(t, { url, headers: bearer })).json<{ signing_keys: SigningKey[] }>().signing_keys

const works = async (token: string) =>
  (await send(t, { url: '/auth/me', headers: { authorization: `Bearer ${token}` } })).statusCode === 200

async function login(email: string): Promise<string> {
  const response = await send(t, { method: 'POST', url: '/auth/login', body: { email, password } })
  return response.json<LoginResult>().token
}

test('after a rotation new tokens have the new key and those of the old one stay valid for their 24 hours', async () => {
  const admin = await aPerson(t)
  const [before] = await list(admin)
  t.clock.advance(hour)
  const response = await rotate(admin)
  expect(response.statusCode).toBe(201)
  const made = response.json<SigningKey>()
  expect(made).toEqual({ kid: made.kid, created_at: t.clock.now.toISOString(), retires_at: null })
  expect((await list(admin)).slice(0, 2)).toEqual([
    made,
    { ...before, retires_at: new Date(t.clock.now.getTime() + 25 * hour).toISOString() },
  ])

  const fresh = await login(admin.email)
  expect(decodeProtectedHeader(admin.token).kid).toBe(before?.kid)
  expect(decodeProtectedHeader(fresh).kid).toBe(made.kid)
  const renewed = await send(t, { method: 'POST', url: '/auth/refresh', headers: admin.bearer })
  expect(decodeProtectedHeader(renewed.json<LoginResult>().token).kid).toBe(made.kid)

  t.clock.advance(23 * hour - 1000)
  expect([await works(admin.token), await works(fresh)]).toEqual([true, true])
  t.clock.advance(1000)
  expect([await works(admin.token), await works(fresh)]).toEqual([false, true])
})

test('no key material is shown', async () => {
  const admin = await aPerson(t)
  const secrets = await listSecrets(t.db)
  const { body } = await send(t, { url, headers: admin.bearer })
  for (const { material } of secrets) {
    expect(body).not.toContain(material.toString('base64'))
    expect(body).not.toContain(material.toString('hex'))
  }
  for (const key of await list(admin)) expect(Object.keys(key).sort()).toEqual(['created_at', 'kid', 'retires_at'])
})

test('a rotation that ends sessions ends all of them at once, and nothing else', async () => {
  const [admin, other] = [await aPerson(t), await aPerson(t, 'viewer')]
  const { header } = await anApiKey(t, other.userId)
  const response = await rotate(admin, { end_sessions: true })
  expect(response.statusCode).toBe(201)
  expect([await works(admin.token), await works(other.token)]).toEqual([false, false])
  expect((await send(t, { url: '/auth/me', headers: header })).statusCode).toBe(200)

  const fresh = await login(other.email)
  expect(decodeProtectedHeader(fresh).kid).toBe(response.json<SigningKey>().kid)
  expect(await works(fresh)).toBe(true)
})

test('an editor sees the signing keys and cannot rotate them', async () => {
  const editor = await aPerson(t, 'editor')
  expect(await list(editor)).not.toEqual([])
  expect((await rotate(editor)).json()).toMatchObject({ status: 403, required_permission: 'settings:write' })
})

test('with a passphrase the database holds no plain secret, and only the passphrase opens them', async () => {
  const { db } = await testDatabase()
  const now = () => t.clock.now
  const plain = await Secrets.open({ db, now })
  const { token } = await new Tokens(plain, now).issue({ sessionId: 'ses_x', userId: 'somebody' })
  const open = await listSecrets(db)

  const sealed = await Secrets.open({ db, now, passphrases: ['from the operator'] })
  await db.transaction().execute((tx) => sealed.rotateSigningKey(tx, { endSessions: false }))
  const rows = await listSecrets(db)
  expect(rows.map((row) => row.sealed)).toEqual([true, true, true])
  for (const { material } of open) expect(rows.some((row) => row.material.includes(material))).toBe(false)

  const again = await Secrets.open({ db, now, passphrases: ['from the operator'] })
  expect(again.mac('text')).toEqual(plain.mac('text'))
  expect(await new Tokens(again, now).verify(token)).toMatchObject({ userId: 'somebody' })
  await expect(Secrets.open({ db, now })).rejects.toThrow(StartupError)
  await expect(Secrets.open({ db, now, passphrases: ['a guess'] })).rejects.toThrow(StartupError)
})
