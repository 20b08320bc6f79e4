import { createHash } from 'node:crypto'
import type { AuditList, CreatedUser, OneTimeLink, User } from '@plimsoll/contract'
import { beforeEach, expect, test, vi } from 'vitest'
import { hashOnce } from '../../../test/password-hash.ts'
import { anApiKey, aPerson, aRole, password, type Person } from '../../../test/people.ts'
import { send, useTestApp } from '../../../test/test-app.ts'
import { isWaitingForLock } from '../../../test/waiting-for-lock.ts'
import { recordLogin } from '../../platform/auth/queries/sessions.ts'
import { lockLogin, updateUser } from '../../platform/auth/queries/users.ts'
import { patience } from '../../../test/patience.ts'

const t = useTestApp()

type Problem = { code: string }

const users = '/api/v1/users'

const create = ({ bearer }: Person, body: unknown, headers: Record<string, string> = {}) =>
  send(t, { method: 'POST', url: users, headers: { ...bearer, ...headers }, body })

const show = ({ bearer }: Person, id: string, headers: Record<string, string> = {}) =>
  send(t, { url: `${users}/${id}`, headers: { ...bearer, ...headers } })

const patch = ({ bearer }: Person, id: string, body: unknown, headers: Record<string, string> = {}) =>
  send(t, { method: 'PATCH', url: `${users}/${id}`, headers: { ...bearer, ...headers }, body })

const remove = ({ bearer }: Person, id: string) => send(t, { method: 'DELETE', url: `${users}/${id}`, headers: bearer })

const reset = ({ bearer }: Person, id: string) =>
  send(t, { method: 'POST', url: `${users}/${id}/link`, headers: bearer })

const me = (headers: Record<string, string>) => send(t, { url: '/auth/me', headers })

const login = (email: string, secret: string) =>
  send(t, { method: 'POST', url: '/auth/login', body: { email, password: secret } })

beforeEach(async () => {
  await t.db.deleteFrom('app_user').execute()
})

test('a user added with a password can sign in with it', async () => {
  const admin = await aPerson(t)
  const response = await create(admin, { email: 'Grace@Example.com', role: 'viewer', password: 'chosen for her' })
  expect(response.statusCode).toBe(201)
  const user = response.json<CreatedUser>()
  expect(response.headers.location).toBe(`${users}/${user.id}`)
  expect(user).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
    email: 'grace@example.com',
    role: 'viewer',
    teams: null,
    disabled: false,
    invited: false,
    sign_in: 'password',
    email_verified: null,
    last_login_at: null,
    created_at: t.clock.now.toISOString(),
    updated_at: t.clock.now.toISOString(),
  })
  expect((await login('grace@example.com', 'chosen for her')).statusCode).toBe(200)
  expect((await show(admin, user.id)).json()).toMatchObject({ last_login_at: t.clock.now.toISOString() })
})

test('a user added without a password gets a one-time link, shown once', async () => {
  const admin = await aPerson(t)
  const key = { 'idempotency-key': 'invite' }
  const response = await create(admin, { email: 'grace@example.com', role: 'viewer' }, key)
  const { invitation, ...user } = response.json<CreatedUser>()
  expect(user.invited).toBe(true)
  expect(invitation?.link).toMatch(/^http:\/\/plimsoll\.test\/welcome#[0-9a-z]{78}$/)
  expect(invitation?.expires_at).toBe(new Date(t.clock.now.getTime() + 72 * 3_600_000).toISOString())

  expect((await create(admin, { email: 'grace@example.com', role: 'viewer' }, key)).json()).toEqual(user)
  expect((await show(admin, user.id)).json()).toEqual(user)
})

test('the stored hash of a repeated request does not allow guessing its password', async () => {
  const body = { email: 'grace@example.com', role: 'viewer', password: 'easily guessed' }
  expect((await create(await aPerson(t), body, { 'idempotency-key': 'with-password' })).statusCode).toBe(201)
  const stored = await t.db
    .selectFrom('idempotent_answer')
    .select(['fingerprint', 'body'])
    .where('idempotency_key', '=', 'with-password')
    .executeTakeFirstOrThrow()
  const guess = createHash('sha256')
    .update(`POST ${users}\n${JSON.stringify(body)}`)
    .digest()
  expect(stored.fingerprint.equals(guess)).toBe(false)
  expect(JSON.stringify(stored.body)).not.toContain(body.password)
})

test('an e-mail address belongs to one user, case-insensitively and under concurrency', async () => {
  const admin = await aPerson(t)
  const addresses = ['ada@example.com', 'Ada@example.com', 'ADA@EXAMPLE.COM', 'ada@example.com']
  const answers = await Promise.all(addresses.map((email) => create(admin, { email, role: 'viewer' })))
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([201, 409, 409, 409])
  expect((await create(admin, { email: 'ada@example.com', role: 'viewer' })).json()).toMatchObject({
    code: 'email_taken',
    errors: [{ pointer: '/email', code: 'taken' }],
  })
})

test('an unknown role is rejected at its field', async () => {
  const admin = await aPerson(t)
  const { userId } = await aPerson(t, 'viewer')
  for (const answer of [
    await create(admin, { email: 'x@example.com', role: 'owner' }),
    await patch(admin, userId, { role: 'owner' }),
  ]) {
    expect(answer.statusCode).toBe(422)
    expect(answer.json()).toMatchObject({ code: 'invalid_body', errors: [{ pointer: '/role', code: 'unknown_role' }] })
  }
})

test('users are listed by address, page by page', async () => {
  const admin = await aPerson(t, 'admin', 'm@example.com')
  for (const name of ['z', 'a', 'y', 'b', 'x', 'c']) await aPerson(t, 'viewer', `${name}@example.com`)
  const seen: string[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const url = `${users}?limit=3${cursor && `&cursor=${cursor}`}`
    const response = await send(t, { url, headers: admin.bearer })
    const page: { users: User[]; next_cursor: string | null } = response.json()
    seen.push(...page.users.map(({ email }) => email))
    cursor = page.next_cursor
  }
  expect(seen).toEqual(['a', 'b', 'c', 'm', 'x', 'y', 'z'].map((name) => `${name}@example.com`))
  const tooMany = await send(t, { url: `${users}?limit=501`, headers: admin.bearer })
  expect(tooMany.statusCode).toBe(400)
})

test('a user has an ETag that an edit can use', async () => {
  const admin = await aPerson(t)
  const { userId } = await aPerson(t, 'viewer')
  const etag = String((await show(admin, userId)).headers.etag)
  expect((await show(admin, userId, { 'if-none-match': etag })).statusCode).toBe(304)

  const edited = await patch(admin, userId, { role: 'editor' }, { 'if-match': etag })
  expect(edited.statusCode).toBe(200)
  expect(edited.headers.etag).toBe((await show(admin, userId)).headers.etag)
  expect((await patch(admin, userId, { role: 'viewer' }, { 'if-match': etag })).statusCode).toBe(412)
})

test.each(['00000000-0000-4000-8000-000000000000', 'me', 'usr_1'])('there is no user %s', async (id) => {
  const admin = await aPerson(t)
  const answers = [await show(admin, id), await patch(admin, id, {}), await remove(admin, id), await reset(admin, id)]
  for (const answer of answers) expect(answer.json()).toMatchObject({ status: 404, code: 'user_not_found' })
})

test('a changed role acts on the next request, for sessions and keys', async () => {
  const admin = await aPerson(t)
  const person = await aPerson(t, 'viewer')
  const { header } = await anApiKey(t, person.userId)
  const connect = async (headers: Record<string, string>, name: string) =>
    (await send(t, { method: 'POST', url: '/api/v1/clusters', headers, body: { name } })).statusCode

  expect([await connect(person.bearer, 'a'), await connect(header, 'b')]).toEqual([403, 403])
  await patch(admin, person.userId, { role: 'editor' })
  expect([await connect(person.bearer, 'a'), await connect(header, 'b')]).toEqual([201, 201])
  await patch(admin, person.userId, { role: 'viewer' })
  expect([await connect(person.bearer, 'c'), await connect(header, 'd')]).toEqual([403, 403])
})

test('a disabled user loses access at once; enabled again, their keys work and they sign in again', async () => {
  const admin = await aPerson(t)
  const person = await aPerson(t, 'viewer')
  const { header } = await anApiKey(t, person.userId)
  expect((await patch(admin, person.userId, { disabled: true })).json()).toMatchObject({ disabled: true })
  expect([(await me(person.bearer)).statusCode, (await me(header)).statusCode]).toEqual([401, 401])

  expect((await patch(admin, person.userId, { disabled: false })).json()).toMatchObject({ disabled: false })
  expect([(await me(person.bearer)).statusCode, (await me(header)).statusCode]).toEqual([401, 200])
})

test('a deleted user loses sessions, keys and links, and the address is free again', async () => {
  const admin = await aPerson(t)
  const person = await aPerson(t, 'viewer', 'gone@example.com')
  const { header } = await anApiKey(t, person.userId)
  await me(header)
  await reset(admin, person.userId)
  const response = await remove(admin, person.userId)
  expect([response.statusCode, response.body]).toEqual([204, ''])

  expect([(await me(person.bearer)).statusCode, (await me(header)).statusCode]).toEqual([401, 401])
  expect((await show(admin, person.userId)).statusCode).toBe(404)
  expect((await remove(admin, person.userId)).statusCode).toBe(404)
  for (const table of ['session', 'api_key', 'one_time_link'] as const) {
    expect(await t.db.selectFrom(table).select('user_id').where('user_id', '=', person.userId).execute()).toEqual([])
  }
  expect((await create(admin, { email: 'gone@example.com', role: 'viewer' })).statusCode).toBe(201)
})

test('the last admin can be neither demoted nor disabled nor deleted', async () => {
  const admin = await aPerson(t)
  const custom = await aRole(t, ['users:read'])
  const answers = [
    await patch(admin, admin.userId, { role: 'viewer' }),
    await patch(admin, admin.userId, { role: custom }),
    await patch(admin, admin.userId, { disabled: true }),
    await patch(admin, admin.userId, { role: 'admin', disabled: true }),
    await remove(admin, admin.userId),
  ]
  for (const answer of answers) expect(answer.json()).toMatchObject({ status: 409, code: 'last_admin' })
  expect((await me(admin.bearer)).statusCode).toBe(200)
  expect((await patch(admin, admin.userId, { role: 'admin' })).statusCode).toBe(200)
})

test('an admin who cannot sign in does not count as another one', async () => {
  const admin = await aPerson(t)
  const disabled = await aPerson(t)
  await updateUser(t.db, disabled.userId, { disabled: true }, t.clock.now)
  const { id: invited } = (await create(admin, { email: 'invited@example.com', role: 'admin' })).json<CreatedUser>()
  expect((await remove(admin, admin.userId)).json()).toMatchObject({ code: 'last_admin' })

  expect((await remove(admin, invited)).statusCode).toBe(204)
  expect((await remove(admin, disabled.userId)).statusCode).toBe(204)
})

test('an admin may leave if another admin exists', async () => {
  const [leaving, staying] = [await aPerson(t), await aPerson(t)]
  expect((await remove(leaving, leaving.userId)).statusCode).toBe(204)
  expect((await remove(staying, staying.userId)).json()).toMatchObject({ code: 'last_admin' })
})

test.each([
  { how: 'demote', act: (by: Person, whom: Person) => patch(by, whom.userId, { role: 'viewer' }) },
  { how: 'disable', act: (by: Person, whom: Person) => patch(by, whom.userId, { disabled: true }) },
  { how: 'delete', act: (by: Person, whom: Person) => remove(by, whom.userId) },
])('of two admins who $how each other concurrently exactly one succeeds', async ({ act }) => {
  for (let round = 0; round < 5; round += 1) {
    await t.db.deleteFrom('app_user').execute()
    const [one, two] = [await aPerson(t), await aPerson(t)]
    const answers = await Promise.all([act(one, two), act(two, one)])
    // The slower one gets 409, or a response that its own account has ended.
    const succeeded = answers.filter(({ statusCode }) => statusCode < 300)
    expect(succeeded).toHaveLength(1)
    const left = await t.db
      .selectFrom('app_user')
      .select('user_id')
      .where('role', '=', 'admin')
      .where('disabled', '=', false)
      .execute()
    expect(left).toHaveLength(1)
  }
})

test('a user with less than admin permissions can neither create nor change an admin', async () => {
  const admin = await aPerson(t)
  await aPerson(t)
  const role = await aRole(t, ['users:read', 'users:write', 'users:delete', 'clusters:read'])
  const manager = await aPerson(t, role)
  const refused = [
    await create(manager, { email: 'x@example.com', role: 'admin' }),
    await create(manager, { email: 'x@example.com', role: 'viewer' }),
    await patch(manager, manager.userId, { role: 'admin' }),
    await patch(manager, admin.userId, { role }),
    await patch(manager, admin.userId, { disabled: true }),
    await remove(manager, admin.userId),
    await reset(manager, admin.userId),
  ]
  for (const answer of refused) {
    expect([answer.statusCode, answer.json<Problem>().code]).toEqual([403, 'grant_exceeds_own'])
  }
  expect((await show(manager, admin.userId)).json()).toMatchObject({ role: 'admin', disabled: false })

  const peer = await create(manager, { email: 'peer@example.com', role })
  expect(peer.statusCode).toBe(201)
  const { id } = peer.json<CreatedUser>()
  expect((await reset(manager, id)).json<OneTimeLink>().link).toContain('/welcome#')
  expect((await patch(manager, id, { disabled: true })).statusCode).toBe(200)
  expect((await remove(manager, id)).statusCode).toBe(204)
})

test('a restricted key cannot grant permissions that only its user has', async () => {
  const admin = await aPerson(t)
  const { header } = await anApiKey(t, admin.userId, ['users:write'])
  const body = { email: 'x@example.com', role: 'viewer' }
  const response = await send(t, { method: 'POST', url: users, headers: header, body })
  expect(response.json()).toMatchObject({ status: 403, code: 'grant_exceeds_own' })
})

test('no user creates a link for themselves: a new password requires the current one', async () => {
  const admin = await aPerson(t)
  const response = await reset(admin, admin.userId)
  expect(response.json()).toMatchObject({ status: 403, code: 'forbidden' })
  expect(response.json<{ detail: string }>().detail).toContain('/auth/password')
  expect(await t.db.selectFrom('one_time_link').selectAll().execute()).toEqual([])
})

test('an API key creates no links, which would lead to a session of a user', async () => {
  const [admin, other] = [await aPerson(t), await aPerson(t, 'viewer')]
  const { header } = await anApiKey(t, admin.userId)
  for (const id of [admin.userId, other.userId]) {
    const response = await send(t, { method: 'POST', url: `${users}/${id}/link`, headers: header })
    expect(response.json()).toMatchObject({ status: 403, code: 'credential_not_allowed' })
  }
})

test('an API key sets no password: the user could sign in and make keys that outlive it', async () => {
  const { header } = await anApiKey(t, (await aPerson(t)).userId)
  const body = { email: 'second@example.com', role: 'admin', password: 'known to the key' }
  const response = await send(t, { method: 'POST', url: users, headers: header, body })
  expect(response.json()).toMatchObject({
    status: 403,
    code: 'credential_not_allowed',
    detail: expect.stringContaining('API key cannot set a password') as string,
    errors: [{ pointer: '/password' }],
  })
  expect((await login(body.email, body.password)).statusCode).toBe(401)
})

test('an API key adds a user without a link, and the audit log names the key', async () => {
  const admin = await aPerson(t)
  const { header, keyId } = await anApiKey(t, admin.userId)
  const body = { email: 'grace@example.com', role: 'viewer' }
  const response = await send(t, { method: 'POST', url: users, headers: header, body })
  const user = response.json<CreatedUser>()
  expect(response.statusCode).toBe(201)
  expect(user).toMatchObject({ email: 'grace@example.com', invited: true })
  expect(user).not.toHaveProperty('invitation')
  expect(await t.db.selectFrom('one_time_link').selectAll().execute()).toEqual([])

  const audit = await send(t, { url: `/api/v1/audit?target_id=${user.id}`, headers: admin.bearer })
  expect(audit.json<AuditList>().entries).toMatchObject([
    {
      action: 'user.create',
      actor: { kind: 'api_key', email: admin.email },
      credential_id: keyId,
      api_key_name: 'a key',
    },
  ])
  expect((await reset(admin, user.id)).json<OneTimeLink>().link).toContain('/welcome#')
})

test('an API key creates no keys, neither for its user nor through a user it adds', async () => {
  const { header } = await anApiKey(t, (await aPerson(t)).userId)
  const response = await send(t, { method: 'POST', url: '/api/v1/api-keys', headers: header, body: { name: 'again' } })
  expect(response.json()).toMatchObject({ status: 403, code: 'credential_not_allowed' })
})

test('a sign-in and the concurrent deletion of its user cause no deadlock', async () => {
  const admin = await aPerson(t)
  for (let round = 0; round < 5; round += 1) {
    const person = await aPerson(t, 'viewer', `met-${round}@example.com`)
    await recordLogin(t.db, person.userId, t.clock.now)
    const late = await t.db.transaction().execute(async (tx) => {
      await lockLogin(tx, person.userId, await hashOnce(password))
      const deletion = remove(admin, person.userId)
      await vi.waitFor(async () => expect(await isWaitingForLock(t.db)).toBe(true), patience)
      await recordLogin(tx, person.userId, t.clock.now)
      return { deletion }
    })
    expect((await late.deletion).statusCode).toBe(204)
  }
})
