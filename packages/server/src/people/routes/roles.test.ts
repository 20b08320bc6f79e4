import { builtInRoles, permissions, type Permission, type Role } from '@plimsoll/contract'
import { expect, test } from 'vitest'
import { entriesOf } from '../../../test/audit-trail.ts'
import { aCluster, anApiKey, aPerson, aRole, type Person } from '../../../test/people.ts'
import { send, useTestApp } from '../../../test/test-app.ts'

const t = useTestApp()

const roles = '/api/v1/roles'

type Headers = Record<string, string>

const list = ({ bearer }: Person) => send(t, { url: roles, headers: bearer })

const create = ({ bearer }: Pick<Person, 'bearer'>, body: unknown, headers: Headers = {}) =>
  send(t, { method: 'POST', url: roles, headers: { ...bearer, ...headers }, body })

const show = ({ bearer }: Person, name: string, headers: Headers = {}) =>
  send(t, { url: `${roles}/${name}`, headers: { ...bearer, ...headers } })

const patch = ({ bearer }: Person, name: string, body: unknown, headers: Headers = {}) =>
  send(t, { method: 'PATCH', url: `${roles}/${name}`, headers: { ...bearer, ...headers }, body })

const remove = ({ bearer }: Person, name: string, headers: Headers = {}) =>
  send(t, { method: 'DELETE', url: `${roles}/${name}`, headers: { ...bearer, ...headers } })

const mayRead = async ({ bearer }: Person) =>
  (await send(t, { url: '/api/v1/clusters', headers: bearer })).statusCode === 200

test('the built-in roles are listed first, with the permissions of the contract', async () => {
  const admin = await aPerson(t)
  const custom = await aRole(t, ['clusters:read'])
  const { roles: listed } = (await list(admin)).json<{ roles: Role[] }>()
  expect(listed.slice(0, 3).map(({ name, built_in }) => [name, built_in])).toEqual([
    ['admin', true],
    ['editor', true],
    ['viewer', true],
  ])
  for (const { name, permissions: held } of listed.slice(0, 3)) {
    expect(held).toEqual([...builtInRoles[name as keyof typeof builtInRoles]].sort())
  }
  expect(listed.map(({ name }) => name)).toContain(custom)
})

test('the roles come with the permissions that some route requires, and no others', async () => {
  const { permissions: used } = (await list(await aPerson(t))).json<{ permissions: string[] }>()
  expect(used).toContain('users:delete')
  // Required by routes that admit every user, for the keys of others.
  expect(used).toContain('api_keys:read')
  // No route uses it yet.
  expect(used).not.toContain('alerts:delete')
  expect(permissions).toEqual(expect.arrayContaining(used))
})

test('a custom role is created, shown, edited field by field and deleted', async () => {
  const admin = await aPerson(t)
  const { clusterId } = await aCluster(t)
  const made = await create(admin, { name: 'finops', permissions: ['reports:read', 'clusters:read'] })
  expect([made.statusCode, made.headers.location]).toEqual([201, `${roles}/finops`])
  expect(made.json()).toEqual({
    name: 'finops',
    built_in: false,
    permissions: ['clusters:read', 'reports:read'],
    clusters: null,
    namespaces: null,
    teams: null,
    created_at: t.clock.now.toISOString(),
    updated_at: t.clock.now.toISOString(),
  })
  expect((await show(admin, 'finops')).json()).toEqual(made.json())
  expect(made.headers.etag).toBe((await show(admin, 'finops')).headers.etag)

  const narrowed = await patch(admin, 'finops', { clusters: [clusterId], namespaces: ['shop'] })
  expect(narrowed.json()).toMatchObject({
    permissions: ['clusters:read', 'reports:read'],
    clusters: [clusterId],
    namespaces: ['shop'],
  })
  expect((await patch(admin, 'finops', { clusters: null })).json()).toMatchObject({
    clusters: null,
    namespaces: ['shop'],
  })
  expect((await remove(admin, 'finops')).statusCode).toBe(204)
  expect((await show(admin, 'finops')).json()).toMatchObject({ status: 404, code: 'role_not_found' })
  expect((await remove(admin, 'finops')).statusCode).toBe(404)
})

test('a name is unique, and never that of a built-in role', async () => {
  const admin = await aPerson(t)
  const answers = await Promise.all([1, 2, 3].map(() => create(admin, { name: 'twice', permissions: [] })))
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([201, 409, 409])
  expect((await create(admin, { name: 'admin', permissions: [] })).json()).toMatchObject({ code: 'role_name_taken' })
})

test.each(['admin', 'editor', 'viewer'])('the built-in role %s cannot be changed', async (name) => {
  const admin = await aPerson(t)
  for (const answer of [await patch(admin, name, { permissions: [] }), await remove(admin, name)]) {
    expect(answer.json()).toMatchObject({ status: 409, code: 'role_built_in' })
  }
})

test('a role in use is not deleted, and the response names its users', async () => {
  const admin = await aPerson(t)
  const role = await aRole(t, ['clusters:read'])
  const [b, a] = [await aPerson(t, role, 'b@roles.test'), await aPerson(t, role, 'a@roles.test')]
  const response = await remove(admin, role)
  expect(response.statusCode).toBe(409)
  expect(response.json()).toMatchObject({
    code: 'role_in_use',
    detail: `The role '${role}' is assigned to a@roles.test, b@roles.test. Assign another role to these users first.`,
    users: [
      { id: a.userId, email: a.email },
      { id: b.userId, email: b.email },
    ],
  })
  for (const { userId } of [a, b]) {
    const url = `/api/v1/users/${userId}`
    await send(t, { method: 'PATCH', url, headers: admin.bearer, body: { role: 'viewer' } })
  }
  expect((await remove(admin, role)).statusCode).toBe(204)
})

test.each([
  { name: 'unknown', permission: 'clusters:everything' },
  { name: 'a wildcard', permission: 'clusters:*' },
  { name: "an agent's", permission: 'metrics:submit' },
])('a permission that is $name is rejected at its position', async ({ permission }) => {
  const admin = await aPerson(t)
  const role = await aRole(t, [])
  const body = { permissions: ['clusters:read', permission] }
  for (const answer of [await create(admin, { name: 'never', ...body }), await patch(admin, role, body)]) {
    expect(answer.json()).toMatchObject({ status: 422, errors: [{ pointer: '/permissions/1', code: 'enum' }] })
  }
})

test('a role cannot be restricted to a cluster that does not exist', async () => {
  const admin = await aPerson(t)
  const { clusterId } = await aCluster(t)
  const missing = `cls_${'0'.repeat(26)}`
  const body = { permissions: [], clusters: [clusterId, missing] }
  for (const answer of [
    await create(admin, { name: 'never', ...body }),
    await patch(admin, await aRole(t, []), body),
  ]) {
    expect(answer.statusCode).toBe(422)
    expect(answer.json()).toMatchObject({
      code: 'invalid_body',
      errors: [{ pointer: '/clusters', code: 'unknown_cluster', detail: `${missing} does not exist` }],
    })
  }
})

test('a changed role applies to the next request of its users', async () => {
  const admin = await aPerson(t)
  const role = await aRole(t, [])
  const holder = await aPerson(t, role)
  expect(await mayRead(holder)).toBe(false)
  await patch(admin, role, { permissions: ['clusters:read'] })
  expect(await mayRead(holder)).toBe(true)
  await patch(admin, role, { permissions: [] })
  expect(await mayRead(holder)).toBe(false)
})

test('an edit of a role that was edited since is rejected', async () => {
  const admin = await aPerson(t)
  const role = await aRole(t, [])
  const match = { 'if-match': String((await show(admin, role)).headers.etag) }
  expect((await show(admin, role, { 'if-none-match': match['if-match'] })).statusCode).toBe(304)
  expect((await patch(admin, role, { namespaces: ['a'] }, match)).statusCode).toBe(200)
  expect((await patch(admin, role, { namespaces: ['b'] }, match)).statusCode).toBe(412)
  expect((await remove(admin, role, match)).statusCode).toBe(412)
})

test('no user creates, edits or deletes a role with more permissions than their own', async () => {
  const held: Permission[] = ['roles:read', 'roles:write', 'clusters:read']
  const own = await aRole(t, held)
  const manager = await aPerson(t, own)
  const [lesser, greater] = [await aRole(t, ['clusters:read']), await aRole(t, ['billing:read'])]
  const refused = [
    await create(manager, { name: 'ladder', permissions: ['clusters:read', 'users:write'] }),
    await create(manager, { name: 'ladder', permissions: [...permissions] }),
    await patch(manager, own, { permissions: [...held, 'users:write'] }),
    await patch(manager, lesser, { permissions: ['clusters:write'] }),
    await patch(manager, greater, { permissions: [] }),
    await remove(manager, greater),
  ]
  for (const answer of refused) expect(answer.json()).toMatchObject({ status: 403, code: 'grant_exceeds_own' })
  expect(refused[0]?.json()).toMatchObject({
    detail: "The role 'ladder' has more permissions than you: you do not have users:write.",
  })

  expect((await create(manager, { name: 'step', permissions: ['clusters:read'] })).statusCode).toBe(201)
  expect((await patch(manager, lesser, { permissions: held })).statusCode).toBe(200)
  expect((await remove(manager, lesser)).statusCode).toBe(204)
})

test('a restricted key creates no role beyond its own scopes', async () => {
  const { userId } = await aPerson(t)
  const { header } = await anApiKey(t, userId, ['roles:write'])
  const body = { name: 'by-key', permissions: ['clusters:read'] }
  const response = await send(t, { method: 'POST', url: roles, headers: header, body })
  expect(response.json()).toMatchObject({ status: 403, code: 'grant_exceeds_own' })
})

test('a deleted cluster is removed from roles; a role with fewer clusters never gets all', async () => {
  const admin = await aPerson(t)
  const [one, two] = [await aCluster(t), await aCluster(t)]
  const both = await aRole(t, ['clusters:read'], { clusters: [one.clusterId, two.clusterId] })
  const single = await aRole(t, ['clusters:read'], { clusters: [one.clusterId] })
  const holder = await aPerson(t, single)
  await send(t, { method: 'DELETE', url: `/api/v1/clusters/${one.clusterId}`, headers: admin.bearer })
  expect((await show(admin, both)).json()).toMatchObject({ clusters: [two.clusterId] })
  expect((await show(admin, single)).json()).toMatchObject({ clusters: [] })
  const clusters = await send(t, { url: '/api/v1/clusters', headers: holder.bearer })
  expect(clusters.json()).toMatchObject({ clusters: [] })
  const edited = await patch(admin, single, { permissions: ['clusters:read', 'reports:read'] })
  expect(edited.json()).toMatchObject({ clusters: [] })
})

test('a role that loses a cluster has a new ETag and time, and the audit names the user', async () => {
  const admin = await aPerson(t)
  const { clusterId } = await aCluster(t)
  const role = await aRole(t, ['clusters:read'], { clusters: [clusterId] })
  const untouched = await aRole(t, ['clusters:read'])
  const before = [await show(admin, role), await show(admin, untouched)]
  t.clock.advance(1000)
  const gone = await send(t, { method: 'DELETE', url: `/api/v1/clusters/${clusterId}`, headers: admin.bearer })

  const tags = before.map(({ headers }) => ({ 'if-none-match': String(headers.etag) }))
  const after = await show(admin, role, tags[0])
  expect(after.statusCode).toBe(200)
  expect(after.json()).toMatchObject({ clusters: [], updated_at: t.clock.now.toISOString() })
  expect(
    (await patch(admin, role, { clusters: null }, { 'if-match': String(before[0]?.headers.etag) })).statusCode,
  ).toBe(412)
  expect((await show(admin, untouched, tags[1])).statusCode).toBe(304)
  expect(await entriesOf(t, gone)).toMatchObject([{ detail: { taken_out_of_roles: [role] } }])
})

test('no role refers to a cluster that is deleted concurrently', async () => {
  const admin = await aPerson(t)
  for (let round = 0; round < 5; round += 1) {
    const { clusterId } = await aCluster(t)
    const role = await aRole(t, [], { clusters: [clusterId] })
    const answers = await Promise.all([
      patch(admin, role, { permissions: ['clusters:read'] }),
      send(t, { method: 'DELETE', url: `/api/v1/clusters/${clusterId}`, headers: admin.bearer }),
      create(admin, { name: `racing-${round}`, permissions: [], clusters: [clusterId] }),
    ])
    expect(answers.slice(0, 2).map(({ statusCode }) => statusCode)).toEqual([200, 204])
    const { roles: left } = (await list(admin)).json<{ roles: Role[] }>()
    expect(left.filter(({ clusters }) => clusters?.includes(clusterId))).toEqual([])
  }
})

test('the same request after the deletion of its role creates it again', async () => {
  const admin = await aPerson(t)
  const key = { 'idempotency-key': 'role-again' }
  const body = { name: 'phoenix', permissions: [] }
  await create(admin, body, key)
  expect((await create(admin, body, key)).headers['idempotency-replayed']).toBe('true')
  await remove(admin, 'phoenix')
  expect((await create(admin, body, key)).headers['idempotency-replayed']).toBeUndefined()
  expect((await show(admin, 'phoenix')).statusCode).toBe(200)
})
