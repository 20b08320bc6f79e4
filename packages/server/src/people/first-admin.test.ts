import { afterEach, beforeEach, expect, test } from 'vitest'
import { aPerson } from '../../test/people.ts'
import { makeTestApp, send, type TestApp } from '../../test/test-app.ts'
import { demandPasswordAdmin, endPasswordSessions, provideFirstAdmin } from './first-admin.ts'

let t: TestApp
beforeEach(async () => {
  t = await makeTestApp()
})
afterEach(async () => {
  await t.app.close()
  await t.drop()
})

const admin = { email: 'ada@example.com', password: 'correct horse battery' }

const users = () => t.db.selectFrom('app_user').select(['email', 'role']).execute()

async function linkCode(): Promise<string> {
  const first = await provideFirstAdmin(t.deps, undefined)
  return first.kind === 'link' ? (first.link.split('#')[1] ?? '') : ''
}

const accept = (code: string, email?: string) =>
  send(t, {
    method: 'POST',
    url: '/auth/accept',
    body: { code, password: admin.password, ...(email === undefined ? {} : { email }) },
  })

test('is created from the settings, can sign in and is in the audit', async () => {
  expect(await provideFirstAdmin(t.deps, admin)).toEqual({ kind: 'created', email: admin.email })
  const login = await send(t, { method: 'POST', url: '/auth/login', body: admin })
  expect(login.json()).toMatchObject({ user: { email: admin.email, role: 'admin' } })
  const entries = await t.db.selectFrom('audit_entry').select(['action', 'actor_kind']).execute()
  expect(entries[0]).toEqual({ action: 'user.create', actor_kind: 'system' })
})

test('is created once, with any number of concurrent replicas and any later settings', async () => {
  const first = await Promise.all(Array.from({ length: 3 }, () => provideFirstAdmin(t.deps, admin)))
  expect(first.map(({ kind }) => kind).sort()).toEqual(['created', 'exists', 'exists'])
  expect(await provideFirstAdmin(t.deps, { ...admin, email: 'eve@example.com' })).toEqual({ kind: 'exists' })
  expect(await provideFirstAdmin(t.deps, undefined)).toEqual({ kind: 'exists' })
  expect(await users()).toEqual([{ email: admin.email, role: 'admin' }])
})

test('without settings there is a link, and after several starts the newest link counts', async () => {
  const [older, newest] = [await linkCode(), await linkCode()]
  expect((await accept(older, 'eve@example.com')).statusCode).toBe(410)
  expect((await accept(newest)).json()).toMatchObject({ code: 'invalid_body' })
  expect((await accept(newest, 'Ada@Example.com')).statusCode).toBe(200)
  expect(await users()).toEqual([{ email: admin.email, role: 'admin' }])
})

test('a link used twice concurrently creates one admin', async () => {
  const code = await linkCode()
  const answers = await Promise.all([accept(code, 'ada@example.com'), accept(code, 'eve@example.com')])
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 410])
  expect(await users()).toHaveLength(1)
})

test('a link is invalid after three days, altered, or once a user exists', async () => {
  const code = await linkCode()
  for (const wrong of [code.slice(0, -1), `${code}0`, code.slice(0, 26), 'nonsense']) {
    expect((await accept(wrong, 'eve@example.com')).statusCode).toBe(410)
  }
  t.clock.advance(72 * 3_600_000)
  expect((await accept(code, 'ada@example.com')).statusCode).toBe(410)
  const fresh = await linkCode()
  await provideFirstAdmin(t.deps, admin)
  expect((await accept(fresh, 'eve@example.com')).statusCode).toBe(410)
  expect(await users()).toHaveLength(1)
})

test('with single sign-on only, the start needs an admin with a password', async () => {
  const passwordOnlyFor = 'only@example.com'
  const only = { ...t.deps, settings: { ...t.deps.settings, passwordOnlyFor } }
  await expect(demandPasswordAdmin(only)).rejects.toThrow(
    /only@example\.com \(PLIMSOLL_ADMIN_EMAIL\) must be an enabled admin/,
  )
  await aPerson(t, 'viewer', passwordOnlyFor)
  await expect(demandPasswordAdmin(only)).rejects.toThrow(/PLIMSOLL_SSO_ONLY/)
  await t.db.updateTable('app_user').set({ role: 'admin' }).where('email', '=', passwordOnlyFor).execute()
  await demandPasswordAdmin(only)
  await demandPasswordAdmin(t.deps)
})

test('with single sign-on only, sessions that other users opened with a password end', async () => {
  const passwordOnlyFor = 'emergency@example.com'
  const [emergency, other, sso] = [await aPerson(t, 'admin', passwordOnlyFor), await aPerson(t), await aPerson(t)]
  await t.db.updateTable('session').set({ is_sso: true }).where('session_id', '=', sso.sessionId).execute()
  const open = async () => {
    const rows = await t.db.selectFrom('session').select('session_id').execute()
    return rows.map(({ session_id: id }) => id)
  }
  await endPasswordSessions(t.deps)
  expect(await open()).toContain(other.sessionId)
  await endPasswordSessions({ ...t.deps, settings: { ...t.deps.settings, passwordOnlyFor } })
  expect(await open()).toEqual(expect.arrayContaining([emergency.sessionId, sso.sessionId]))
  expect(await open()).not.toContain(other.sessionId)
})
