import type { AuditEntry, CreatedUser } from '@plimsoll/contract'
import { expect, test } from 'vitest'
import { aPerson, type Person } from '../../test/people.ts'
import { send, useTestApp } from '../../test/test-app.ts'

const t = useTestApp()

type Page = { entries: AuditEntry[]; next_cursor: string | null; has_more: boolean }

const list = async ({ bearer }: Person, query = '') =>
  (await send(t, { url: `/api/v1/audit${query}`, headers: bearer })).json<Page>()

/** Three users, nine entries, a second apart. */
async function history() {
  t.clock.advance(60_000)
  const from = t.clock.now
  const [admin, actor] = [await aPerson(t), await aPerson(t)]
  const users: string[] = []
  for (let round = 0; round < 3; round += 1) {
    const call = (method: 'POST' | 'PATCH' | 'DELETE', url: string, body?: unknown) => {
      t.clock.advance(1000)
      return send(t, { method, url: `/api/v1/users${url}`, headers: actor.bearer, body })
    }
    const body = { email: `${crypto.randomUUID()}@audit.test`, role: 'viewer' }
    const { id } = (await call('POST', '', body)).json<CreatedUser>()
    await call('PATCH', `/${id}`, { role: 'editor' })
    await call('DELETE', `/${id}`)
    users.push(id)
  }
  const at = (seconds: number) => encodeURIComponent(new Date(from.getTime() + seconds * 1000).toISOString())
  return { admin, actor, users, at }
}

test('the audit is read newest first and filtered by actor, action, target and time', async () => {
  const { admin, actor, users, at } = await history()
  const mine = `actor_id=${actor.userId}`
  const actions = async (query: string) => (await list(admin, `?${mine}${query}`)).entries.map(({ action }) => action)

  const round = ['user.delete', 'user.update', 'user.create']
  expect(await actions('')).toEqual([...round, ...round, ...round])
  expect(await actions('&action=user.update')).toEqual(['user.update', 'user.update', 'user.update'])
  expect(await actions(`&action=user.create,user.delete&target_id=${users[1]}`)).toEqual(['user.delete', 'user.create'])
  expect(await actions(`&target_type=user&target_id=${users[0]}`)).toEqual(round)
  expect(await actions('&target_type=cluster')).toEqual([])
  expect(await actions(`&target_type=cluster,user&target_id=${users[0]},${users[1]}`)).toEqual([...round, ...round])
  expect(await actions(`&from=${at(1)}&to=${at(4)}`)).toEqual(round)
  expect(await actions(`&from=${at(9)}`)).toEqual(['user.delete'])
  expect(await actions(`&to=${at(2)}`)).toEqual(['user.create'])
  expect((await list(admin, `?actor_id=${admin.userId}`)).entries).toEqual([])
})

test('pages of the audit hold each entry once, even while entries are added', async () => {
  const { admin, actor } = await history()
  const query = `?actor_id=${actor.userId}&action=user.create,user.update,user.delete`
  const whole = (await list(admin, query)).entries
  const seen: AuditEntry[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const page: Page = await list(admin, `${query}&limit=2${cursor && `&cursor=${cursor}`}`)
    seen.push(...page.entries)
    cursor = page.next_cursor
    t.clock.advance(1000)
    const body = { email: `${crypto.randomUUID()}@audit.test`, role: 'viewer' }
    await send(t, { method: 'POST', url: '/api/v1/users', headers: actor.bearer, body })
  }
  expect(seen).toEqual(whole)

  const { next_cursor: other } = await list(admin, `${query}&limit=2`)
  expect(await list(admin, `?cursor=${other}`)).toMatchObject({ status: 400, code: 'invalid_cursor' })
})

test.each([
  'from=yesterday',
  'to=2026-02-30T00:00:00Z',
  'action=',
  'target_type=users',
  'from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z',
  'actor=x',
  'limit=501',
])('an audit filter ?%s is rejected', async (query) => {
  expect(await list(await aPerson(t), `?${query}`)).toMatchObject({ status: 400, code: 'invalid_parameter' })
})

test('the audit requires audit:read', async () => {
  const editor = await aPerson(t, 'editor')
  expect(await list(editor)).toMatchObject({ status: 403, required_permission: 'audit:read' })
})
