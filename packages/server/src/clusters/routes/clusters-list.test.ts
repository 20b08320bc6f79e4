import type { Cluster } from '@plimsoll/contract'
import { beforeEach, expect, test } from 'vitest'
import { aCluster, anApiKey, aPerson, aRole, type Person } from '../../../test/people.ts'
import { send, useTestApp } from '../../../test/test-app.ts'

const t = useTestApp()

type Page = { clusters: Cluster[]; next_cursor: string | null; has_more: boolean }

const list = async ({ bearer }: Pick<Person, 'bearer'>, query = '') =>
  (await send(t, { url: `/api/v1/clusters${query}`, headers: bearer })).json<Page>()

const sorts = ['name', '-name', 'created_at', '-created_at'] as const

/** Every page of a list; `between` runs after each one. */
async function readAll(
  person: Person,
  query: string,
  between: (seen: Cluster[]) => Promise<void> = async () => undefined,
) {
  const seen: Cluster[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const page: Page = await list(person, `?${query}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`)
    expect(page.has_more).toBe(page.next_cursor !== null)
    seen.push(...page.clusters)
    cursor = page.next_cursor
    await between(seen)
  }
  return seen
}

const deleteCluster = ({ bearer }: Person, clusterId: string) =>
  send(t, { method: 'DELETE', url: `/api/v1/clusters/${clusterId}`, headers: bearer })

beforeEach(async () => {
  await t.db.deleteFrom('cluster').execute()
})

test('an empty fleet is an empty list', async () => {
  expect(await list(await aPerson(t, 'viewer'))).toEqual({ clusters: [], next_cursor: null, has_more: false })
})

test('a plain list is complete, by name, in the plain shape, for a user and for a key', async () => {
  for (const name of ['b', 'c', 'a']) await aCluster(t, name)
  const viewer = await aPerson(t, 'viewer')
  const { clusters, ...rest } = await list(viewer)
  expect(clusters.map(({ name }) => name)).toEqual(['a', 'b', 'c'])
  expect(rest).toEqual({ next_cursor: null, has_more: false })

  const { header } = await anApiKey(t, viewer.userId)
  expect((await send(t, { url: '/api/v1/clusters', headers: header })).json<Page>().clusters).toEqual(clusters)
})

test.each(sorts)('pages sorted by %s hold every cluster once, in order', async (sort) => {
  for (const name of ['m', 'Z', 'ä', 'a', '😀', 'b', 'y', "o'clock", 'b c', 'c']) {
    await aCluster(t, name)
    t.clock.advance(name.length)
  }
  const person = await aPerson(t)
  const whole = (await list(person, `?sort=${sort}`)).clusters
  expect(whole).toHaveLength(10)
  for (const limit of [1, 3, 5, 10, 11]) expect(await readAll(person, `sort=${sort}&limit=${limit}`)).toEqual(whole)

  const key = (cluster: Cluster) =>
    sort.endsWith('name') ? Buffer.from(cluster.name).toString('hex') : cluster.created_at
  const keys = whole.map(key)
  const ascending = [...keys].sort()
  expect(keys).toEqual(sort.startsWith('-') ? ascending.reverse() : ascending)
})

test.each(sorts)('no page sorted by %s loses or repeats a cluster while others come and go', async (sort) => {
  const person = await aPerson(t)
  const staying = new Set<string>()
  const leaving: string[] = []
  for (let index = 0; index < 24; index += 1) {
    t.clock.advance(index % 3)
    const { clusterId } = await aCluster(t, `at-start-${(index * 7) % 24}`)
    if (index % 4 === 0) leaving.push(clusterId)
    else staying.add(clusterId)
  }
  let round = 0
  const seen = await readAll(person, `sort=${sort}&limit=5`, async () => {
    round += 1
    t.clock.advance(1)
    if (round > 5) return
    await Promise.all([aCluster(t, `0-new-${round}`), aCluster(t, `at-start-${round}x`), aCluster(t, `z-new-${round}`)])
    const gone = leaving.pop()
    if (gone !== undefined) await deleteCluster(person, gone)
  })
  const ids = seen.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids.filter((id) => staying.has(id))).toHaveLength(staying.size)
})

test('a page may end with a cluster that is deleted before the next page is requested', async () => {
  const person = await aPerson(t)
  for (const name of ['a', 'b', 'c', 'd']) await aCluster(t, name)
  const seen = await readAll(person, 'limit=2', async (soFar) => {
    await deleteCluster(person, soFar.at(-1)?.id ?? '')
  })
  expect(seen.map(({ name }) => name)).toEqual(['a', 'b', 'c', 'd'])
})

test.each(['limit=0', 'limit=1001', 'limit=-1', 'limit=1.5', 'limit=ten', 'limit=', 'sort=cost', 'status=active'])(
  'a list with ?%s is rejected',
  async (query) => {
    const { bearer } = await aPerson(t)
    const response = await send(t, { url: `/api/v1/clusters?${query}`, headers: bearer })
    expect(response.statusCode).toBe(400)
    const [parameter] = query.split('=')
    expect(response.json()).toMatchObject({ code: 'invalid_parameter', errors: [{ parameter }] })
  },
)

test.each(['limit=1', 'limit=1000'])('a list with ?%s is answered', async (query) => {
  expect(await list(await aPerson(t), `?${query}`)).toMatchObject({ clusters: [] })
})

test('a cursor continues only its own list, for 24 hours', async () => {
  const person = await aPerson(t)
  for (const name of ['a', 'b', 'c']) await aCluster(t, name)
  const { next_cursor: cursor } = await list(person, '?limit=1')
  expect(await list(person, `?sort=-name&cursor=${cursor}`)).toMatchObject({ code: 'invalid_cursor' })
  expect(await list(person, `?cursor=${cursor}x`)).toMatchObject({ code: 'invalid_cursor' })
  expect(await list(person, `?limit=1&cursor=${cursor}`)).toMatchObject({ clusters: [{ name: 'b' }] })

  t.clock.advance(24 * 3_600_000 + 1)
  expect(await list(await aPerson(t), `?cursor=${cursor}`)).toMatchObject({ code: 'cursor_expired', status: 410 })
})

test('a restricted role pages through its own clusters only', async () => {
  const mine: string[] = []
  for (let index = 0; index < 9; index += 1) {
    const { clusterId } = await aCluster(t)
    if (index % 2 === 0) mine.push(clusterId)
  }
  const narrowed = await aPerson(t, await aRole(t, ['clusters:read'], { clusters: mine }))
  const seen = await readAll(narrowed, 'sort=created_at&limit=2')
  expect(seen.map(({ id }) => id).sort()).toEqual(mine.sort())

  const blind = await aPerson(t, await aRole(t, ['clusters:read'], { clusters: [] }))
  expect(await list(blind)).toMatchObject({ clusters: [], has_more: false })
})
