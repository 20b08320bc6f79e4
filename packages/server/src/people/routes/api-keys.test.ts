import { apiKeysPerUserMax, builtInRoles, type ApiKey, type CreatedApiKey, type Me } from '@plimsoll/contract'
import { expect, test, vi } from 'vitest'
import { aCluster, anApiKey, aPerson, aRole, type Person } from '../../../test/people.ts'
import { send, useTestApp } from '../../../test/test-app.ts'
import { isWaitingForLock } from '../../../test/waiting-for-lock.ts'
import { deleteUser, lockPeople } from '../../platform/auth/queries/users.ts'
import { patience } from '../../../test/patience.ts'

const t = useTestApp()

const keys = '/api/v1/api-keys'
const minute = 60_000

type Headers = Record<string, string>
type Page = { api_keys: ApiKey[]; next_cursor: string | null; has_more: boolean }

const create = ({ bearer }: Person, body: unknown, headers: Headers = {}) =>
  send(t, { method: 'POST', url: keys, headers: { ...bearer, ...headers }, body })

const list = (headers: Headers, query = '') => send(t, { url: `${keys}${query}`, headers })

const revoke = (headers: Headers, keyId: string) => send(t, { method: 'DELETE', url: `${keys}/${keyId}`, headers })

const use = (key: string | undefined) => send(t, { url: '/auth/me', headers: { 'x-api-key': key ?? '' } })

const listedIds = async (headers: Headers, query = '') =>
  (await list(headers, query)).json<Page>().api_keys.map(({ id }) => id)

test('a key is shown once, works, and is listed without its secret', async () => {
  const viewer = await aPerson(t, 'viewer')
  const response = await create(viewer, { name: 'nightly report' }, { 'idempotency-key': 'key-once' })
  expect(response.statusCode).toBe(201)
  const { key, ...rest } = response.json<CreatedApiKey>()
  expect(key).toMatch(/^plk_[0-9a-z]{26}_[0-9a-z]{59}$/)
  expect(rest).toEqual({
    id: expect.stringMatching(/^key_[0-9a-z]{26}$/) as string,
    name: 'nightly report',
    user_id: viewer.userId,
    scopes: null,
    expires_at: null,
    created_at: t.clock.now.toISOString(),
    last_used_at: null,
  })
  const listed = await list(viewer.bearer)
  expect(listed.json()).toEqual({ api_keys: [rest], next_cursor: null, has_more: false })
  expect((await create(viewer, { name: 'nightly report' }, { 'idempotency-key': 'key-once' })).json()).toEqual(rest)
  expect((await use(key)).statusCode).toBe(200)
})

test('a key works as Authorization: Bearer as it does as X-API-Key', async () => {
  const viewer = await aPerson(t, 'viewer')
  const { key } = (await create(viewer, { name: 'scraper' })).json<CreatedApiKey>()
  const asBearer = await send(t, { url: '/auth/me', headers: { authorization: `Bearer ${key ?? ''}` } })
  expect(asBearer.statusCode).toBe(200)
  const asKey = await use(key)
  expect(asBearer.json()).toEqual(asKey.json())
  expect(asBearer.headers['x-ratelimit-limit']).toBe(asKey.headers['x-ratelimit-limit'])
})

test('a key has the current permissions of its creator', async () => {
  const admin = await aPerson(t)
  const person = await aPerson(t, 'editor')
  const { key } = (await create(person, { name: 'follows' })).json<CreatedApiKey>()
  const may = async () => (await use(key)).json<Me>().permissions
  expect(await may()).toContain('clusters:write')
  const url = `/api/v1/users/${person.userId}`
  await send(t, { method: 'PATCH', url, headers: admin.bearer, body: { role: 'viewer' } })
  expect(await may()).not.toContain('clusters:write')
  await send(t, { method: 'PATCH', url, headers: admin.bearer, body: { role: 'admin' } })
  expect(await may()).toContain('audit:read')
})

test('a key sees the part of the fleet that its creator sees', async () => {
  const [mine] = [await aCluster(t), await aCluster(t)]
  const narrowed = await aPerson(t, await aRole(t, ['clusters:read'], { clusters: [mine.clusterId] }))
  const { header } = await anApiKey(t, narrowed.userId)
  const response = await send(t, { url: '/api/v1/clusters', headers: header })
  expect(response.json<{ clusters: { id: string }[] }>().clusters.map(({ id }) => id)).toEqual([mine.clusterId])
})

test('scopes restrict a key and never extend it, even when the role of its creator changes', async () => {
  const admin = await aPerson(t)
  const person = await aPerson(t, 'editor')
  const scopes = ['clusters:read', 'clusters:write']
  const { key } = (await create(person, { name: 'narrow', scopes })).json<CreatedApiKey>()
  const may = async () => (await use(key)).json<Me>().permissions
  expect(await may()).toEqual(scopes)
  const url = `/api/v1/users/${person.userId}`
  await send(t, { method: 'PATCH', url, headers: admin.bearer, body: { role: 'admin' } })
  expect(await may()).toEqual(scopes)
  await send(t, { method: 'PATCH', url, headers: admin.bearer, body: { role: 'viewer' } })
  expect(await may()).toEqual(['clusters:read'])

  const beyond = await create(person, { name: 'beyond', scopes: ['clusters:read', 'users:write'] })
  expect(beyond.json()).toMatchObject({ status: 403, code: 'grant_exceeds_own' })
})

test.each([
  { name: 'no scope at all', body: { scopes: [] }, pointer: '/scopes' },
  { name: 'an unknown scope', body: { scopes: ['all'] }, pointer: '/scopes/0' },
  { name: "an agent's scope", body: { scopes: ['metrics:submit'] }, pointer: '/scopes/0' },
  { name: 'a scope twice', body: { scopes: ['clusters:read', 'clusters:read'] }, pointer: '/scopes' },
  { name: 'an expiry in the past', body: { expires_at: '2020-01-01T00:00:00Z' }, pointer: '/expires_at' },
  { name: 'a date instead of a time', body: { expires_at: '2030-01-01' }, pointer: '/expires_at' },
])('a key with $name is rejected', async ({ body, pointer }) => {
  const response = await create(await aPerson(t), { name: 'refused', ...body })
  expect(response.json()).toMatchObject({ status: 422, code: 'invalid_body', errors: [{ pointer }] })
})

test('a user who is deleted during the request gets no key', async () => {
  const person = await aPerson(t)
  const late = await t.db.transaction().execute(async (tx) => {
    await lockPeople(tx)
    const running = create(person, { name: 'too late' })
    await vi.waitFor(async () => expect(await isWaitingForLock(t.db)).toBe(true), patience)
    await deleteUser(tx, person.userId)
    return { running }
  })
  expect((await late.running).json()).toMatchObject({ status: 401, code: 'unauthenticated' })
})

test('a key works until it expires, and not from then on', async () => {
  const person = await aPerson(t)
  const expiresAt = new Date(t.clock.now.getTime() + 10 * minute)
  const body = { name: 'brief', expires_at: expiresAt.toISOString().replace('.000Z', '+00:00') }
  const made = (await create(person, body)).json<CreatedApiKey>()
  expect(made.expires_at).toBe(expiresAt.toISOString())
  t.clock.now = new Date(expiresAt.getTime() - 1)
  expect((await use(made.key)).json<Me>().credential).toMatchObject({ expires_at: expiresAt.toISOString() })
  t.clock.now = expiresAt
  expect((await use(made.key)).statusCode).toBe(401)
})

test('a key without expiry still works after years', async () => {
  const { key } = await anApiKey(t, (await aPerson(t)).userId)
  t.clock.advance(5 * 365 * 24 * 60 * minute)
  expect((await use(key)).statusCode).toBe(200)
})

test('a key neither creates nor revokes keys, not even itself', async () => {
  const { userId } = await aPerson(t)
  const { header, keyId } = await anApiKey(t, userId)
  const answers = [
    await send(t, { method: 'POST', url: keys, headers: header, body: { name: 'child' } }),
    await revoke(header, keyId),
  ]
  for (const answer of answers) expect(answer.json()).toMatchObject({ status: 403, code: 'credential_not_allowed' })
  expect(await listedIds(header)).toEqual([keyId])
})

test('a revoked key ends with the next request', async () => {
  const person = await aPerson(t, 'viewer')
  const { key, keyId } = await anApiKey(t, person.userId)
  expect((await use(key)).statusCode).toBe(200)
  const response = await revoke(person.bearer, keyId)
  expect([response.statusCode, response.body]).toEqual([204, ''])
  expect((await use(key)).statusCode).toBe(401)
  expect(await listedIds(person.bearer)).toEqual([])
  expect((await revoke(person.bearer, keyId)).json()).toMatchObject({ status: 404, code: 'api_key_not_found' })
  expect((await revoke(person.bearer, 'key_x')).statusCode).toBe(404)
})

test('keys of others are listed with api_keys:read and revoked with api_keys:write', async () => {
  const owner = await aPerson(t, 'viewer')
  const { keyId, key } = await anApiKey(t, owner.userId)
  const [nosy, reader, writer, editor] = [
    await aPerson(t, await aRole(t, [])),
    await aPerson(t, await aRole(t, ['api_keys:read'])),
    await aPerson(t, await aRole(t, ['api_keys:write', ...builtInRoles.viewer])),
    await aPerson(t, 'editor'),
  ]
  const theirs = `?user_id=${owner.userId}`
  for (const { bearer } of [nosy, writer, editor]) {
    for (const query of [theirs, '?user_id=all']) {
      expect((await list(bearer, query)).json()).toMatchObject({ status: 403, required_permission: 'api_keys:read' })
    }
  }
  expect(await listedIds(reader.bearer, theirs)).toEqual([keyId])
  expect(await listedIds(reader.bearer, '?user_id=all')).toContain(keyId)
  expect(await listedIds(reader.bearer)).toEqual([])

  expect((await revoke(nosy.bearer, keyId)).json()).toMatchObject({ status: 404, code: 'api_key_not_found' })
  expect((await revoke(reader.bearer, keyId)).json()).toMatchObject({
    status: 403,
    required_permission: 'api_keys:write',
  })
  expect((await use(key)).statusCode).toBe(200)
  expect((await revoke(writer.bearer, keyId)).statusCode).toBe(204)
  expect((await use(key)).statusCode).toBe(401)
})

test('the key of a user with more permissions cannot be revoked, despite api_keys:write', async () => {
  const { userId } = await aPerson(t)
  const { keyId, key } = await anApiKey(t, userId)
  const writer = await aPerson(t, await aRole(t, ['api_keys:read', 'api_keys:write']))
  expect((await revoke(writer.bearer, keyId)).json()).toMatchObject({ status: 403, code: 'grant_exceeds_own' })
  expect((await use(key)).statusCode).toBe(200)
})

test('a user has at most 50 valid keys; revoked and expired ones do not count', async () => {
  const person = await aPerson(t, 'viewer')
  const brief = { name: 'brief', expires_at: new Date(t.clock.now.getTime() + minute).toISOString() }
  expect((await create(person, brief)).statusCode).toBe(201)
  for (let made = 1; made < apiKeysPerUserMax - 1; made += 1) await anApiKey(t, person.userId)

  const answers = await Promise.all(Array.from({ length: 4 }, () => create(person, { name: 'the fiftieth' })))
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([201, 409, 409, 409])
  expect((await create(person, { name: 'one more' })).json()).toMatchObject({ status: 409, code: 'api_key_limit' })
  expect((await create(await aPerson(t, 'viewer'), { name: 'of another' })).statusCode).toBe(201)

  t.clock.advance(minute)
  const last = await create(person, { name: 'instead of the expired one' })
  expect(last.statusCode).toBe(201)
  expect((await create(person, { name: 'one more' })).statusCode).toBe(409)
  await revoke(person.bearer, last.json<CreatedApiKey>().id)
  expect((await create(person, { name: 'instead of the revoked one' })).statusCode).toBe(201)
})

test('the keys of an unknown user are not an empty list', async () => {
  const { bearer } = await aPerson(t)
  const response = await list(bearer, '?user_id=00000000-0000-4000-8000-000000000000')
  expect(response.json()).toMatchObject({ status: 404, code: 'user_not_found' })
  expect((await list(bearer, '?user_id=me')).statusCode).toBe(400)
})

test('keys are listed newest first, page by page', async () => {
  const { bearer, userId } = await aPerson(t)
  const made: string[] = []
  for (let index = 0; index < 7; index += 1) {
    t.clock.advance(1)
    made.unshift((await anApiKey(t, userId)).keyId)
  }
  const seen: string[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const page: Page = (await list(bearer, `?limit=3${cursor && `&cursor=${cursor}`}`)).json()
    seen.push(...page.api_keys.map(({ id }) => id))
    cursor = page.next_cursor
  }
  expect(seen).toEqual(made)

  const { next_cursor: mine } = (await list(bearer, '?limit=3')).json<Page>()
  expect((await list(bearer, `?user_id=all&cursor=${mine}`)).json()).toMatchObject({ code: 'invalid_cursor' })
})

test('the last use of a key is known to the minute', async () => {
  const { bearer, userId } = await aPerson(t)
  const { key } = await anApiKey(t, userId)
  const lastUse = async () => (await list(bearer)).json<Page>().api_keys[0]?.last_used_at
  expect(await lastUse()).toBeNull()
  const first = t.clock.now.toISOString()
  await use(key)
  expect(await lastUse()).toBe(first)
  t.clock.advance(minute / 2)
  await use(key)
  expect(await lastUse()).toBe(first)
  t.clock.advance(minute)
  await use(key)
  expect(await lastUse()).toBe(t.clock.now.toISOString())
})

test('a rejected attempt does not count as use of a key', async () => {
  const { bearer, userId } = await aPerson(t)
  const { key } = await anApiKey(t, userId)
  expect((await use(key.toUpperCase())).statusCode).toBe(401)
  expect((await list(bearer)).json<Page>().api_keys[0]?.last_used_at).toBeNull()
})
