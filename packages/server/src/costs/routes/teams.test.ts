import type { Team, TeamList } from '@plimsoll/contract'
import { endSecond } from '@plimsoll/pipeline/testing'
import { beforeEach, expect, test } from 'vitest'
import { aChannel } from '../../../test/channels.ts'
import { aReadCluster, get } from '../../../test/folded-cluster.ts'
import { aPerson, aRole, type Person } from '../../../test/people.ts'
import { send, useTestApp, type Call } from '../../../test/test-app.ts'

const t = useTestApp()
let admin: Person

beforeEach(async () => {
  t.clock.now = new Date(endSecond * 1000)
  admin = await aPerson(t)
  await t.db.deleteFrom('team').execute()
})

const call = (method: Call['method'], path: string, body?: unknown, headers: Record<string, string> = {}) =>
  send(t, { ...(method ? { method } : {}), url: `/api/v1/${path}`, body, headers: { ...admin.bearer, ...headers } })

const map = (rules: unknown[]) => call('PUT', 'team-mapping', { rules })
const teamsFor = (person: Person) => get<TeamList>(t, person, '/api/v1/teams')
const nothing = { contact: null, cost_center: null, channel_ids: [] }

test('the list has the cost of each team, unowned namespaces and other cost', async () => {
  const { name } = await aReadCluster(t)
  await map([{ team: 'storefront', namespace: 'shop' }])
  const { teams, unowned, other, total, window } = await teamsFor(admin)
  expect(window.name).toBe('month')
  expect(teams).toMatchObject([{ name: 'storefront', ...nothing, namespaces: 1 }])
  expect(unowned?.namespaces).toMatchObject([{ cluster: name, namespace: 'data' }])
  const cost = teams[0]?.cost ?? 0
  expect(cost).toBeGreaterThan(0)
  expect(cost + (unowned?.cost ?? 0) + (other ?? 0)).toBeCloseTo(total, 5)
})

test('a limited role sees only its teams, and neither unowned nor other cost', async () => {
  await aReadCluster(t)
  await map([
    { team: 'storefront', namespace: 'shop' },
    { team: 'data', namespace: 'data' },
  ])
  const limited = await aPerson(t, await aRole(t, ['reports:read'], { teams: ['data'] }))
  expect(await teamsFor(limited)).toMatchObject({ teams: [{ name: 'data' }], unowned: null, other: null })
  const other = await send(t, { url: '/api/v1/teams/storefront', headers: limited.bearer })
  expect(other.statusCode).toBe(404)
  const inShop = await aPerson(t, await aRole(t, ['reports:read'], { namespaces: ['shop'] }))
  expect((await teamsFor(inShop)).teams.map(({ name }) => name)).toEqual(['storefront'])
})

test('rules, roles and sign-in rules create the teams that they name', async () => {
  await map([{ team: 'by-rule' }, { team_from_label: 'owner' }])
  await call('POST', 'roles', { name: 'of-team', permissions: ['reports:read'], teams: ['by-role'] })
  await call('PUT', 'sign-in-rules', { roles: [], teams: [{ group: 'devs', team: 'by-group' }] })
  const { teams } = await teamsFor(admin)
  expect(teams.map(({ name }) => name)).toEqual(expect.arrayContaining(['by-group', 'by-role', 'by-rule']))
})

test('contact, channels and cost center of a team can be set once per revision', async () => {
  const { channelId } = await aChannel(t.deps, 'email', { recipients: ['shop@example.com'] })
  const body = { contact: 'Ada', cost_center: 'CC-1', channel_ids: [channelId] }
  const first = await call('PUT', 'teams/shop', body)
  expect(first.json<Team>()).toMatchObject({ name: 'shop', ...body })
  const read = await call('GET', 'teams/shop')
  expect(read.headers.etag).toBeDefined()
  const match = { 'if-match': String(read.headers.etag) }
  expect((await call('PUT', 'teams/shop', nothing, match)).statusCode).toBe(200)
  expect((await call('PUT', 'teams/shop', nothing, match)).statusCode).toBe(412)
})

test('other channels of a team need the permission webhooks:write', async () => {
  const { channelId } = await aChannel(t.deps, 'email', { recipients: ['shop@example.com'] })
  const clerk = await aPerson(t, await aRole(t, ['settings:write', 'reports:read']))
  const put = (ids: string[], contact = 'Ada') =>
    send(t, {
      method: 'PUT',
      url: '/api/v1/teams/shop',
      headers: clerk.bearer,
      body: { contact, cost_center: null, channel_ids: ids },
    })
  const refused = { code: 'forbidden', required_permission: 'webhooks:write' }
  expect((await put([channelId])).json()).toMatchObject(refused)
  // The answer does not show which channels exist.
  expect((await put(['chn_unknown'])).json()).toMatchObject(refused)
  await call('PUT', 'teams/shop', { ...nothing, channel_ids: [channelId] })
  expect((await put([])).json()).toMatchObject(refused)
  expect((await put([channelId], 'Bob')).json()).toMatchObject({ contact: 'Bob', channel_ids: [channelId] })
})

test('a deleted channel leaves its team', async () => {
  const { channelId } = await aChannel(t.deps, 'email', { recipients: ['shop@example.com'] })
  await call('PUT', 'teams/shop', { ...nothing, channel_ids: [channelId] })
  await call('DELETE', `channels/${channelId}`)
  expect((await call('GET', 'teams/shop')).json<Team>().channel_ids).toEqual([])
})

test.each([
  { name: 'an unknown channel', path: 'teams/shop', body: { ...nothing, channel_ids: ['chn_1'] }, status: 422 },
  { name: 'a missing field', path: 'teams/shop', body: { contact: null }, status: 422 },
  { name: 'a reserved name', path: 'teams/__none__', body: nothing, status: 404 },
])('$name is rejected', async ({ path, body, status }) => {
  expect((await call('PUT', path, body)).statusCode).toBe(status)
})

test('a team is deleted once nothing names it, and the audit has its details', async () => {
  const { channelId } = await aChannel(t.deps, 'email', { recipients: ['shop@example.com'] })
  const { name: channel } = await t.db
    .selectFrom('channel')
    .select('name')
    .where('channel_id', '=', channelId)
    .executeTakeFirstOrThrow()
  await call('PUT', 'teams/shop', { contact: 'Ada', cost_center: 'CC-1', channel_ids: [channelId] })
  await map([{ team: 'shop', namespace: 'shop' }])
  const role = await aRole(t, ['reports:read'], { teams: ['shop'] })
  await call('PUT', 'sign-in-rules', { roles: [], teams: [{ group: 'devs', team: 'shop' }] })
  const budget = { name: 'Shop', scope: { teams: ['shop'] }, period: 'month', amount: 100 }
  const made = await call('POST', 'budgets', budget)
  expect(made.statusCode, made.body).toBe(201)
  const remove = () => call('DELETE', 'teams/shop')
  const uses = { mapping_rules: 1, sign_in_rules: 1, roles: [role], budgets: ['Shop'], channels: [channel] }
  expect((await remove()).json()).toMatchObject({ code: 'team_in_use', uses })

  await map([])
  await call('PUT', 'sign-in-rules', { roles: [], teams: [] })
  await call('DELETE', `roles/${role}`)
  await call('DELETE', `budgets/${made.json<{ id: string }>().id}`)
  expect((await remove()).json()).toMatchObject({ code: 'team_in_use', uses: { channels: [channel] } })
  await call('PUT', 'teams/shop', { contact: 'Ada', cost_center: 'CC-1', channel_ids: [] })
  const outdated = await call('DELETE', 'teams/shop', undefined, { 'if-match': '"0-AAAAAAAAAAAAAAAA"' })
  expect(outdated.statusCode).toBe(412)
  expect((await remove()).statusCode).toBe(204)
  expect((await remove()).json()).toMatchObject({ code: 'team_not_found' })
  const entry = await t.db
    .selectFrom('audit_entry')
    .select(['action', 'detail'])
    .where('action', '=', 'team.delete')
    .executeTakeFirst()
  expect(entry?.detail).toMatchObject({ contact: 'Ada', cost_center: 'CC-1' })
})
