import { once } from 'node:events'
import { connect, type AddressInfo } from 'node:net'
import type { Permission, SearchResults, TeamRule } from '@plimsoll/contract'
import { endSecond, startSecond, type SmallWorld } from '@plimsoll/pipeline/testing'
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { aFinding, analysed } from '../../test/findings.ts'
import { aFoldedCluster, get, type FoldedCluster } from '../../test/folded-cluster.ts'
import { aCluster, anApiKey, aPerson, aRole, type Person } from '../../test/people.ts'
import { patience } from '../../test/patience.ts'
import { send, useTestApp } from '../../test/test-app.ts'
import { search as searchAs } from './search.ts'

const t = useTestApp()

const aPod = (uid: string, namespace: string, labels: Record<string, string>): SmallWorld['pods'][number] => ({
  uid,
  namespace,
  labels,
  node: 0,
  useSeed: 1,
  containers: [
    { name: 'c0', millicores: 100, kib: 1024 },
    { name: 'c1', millicores: 100, kib: 1024 },
  ],
  boundAt: startSecond,
  endedAt: Infinity,
  resize: undefined,
})

const aWorld = (node: string, pods: SmallWorld['pods']): SmallWorld => ({
  nodes: [{ uid: node, bornAt: startSecond - 60, endedAt: Infinity }],
  pods,
})

let first: FoldedCluster
let second: FoldedCluster
let admin: Person

beforeAll(async () => {
  first = await aFoldedCluster(
    t,
    aWorld('first-node', [
      aPod('web', 'shop', { team: 'red' }),
      aPod('web-admin', 'shop', { team: 'red' }),
      aPod('old-web', 'data', { team: 'blue' }),
      aPod('a_b', 'data', { team: 'blue' }),
    ]),
  )
  second = await aFoldedCluster(
    t,
    aWorld('second-node', [aPod('web', 'shop', { team: 'green' }), aPod('axb', 'web-tools', { team: 'green' })]),
  )
  admin = await aPerson(t, 'admin')
  const rules: TeamRule[] = [{ team_from_label: 'team' }]
  const response = await send(t, { method: 'PUT', url: '/api/v1/team-mapping', headers: admin.bearer, body: { rules } })
  expect(response.statusCode, response.body).toBe(200)
  for (const name of ['red', 'blue', 'green', 'Été', '100 % web']) await aTeam(name)
  for (const { clusterId } of [first, second])
    await analysed(t, clusterId, {
      findings: [aFinding({ name: 'web' }), aFinding({ name: 'a_b', namespace: 'data' })],
    })
})

async function aTeam(name: string): Promise<void> {
  const url = `/api/v1/teams/${encodeURIComponent(name)}`
  const body = { contact: null, cost_center: null, channel_ids: [] }
  const made = await send(t, { method: 'PUT', url, headers: { ...admin.bearer, 'if-match': '*' }, body })
  expect(made.statusCode, made.body).toBeLessThan(300)
}

beforeEach(() => {
  t.clock.now = new Date(endSecond * 1000)
})

const search = (person: Person, q: string, limit = 20) =>
  get<SearchResults>(t, person, `/api/v1/search?q=${encodeURIComponent(q)}&limit=${limit}`)

/** The names of all results, in order. */
const namesOf = ({ clusters, teams, namespaces, workloads, nodes, recommendations }: SearchResults) => ({
  clusters: clusters.map(({ name }) => name),
  teams: teams.map(({ name }) => name),
  namespaces: namespaces.map(({ name }) => name),
  workloads: workloads.map(({ namespace, name }) => `${namespace}/${name}`),
  nodes: nodes.map(({ name }) => name),
  recommendations: recommendations.map(({ cluster_id: id, title }) => `${id}: ${title}`).sort(),
})

const nothing = { clusters: [], teams: [], namespaces: [], workloads: [], nodes: [], recommendations: [] }

test('exact names come first, then names that begin with the text; a name in two clusters is one result', async () => {
  const results = await search(admin, 'web')
  expect(namesOf(results)).toMatchObject({
    teams: ['100 % web'],
    namespaces: ['web-tools'],
    workloads: ['shop/web', 'shop/web-admin', 'web-tools/axb', 'data/old-web'],
  })
  expect(results.workloads[0]).toEqual({
    namespace: 'shop',
    kind: 'Deployment',
    name: 'web',
    cluster_ids: [first.clusterId, second.clusterId].sort(),
  })
})

test('every word must occur, in any order and case', async () => {
  expect(namesOf(await search(admin, '  WEB   sho ')).workloads).toEqual(['shop/web', 'shop/web-admin'])
  expect(namesOf(await search(admin, 'web nowhere'))).toEqual(nothing)
})

test('each kind has at most the limit, and says which kinds have more', async () => {
  const results = await search(admin, 'e e', 1)
  const { more, ...kinds } = results
  for (const found of Object.values(kinds)) expect(found.length).toBeLessThanOrEqual(1)
  expect(more).toEqual(['clusters', 'teams', 'workloads', 'nodes', 'recommendations'])
  expect((await search(admin, 'first-node')).more).toEqual([])
})

test.each([
  ['0 %', { ...nothing, teams: ['100 % web'] }],
  ['a_', { ...nothing, workloads: ['data/a_b'], recommendations: expect.any(Array) as string[] }],
  ['a_b', { ...nothing, workloads: ['data/a_b'], recommendations: expect.any(Array) as string[] }],
  ['\\\\', nothing],
  ["' or 1=1 --", nothing],
  // Not 'été': a database with the locale C compares letters outside ASCII by case.
  ['Été', { ...nothing, teams: ['Été'] }],
  ['🦊🦊', nothing],
  ['__idle__', nothing],
])('%s is plain text', async (text, names) => {
  expect(namesOf(await search(admin, text))).toEqual(names)
})

test.each([
  ['no text', ''],
  ['an empty text', 'q='],
  ['only spaces', 'q=%20%09'],
  ['one letter', 'q=e'],
  ['one letter and spaces', 'q=%20e%20'],
  ['one letter outside the BMP', 'q=%F0%9F%A6%8A'],
  ['10,000 characters', `q=${'x'.repeat(10_000)}`],
  ['a NUL character', 'q=a%00b'],
  ['a limit of 0', 'q=web&limit=0'],
  ['a limit above the maximum', 'q=web&limit=21'],
  ['an unknown parameter', 'q=web&kind=nodes'],
])('%s is refused', async (_name, query) => {
  const response = await send(t, { url: `/api/v1/search?${query}`, headers: admin.bearer })
  expect([response.statusCode, response.json<{ code: string }>().code]).toEqual([400, 'invalid_parameter'])
})

describe('a role', () => {
  const as = async (permissions: Permission[], narrow: Parameters<typeof aRole>[2] = {}) =>
    aPerson(t, await aRole(t, permissions, narrow))
  const reading: Permission[] = ['clusters:read', 'reports:read', 'recommendations:read']

  test('finds only the kinds of its permissions', async () => {
    const all = namesOf(await search(await as(reading), 'e e'))
    const { clusters, recommendations, ...costs } = all
    for (const found of Object.values(all)) expect(found).not.toEqual([])
    expect(namesOf(await search(await as(['clusters:read']), 'e e'))).toEqual({ ...nothing, clusters })
    expect(namesOf(await search(await as(['recommendations:read']), 'e e'))).toEqual({ ...nothing, recommendations })
    expect(namesOf(await search(await as(['reports:read']), 'e e'))).toEqual({ ...nothing, ...costs })
    expect(namesOf(await search(await as([]), 'e e'))).toEqual(nothing)
  })

  test('limited to a cluster finds its objects and the teams of its workloads', async () => {
    const person = await as(reading, { clusters: [second.clusterId] })
    expect(namesOf(await search(person, 'e e'))).toEqual({
      clusters: [second.name],
      teams: ['green'],
      namespaces: ['web-tools'],
      workloads: ['shop/web', 'web-tools/axb'],
      nodes: ['second-node'],
      recommendations: ['a_b', 'web'].map((name) => `${second.clusterId}: Lower requests of ${name}`),
    })
    expect((await search(person, 'web')).workloads[0]?.cluster_ids).toEqual([second.clusterId])
    expect(namesOf(await search(await as(reading, { clusters: [] }), 'e e'))).toEqual(nothing)
  })

  test('limited to namespaces finds no nodes and nothing of other namespaces', async () => {
    const person = await as(reading, { namespaces: ['data'] })
    const { clusters, ...found } = namesOf(await search(person, 'b b'))
    expect(clusters).not.toContain('data')
    expect(found).toMatchObject({ teams: ['blue'], namespaces: [], workloads: ['data/a_b', 'data/old-web'], nodes: [] })
    expect(found.recommendations).toHaveLength(2)
    for (const each of found.recommendations) expect(each).toMatch(/ a_b$/)
    expect(namesOf(await search(person, 'shop'))).toMatchObject({ namespaces: [], workloads: [] })
  })

  test('limited to namespaces does not see the cost of whole clusters', async () => {
    const costsFor = async (person: Person) =>
      (await search(person, 'cluster')).clusters.map(({ monthly_cost: cost }) => cost !== null)
    expect(await costsFor(admin)).toEqual([true, true])
    expect(await costsFor(await as(reading, { namespaces: ['data'] }))).toEqual([false, false])
  })

  test('limited to a team finds its workloads, their namespaces and the team, and no clusters', async () => {
    const person = await as(reading, { teams: ['green'] })
    const own = { ...nothing, namespaces: ['web-tools'], workloads: ['shop/web', 'web-tools/axb'] }
    expect(namesOf(await search(person, 'web'))).toEqual(own)
    expect((await search(person, 'shop')).workloads).toEqual([
      { namespace: 'shop', kind: 'Deployment', name: 'web', cluster_ids: [second.clusterId] },
    ])
    expect(namesOf(await search(person, 'green'))).toEqual({ ...nothing, teams: ['green'] })
    expect(namesOf(await search(person, 'red'))).toEqual(nothing)
    expect(namesOf(await search(await as(reading, { teams: ['red'], clusters: [second.clusterId] }), 'web'))).toEqual(
      nothing,
    )
  })

  test('with an API key finds the kinds of its scopes', async () => {
    const { userId } = await aPerson(t, 'viewer')
    const { header } = await anApiKey(t, userId, ['recommendations:read'])
    const response = await send(t, { url: '/api/v1/search?q=web', headers: header })
    const found = namesOf(response.json<SearchResults>())
    expect(found).toEqual({ ...nothing, recommendations: expect.any(Array) as string[] })
    expect(found.recommendations).toHaveLength(2)
  })
})

test('objects of a deleted cluster are not found', async () => {
  const { clusterId, name } = await aCluster(t, 'soon-deleted')
  expect(namesOf(await search(admin, 'soon')).clusters).toEqual([name])
  await analysed(t, clusterId, { findings: [aFinding({ name: 'lonely' })] })
  const headers = { ...admin.bearer, 'if-match': '*' }
  const gone = await send(t, { method: 'DELETE', url: `/api/v1/clusters/${clusterId}`, headers })
  expect(gone.statusCode, gone.body).toBeLessThan(300)
  expect(namesOf(await search(admin, 'soon'))).toEqual(nothing)
  expect(namesOf(await search(admin, 'lonely'))).toEqual(nothing)
})

test('team labels with more values than the search reads are named in `more`', async () => {
  const wanted = { text: 'web', words: ['web'], limit: 20 }
  const permissions = new Set<Permission>(['reports:read'])
  const more = async (narrow: { clusters?: string[]; teams?: string[] }, ownersMax: number) => {
    const caller = { permissions, clusters: null, namespaces: null, teams: null, ...narrow }
    return (await searchAs(t.db, caller, wanted, { now: t.clock.now, ownersMax })).more
  }
  expect(await more({ teams: ['green'] }, 100)).toEqual([])
  expect(await more({ teams: ['green'] }, 1)).toEqual(['namespaces', 'workloads'])
  expect(await more({ clusters: [first.clusterId] }, 1)).toEqual(['teams'])
})

test('a search ends when its client disconnects', async () => {
  await t.app.listen({ port: 0, host: '127.0.0.1' })
  const waiting = async () => {
    const { rows } = await sql`select from pg_stat_activity
      where wait_event_type = 'Lock' and datname = current_database()`.execute(t.db)
    return rows.length
  }
  await t.db.transaction().execute(async (tx) => {
    await sql`lock table node in access exclusive mode`.execute(tx)
    const socket = connect((t.app.server.address() as AddressInfo).port, '127.0.0.1')
    const { authorization } = admin.bearer
    socket.write(`GET /api/v1/search?q=web HTTP/1.1\r\nhost: localhost\r\nauthorization: ${authorization}\r\n\r\n`)
    await vi.waitUntil(async () => (await waiting()) === 1, patience)
    const closed = once(socket, 'close')
    socket.destroy()
    await closed
    await vi.waitUntil(async () => (await waiting()) === 0, patience)
  })
})
