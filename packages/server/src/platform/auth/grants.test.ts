import { permissions, type Permission } from '@plimsoll/contract'
import { describe, expect, test } from 'vitest'
import { aCluster, anApiKey, aPerson, aRole } from '../../../test/people.ts'
import { send, useTestApp, type Call } from '../../../test/test-app.ts'

const t = useTestApp()

const managing: Permission[] = ['users:read', 'users:write', 'users:delete', 'roles:read', 'roles:write']

/** Manages users and reads clusters, and is not an admin. */
const aManager = async () => aPerson(t, await aRole(t, [...managing, 'clusters:read']))

async function outcome(call: Call): Promise<string> {
  const response = await send(t, call)
  const code = response.statusCode < 400 ? '' : ` ${response.json<{ code: string }>().code}`
  return `${response.statusCode}${code}`
}

const addUser = (headers: Record<string, string>, role: string) =>
  outcome({
    method: 'POST',
    url: '/api/v1/users',
    headers,
    body: { email: `new-${Math.random()}@example.com`, role },
  })

let roles = 0
const makeRole = (headers: Record<string, string>, body: object) =>
  outcome({ method: 'POST', url: '/api/v1/roles', headers, body: { name: `made-${(roles += 1)}`, ...body } })

describe('a user manager', () => {
  test('adds users with a role within their own permissions', async () => {
    const { bearer } = await aManager()
    expect(await addUser(bearer, await aRole(t, ['clusters:read']))).toBe('201')
    expect(await addUser(bearer, await aRole(t, ['clusters:read', 'clusters:write']))).toBe('403 grant_exceeds_own')
    expect(await addUser(bearer, 'admin')).toBe('403 grant_exceeds_own')
    expect(await addUser(bearer, 'no-such-role')).toBe('422 invalid_body')
  })

  test('cannot raise any role, including their own', async () => {
    const { bearer, userId } = await aManager()
    const other = await aPerson(t, await aRole(t, ['clusters:read']))
    for (const id of [userId, other.userId]) {
      const call: Call = { method: 'PATCH', url: `/api/v1/users/${id}`, headers: bearer, body: { role: 'admin' } }
      expect(await outcome(call)).toBe('403 grant_exceeds_own')
    }
  })

  test('cannot change a user with more permissions: role, disabling, deletion, or a link to their password', async () => {
    const { bearer } = await aManager()
    const admin = await aPerson(t)
    const url = `/api/v1/users/${admin.userId}`
    const calls: Call[] = [
      { method: 'PATCH', url, body: { role: await aRole(t, []) } },
      { method: 'PATCH', url, body: { disabled: true } },
      { method: 'DELETE', url },
      { method: 'POST', url: `${url}/link` },
    ]
    for (const call of calls) expect(await outcome({ ...call, headers: bearer })).toBe('403 grant_exceeds_own')
    expect(await outcome({ url: '/auth/me', headers: admin.bearer })).toBe('200')
  })

  test('creates and changes roles within their own permissions', async () => {
    const { bearer } = await aManager()
    expect(await makeRole(bearer, { permissions: ['clusters:read'] })).toBe('201')
    expect(await makeRole(bearer, { permissions: ['audit:read'] })).toBe('403 grant_exceeds_own')
    const mine = await aRole(t, ['clusters:read'])
    const foreign = await aRole(t, ['audit:read'])
    const patch = (role: string, body: object): Call => ({
      method: 'PATCH',
      url: `/api/v1/roles/${role}`,
      headers: bearer,
      body,
    })
    expect(await outcome(patch(mine, { permissions: ['clusters:read', 'audit:read'] }))).toBe('403 grant_exceeds_own')
    expect(await outcome(patch(mine, { permissions: [] }))).toBe('200')
    expect(await outcome(patch(foreign, { permissions: [] }))).toBe('403 grant_exceeds_own')
    expect(await outcome({ method: 'DELETE', url: `/api/v1/roles/${foreign}`, headers: bearer })).toBe(
      '403 grant_exceeds_own',
    )
  })

  test('cannot use permissions that the API key lacks', async () => {
    const { userId } = await aPerson(t)
    const key = await anApiKey(t, userId, ['users:write', 'roles:write', 'clusters:read'])
    expect(await addUser(key.header, 'viewer')).toBe('403 grant_exceeds_own')
    expect(await addUser(key.header, await aRole(t, ['clusters:read']))).toBe('201')
    expect(await makeRole(key.header, { permissions: ['settings:write'] })).toBe('403 grant_exceeds_own')
  })
})

describe('an API key', () => {
  test('cannot be created with a scope that its creator lacks', async () => {
    const { bearer } = await aPerson(t, 'viewer')
    const make = (scopes: Permission[]): Call => ({
      method: 'POST',
      url: '/api/v1/api-keys',
      headers: bearer,
      body: { name: 'a key', scopes },
    })
    expect(await outcome(make(['clusters:read']))).toBe('201')
    expect(await outcome(make(['clusters:read', 'users:write']))).toBe('403 grant_exceeds_own')
  })

  test('loses and regains permissions with its user at once', async () => {
    const admin = await aPerson(t)
    const { userId } = await aPerson(t, 'editor')
    const { header } = await anApiKey(t, userId, ['clusters:read', 'settings:read'])
    const ask = () => outcome({ url: '/api/v1/signing-keys', headers: header })
    const become = (role: string): Call => ({
      method: 'PATCH',
      url: `/api/v1/users/${userId}`,
      headers: admin.bearer,
      body: { role },
    })
    expect(await ask()).toBe('200')
    expect(await outcome(become('viewer'))).toBe('200')
    expect(await ask()).toBe('403 forbidden')
    expect(await outcome(become('editor'))).toBe('200')
    expect(await ask()).toBe('200')
  })
})

test('a role restricted to namespaces has no access to the whole cluster and its agent', async () => {
  const { clusterId, tokenId } = await aCluster(t)
  const role = await aRole(t, ['clusters:read', 'clusters:write', 'clusters:delete', 'clusters:token'], {
    clusters: [clusterId],
    namespaces: ['shop'],
  })
  const { bearer: headers } = await aPerson(t, role)
  const url = `/api/v1/clusters/${clusterId}`
  const calls: Call[] = [
    { method: 'PATCH', url, body: { name: 'mine' } },
    { method: 'DELETE', url },
    { url: `${url}/agent-tokens` },
    { method: 'POST', url: `${url}/agent-tokens` },
    { method: 'DELETE', url: `${url}/agent-tokens/${tokenId}` },
  ]
  for (const call of calls) expect(await outcome({ ...call, headers })).toBe('403 role_narrowed')
})

test('a role restricted to a part of the fleet has no access to users, roles, signing keys and the audit', async () => {
  const { clusterId } = await aCluster(t)
  const { userId } = await aPerson(t, await aRole(t, []))
  const role = await aRole(t, [])
  const calls: Call[] = [
    { url: '/api/v1/users' },
    { method: 'POST', url: '/api/v1/users', body: { email: 'narrowed@example.com', role } },
    { url: `/api/v1/users/${userId}` },
    { method: 'PATCH', url: `/api/v1/users/${userId}`, body: { disabled: true } },
    { method: 'DELETE', url: `/api/v1/users/${userId}` },
    { method: 'POST', url: `/api/v1/users/${userId}/link` },
    { url: '/api/v1/roles' },
    { method: 'POST', url: '/api/v1/roles', body: { name: 'narrowed', permissions: [], clusters: [] } },
    { url: `/api/v1/roles/${role}` },
    { method: 'PATCH', url: `/api/v1/roles/${role}`, body: { permissions: [] } },
    { method: 'DELETE', url: `/api/v1/roles/${role}` },
    { url: '/api/v1/signing-keys' },
    { method: 'POST', url: '/api/v1/signing-keys' },
    { url: '/api/v1/audit' },
  ]
  for (const narrow of [{ clusters: [clusterId] }, { namespaces: ['shop'] }, { clusters: [] }]) {
    const { bearer: headers } = await aPerson(t, await aRole(t, [...permissions], narrow))
    const outcomes = await Promise.all(calls.map((call) => outcome({ ...call, headers })))
    expect(outcomes).toEqual(calls.map(() => '403 role_narrowed'))
  }
})

test('a caller restricted to a part of the fleet finds no keys of others', async () => {
  const { clusterId } = await aCluster(t)
  const held: Permission[] = ['clusters:read', 'api_keys:write']
  const { bearer: headers } = await aPerson(t, await aRole(t, held, { clusters: [clusterId] }))
  const revoke = async (narrow: { clusters?: string[] }) => {
    const { userId } = await aPerson(t, await aRole(t, ['clusters:read'], narrow))
    const { keyId } = await anApiKey(t, userId)
    return outcome({ method: 'DELETE', url: `/api/v1/api-keys/${keyId}`, headers })
  }
  expect(await revoke({})).toBe('404 api_key_not_found')
  expect(await revoke({ clusters: [(await aCluster(t)).clusterId] })).toBe('404 api_key_not_found')
  expect(await revoke({ clusters: [clusterId] })).toBe('404 api_key_not_found')
})
