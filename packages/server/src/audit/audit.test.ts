import type { AuditEntry, CreatedApiKey, CreatedCluster, LoginResult, OneTimeLink } from '@plimsoll/contract'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { entriesOf } from '../../test/audit-trail.ts'
import { aFinding } from '../../test/findings.ts'
import { showWorkloads } from '../../test/manifests/shown-workloads.ts'
import { aCluster, anApiKey, aPerson, aRole, password, type Person } from '../../test/people.ts'
import { send, useTestApp, type Call } from '../../test/test-app.ts'
import { listAuditEntries } from './queries.ts'

const t = useTestApp()

type Page = { entries: AuditEntry[]; next_cursor: string | null; has_more: boolean }

type Step = { action: string; target: { type: string; id: string }; detail: Record<string, unknown>; call: Call }

const list = async ({ bearer }: Person, query = '') =>
  (await send(t, { url: `/api/v1/audit${query}`, headers: bearer })).json<Page>()

const all = () => listAuditEntries(t.db, {}, { after: undefined, limit: 10_000 })

/** What exists before the audited changes. */
async function scene() {
  const [cluster, role, victim] = [await aCluster(t), await aRole(t, ['clusters:read']), await aPerson(t, 'viewer')]
  const key = await anApiKey(t, victim.userId)
  return { cluster, role, victim, key, madeAt: t.clock.now.toISOString() }
}

function changes({ cluster, role, victim, key, madeAt }: Awaited<ReturnType<typeof scene>>): Step[] {
  const onCluster = { type: 'cluster', id: cluster.clusterId }
  const onVictim = { type: 'user', id: victim.userId }
  const onRole = { type: 'role', id: role }
  const [clusterUrl, userUrl] = [`/api/v1/clusters/${cluster.clusterId}`, `/api/v1/users/${victim.userId}`]
  const onToken = { type: 'agent_token', id: cluster.tokenId }
  return [
    {
      action: 'cluster.update',
      target: onCluster,
      detail: {
        name: cluster.name,
        before: { name: cluster.name, region: 'eu-central-1' },
        after: { name: 'audited', region: 'x' },
      },
      call: { method: 'PATCH', url: clusterUrl, body: { name: 'audited', region: 'x' } },
    },
    {
      action: 'agent_token.revoke',
      target: onToken,
      detail: { cluster_id: cluster.clusterId, cluster_name: 'audited', created_at: madeAt },
      call: { method: 'DELETE', url: `${clusterUrl}/agent-tokens/${cluster.tokenId}` },
    },
    {
      action: 'cluster.delete',
      target: onCluster,
      detail: { name: 'audited', provider: 'aws', region: 'x', taken_out_of_roles: [] },
      call: { method: 'DELETE', url: clusterUrl },
    },
    {
      action: 'role.update',
      target: onRole,
      detail: { before: { permissions: ['clusters:read'] }, after: { permissions: ['reports:read'] } },
      call: { method: 'PATCH', url: `/api/v1/roles/${role}`, body: { permissions: ['reports:read'] } },
    },
    {
      action: 'role.delete',
      target: onRole,
      detail: { permissions: ['reports:read'], clusters: null, namespaces: null, teams: null },
      call: { method: 'DELETE', url: `/api/v1/roles/${role}` },
    },
    {
      action: 'user.update',
      target: onVictim,
      detail: { email: victim.email, before: { role: 'viewer' }, after: { role: 'editor' } },
      call: { method: 'PATCH', url: userUrl, body: { role: 'editor', disabled: false } },
    },
    {
      action: 'user.make_link',
      target: onVictim,
      detail: { email: victim.email },
      call: { method: 'POST', url: `${userUrl}/link` },
    },
    {
      action: 'api_key.revoke',
      target: { type: 'api_key', id: key.keyId },
      detail: { name: 'a key', user_id: victim.userId, scopes: null, expires_at: null },
      call: { method: 'DELETE', url: `/api/v1/api-keys/${key.keyId}` },
    },
    {
      action: 'user.delete',
      target: onVictim,
      detail: { email: victim.email, role: 'editor', disabled: false },
      call: { method: 'DELETE', url: userUrl },
    },
  ]
}

test('each change leaves one entry: actor, old and new value, time, address, credential and request', async () => {
  const admin = await aPerson(t)
  for (const { action, target, detail, call } of changes(await scene())) {
    t.clock.advance(1000)
    const headers = { ...admin.bearer, 'x-request-id': `audited-${action}` }
    const response = await send(t, { ...call, headers })
    expect([action, response.statusCode < 300]).toEqual([action, true])
    expect(await entriesOf(t, response)).toEqual([
      {
        id: expect.stringMatching(/^aud_[0-9a-z]{26}$/) as string,
        at: t.clock.now.toISOString(),
        actor: { kind: 'person', id: admin.userId, email: admin.email },
        credential_id: admin.sessionId,
        api_key_name: null,
        action,
        target,
        detail,
        address: '127.0.0.1',
        request_id: `audited-${action}`,
      },
    ])
  }
})

test('each creation leaves one entry that names the object and holds no secret', async () => {
  const { bearer } = await aPerson(t)
  const { clusterId, name } = await aCluster(t)
  const make = (path: string, body?: unknown) =>
    send(t, { method: 'POST', url: `/api/v1/${path}`, headers: bearer, body })
  const made = [
    {
      as: 'cluster.create',
      from: await make('clusters', { name: 'Madagascar', provider: 'EKS' }),
      secret: 'agent_token',
      detail: { name: 'Madagascar', provider: 'EKS', region: 'unknown' },
    },
    {
      as: 'agent_token.rotate',
      from: await make(`clusters/${clusterId}/agent-tokens`, { overlap_minutes: 5 }),
      secret: 'token',
      detail: { cluster_id: clusterId, cluster_name: name, overlap_minutes: 5 },
    },
    {
      as: 'user.create',
      from: await make('users', { email: 'a@audit.test', role: 'viewer', password }),
      secret: '',
      detail: { email: 'a@audit.test', role: 'viewer' },
    },
    {
      as: 'api_key.create',
      from: await make('api-keys', { name: 'a key', scopes: ['clusters:read'] }),
      secret: 'key',
      detail: { name: 'a key', scopes: ['clusters:read'], expires_at: null },
    },
    {
      as: 'role.create',
      from: await make('roles', { name: 'made', permissions: [], namespaces: ['shop'] }),
      secret: '',
      detail: { permissions: [], clusters: null, namespaces: ['shop'] },
    },
    { as: 'signing_key.rotate', from: await make('signing-keys'), secret: '', detail: { end_sessions: false } },
    {
      as: 'price_override.create',
      from: await make('price-overrides', { kind: 'discount', provider: 'aws', percent: 10 }),
      secret: '',
      detail: { kind: 'discount', provider: 'aws', percent: 10 },
    },
  ]
  for (const { as, from, secret, detail } of made) {
    expect([as, from.statusCode]).toEqual([as, 201])
    const body = from.json<Record<string, string>>()
    const entries = await entriesOf(t, from)
    expect(entries).toMatchObject([
      { action: as, target: { type: as.split('.')[0], id: body.id ?? body.kid ?? body.name }, detail },
    ])
    const text = JSON.stringify(entries)
    expect(text).not.toContain(password)
    expect(text).not.toContain(body[secret] ?? password)
  }
})

test('a deleted or replaced object is identifiable in the audit: a price and a policy', async () => {
  const { bearer: headers } = await aPerson(t)
  const { clusterId, name } = await aCluster(t)
  const body = { kind: 'node_price', instance_type: 'm5.xlarge', usd_per_hour: '0.161', note: 'contract 7' }
  const { id } = (await send(t, { method: 'POST', url: '/api/v1/price-overrides', headers, body })).json<{
    id: string
  }>()
  const ended = await send(t, { method: 'DELETE', url: `/api/v1/price-overrides/${id}`, headers })
  expect(await entriesOf(t, ended)).toMatchObject([
    { action: 'price_override.end', target: { id }, detail: { ...body, usd_per_hour: 0.161 } },
  ])

  const policy = { cluster_id: clusterId, namespace: 'shop', settings: { dial: 'safe' } }
  const set = await send(t, { method: 'PUT', url: '/api/v1/policies', headers, body: policy })
  expect(await entriesOf(t, set)).toMatchObject([
    {
      action: 'policy.set',
      target: { type: 'policy', id: clusterId },
      detail: { cluster_name: name, namespace: 'shop', settings: { dial: 'safe' }, settings_before: {} },
    },
  ])
  const again = { ...policy, settings: { min_savings: 5 } }
  const edited = await send(t, { method: 'PUT', url: '/api/v1/policies', headers, body: again })
  expect(await entriesOf(t, edited)).toMatchObject([
    { detail: { settings: { min_savings: 5 }, settings_before: { dial: 'safe' } } },
  ])
})

test('replaced values are in the audit: team rules, and chart paths by container', async () => {
  const { bearer: headers } = await aPerson(t)
  const { clusterId } = await aCluster(t)
  const rules = (team: string) => [{ team, namespace: 'shop' }]
  const map = (team: string) =>
    send(t, { method: 'PUT', url: '/api/v1/team-mapping', headers, body: { rules: rules(team) } })
  await map('red')
  expect(await entriesOf(t, await map('blue'))).toMatchObject([
    { action: 'team_mapping.replace', detail: { before: { rules: rules('red') }, after: { rules: rules('blue') } } },
  ])

  const workload = { namespace: 'shop', kind: 'Deployment', name: 'api', container: 'app' }
  await showWorkloads(t, clusterId, [aFinding({ name: 'api' })])
  const set = (path: string | null) => {
    const body = { cluster_id: clusterId, ...workload, values_path: path }
    return send(t, { method: 'PUT', url: '/api/v1/gitops/helm-paths', headers, body })
  }
  await set('old.resources')
  const target = { type: 'helm_path', id: `${clusterId}/shop/Deployment/api/app` }
  expect(await entriesOf(t, await set('new.resources'))).toMatchObject([
    {
      target,
      detail: {
        ...workload,
        before: { values_path: 'old.resources' },
        after: { values_path: 'new.resources' },
      },
    },
  ])
  expect(await entriesOf(t, await set(null))).toMatchObject([
    { target, detail: { before: { values_path: 'new.resources' }, after: { values_path: null } } },
  ])
})

test('an idempotent replay leaves no second entry', async () => {
  const { bearer } = await aPerson(t)
  const headers = { ...bearer, 'idempotency-key': 'audited-once' }
  const create = () => send(t, { method: 'POST', url: '/api/v1/clusters', headers, body: { name: 'replayed' } })
  expect(await entriesOf(t, await create())).toHaveLength(1)
  expect(await entriesOf(t, await create())).toEqual([])
})

test('a change by an API key is recorded with its user and the key', async () => {
  const { userId, email } = await aPerson(t)
  const { keyId, header } = await anApiKey(t, userId)
  const call = { method: 'POST', url: '/api/v1/clusters', headers: header, body: { name: 'by key' } } as const
  expect(await entriesOf(t, await send(t, call))).toMatchObject([
    { actor: { kind: 'api_key', id: userId, email }, credential_id: keyId, action: 'cluster.create' },
  ])
})

test('a key is named in its entries, even after its revocation', async () => {
  const person = await aPerson(t)
  const made = await send(t, {
    method: 'POST',
    url: '/api/v1/api-keys',
    headers: person.bearer,
    body: { name: 'nightly', scopes: ['clusters:write'] },
  })
  const { id, key = '' } = made.json<CreatedApiKey>()
  const call = { method: 'POST', url: '/api/v1/clusters', headers: { 'x-api-key': key } } as const
  const done = await send(t, { ...call, body: { name: 'made at night' } })
  expect(await entriesOf(t, done)).toMatchObject([{ credential_id: id, api_key_name: 'nightly' }])
  await send(t, { method: 'DELETE', url: `/api/v1/api-keys/${id}`, headers: person.bearer })
  expect(await entriesOf(t, done)).toMatchObject([{ credential_id: id, api_key_name: 'nightly' }])
  expect(await entriesOf(t, made)).toMatchObject([{ actor: { kind: 'person' }, api_key_name: null }])
})

test('signing in, changing a password and signing out leave one entry each, renewing a token leaves none', async () => {
  const { userId, email } = await aPerson(t, 'viewer')
  const actor = { kind: 'person', id: userId, email }
  const signedIn = await send(t, { method: 'POST', url: '/auth/login', body: { email, password } })
  const [entry, ...more] = await entriesOf(t, signedIn)
  expect(more).toEqual([])
  const session = entry?.credential_id
  expect(entry).toMatchObject({ actor, action: 'session.create', target: { type: 'session', id: session } })

  const headers = { authorization: `Bearer ${signedIn.json<LoginResult>().token}` }
  const after = (path: string, body?: unknown) => send(t, { method: 'POST', url: `/auth/${path}`, headers, body })
  expect(await entriesOf(t, await after('refresh'))).toEqual([])
  const body = { current_password: password, new_password: 'a secret of its own' }
  const changed = await entriesOf(t, await after('password', body))
  expect(changed).toMatchObject([{ actor, action: 'user.change_password', target: { type: 'user', id: userId } }])
  expect(JSON.stringify(changed)).not.toMatch(/correct horse|a secret of its own/)
  expect(await entriesOf(t, await after('logout'))).toMatchObject([
    { actor, credential_id: session, action: 'session.delete', target: { type: 'session', id: session } },
  ])
})

test('an accepted link leaves an entry for the password and one for the session', async () => {
  const { bearer } = await aPerson(t)
  const { userId, email } = await aPerson(t, 'viewer')
  const made = await send(t, { method: 'POST', url: `/api/v1/users/${userId}/link`, headers: bearer })
  const code = made.json<OneTimeLink>().link?.split('#')[1]
  const body = { code, password: 'chosen by themselves' }
  const entries = await entriesOf(t, await send(t, { method: 'POST', url: '/auth/accept', body }))
  expect(entries.map(({ action }) => action).sort()).toEqual(['session.create', 'user.accept_link'])
  for (const { actor } of entries) expect(actor).toEqual({ kind: 'person', id: userId, email })
})

test('a change that fails leaves no entry', async () => {
  const admin = await aPerson(t)
  const viewer = await aPerson(t, 'viewer')
  const { clusterId, name } = await aCluster(t)
  const other = await aCluster(t)
  const before = await all()
  const headers = admin.bearer
  const calls: Call[] = [
    { method: 'POST', url: '/api/v1/clusters', headers, body: { name } },
    { method: 'POST', url: '/api/v1/clusters', headers, body: {} },
    { method: 'POST', url: '/api/v1/clusters', headers: viewer.bearer, body: { name: 'x' } },
    { method: 'PATCH', url: `/api/v1/clusters/${clusterId}`, headers, body: { name: other.name } },
    { method: 'DELETE', url: `/api/v1/clusters/${clusterId}`, headers: { ...headers, 'if-match': '"0-x"' } },
    { method: 'DELETE', url: `/api/v1/clusters/${clusterId}/agent-tokens/${other.tokenId}`, headers },
    { method: 'POST', url: '/api/v1/users', headers, body: { email: admin.email, role: 'viewer' } },
    { method: 'PATCH', url: `/api/v1/users/${viewer.userId}`, headers, body: { role: 'nothing' } },
    { method: 'DELETE', url: '/api/v1/roles/viewer', headers },
    { method: 'POST', url: '/api/v1/roles', headers, body: { name: 'editor', permissions: [] } },
    { method: 'DELETE', url: '/api/v1/api-keys/key_x', headers },
    { method: 'POST', url: '/auth/accept', body: { code: 'x', password: 'long enough' } },
  ]
  for (const call of calls) expect((await send(t, call)).statusCode).toBeGreaterThanOrEqual(400)
  expect(await all()).toEqual(before)
})

test('a change whose entry cannot be written is not made', async () => {
  const { bearer } = await aPerson(t)
  const { clusterId, name } = await aCluster(t)
  await sql`alter table audit_entry add constraint full_disk check (false) not valid`.execute(t.db)
  const answers = [
    await send(t, { method: 'POST', url: '/api/v1/clusters', headers: bearer, body: { name: 'unaudited' } }),
    await send(t, {
      method: 'PATCH',
      url: `/api/v1/clusters/${clusterId}`,
      headers: bearer,
      body: { name: 'unaudited' },
    }),
    await send(t, { method: 'DELETE', url: `/api/v1/clusters/${clusterId}`, headers: bearer }),
    await send(t, { method: 'POST', url: '/auth/logout', headers: bearer }),
  ]
  await sql`alter table audit_entry drop constraint full_disk`.execute(t.db)
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([500, 500, 500, 500])
  const shown = await send(t, { url: '/api/v1/clusters', headers: bearer })
  const names = shown.json<{ clusters: CreatedCluster[] }>().clusters.map((cluster) => cluster.name)
  expect(names).toContain(name)
  expect(names).not.toContain('unaudited')
})

test.each([
  { how: 'changed', statement: sql`update audit_entry set actor_email = 'somebody@else.test'` },
  { how: 'deleted', statement: sql`delete from audit_entry` },
  { how: 'deleted when none matches', statement: sql`delete from audit_entry where false` },
  { how: 'truncated', statement: sql`truncate audit_entry` },
])('the database lets no entry be $how', async ({ statement }) => {
  await expect(statement.execute(t.db)).rejects.toThrow('audit_entry is append-only')
})

test('entries outlive their user', async () => {
  const [admin, leaving] = [await aPerson(t), await aPerson(t)]
  const body = { name: 'their last key' }
  const key = await send(t, { method: 'POST', url: '/api/v1/api-keys', headers: leaving.bearer, body })
  await send(t, { method: 'DELETE', url: `/api/v1/users/${leaving.userId}`, headers: admin.bearer })
  expect((await list(admin, `?actor_id=${leaving.userId}`)).entries).toMatchObject([
    { actor: { email: leaving.email }, target: { id: key.json<CreatedApiKey>().id } },
  ])
})
