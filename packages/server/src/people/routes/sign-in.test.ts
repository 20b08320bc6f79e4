import { builtInRoles, type LoginResult, type Me } from '@plimsoll/contract'
import { decodeProtectedHeader } from 'jose'
import { sql } from 'kysely'
import { describe, expect, test, vi } from 'vitest'
import { aCluster, anApiKey, aPerson, aRole, password } from '../../../test/people.ts'
import { send, useTestApp } from '../../../test/test-app.ts'
import { isWaitingForLock } from '../../../test/waiting-for-lock.ts'
import { makeOneTimeLink } from '../../platform/auth/one-time-code.ts'
import { updateUser } from '../../platform/auth/queries/users.ts'
import { patience } from '../../../test/patience.ts'

const t = useTestApp()

const hour = 3_600_000
const other = 'staple battery horse'

const login = (email: string, secret = password) =>
  send(t, { method: 'POST', url: '/auth/login', body: { email, password: secret } })

const post = (path: string, token: string, body?: unknown) =>
  send(t, { method: 'POST', url: `/auth/${path}`, headers: { authorization: `Bearer ${token}` }, body })

const me = (token: string) => send(t, { url: '/auth/me', headers: { authorization: `Bearer ${token}` } })

async function works(token: string): Promise<boolean> {
  const { statusCode } = await me(token)
  expect([200, 401]).toContain(statusCode)
  return statusCode === 200
}

test('sign-in answers with token, expires_at and user, and nothing else', async () => {
  const { userId, email } = await aPerson(t, 'editor')
  const response = await login(email)
  expect(response.statusCode).toBe(200)
  const result = response.json<LoginResult>()
  expect(Object.keys(result).sort()).toEqual(['expires_at', 'token', 'user'])
  expect(result.user).toEqual({ id: userId, email, role: 'editor' })
  expect(result.expires_at).toBe(new Date(t.clock.now.getTime() + 24 * hour).toISOString())
  expect(decodeProtectedHeader(result.token)).toMatchObject({ alg: 'EdDSA' })
  expect(response.headers['set-cookie']).toBeUndefined()
  expect(await works(result.token)).toBe(true)
})

test('a token expires 24 hours after it was issued, to the second', async () => {
  const { email } = await aPerson(t)
  const { token, expires_at: expiresAt } = (await login(email)).json<LoginResult>()
  t.clock.now = new Date(Date.parse(expiresAt) - 1000)
  expect(await works(token)).toBe(true)
  t.clock.now = new Date(expiresAt)
  expect(await works(token)).toBe(false)
})

test('the response does not reveal whether a user exists, is invited or is disabled', async () => {
  const [known, disabled, invited] = [await aPerson(t), await aPerson(t), await aPerson(t)]
  await updateUser(t.db, disabled.userId, { disabled: true }, t.clock.now)
  await sql`update app_user set password_hash = null where user_id = ${invited.userId}`.execute(t.db)

  const answers = [
    await login('nobody@example.com'),
    await login(known.email, 'not the password'),
    await login(disabled.email),
    await login(invited.email),
    await login('not an address'),
  ]
  const bodies = answers.map((answer) => ({ ...answer.json<Record<string, unknown>>(), request_id: 'any' }))
  expect(bodies[0]).toMatchObject({ status: 401, code: 'invalid_credentials' })
  for (const body of bodies) expect(body).toEqual(bodies[0])
})

test('an e-mail address is case-insensitive', async () => {
  const { email, userId } = await aPerson(t, 'viewer', 'Grace.Hopper@example.com'.toLowerCase())
  const response = await login('GRACE.Hopper@Example.COM')
  expect(response.json<LoginResult>().user).toEqual({ id: userId, email, role: 'viewer' })
})

test('sign-in records its time', async () => {
  const admin = await aPerson(t)
  const { userId, email } = await aPerson(t, 'viewer')
  const lastLogin = async () =>
    (await send(t, { url: `/api/v1/users/${userId}`, headers: admin.bearer })).json<{ last_login_at: string | null }>()
      .last_login_at
  expect(await lastLogin()).toBeNull()
  await login(email)
  expect(await lastLogin()).toBe(t.clock.now.toISOString())
})

test('a password that is changed during a sign-in opens no session', async () => {
  const { userId, email } = await aPerson(t)
  const late = await t.db.transaction().execute(async (tx) => {
    await updateUser(tx, userId, { password_hash: 'another' }, t.clock.now)
    const running = login(email)
    await vi.waitFor(async () => expect(await isWaitingForLock(t.db)).toBe(true), patience)
    return { running }
  })
  expect((await late.running).json()).toMatchObject({ status: 401, code: 'invalid_credentials' })
})

test('refresh answers in the shape of sign-in, and each token lives its own 24 hours', async () => {
  const { email } = await aPerson(t)
  const first = (await login(email)).json<LoginResult>()
  t.clock.advance(20 * hour)
  const response = await post('refresh', first.token)
  expect(response.statusCode).toBe(200)
  const second = response.json<LoginResult>()
  expect(Object.keys(second).sort()).toEqual(['expires_at', 'token', 'user'])
  expect(second.user).toEqual(first.user)
  expect(second.expires_at).toBe(new Date(t.clock.now.getTime() + 24 * hour).toISOString())

  t.clock.advance(4 * hour - 1000)
  expect([await works(first.token), await works(second.token)]).toEqual([true, true])
  t.clock.advance(1000)
  expect([await works(first.token), await works(second.token)]).toEqual([false, true])
  expect((await post('refresh', first.token)).statusCode).toBe(401)
  t.clock.advance(20 * hour)
  expect(await works(second.token)).toBe(false)
})

test('two refreshes in one second return two different tokens that both work', async () => {
  const { email } = await aPerson(t)
  const { token } = (await login(email)).json<LoginResult>()
  const first = (await post('refresh', token)).json<LoginResult>().token
  const second = (await post('refresh', token)).json<LoginResult>().token
  expect(new Set([token, first, second]).size).toBe(3)
  expect([await works(first), await works(second)]).toEqual([true, true])
})

test('a repeatedly renewed token outlives the first one by days', async () => {
  const { email } = await aPerson(t)
  let { token } = (await login(email)).json<LoginResult>()
  for (let day = 0; day < 3; day += 1) {
    t.clock.advance(23 * hour)
    token = (await post('refresh', token)).json<LoginResult>().token
  }
  expect(await works(token)).toBe(true)
})

test('log-out ends every token of its session and no other session', async () => {
  const { email } = await aPerson(t)
  const here = (await login(email)).json<LoginResult>()
  t.clock.advance(1000)
  const renewed = (await post('refresh', here.token)).json<LoginResult>()
  const elsewhere = (await login(email)).json<LoginResult>()

  expect((await post('logout', here.token)).statusCode).toBe(204)
  expect([await works(here.token), await works(renewed.token)]).toEqual([false, false])
  expect(await works(elsewhere.token)).toBe(true)
  expect((await post('logout', here.token)).statusCode).toBe(401)
})

test('a user sees their identity, permissions and sign-in method', async () => {
  const { email, userId, sessionId, token } = await aPerson(t, 'viewer')
  expect((await me(token)).json<Me>()).toEqual({
    user: { id: userId, email, role: 'viewer' },
    permissions: [...builtInRoles.viewer].sort(),
    clusters: null,
    namespaces: null,
    teams: null,
    credential: {
      kind: 'jwt',
      id: sessionId,
      expires_at: new Date(t.clock.now.getTime() + 24 * hour).toISOString(),
    },
  })
})

test('a key shows its user and its remaining permissions', async () => {
  const { clusterId } = await aCluster(t)
  const narrow = { clusters: [clusterId], namespaces: ['shop'] }
  const role = await aRole(t, ['clusters:read', 'reports:read'], narrow)
  const { email, userId } = await aPerson(t, role)
  const { keyId, header } = await anApiKey(t, userId, ['clusters:read', 'clusters:write'])
  expect((await send(t, { url: '/auth/me', headers: header })).json<Me>()).toEqual({
    user: { id: userId, email, role },
    permissions: ['clusters:read'],
    ...narrow,
    teams: null,
    credential: { kind: 'api_key', id: keyId, expires_at: null },
  })
})

test('an agent and an API key can neither renew, end nor change a session', async () => {
  const { userId } = await aPerson(t)
  const { header } = await anApiKey(t, userId)
  const { bearer } = await aCluster(t)
  for (const headers of [header, bearer]) {
    for (const path of ['refresh', 'logout', 'password']) {
      const response = await send(t, { method: 'POST', url: `/auth/${path}`, headers })
      expect([response.statusCode, response.json<{ code: string }>().code]).toEqual([403, 'credential_not_allowed'])
    }
  }
})

test('a changed password ends all other sessions and opens new ones', async () => {
  const { email, userId } = await aPerson(t)
  const [here, elsewhere] = [(await login(email)).json<LoginResult>(), (await login(email)).json<LoginResult>()]
  const { header } = await anApiKey(t, userId)

  const response = await post('password', here.token, { current_password: password, new_password: other })
  expect([response.statusCode, response.body]).toEqual([204, ''])
  expect([await works(here.token), await works(elsewhere.token)]).toEqual([true, false])
  expect((await send(t, { url: '/auth/me', headers: header })).statusCode).toBe(200)
  expect((await login(email)).statusCode).toBe(401)
  expect((await login(email, other)).statusCode).toBe(200)
})

test('a wrong current password changes nothing', async () => {
  const { email, token } = await aPerson(t)
  const elsewhere = (await login(email)).json<LoginResult>()
  const response = await post('password', token, { current_password: 'a mistake', new_password: other })
  expect(response.statusCode).toBe(422)
  expect(response.json()).toMatchObject({ code: 'invalid_body', errors: [{ pointer: '/current_password' }] })
  expect(response.body).not.toContain('a mistake')
  expect(await works(elsewhere.token)).toBe(true)
  expect((await login(email)).statusCode).toBe(200)
})

test.each(['', 'short 7', 'x'.repeat(1025)])('a new password of invalid length is rejected: %#', async (unfit) => {
  const { token } = await aPerson(t)
  const response = await post('password', token, { current_password: password, new_password: unfit })
  expect(response.json()).toMatchObject({ status: 422, errors: [{ pointer: '/new_password' }] })
})

test('a browser gets its token as a cookie that scripts cannot read, renews it and loses it with log-out', async () => {
  const { email } = await aPerson(t)
  const signedIn = await send(t, { method: 'POST', url: '/auth/login', body: { email, password, cookie: true } })
  const [session] = signedIn.cookies
  expect(session).toMatchObject({ name: 'plimsoll_session', httpOnly: true, sameSite: 'Strict', path: '/' })
  const headers = { cookie: `plimsoll_session=${session?.value}`, origin: 'http://plimsoll.test' }
  t.clock.advance(1000)

  const renewed = await send(t, { method: 'POST', url: '/auth/refresh', headers })
  expect(renewed.cookies[0]).toMatchObject({ name: 'plimsoll_session', value: renewed.json<LoginResult>().token })
  const left = await send(t, { method: 'POST', url: '/auth/logout', headers })
  expect(left.statusCode).toBe(204)
  expect(left.cookies[0]).toMatchObject({ name: 'plimsoll_session', value: '' })
  expect(left.cookies[1]).toMatchObject({ name: 'plimsoll_signed_in', value: '' })
  expect((await send(t, { url: '/auth/me', headers })).statusCode).toBe(401)
})

test('renewing extends a session to at most 30 days after its sign-in', async () => {
  t.clock.now = new Date(Math.ceil(t.clock.now.getTime() / 1000) * 1000)
  const { bearer } = await aPerson(t)
  const dayMs = 86_400_000
  const start = t.clock.now.getTime()
  const refresh = (headers: Record<string, string>) => send(t, { method: 'POST', url: '/auth/refresh', headers })
  let headers: Record<string, string> = bearer
  let expiresMs = 0
  for (let day = 0; day < 29.9; day += 0.9) {
    const response = await refresh(headers)
    expect(response.statusCode).toBe(200)
    const { token, expires_at } = response.json<{ token: string; expires_at: string }>()
    headers = { authorization: `Bearer ${token}` }
    expiresMs = Date.parse(expires_at)
    t.clock.advance(0.9 * dayMs)
  }
  expect(expiresMs - start).toBe(30 * dayMs)
  t.clock.now = new Date(start + 30 * dayMs - 1)
  expect((await send(t, { url: '/auth/me', headers })).statusCode).toBe(200)
  t.clock.now = new Date(start + 30 * dayMs)
  expect((await refresh(headers)).statusCode).toBe(401)
})

test('the log-out clears the cookie with the attributes it was set with', async () => {
  const { email } = await aPerson(t)
  const signedIn = await send(t, { method: 'POST', url: '/auth/login', body: { email, password, cookie: true } })
  const [set] = signedIn.cookies.filter(({ name }) => name === 'plimsoll_session')
  const { token } = signedIn.json<{ token: string }>()
  const left = await send(t, { method: 'POST', url: '/auth/logout', headers: { authorization: `Bearer ${token}` } })
  const [cleared] = left.cookies
  expect(cleared).toMatchObject({
    name: 'plimsoll_session',
    value: '',
    path: set?.path,
    httpOnly: true,
    sameSite: set?.sameSite,
  })
})

describe('when only the identity provider signs users in', () => {
  const only = useTestApp({ settings: { passwordOnlyFor: 'root@example.com' } })
  const logIn = (email: string) => send(only, { method: 'POST', url: '/auth/login', body: { email, password } })

  test('one administrator can still use a password', async () => {
    await aPerson(only, 'admin', 'root@example.com')
    await aPerson(only, 'admin', 'ada@example.com')
    expect((await logIn('ROOT@example.com')).statusCode).toBe(200)
    const refused = [await logIn('ada@example.com'), await logIn('nobody@example.com')]
    expect(refused.map((each) => [each.statusCode, each.json<{ detail: string }>().detail])).toEqual([
      [401, expect.stringContaining('sign in with single sign-on')],
      [401, refused[0]?.json<{ detail: string }>().detail],
    ])
  })

  test('a password link works only for its user', async () => {
    const { userId } = await aPerson(only, 'viewer', 'eve@example.com')
    const { link } = await makeOneTimeLink(only.deps, only.db, userId)
    const body = { code: new URL(link).hash.slice(1), password }
    const response = await send(only, { method: 'POST', url: '/auth/accept', body })
    expect(response.json()).toMatchObject({ status: 403, code: 'password_sign_in_off' })
  })
})
