import type { CreatedUser, LoginResult, OneTimeLink } from '@plimsoll/contract'
import { expect, onTestFinished, test, vi } from 'vitest'
import { entriesOf } from '../../../test/audit-trail.ts'
import { aPerson, password } from '../../../test/people.ts'
import { makeTestApp, send, useTestApp, type TestApp } from '../../../test/test-app.ts'
import { countHit, findHits } from '../../platform/http/queries/request-counts.ts'
import { lockPeople } from '../../platform/auth/queries/users.ts'
import { provideFirstAdmin } from '../first-admin.ts'

const t = useTestApp()

const hour = 3_600_000
const chosen = 'a password of their own'

const accept = (app: TestApp, code: string, more: object = {}) =>
  send(app, { method: 'POST', url: '/auth/accept', body: { code, password: chosen, ...more } })

const codeOf = (link: string | undefined) => link?.split('#')[1] ?? ''

async function invite(role = 'viewer') {
  const { bearer } = await aPerson(t)
  const body = { email: `invited-${crypto.randomUUID()}@example.com`, role }
  const response = await send(t, { method: 'POST', url: '/api/v1/users', headers: bearer, body })
  const { id, email, invitation } = response.json<CreatedUser>()
  return { id, email, code: codeOf(invitation?.link), bearer }
}

async function resetCode(userId: string): Promise<string> {
  const { bearer } = await aPerson(t)
  const response = await send(t, { method: 'POST', url: `/api/v1/users/${userId}/link`, headers: bearer })
  expect(response.statusCode).toBe(201)
  return codeOf(response.json<OneTimeLink>().link)
}

/** A service without users, and the code of its set-up link. */
async function freshService() {
  const app = await makeTestApp()
  onTestFinished(async () => {
    await app.app.close()
    await app.drop()
  })
  const found = await provideFirstAdmin(app.deps, undefined)
  return { app, code: found.kind === 'link' ? codeOf(found.link) : '' }
}

const login = (email: string, secret: string) =>
  send(t, { method: 'POST', url: '/auth/login', body: { email, password: secret } })

test('an invited user chooses a password and is signed in', async () => {
  const { id, email, code } = await invite('editor')
  const response = await accept(t, code)
  expect(response.statusCode).toBe(200)
  expect(response.json<LoginResult>().user).toEqual({ id, email, role: 'editor' })
  const headers = { authorization: `Bearer ${response.json<LoginResult>().token}` }
  expect((await send(t, { url: '/auth/me', headers })).statusCode).toBe(200)
  expect((await login(email, chosen)).statusCode).toBe(200)
})

test('a link works once', async () => {
  const { email, code } = await invite()
  const answers = await Promise.all([accept(t, code), accept(t, code), accept(t, code)])
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 410, 410])
  expect((await accept(t, code, { password: 'of somebody else' })).json()).toMatchObject({ code: 'link_gone' })
  expect((await login(email, 'of somebody else')).statusCode).toBe(401)
})

test('a link works for 72 hours', async () => {
  const [early, late] = [await invite(), await invite()]
  t.clock.advance(72 * hour - 1000)
  expect((await accept(t, early.code)).statusCode).toBe(200)
  t.clock.advance(1000)
  expect((await accept(t, late.code)).statusCode).toBe(410)
})

test.each(['x', '0'.repeat(78), 'ä'.repeat(40)])('an invalid code is an expired link: %#', async (code) => {
  expect((await accept(t, code)).json()).toMatchObject({ status: 410, code: 'link_gone' })
})

test('a code with another ending grants nothing and does not use up the link', async () => {
  const { code } = await invite()
  const wrong = code.slice(0, -1) + (code.endsWith('0') ? '1' : '0')
  expect((await accept(t, wrong)).statusCode).toBe(410)
  expect((await accept(t, code)).statusCode).toBe(200)
})

test('a newer link ends the older one', async () => {
  const { id, code } = await invite()
  const newer = await resetCode(id)
  expect((await accept(t, code)).statusCode).toBe(410)
  expect((await accept(t, newer)).statusCode).toBe(200)
})

test('a reset keeps the old password until the link is used, then ends it and every session', async () => {
  const { userId, email, bearer } = await aPerson(t, 'viewer')
  const code = await resetCode(userId)
  expect((await login(email, password)).statusCode).toBe(200)
  expect((await send(t, { url: '/auth/me', headers: bearer })).statusCode).toBe(200)

  expect((await accept(t, code)).statusCode).toBe(200)
  expect((await send(t, { url: '/auth/me', headers: bearer })).statusCode).toBe(401)
  expect((await login(email, password)).statusCode).toBe(401)
  expect((await login(email, chosen)).statusCode).toBe(200)
})

test('a changed password ends an open link', async () => {
  const { userId, bearer } = await aPerson(t, 'viewer')
  const code = await resetCode(userId)
  const body = { current_password: password, new_password: chosen }
  await send(t, { method: 'POST', url: '/auth/password', headers: bearer, body })
  expect((await accept(t, code)).statusCode).toBe(410)
})

test('the link of a disabled or deleted user grants nothing', async () => {
  const [disabled, deleted] = [await invite(), await invite()]
  const url = (id: string) => `/api/v1/users/${id}`
  const { bearer: headers } = disabled
  await send(t, { method: 'PATCH', url: url(disabled.id), headers, body: { disabled: true } })
  await send(t, { method: 'DELETE', url: url(deleted.id), headers })
  expect((await accept(t, disabled.code)).statusCode).toBe(410)
  expect((await accept(t, deleted.code)).statusCode).toBe(410)
})

test('a password that is too short does not use up the link', async () => {
  const { code } = await invite()
  expect((await accept(t, code, { password: 'short' })).statusCode).toBe(422)
  expect((await accept(t, code)).statusCode).toBe(200)
})

test('the set-up link creates the first admin once, even when used twice concurrently', async () => {
  const { app, code } = await freshService()
  const answers = await Promise.all([
    accept(app, code, { email: 'Ada@Example.com' }),
    accept(app, code, { email: 'eve@example.com' }),
  ])
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 410])
  const user = answers.find(({ statusCode }) => statusCode === 200)?.json<LoginResult>().user
  expect(user?.role).toBe('admin')
  expect(user?.email).toMatch(/^(ada|eve)@example\.com$/)
  expect(await provideFirstAdmin(app.deps, undefined)).toEqual({ kind: 'exists' })
})

test('the set-up link requires an e-mail address and a missing one does not use it up', async () => {
  const { app, code } = await freshService()
  const without = await accept(app, code)
  expect(without.statusCode).toBe(422)
  expect(without.json()).toMatchObject({ errors: [{ pointer: '/email', code: 'required' }] })
  expect((await accept(app, code, { email: 'ada@example.com' })).statusCode).toBe(200)
})

test('the first admin is in the audit as a created user, by themselves', async () => {
  const { app, code } = await freshService()
  const response = await accept(app, code, { email: 'ada@example.com' })
  const { id, email } = response.json<LoginResult>().user
  const entries = await entriesOf(app, response)
  expect(entries.map(({ action }) => action).sort()).toEqual(['session.create', 'user.create'])
  expect(entries.find(({ action }) => action === 'user.create')).toMatchObject({
    actor: { kind: 'person', id, email },
    target: { type: 'user', id },
    detail: { email, role: 'admin', from: 'set-up link' },
  })
})

test('a set-up link is invalid once there is a user', async () => {
  const { app, code } = await freshService()
  await aPerson(app)
  expect((await accept(app, code, { email: 'eve@example.com' })).json()).toMatchObject({ code: 'link_gone' })
})

test('an invalid code needs neither a hash nor the lock on users', async () => {
  const { code } = await invite()
  const hash = vi.spyOn(t.deps.passwords, 'hash')
  onTestFinished(() => hash.mockRestore())
  const wrong = [code.slice(0, -1) + (code.endsWith('0') ? '1' : '0'), '0'.repeat(78), 'x']
  const answers = await t.db.transaction().execute(async (tx) => {
    await lockPeople(tx)
    return Promise.all(wrong.map((each) => accept(t, each)))
  })
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([410, 410, 410])
  expect(hash).not.toHaveBeenCalled()
  expect((await accept(t, code)).statusCode).toBe(200)
})

test('an invitation with the e-mail address of another user is rejected and stays valid', async () => {
  const { code, email } = await invite()
  const wrong = await accept(t, code, { email: 'somebody-else@example.com' })
  expect(wrong.json()).toMatchObject({ status: 422, errors: [{ pointer: '/email', code: 'other_address' }] })
  expect(wrong.body).not.toContain(email)
  expect((await accept(t, code, { email: email.toUpperCase() })).statusCode).toBe(200)
})

test('after accepting a link a user can sign in at once, despite earlier guesses', async () => {
  const { userId, email } = await aPerson(t)
  const other = await aPerson(t)
  const logIn = async (account: string, guess: string) =>
    (await send(t, { method: 'POST', url: '/auth/login', body: { email: account, password: guess } })).statusCode
  for (let time = 0; time < 10; time += 1) {
    await countHit(t.db, `login-failures:10.0.0.${time}:${'x'.repeat(22)}`, 60)
    for (const account of [email, other.email]) await logIn(account, 'a guess')
  }
  expect([await logIn(email, password), await logIn(other.email, password)]).toEqual([429, 429])
  expect((await accept(t, await resetCode(userId))).statusCode).toBe(200)
  expect([await logIn(email, chosen), await logIn(other.email, password)]).toEqual([200, 429])
  expect(await findHits(t.db, `login-failures:10.0.0.1:${'x'.repeat(22)}`)).toMatchObject({ hits: 1 })
})
