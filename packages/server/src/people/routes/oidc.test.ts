import type { Me, Session, SignInRules } from '@plimsoll/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { clientId, clientSecret, openProvider, type TestProvider } from '../../../test/oidc-provider.ts'
import { anApiKey, aPerson, aRole, password } from '../../../test/people.ts'
import { publicUrl, RedirectingBrowser } from '../../../test/redirecting-browser.ts'
import { makeTestApp, send, type TestApp } from '../../../test/test-app.ts'

let provider: TestProvider
let t: TestApp

beforeAll(async () => {
  provider = await openProvider(`${publicUrl}/auth/oidc/callback`)
  const oidc = { issuer: provider.issuer, clientId, clientSecret, groupsClaim: 'groups' }
  t = await makeTestApp({ settings: { oidc, outboundNetworks: ['127.0.0.1'] } })
  // The provider checks times by the clock of the machine.
  t.clock.now = new Date()
  await setRules({
    roles: [
      { group: 'admins', role: 'admin' },
      { group: 'developers', role: 'viewer', own_teams_only: true },
      { group: 'finance', role: 'viewer' },
    ],
    teams: [{ group: 'shop-developers', team: 'shop' }],
  })
})
afterAll(async () => {
  await t.app.close()
  await t.drop()
  await provider.close()
})
beforeEach(() => {
  t.clock.now = new Date()
})

async function setRules({ roles, teams }: Pick<SignInRules, 'roles' | 'teams'>) {
  const admin = await aPerson(t)
  const response = await send(t, {
    method: 'PUT',
    url: '/api/v1/sign-in-rules',
    headers: admin.bearer,
    body: { roles, teams },
  })
  expect(response.statusCode, response.body).toBe(200)
}

type Claims = { email?: string; email_verified?: boolean; groups?: string[]; _claim_names?: object }

function aProviderPerson(sub: string, claims: Claims): string {
  provider.people.set(sub, { sub, claims })
  return sub
}

async function signInAs(person: string, start = '/auth/oidc/start') {
  const browser = new RedirectingBrowser(t)
  const { url } = await browser.open(start, { headers: { 'x-person': person } })
  return { browser, path: `${url.pathname}${url.search}` }
}

const meOf = async (browser: RedirectingBrowser) =>
  (await send(t, { url: '/auth/me', headers: browser.cookieHeader() })).json<Me>()

test('a person of a group signs in, gets its role, and returns to the page they wanted', async () => {
  const ada = aProviderPerson('ada', { email: 'Ada@oidc.test', email_verified: true, groups: ['x', 'admins'] })
  const { browser, path } = await signInAs(ada, '/auth/oidc/start?return_to=/savings?window=30d')
  expect(path).toBe('/savings?window=30d')
  expect(await meOf(browser)).toMatchObject({ user: { email: 'ada@oidc.test', role: 'admin' }, teams: null })
  expect(browser.cookie('plimsoll_oidc')).toBeUndefined()
})

test('a developer sees only their teams, and the users list shows no open invitation', async () => {
  const bob = aProviderPerson('bob', { email: 'bob@oidc.test', groups: ['developers', 'shop-developers'] })
  const { browser, path } = await signInAs(bob)
  expect(path).toBe('/')
  expect(await meOf(browser)).toMatchObject({ user: { role: 'viewer' }, teams: ['shop'] })
  const closed = await send(t, { url: '/api/v1/clusters', headers: browser.cookieHeader() })
  expect(closed.json()).toMatchObject({ code: 'role_narrowed' })
  const admin = await aPerson(t)
  const users = await send(t, { url: '/api/v1/users?limit=500', headers: admin.bearer })
  const listed = users.json<{ users: { email: string; invited: boolean }[] }>().users
  expect(listed.find(({ email }) => email === 'bob@oidc.test')).toMatchObject({
    invited: false,
    teams: ['shop'],
    sign_in: 'oidc',
    email_verified: false,
  })
})

test('a role that an admin sets replaces the teams of the groups', async () => {
  const kim = aProviderPerson('kim', { email: 'kim@oidc.test', groups: ['developers', 'shop-developers'] })
  const { id } = (await meOf((await signInAs(kim)).browser)).user
  const { bearer } = await aPerson(t)
  const set = async (role: string) =>
    (await send(t, { method: 'PATCH', url: `/api/v1/users/${id}`, headers: bearer, body: { role } })).json<{
      role: string
      teams: string[] | null
    }>()
  const { role } = (await send(t, { url: `/api/v1/users/${id}`, headers: bearer })).json<{
    role: string
    teams: string[] | null
  }>()
  expect(await set(role)).toMatchObject({ role, teams: ['shop'] })
  expect(await set('editor')).toMatchObject({ role: 'editor', teams: null })
})

test('teams of the groups and of the role limit a user together', async () => {
  const role = await aRole(t, ['reports:read'], { teams: ['data', 'shop'] })
  const before = (
    await send(t, { url: '/api/v1/sign-in-rules', headers: (await aPerson(t)).bearer })
  ).json<SignInRules>()
  const first = { group: 'both', role, own_teams_only: true }
  const teams = [...before.teams, { group: 'both', team: 'shop' }, { group: 'both', team: 'games' }]
  await setRules({ roles: [first, ...before.roles], teams })
  const { browser } = await signInAs(aProviderPerson('two-teams', { email: 'two@oidc.test', groups: ['both'] }))
  expect((await meOf(browser)).teams).toEqual(['shop'])
  await setRules(before)
})

test('each sign-in reads the groups again', async () => {
  const eve = aProviderPerson('eve', { email: 'eve@oidc.test', groups: ['finance'] })
  const first = await signInAs(eve)
  aProviderPerson('eve', { email: 'eve@oidc.test', groups: ['developers', 'shop-developers'] })
  const second = await signInAs(eve)
  const [before, after] = [await meOf(first.browser), await meOf(second.browser)]
  expect(after.user.id).toBe(before.user.id)
  expect(after.teams).toEqual(['shop'])
  aProviderPerson('eve', { email: 'eve@oidc.test', groups: ['none'] })
  expect((await signInAs(eve)).path).toBe('/sign-in?failure=no_access')
})

test.each([
  { name: 'no group', claims: { email: 'none@oidc.test' }, failure: 'no_access' },
  { name: 'a group without rule', claims: { email: 'none@oidc.test', groups: ['Admins'] }, failure: 'no_access' },
  { name: 'no team', claims: { email: 'none@oidc.test', groups: ['developers'] }, failure: 'no_access' },
  { name: 'no e-mail address', claims: { groups: ['finance'] }, failure: 'no_email' },
  {
    name: 'too many groups for the token',
    claims: { email: 'many@oidc.test', _claim_names: { groups: 'src1' } },
    failure: 'too_many_groups',
  },
])('a person with $name gets no session', async ({ name, claims, failure }) => {
  const { browser, path } = await signInAs(aProviderPerson(name, claims))
  expect(path).toBe(`/sign-in?failure=${failure}`)
  expect(browser.cookie('plimsoll_session')).toBeUndefined()
})

test('a verified e-mail address connects an existing user once; the subject decides from then on', async () => {
  const known = await aPerson(t, 'editor', 'known@oidc.test')
  const first = await signInAs(
    aProviderPerson('known-1', { email: 'known@oidc.test', email_verified: true, groups: ['finance'] }),
  )
  expect((await meOf(first.browser)).user).toMatchObject({ id: known.userId, role: 'viewer' })
  const another = aProviderPerson('known-2', { email: 'known@oidc.test', email_verified: true, groups: ['admins'] })
  expect((await signInAs(another)).path).toBe('/sign-in?failure=email_taken')
  aProviderPerson('known-1', { email: 'renamed@oidc.test', email_verified: true, groups: ['finance'] })
  expect((await meOf((await signInAs('known-1')).browser)).user.id).toBe(known.userId)
})

test('credentials from before the connection end, so that no other person gets the role of the groups', async () => {
  const planted = await aPerson(t, 'viewer', 'boss@oidc.test')
  const { header } = await anApiKey(t, planted.userId)
  const person = aProviderPerson('boss', { email: 'boss@oidc.test', email_verified: true, groups: ['admins'] })
  expect((await meOf((await signInAs(person)).browser)).user).toMatchObject({ id: planted.userId, role: 'admin' })
  for (const headers of [planted.bearer, header])
    expect((await send(t, { url: '/auth/me', headers })).statusCode).toBe(401)
  const body = { email: 'boss@oidc.test', password }
  expect((await send(t, { method: 'POST', url: '/auth/login', body })).statusCode).toBe(401)
})

test('a user whose groups give no access any more loses sessions, and keys that show anything', async () => {
  const claims = { email: 'left@oidc.test', groups: ['finance'] }
  const left = aProviderPerson('left', claims)
  const { browser } = await signInAs(left)
  const { user } = await meOf(browser)
  const { header } = await anApiKey(t, user.id)
  expect((await send(t, { url: '/api/v1/clusters', headers: header })).statusCode).toBe(200)
  aProviderPerson('left', { ...claims, groups: [] })
  expect((await signInAs(left)).path).toBe('/sign-in?failure=no_access')
  expect((await send(t, { url: '/auth/me', headers: browser.cookieHeader() })).statusCode).toBe(401)
  expect((await send(t, { url: '/api/v1/clusters', headers: header })).json()).toMatchObject({ code: 'role_narrowed' })
  expect((await send(t, { url: '/auth/me', headers: header })).json()).toMatchObject({ teams: [] })
  aProviderPerson('left', claims)
  await signInAs(left)
  expect((await send(t, { url: '/api/v1/clusters', headers: header })).statusCode).toBe(200)
})

test('the last admin with a password is neither limited nor shut out by groups', async () => {
  const alone = await makeTestApp({ settings: t.deps.settings })
  alone.clock.now = new Date()
  const admin = await aPerson(alone, 'admin', 'last@oidc.test')
  const put = (body: object) =>
    send(alone, { method: 'PUT', url: '/api/v1/sign-in-rules', headers: admin.bearer, body })
  const teams = [{ group: 'ops', team: 'shop' }]
  await put({ roles: [{ group: 'ops', role: 'admin', own_teams_only: true }], teams })
  const person = aProviderPerson('last', { email: 'last@oidc.test', email_verified: true, groups: ['ops'] })
  const browser = new RedirectingBrowser(alone)
  await browser.open('/auth/oidc/start', { headers: { 'x-person': person } })
  const me = await send(alone, { url: '/auth/me', headers: browser.cookieHeader() })
  expect(me.json()).toMatchObject({ user: { id: admin.userId, role: 'admin' }, teams: null })
  aProviderPerson('last', { email: 'last@oidc.test', groups: [] })
  await browser.open('/auth/oidc/start', { headers: { 'x-person': person } })
  expect((await send(alone, { url: '/api/v1/users', headers: admin.bearer })).statusCode).toBe(200)
  await alone.app.close()
  await alone.drop()
})

test('an unverified e-mail address connects no account', async () => {
  await aPerson(t, 'admin', 'target@oidc.test')
  const thief = aProviderPerson('thief', { email: 'target@oidc.test', email_verified: false, groups: ['finance'] })
  expect((await signInAs(thief)).path).toBe('/sign-in?failure=email_taken')
})

test('a disabled user stays out', async () => {
  const carol = aProviderPerson('carol', { email: 'carol@oidc.test', groups: ['finance'] })
  const { user } = await meOf((await signInAs(carol)).browser)
  const admin = await aPerson(t)
  const url = `/api/v1/users/${user.id}`
  await send(t, { method: 'PATCH', url, headers: admin.bearer, body: { disabled: true } })
  expect((await signInAs(carol)).path).toBe('/sign-in?failure=disabled')
})

test('a session of the identity provider cannot be renewed beyond 24 hours', async () => {
  const dan = aProviderPerson('dan', { email: 'dan@oidc.test', groups: ['finance'] })
  const { browser } = await signInAs(dan)
  const began = t.clock.now.getTime()
  t.clock.advance(20 * 3_600_000)
  const headers = { ...browser.cookieHeader(), origin: publicUrl }
  const renewed = await send(t, { method: 'POST', url: '/auth/refresh', headers })
  const { expires_at: expiresAt } = renewed.json<{ expires_at: string }>()
  expect(new Date(expiresAt).getTime()).toBeLessThanOrEqual(began + 24 * 3_600_000 + 1000)
})

test.each([
  { name: 'no cookie', forget: true, change: (query: string) => query, failure: 'expired' },
  {
    name: 'another state',
    forget: false,
    change: (query: string) => query.replace(/state=[^&]*/, 'state=x'),
    failure: 'failed',
  },
  {
    name: 'another code',
    forget: false,
    change: (query: string) => query.replace(/code=[^&]*/, 'code=x'),
    failure: 'failed',
  },
  {
    name: 'a refusal',
    forget: false,
    change: (query: string) => query.replace(/code=[^&]*/, 'error=access_denied'),
    failure: 'cancelled',
  },
])('a callback with $name opens no session', async ({ name, forget, change, failure }) => {
  const person = aProviderPerson(`callback ${name}`, { email: 'callback@oidc.test', groups: ['finance'] })
  const browser = new RedirectingBrowser(t)
  const callback = await callbackOf(browser, person)
  const headers = forget ? {} : browser.cookieHeader()
  const response = await send(t, { url: `/auth/oidc/callback?${change(callback)}`, headers })
  expect([response.statusCode, response.headers.location]).toEqual([302, `/sign-in?failure=${failure}`])
  expect(String(response.headers['set-cookie'] ?? '')).not.toContain('plimsoll_session=ey')
})

/** Everything up to the callback: the query that the provider sends back. */
async function callbackOf(browser: RedirectingBrowser, person: string): Promise<string> {
  const sent = { headers: { 'x-person': person } }
  const { url } = await browser.open('/auth/oidc/start', sent, ({ origin }) => origin === publicUrl)
  return url.search.slice(1)
}

test('the callback works once', async () => {
  const fay = aProviderPerson('fay', { email: 'fay@oidc.test', groups: ['finance'] })
  const browser = new RedirectingBrowser(t)
  const query = await callbackOf(browser, fay)
  const first = await send(t, { url: `/auth/oidc/callback?${query}`, headers: browser.cookieHeader() })
  expect(first.headers.location).toBe('/')
  const second = await send(t, { url: `/auth/oidc/callback?${query}`, headers: browser.cookieHeader() })
  expect(second.headers.location).toBe('/sign-in?failure=failed')
})

test.each([
  { name: 'of another host', path: '//evil.test' },
  { name: 'with a backslash', path: '/\\evil.test' },
  { name: 'with a scheme', path: 'https://evil.test' },
  { name: 'that is relative', path: 'savings' },
  { name: 'with a blank', path: '/teams/a b' },
  { name: 'that is too long', path: `/${'a'.repeat(2000)}` },
])('a sign-in from a page $name opens the first page', async ({ path }) => {
  const ira = aProviderPerson('ira', { email: 'ira@oidc.test', groups: ['finance'] })
  expect((await signInAs(ira, `/auth/oidc/start?return_to=${encodeURIComponent(path)}`)).path).toBe('/')
})

test('a failed sign-in keeps the page for the next attempt', async () => {
  const jo = aProviderPerson('jo', { email: 'jo@oidc.test', groups: [] })
  const { path } = await signInAs(jo, '/auth/oidc/start?return_to=/savings')
  expect(path).toBe('/sign-in?failure=no_access&next=%2Fsavings')
})

test('no account is connected to a user whose e-mail address was never verified', async () => {
  await signInAs(aProviderPerson('squatter', { email: 'ceo@oidc.test', groups: ['finance'] }))
  await t.db.updateTable('sso_identity').set({ issuer: 'https://old.test' }).where('subject', '=', 'squatter').execute()
  const ceo = aProviderPerson('ceo', { email: 'ceo@oidc.test', email_verified: true, groups: ['admins'] })
  expect((await signInAs(ceo)).path).toBe('/sign-in?failure=email_taken')
})

test('above the limit, the browser ends on the sign-in page, and passwords have another limit', async () => {
  const { limits } = t.deps
  t.deps.limits = { ...limits, redirect: 0 }
  const start = await send(t, { url: '/auth/oidc/start' })
  expect([start.statusCode, start.headers.location]).toEqual([302, '/sign-in?failure=too_many_requests'])
  const login = await send(t, { method: 'POST', url: '/auth/login', body: { email: 'no@oidc.test', password: 'x' } })
  expect(login.statusCode).toBe(401)
  t.deps.limits = limits
})

test.each([
  {
    name: 'a group twice',
    roles: [
      { group: 'a', role: 'viewer' },
      { group: 'a', role: 'admin' },
    ],
    pointer: '/roles/1/group',
  },
  {
    name: 'a limit to teams without any team',
    roles: [{ group: 'a', role: 'viewer', own_teams_only: true }],
    pointer: '/roles/0/own_teams_only',
  },
])('rules with $name are rejected', async ({ roles, pointer }) => {
  const { bearer } = await aPerson(t)
  const body = { roles, teams: [] }
  const response = await send(t, { method: 'PUT', url: '/api/v1/sign-in-rules', headers: bearer, body })
  expect(response.json()).toMatchObject({ code: 'invalid_body', errors: [{ pointer }] })
})

test('a role that a rule gives to a group cannot be deleted', async () => {
  const { bearer } = await aPerson(t)
  const rules = await send(t, { url: '/api/v1/sign-in-rules', headers: bearer })
  const { roles, teams } = rules.json<SignInRules>()
  const name = await aRole(t, ['reports:read'])
  await setRules({ roles: [...roles, { group: 'readers', role: name }], teams })
  const refused = await send(t, { method: 'DELETE', url: `/api/v1/roles/${name}`, headers: bearer })
  expect(refused.json()).toMatchObject({ code: 'role_in_use', detail: expect.stringContaining('readers') as string })
  await setRules({ roles, teams })
})

test('the audit log has the new user, each change of role, and the connected account', async () => {
  const gil = aProviderPerson('gil', { email: 'gil@oidc.test', groups: ['finance'] })
  const { user } = await meOf((await signInAs(gil)).browser)
  t.clock.advance(1000)
  aProviderPerson('gil', { email: 'gil@oidc.test', groups: ['admins'] })
  await signInAs(gil)
  await signInAs(gil)
  const select = t.db.selectFrom('audit_entry').select(['action', 'detail']).orderBy('audit_id')
  expect(await select.where('target_id', '=', user.id).execute()).toEqual([
    { action: 'user.create', detail: { email: 'gil@oidc.test', role: 'viewer', from: 'identity provider' } },
    {
      action: 'user.update',
      detail: {
        email: 'gil@oidc.test',
        from: 'identity provider',
        before: { role: 'viewer', teams: null },
        after: { role: 'admin', teams: null },
      },
    },
  ])
  const known = await aPerson(t, 'viewer', 'connect@oidc.test')
  await signInAs(aProviderPerson('c', { email: 'connect@oidc.test', email_verified: true, groups: ['finance'] }))
  expect(await select.where('target_id', '=', known.userId).execute()).toEqual([
    { action: 'user.link_identity', detail: { issuer: provider.issuer } },
  ])
})

test('a user lists and ends their own sessions, and no user ends the sessions of others', async () => {
  const hal = aProviderPerson('hal', { email: 'hal@oidc.test', groups: ['finance'] })
  const one = await signInAs(hal)
  t.clock.advance(1000)
  const two = await signInAs(hal)
  const headers = { ...two.browser.cookieHeader(), origin: publicUrl }
  const list = async () => (await send(t, { url: '/auth/sessions', headers })).json<{ sessions: Session[] }>().sessions
  const sessions = await list()
  expect(sessions.map(({ is_current: isCurrent, method }) => [isCurrent, method])).toEqual([
    [true, 'oidc'],
    [false, 'oidc'],
  ])
  const url = `/auth/sessions/${sessions[1]?.id}`
  const stranger = await aPerson(t)
  expect((await send(t, { method: 'DELETE', url, headers: stranger.bearer })).json()).toMatchObject({
    code: 'session_not_found',
  })
  expect((await send(t, { method: 'DELETE', url, headers })).statusCode).toBe(204)
  expect(await list()).toHaveLength(1)
  expect((await send(t, { url: '/auth/me', headers: one.browser.cookieHeader() })).statusCode).toBe(401)
})
