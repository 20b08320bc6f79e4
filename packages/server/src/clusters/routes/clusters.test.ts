import type { Cluster, CreatedCluster } from '@plimsoll/contract'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { aCluster, aPerson, aRole, type Person } from '../../../test/people.ts'
import { send, useTestApp } from '../../../test/test-app.ts'
import { findClusterPlace } from '../queries/cluster-figures.ts'
import { listTableClasses } from '../../platform/db/table-classes.ts'
import { purgeCluster } from '../jobs/purge-cluster.ts'

const t = useTestApp()

const create = ({ bearer }: Person, body: unknown, headers: Record<string, string> = {}) =>
  send(t, { method: 'POST', url: '/api/v1/clusters', headers: { ...bearer, ...headers }, body })

const show = ({ bearer }: Person, clusterId: string, headers: Record<string, string> = {}) =>
  send(t, { url: `/api/v1/clusters/${clusterId}`, headers: { ...bearer, ...headers } })

const patch = ({ bearer }: Person, clusterId: string, body: unknown, headers: Record<string, string> = {}) =>
  send(t, { method: 'PATCH', url: `/api/v1/clusters/${clusterId}`, headers: { ...bearer, ...headers }, body })

const remove = ({ bearer }: Person, clusterId: string, headers: Record<string, string> = {}) =>
  send(t, { method: 'DELETE', url: `/api/v1/clusters/${clusterId}`, headers: { ...bearer, ...headers } })

async function listedNames({ bearer }: Person): Promise<string[]> {
  const response = await send(t, { url: '/api/v1/clusters', headers: bearer })
  return response.json<{ clusters: Cluster[] }>().clusters.map(({ name }) => name)
}

test('a created cluster is answered with 201, its address, its token once and the install commands', async () => {
  const editor = await aPerson(t, 'editor')
  const response = await create(editor, { name: 'prod-eu', provider: 'aws', region: 'eu-central-1' })
  const made = response.json<CreatedCluster>()

  expect(response.statusCode).toBe(201)
  expect(response.headers.location).toBe(`/api/v1/clusters/${made.id}`)
  expect(made.agent_token).toMatch(/^pla_[0-9a-z]{26}_[0-9a-z]{59}$/)
  expect(made.install?.kubectl).toContain(`printf %s '${made.agent_token}' |`)
  expect(made.install?.kubectl).toContain("kubectl apply --filename 'http://plimsoll.test/install/agent.yaml'")
  expect(made.install?.helm).toContain("url='http://plimsoll.test',existingSecret=plimsoll-agent-token")

  const shown = await show(editor, made.id)
  expect(shown.body).not.toContain(made.agent_token)
  expect(shown.json()).not.toHaveProperty('install')
})

test('a new cluster has the fields of the specification and is pending', async () => {
  const made = (
    await create(await aPerson(t), { name: 'literal', provider: 'gcp', region: 'europe-west1' })
  ).json<CreatedCluster>()
  expect(made).toMatchObject({
    id: expect.stringMatching(/^cls_[0-9a-z]{26}$/) as string,
    name: 'literal',
    provider: 'gcp',
    region: 'europe-west1',
    status: 'pending',
    node_count: 0,
    pod_count: 0,
    monthly_cost: 0,
    currency: 'USD',
    last_sync_at: null,
    conditions: [],
    agent: { version: null, last_seen_at: null },
    created_at: '2026-03-01T12:00:00.000Z',
  })
})

test('an unknown provider is accepted, and a condition explains the effect', async () => {
  const person = await aPerson(t)
  const response = await create(person, { name: 'mistyped', provider: 'awz' })
  expect(response.statusCode).toBe(201)
  const made = response.json<CreatedCluster>()
  expect(made).toMatchObject({
    provider: 'awz',
    status: 'pending',
    conditions: [{ type: 'provider', ok: false, reason: 'no_price_list', since: made.created_at }],
  })
  const message = made.conditions[0]?.message ?? ''
  expect(message).toContain("no price list for the provider 'awz'. Did you mean aws?")
  expect(message).toContain('one of aws, gcp, azure')
  expect((await patch(person, made.id, { provider: 'aws' })).json()).toMatchObject({ conditions: [] })
})

test('a rename does not make an unknown provider look like a new problem', async () => {
  const person = await aPerson(t)
  const made = (await create(person, { name: 'old-slip', provider: 'awz' })).json<CreatedCluster>()
  t.clock.advance(1000)
  const renamed = (await patch(person, made.id, { name: 'old-slip-renamed' })).json<Cluster>()
  expect(renamed.updated_at).not.toBe(made.updated_at)
  expect(renamed.conditions).toMatchObject([{ type: 'provider', since: made.created_at }])
})

test.each(['kind', 'Oracle Cloud', ''])('the provider %j has no condition', async (provider) => {
  const made = await create(await aPerson(t), { name: `known-${provider}-`, provider })
  expect(made.json()).toMatchObject({ conditions: [] })
})

test.each([
  { sent: {}, provider: 'unknown', region: 'unknown' },
  { sent: { provider: '', region: '  ' }, provider: 'unknown', region: 'unknown' },
  { sent: { provider: 'EKS' }, provider: 'EKS', region: 'unknown' },
  { sent: { provider: ' Amazon ' }, provider: 'Amazon', region: 'unknown' },
  { sent: { provider: 'Google Cloud' }, provider: 'Google Cloud', region: 'unknown' },
  { sent: { provider: 'AKS', region: 'westeurope' }, provider: 'AKS', region: 'westeurope' },
  { sent: { provider: 'Acme Cloud' }, provider: 'Acme Cloud', region: 'unknown' },
  { sent: { provider: 'constructor' }, provider: 'constructor', region: 'unknown' },
])('a cluster sent with $sent is in $provider, $region', async ({ sent, provider, region }) => {
  const name = `place ${JSON.stringify(sent)}`
  const response = await create(await aPerson(t), { name, ...sent })
  expect(response.json()).toMatchObject({ name, provider, region })
})

test('a name is unique', async () => {
  const person = await aPerson(t)
  await create(person, { name: 'taken' })
  const second = await create(person, { name: 'taken', provider: 'aws' })
  expect(second.statusCode).toBe(409)
  expect(second.json()).toMatchObject({
    code: 'cluster_name_taken',
    detail: "Another cluster has the name 'taken'.",
    errors: [{ pointer: '/name', code: 'taken' }],
  })
})

test('of several concurrent creates with one name exactly one succeeds', async () => {
  const person = await aPerson(t)
  const answers = await Promise.all(Array.from({ length: 12 }, () => create(person, { name: 'raced' })))
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([201, ...Array<number>(11).fill(409)])
  expect((await listedNames(person)).filter((name) => name === 'raced')).toHaveLength(1)
})

test('a repeated create with the same idempotency key creates one cluster and does not repeat its token', async () => {
  const person = await aPerson(t)
  const key = { 'idempotency-key': 'connect-once' }
  const first = await create(person, { name: 'once' }, key)
  const again = await create(person, { name: 'once' }, key)
  expect(again.statusCode).toBe(201)
  expect(again.headers['idempotency-replayed']).toBe('true')
  expect(again.headers.location).toBe(first.headers.location)
  const { agent_token: token, install, ...rest } = first.json<CreatedCluster>()
  expect([token, install]).not.toContain(undefined)
  expect(again.json()).toEqual(rest)
})

test('an unchanged cluster is answered with 304', async () => {
  const person = await aPerson(t)
  const { clusterId } = await aCluster(t)
  const first = await show(person, clusterId)
  const etag = String(first.headers.etag)

  const same = await show(person, clusterId, { 'if-none-match': `"other", W/${etag}` })
  expect([same.statusCode, same.body, same.headers.etag]).toEqual([304, '', etag])

  await t.db.updateTable('cluster_state').set({ pod_count: 7 }).where('cluster_id', '=', clusterId).execute()
  const changed = await show(person, clusterId, { 'if-none-match': etag })
  expect(changed.statusCode).toBe(200)
  expect(changed.json()).toMatchObject({ pod_count: 7 })
})

test('the response of a change has the same ETag as reading the cluster', async () => {
  const person = await aPerson(t)
  const made = await create(person, { name: 'tagged' })
  const { id } = made.json<CreatedCluster>()
  expect(made.headers.etag).toBe((await show(person, id)).headers.etag)

  const renamed = await patch(person, id, { name: 'tagged-again' }, { 'if-match': String(made.headers.etag) })
  expect(renamed.statusCode).toBe(200)
  expect(renamed.headers.etag).not.toBe(made.headers.etag)
  expect(renamed.headers.etag).toBe((await show(person, id)).headers.etag)
})

test.each([
  'cls_00000000000000000000000000',
  'cls_1',
  'rec_00000000000000000000000000',
  'CLS',
  "'; drop table cluster",
])('there is no cluster %s', async (clusterId) => {
  const response = await show(await aPerson(t), encodeURIComponent(clusterId))
  expect(response.statusCode).toBe(404)
  expect(response.json()).toMatchObject({ code: 'cluster_not_found', detail: `There is no cluster '${clusterId}'.` })
})

test('the name and the region of a cluster can be changed separately', async () => {
  const person = await aPerson(t)
  const { clusterId } = await aCluster(t, 'before')
  t.clock.advance(1000)
  const renamed = await patch(person, clusterId, { name: 'after' })
  expect(renamed.statusCode).toBe(200)
  expect(renamed.json()).toMatchObject({ id: clusterId, name: 'after', region: 'eu-central-1' })
  expect(renamed.json<Cluster>().updated_at).toBe(t.clock.now.toISOString())

  expect((await patch(person, clusterId, { region: 'us-east-1' })).json()).toMatchObject({
    name: 'after',
    region: 'us-east-1',
  })
  expect((await patch(person, clusterId, { name: 'after' })).statusCode).toBe(200)
})

test.each([
  { sent: 'AWS', provider: 'AWS' },
  { sent: ' Google Cloud ', provider: 'Google Cloud' },
  { sent: 'Acme Cloud', provider: 'Acme Cloud' },
  { sent: '', provider: 'unknown' },
])('a mistyped provider is corrected to $provider by sending $sent, as on connection', async (row) => {
  const person = await aPerson(t)
  const { clusterId } = await aCluster(t)
  const place = { provider: row.provider, region: 'eu-central-1' }
  expect((await patch(person, clusterId, { provider: row.sent })).json()).toMatchObject(place)
  expect((await show(person, clusterId)).json()).toMatchObject(place)
})

test.each(['AWS', 'amazon', 'eks', 'Amazon Web Services'])(
  'the provider %s is echoed as sent, has the prices of aws and no condition',
  async (provider) => {
    const name = `alias ${provider}`
    const made = (await create(await aPerson(t), { name, provider, region: 'eu-central-1' })).json<CreatedCluster>()
    expect(made).toMatchObject({ provider, conditions: [] })
    expect(await findClusterPlace(t.db, made.id)).toEqual({ provider: 'aws', region: 'eu-central-1' })
  },
)

test('a cluster cannot be given the name of another one', async () => {
  const { clusterId } = await aCluster(t, 'mine')
  await aCluster(t, 'theirs')
  const person = await aPerson(t)
  const response = await patch(person, clusterId, { name: 'theirs' })
  expect(response.statusCode).toBe(409)
  expect(response.json()).toMatchObject({ code: 'cluster_name_taken' })
  expect((await show(person, clusterId)).json()).toMatchObject({ name: 'mine' })
})

test('of several concurrent renames to one name exactly one succeeds', async () => {
  const person = await aPerson(t)
  for (const round of ['one', 'two', 'three']) {
    const clusters = await Promise.all([aCluster(t), aCluster(t), aCluster(t), aCluster(t)])
    const answers = await Promise.all([
      ...clusters.map(({ clusterId }) => patch(person, clusterId, { name: `wanted-${round}` })),
      create(person, { name: `wanted-${round}` }),
    ])
    const statuses = answers.map(({ statusCode }) => statusCode)
    expect(statuses.filter((status) => status === 409)).toHaveLength(4)
    expect(statuses.filter((status) => status === 200 || status === 201)).toHaveLength(1)
  }
})

test('an edit of a version that was edited since is rejected', async () => {
  const person = await aPerson(t)
  const { clusterId } = await aCluster(t)
  const etag = String((await show(person, clusterId)).headers.etag)
  expect((await patch(person, clusterId, { region: 'a' }, { 'if-match': etag })).statusCode).toBe(200)

  const late = await patch(person, clusterId, { region: 'b' }, { 'if-match': etag })
  expect(late.statusCode).toBe(412)
  expect(late.json()).toMatchObject({ code: 'precondition_failed' })
  expect((await remove(person, clusterId, { 'if-match': etag })).statusCode).toBe(412)
  expect((await show(person, clusterId)).json()).toMatchObject({ region: 'a' })
  expect((await patch(person, clusterId, { region: 'c' }, { 'if-match': '*' })).statusCode).toBe(200)
})

test('a concurrent report of an agent does not make the edit of a user fail', async () => {
  const person = await aPerson(t)
  const { clusterId } = await aCluster(t)
  const etag = String((await show(person, clusterId)).headers.etag)
  await t.db
    .updateTable('cluster_state')
    .set({ node_count: 3, agent_last_seen_at: t.clock.now, monthly_cost: '12.5' })
    .where('cluster_id', '=', clusterId)
    .execute()
  const response = await patch(person, clusterId, { name: 'edited-meanwhile' }, { 'if-match': etag })
  expect(response.statusCode).toBe(200)
  expect(response.json()).toMatchObject({ name: 'edited-meanwhile', node_count: 3, status: 'active' })
})

test('a deleted cluster returns 404 at once, its agent gets 410, and a second delete returns 404', async () => {
  const editor = await aPerson(t, 'editor')
  const { clusterId, name, bearer } = await aCluster(t, 'doomed')
  expect((await send(t, { url: '/api/v1/clusters', headers: bearer })).statusCode).toBe(403)

  const response = await remove(editor, clusterId)
  expect([response.statusCode, response.body]).toEqual([204, ''])
  expect((await show(editor, clusterId)).statusCode).toBe(404)
  expect(await listedNames(editor)).not.toContain(name)
  expect((await patch(editor, clusterId, { region: 'x' })).statusCode).toBe(404)
  expect((await remove(editor, clusterId)).statusCode).toBe(404)

  const agent = await send(t, { url: '/api/v1/clusters', headers: bearer })
  expect(agent.statusCode).toBe(410)
  expect(agent.json()).toMatchObject({ code: 'cluster_gone' })
  expect((await create(editor, { name: 'doomed' })).statusCode).toBe(201)
})

test('of several concurrent deletes of one cluster exactly one succeeds', async () => {
  const person = await aPerson(t)
  const { clusterId } = await aCluster(t)
  const answers = await Promise.all(Array.from({ length: 5 }, () => remove(person, clusterId)))
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([204, 404, 404, 404, 404])
})

test('a deleted cluster leaves its name in the audit only, and its id where its agent and the audit need it', async () => {
  const person = await aPerson(t)
  const [name, later] = ['Zanzibar-one', 'Zanzibar-two']
  const made = await create(person, { name }, { 'idempotency-key': 'leaves-no-name' })
  const { id: clusterId } = made.json<CreatedCluster>()
  await send(t, {
    method: 'POST',
    url: `/api/v1/clusters/${clusterId}/agent-tokens`,
    headers: { ...person.bearer, 'idempotency-key': 'rotate' },
  })
  await patch(person, clusterId, { name: later, region: 'Zanzibar-three' })
  await aRole(t, ['clusters:read'], { clusters: [clusterId] })

  await remove(person, clusterId)
  await purgeCluster(t.deps, { clusterId })
  expect(await tablesWith('Zanzibar')).toEqual(['audit_entry'])
  expect(await tablesWith(clusterId)).toEqual(['audit_entry', 'cluster_tombstone', 'deleted_agent_token', 'event'])
})

test('the same request after the deletion connects a new cluster', async () => {
  const person = await aPerson(t)
  const key = { 'idempotency-key': 'again-after-delete' }
  const first = (await create(person, { name: 'phoenix' }, key)).json<CreatedCluster>()
  await remove(person, first.id)
  const second = await create(person, { name: 'phoenix' }, key)
  expect(second.statusCode).toBe(201)
  expect(second.json<CreatedCluster>().id).not.toBe(first.id)
  expect(second.json()).toHaveProperty('agent_token')
})

test('a role restricted to clusters sees and changes those and connects none', async () => {
  const [mine, theirs] = [await aCluster(t), await aCluster(t)]
  const role = await aRole(t, ['clusters:read', 'clusters:write', 'clusters:delete'], { clusters: [mine.clusterId] })
  const narrowed = await aPerson(t, role)

  expect(await listedNames(narrowed)).toEqual([mine.name])
  expect((await show(narrowed, mine.clusterId)).statusCode).toBe(200)
  const hidden = await show(narrowed, theirs.clusterId)
  expect([hidden.statusCode, hidden.json<{ code: string }>().code]).toEqual([404, 'cluster_not_found'])
  expect((await patch(narrowed, theirs.clusterId, { region: 'x' })).statusCode).toBe(404)
  expect((await remove(narrowed, theirs.clusterId)).statusCode).toBe(404)

  const connecting = await create(narrowed, { name: 'unseen' })
  expect([connecting.statusCode, connecting.json<{ code: string }>().code]).toEqual([403, 'role_narrowed'])
  expect((await patch(narrowed, mine.clusterId, { region: 'x' })).statusCode).toBe(200)
  expect((await remove(narrowed, mine.clusterId)).statusCode).toBe(204)
  expect(await listedNames(narrowed)).toEqual([])
})

test('a role restricted to namespaces changes nothing that concerns a whole cluster', async () => {
  const { clusterId } = await aCluster(t)
  const role = await aRole(t, ['clusters:read', 'clusters:write', 'clusters:delete'], { namespaces: ['shop'] })
  const narrowed = await aPerson(t, role)
  const answers = [
    await create(narrowed, { name: 'unseen' }),
    await patch(narrowed, clusterId, { region: 'x' }),
    await remove(narrowed, clusterId),
  ]
  for (const answer of answers) {
    expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([403, 'role_narrowed'])
  }
  expect((await show(narrowed, clusterId)).statusCode).toBe(200)
})

/** Tables with a row that holds the text in any column. */
async function tablesWith(text: string): Promise<string[]> {
  const found: string[] = []
  for (const { table } of await listTableClasses(t.db)) {
    const { rows } = await sql`
      select from ${sql.table(table)} as held where strpos(held::text, ${text}) > 0 limit 1`.execute(t.db)
    if (rows.length > 0) found.push(table)
  }
  return found.sort()
}
