import { expect, test } from 'vitest'
import { aCluster, aPerson, aRole } from '../../../test/people.ts'
import { expectProblem } from '../../../test/promises.ts'
import { send, useTestApp } from '../../../test/test-app.ts'
import { decodeCursor, encodeCursor, page } from './cursor.ts'

const t = useTestApp()

const now = new Date('2026-03-01T12:00:00Z')
const hour = 3_600_000
const scope = { list: 'things', selection: { sort: 'name', colour: 'red' } }
const made = (key = ['a']) => encodeCursor(t.deps.secrets, scope, key, now)

test('a cursor returns its key, for any content', () => {
  for (const key of [['a'], ['name', 'id'], ['ünï·🚀', "'; drop table x --", '.', '']]) {
    expect(decodeCursor(t.deps.secrets, scope, made(key), now)).toEqual(key)
  }
  expect(decodeCursor(t.deps.secrets, scope, undefined, now)).toBeUndefined()
})

test('the order of the filters does not matter', () => {
  const same = { list: 'things', selection: { colour: 'red', sort: 'name' } }
  expect(decodeCursor(t.deps.secrets, same, made(), now)).toEqual(['a'])
})

test.each([
  { what: 'of another list', other: { ...scope, list: 'others' } },
  { what: 'of another sort', other: { ...scope, selection: { sort: '-name', colour: 'red' } } },
  { what: 'of fewer filters', other: { ...scope, selection: { sort: 'name' } } },
])('a cursor $what is rejected', ({ other }) => {
  expect(() => decodeCursor(t.deps.secrets, other, made(), now)).toThrow('The cursor belongs to another list')
})

test('an altered cursor is rejected', () => {
  const cursor = made()
  const [text = '', signature = ''] = cursor.split('.')
  const flipped = `${text.startsWith('A') ? 'B' : 'A'}${text.slice(1)}`
  for (const wrong of [
    '',
    '.',
    'x',
    text,
    `${flipped}.${signature}`,
    `${text}.`,
    `${cursor}.x`,
    `${cursor}=`,
    `.${signature}`,
  ]) {
    expect(() => decodeCursor(t.deps.secrets, scope, wrong, now), wrong).toThrow('The cursor belongs to another list')
  }
})

test('a cursor is valid for 24 hours', () => {
  const later = (milliseconds: number) => new Date(now.getTime() + milliseconds)
  expect(decodeCursor(t.deps.secrets, scope, made(), later(24 * hour))).toEqual(['a'])
  expect(() => decodeCursor(t.deps.secrets, scope, made(), later(24 * hour + 1))).toThrow('older than 24 hours')
})

test('a page shows the requested rows and whether there are more', () => {
  expect(page([1, 2, 3], 2, String)).toEqual({ shown: [1, 2], next_cursor: '2', has_more: true })
  expect(page([1, 2], 2, String)).toEqual({ shown: [1, 2], next_cursor: null, has_more: false })
  expect(page([], 2, String)).toEqual({ shown: [], next_cursor: null, has_more: false })
})

type Page = { clusters: { name: string }[]; next_cursor: string | null; has_more: boolean }

test('walking a list by its cursors returns each row once', async () => {
  const { bearer } = await aPerson(t)
  for (const name of ['e', 'b', 'd', 'a', 'c']) await aCluster(t, name)
  const pageAt = async (cursor: string): Promise<Page> => {
    const url = `/api/v1/clusters?limit=2&sort=-name${cursor === '' ? '' : `&cursor=${cursor}`}`
    return (await send(t, { url, headers: bearer })).json<Page>()
  }
  const met: string[][] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const { clusters, next_cursor: next, has_more: more } = await pageAt(cursor)
    expect(more).toBe(next !== null)
    met.push(clusters.map(({ name }) => name))
    cursor = next
  }
  expect(met).toEqual([['e', 'd'], ['c', 'b'], ['a']])
})

test('a cursor of another list, other parameters or yesterday is a problem', async () => {
  const { bearer } = await aPerson(t)
  await aRole(t, [])
  await Promise.all([aCluster(t), aCluster(t)])
  const first = await send(t, { url: '/api/v1/clusters?limit=1', headers: bearer })
  const { next_cursor: cursor } = first.json<Page>()
  const follow = (url: string) => send(t, { url: `${url}cursor=${cursor}`, headers: bearer })
  for (const url of ['/api/v1/users?', '/api/v1/audit?', '/api/v1/api-keys?', '/api/v1/clusters?sort=-name&']) {
    expectProblem(await follow(url), 'invalid_cursor')
  }
  expect((await follow('/api/v1/clusters?limit=5&')).statusCode).toBe(200)
  t.clock.advance(24 * hour + 1)
  const { bearer: fresh } = await aPerson(t)
  const expired = await send(t, { url: `/api/v1/clusters?limit=1&cursor=${cursor}`, headers: fresh })
  expect(expired.statusCode).toBe(410)
  expectProblem(expired, 'cursor_expired')
})
