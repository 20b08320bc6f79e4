import type { Policy, PolicyList } from '@plimsoll/contract'
import { beforeEach, expect, test } from 'vitest'
import { get } from '../../../test/folded-cluster.ts'
import { aCluster, aPerson, aRole, type Person } from '../../../test/people.ts'
import { send, useTestApp } from '../../../test/test-app.ts'
import { deleteCluster } from '../../clusters/queries/clusters.ts'

const t = useTestApp()
let person: Person
let clusterId: string

beforeEach(async () => {
  person = await aPerson(t)
  clusterId = (await aCluster(t)).clusterId
})

const put = (namespace: string | null, settings: Policy['settings'], headers: Record<string, string> = {}) =>
  send(t, {
    method: 'PUT',
    url: '/api/v1/policies',
    headers: { ...person.bearer, ...headers },
    body: { cluster_id: clusterId, namespace, settings },
  })

const list = (query = '', caller = person) =>
  get<PolicyList>(t, caller, `/api/v1/policies?cluster_id=${clusterId}${query}`)

const names = ({ policies }: PolicyList) => policies.map(({ namespace }) => namespace)

test('policies are listed in pages, the policy of the whole cluster first', async () => {
  for (const namespace of ['shop', null, 'data', 'ops']) await put(namespace, { dial: 'safe' })
  const first = await list('&limit=3')
  expect([names(first), first.has_more]).toEqual([[null, 'data', 'ops'], true])
  const second = await list(`&limit=3&cursor=${first.next_cursor}`)
  expect(second).toMatchObject({ has_more: false, next_cursor: null })
  expect(names(second)).toEqual(['shop'])
  const narrow = await aPerson(t, await aRole(t, ['settings:read'], { namespaces: ['ops'] }))
  expect(names(await list('&limit=2', narrow))).toEqual([null, 'ops'])
})

test('an edit of a version that was edited since gets a conflict', async () => {
  const made = await put('shop', { dial: 'safe' })
  const etag = String(made.headers.etag)
  expect(etag).toMatch(/^"1-/)
  const edited = await put('shop', { dial: 'thrifty' }, { 'if-match': etag })
  expect(edited.headers.etag).toMatch(/^"2-/)
  const late = await put('shop', { dial: 'balanced' }, { 'if-match': etag })
  expect(late.json()).toMatchObject({ status: 412, code: 'precondition_failed' })
  expect((await list()).policies).toMatchObject([{ settings: { dial: 'thrifty' } }])
  expect((await put('data', {}, { 'if-match': etag })).statusCode).toBe(412)
})

test('of two concurrent first writes, one gets a conflict', async () => {
  const racing = Array.from({ length: 8 }, () => put('raced', { dial: 'safe' }, { 'if-match': '"0-"' }))
  const codes = (await Promise.all(racing)).map(({ statusCode }) => statusCode)
  expect(codes.toSorted()).toEqual([200, ...Array.from({ length: 7 }, () => 412)])
})

const etagOf = async (namespace: string) =>
  (await list()).policies.find((each) => each.namespace === namespace)?.etag ?? 'not listed'

test('each list item has the ETag for its next edit', async () => {
  // In another order than in the database.
  const made = await put('listed', { owner_labels: ['team'], min_savings: 5, dial: 'safe' })
  const etag = await etagOf('listed')
  expect(etag).toBe(made.headers.etag)
  expect((await put('listed', { dial: 'thrifty' }, { 'if-match': etag })).statusCode).toBe(200)
})

test('a deleted and recreated policy differs from the earlier one', async () => {
  const etag = String((await put('anew', { dial: 'safe' })).headers.etag)
  const taken = await put('anew', {}, { 'if-match': etag })
  expect(taken.headers.etag).toMatch(/^"0-/)
  const mine = await put('anew', { dial: 'thrifty' }, { 'if-match': String(taken.headers.etag) })
  expect(mine.headers.etag).toMatch(/^"1-/)
  expect((await put('anew', { dial: 'balanced' }, { 'if-match': etag })).statusCode).toBe(412)
})

test('a first write gets a conflict if another one was faster', async () => {
  expect((await put('first', { dial: 'safe' }, { 'if-match': '"0-"' })).statusCode).toBe(200)
  expect((await put('first', { dial: 'thrifty' }, { 'if-match': '"0-"' })).statusCode).toBe(412)
})

test('without cluster_id the policies of all visible clusters are listed, in pages', async () => {
  const other = await aCluster(t)
  const clusterIds = [clusterId, other.clusterId]
  await put(null, { dial: 'safe' })
  await put('shop', { dial: 'safe' })
  const body = { cluster_id: other.clusterId, namespace: 'shop', settings: { dial: 'thrifty' } }
  await send(t, { method: 'PUT', url: '/api/v1/policies', headers: person.bearer, body })
  const fleet = async (caller: Person, query = '') => get<PolicyList>(t, caller, `/api/v1/policies?limit=500${query}`)
  const ofBoth = ({ policies }: PolicyList) =>
    policies.filter(({ cluster_id: id }) => clusterIds.includes(id)).map((each) => [each.cluster_id, each.namespace])
  const all = [
    [clusterId, null],
    [clusterId, 'shop'],
    [other.clusterId, 'shop'],
  ].sort(([one = ''], [two = '']) => ((one ?? '') < (two ?? '') ? -1 : 1))
  expect(ofBoth(await fleet(person))).toEqual(all)

  const narrow = await aPerson(t, await aRole(t, ['settings:read'], { clusters: clusterIds }))
  const pages: unknown[] = []
  let cursor = ''
  do {
    const shown = await get<PolicyList>(t, narrow, `/api/v1/policies?limit=1${cursor}`)
    pages.push(...ofBoth(shown))
    cursor = shown.next_cursor === null ? '' : `&cursor=${shown.next_cursor}`
  } while (cursor !== '')
  expect(pages).toEqual(all)

  const one = await aPerson(t, await aRole(t, ['settings:read'], { clusters: [other.clusterId] }))
  expect(ofBoth(await fleet(one))).toEqual([[other.clusterId, 'shop']])
  await deleteCluster(t.db, other.clusterId, t.clock.now)
  expect(ofBoth(await fleet(person))).toEqual(all.filter(([id]) => id === clusterId))
})
