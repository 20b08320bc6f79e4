import { viewsPerUserMax, type View, type ViewList } from '@plimsoll/contract'
import { beforeEach, expect, test } from 'vitest'
import { aPerson, aRole, type Person } from '../../../test/people.ts'
import { send, useTestApp, type Call } from '../../../test/test-app.ts'

const t = useTestApp()
let ada: Person
let bob: Person

beforeEach(async () => {
  ada = await aPerson(t, 'viewer')
  bob = await aPerson(t, 'viewer')
})

const call = (person: Person, options: Call) =>
  send(t, { ...options, headers: { ...person.bearer, ...options.headers } })

async function save(person: Person, change: object = {}): Promise<View> {
  const body = { name: 'By team', path: '/allocation?by=team', ...change }
  const response = await call(person, { method: 'POST', url: '/api/v1/views', body })
  expect(response.statusCode, response.body).toBe(201)
  return response.json<View>()
}

const idsOf = async (person: Person) =>
  (await call(person, { url: '/api/v1/views' })).json<ViewList>().views.map(({ id }) => id)

const answerOf = async (person: Person, options: Call) => {
  const response = await call(person, options)
  return `${response.statusCode} ${response.body === '' ? '' : (response.json<{ code?: string }>().code ?? '')}`.trim()
}

test('a private view is visible only for its owner, a shared one for all who may read reports', async () => {
  const own = await save(ada)
  const shared = await save(ada, { shared: true })
  expect(await idsOf(ada)).toEqual(expect.arrayContaining([own.id, shared.id]))
  const seen = await idsOf(bob)
  expect(seen).toContain(shared.id)
  expect(seen).not.toContain(own.id)
  const limited = await aPerson(t, await aRole(t, ['reports:read'], { teams: ['red'] }))
  expect(await idsOf(limited)).toContain(shared.id)
  const blind = await aPerson(t, await aRole(t, ['clusters:read']))
  expect(await answerOf(blind, { url: '/api/v1/views' })).toBe('403 forbidden')
})

test('only the owner or an admin changes and deletes a view', async () => {
  const own = await save(ada)
  const shared = await save(ada, { shared: true })
  const url = (view: View) => `/api/v1/views/${view.id}`
  const rename = { method: 'PATCH' as const, body: { name: 'Teams' } }
  expect(await answerOf(bob, { ...rename, url: url(own) })).toBe('404 view_not_found')
  expect(await answerOf(bob, { ...rename, url: url(shared) })).toBe('403 view_not_own')
  expect(await answerOf(bob, { method: 'DELETE', url: url(shared) })).toBe('403 view_not_own')
  const limited = await aPerson(t, await aRole(t, ['reports:read', 'settings:write'], { namespaces: ['shop'] }))
  expect(await answerOf(limited, { ...rename, url: url(shared) })).toBe('403 view_not_own')
  const admin = await aPerson(t, 'admin')
  expect(await answerOf(admin, { ...rename, url: url(own) })).toBe('404 view_not_found')
  expect(await answerOf(admin, { ...rename, url: url(shared) })).toBe('200')
  expect(await answerOf(admin, { method: 'DELETE', url: url(shared) })).toBe('204')
  expect(await answerOf(ada, { method: 'DELETE', url: url(own) })).toBe('204')
  expect(await idsOf(ada)).not.toContain(own.id)
})

test('an outdated ETag refuses the change', async () => {
  const view = await save(ada)
  const url = `/api/v1/views/${view.id}`
  const patch = (name: string, etag: string) =>
    call(ada, { method: 'PATCH', url, headers: { 'if-match': etag }, body: { name } })
  const renamed = (await patch('First', view.etag)).json<View>()
  expect(renamed).toMatchObject({ name: 'First', path: view.path })
  expect((await patch('Second', view.etag)).json()).toMatchObject({ code: 'precondition_failed' })
  expect((await patch('Second', renamed.etag)).statusCode).toBe(200)
})

test.each([
  'https://evil.example/',
  '//evil.example/allocation',
  '/\\evil.example',
  'allocation',
  '/allocation?by=team#fragment',
  '/allocation?by= team',
  '/nowhere',
  '/allocation/../sign-in',
  '/sign-in?next=/allocation',
  '/api/v1/allocation',
  '/teams/',
])('the path %s is refused', async (path) => {
  const body = { name: 'x', path }
  expect(await answerOf(ada, { method: 'POST', url: '/api/v1/views', body })).toBe('422 invalid_body')
})

test.each(['/', '/?cluster=cls_1', '/teams/red?window=30d', '/statements?month=2026-10&team=a%2Fb'])(
  'the path %s is a page',
  async (path) => {
    expect((await save(ada, { path })).path).toBe(path)
  },
)

test('a user has a limited number of views', async () => {
  const { userId } = ada
  const row = {
    user_id: userId,
    name: 'x',
    path: '/',
    is_shared: false,
    created_at: t.clock.now,
    updated_at: t.clock.now,
  }
  const rows = Array.from({ length: viewsPerUserMax }, (_, at) => ({ ...row, view_id: `viw_test${userId}${at}` }))
  await t.db.insertInto('saved_view').values(rows).execute()
  const body = { name: 'x', path: '/' }
  expect(await answerOf(ada, { method: 'POST', url: '/api/v1/views', body })).toBe('409 view_limit')
})

test('the views of a deleted user are deleted', async () => {
  const { id } = await save(ada, { shared: true })
  const admin = await aPerson(t, 'admin')
  expect(await answerOf(admin, { method: 'DELETE', url: `/api/v1/users/${ada.userId}` })).toBe('204')
  expect(await idsOf(bob)).not.toContain(id)
})
