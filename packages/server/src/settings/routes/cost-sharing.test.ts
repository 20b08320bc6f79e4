import type { CostSharing, TeamMapping } from '@plimsoll/contract'
import { beforeEach, expect, test } from 'vitest'
import { get } from '../../../test/folded-cluster.ts'
import { aPerson, type Person } from '../../../test/people.ts'
import { send, useTestApp, type Call } from '../../../test/test-app.ts'

const t = useTestApp()
let admin: Person

beforeEach(async () => {
  admin = await aPerson(t, 'admin')
  await t.db.deleteFrom('team_mapping').execute()
})

const url = '/api/v1/cost-sharing'
const rules = { idle: 'even', overhead: 'none', namespaces: ['monitoring'], namespaces_by: 'even' } as const
const put = (body: object, headers: Call['headers'] = {}, path = url) =>
  send(t, { method: 'PUT', url: path, body, headers: { ...admin.bearer, ...headers } })

test('costs are shared in proportion until an admin chooses other rules', async () => {
  expect(await get<CostSharing>(t, admin, url)).toMatchObject({
    idle: 'proportional',
    overhead: 'proportional',
    namespaces: [],
    namespaces_by: 'proportional',
  })
  expect((await put(rules)).json()).toMatchObject(rules)
  expect(await get<CostSharing>(t, admin, url)).toMatchObject(rules)
})

test('the rules of sharing and those of teams do not replace each other', async () => {
  await put(rules)
  const mapping = await get<TeamMapping>(t, admin, '/api/v1/team-mapping')
  expect(mapping).toMatchObject({ rules: [], updated_at: null })
  const teams = [{ team: 'shop', namespace: 'shop' }]
  expect((await put({ rules: teams }, { 'if-match': mapping.etag }, '/api/v1/team-mapping')).statusCode).toBe(200)
  expect(await get<CostSharing>(t, admin, url)).toMatchObject(rules)
  await put({ ...rules, idle: 'none' })
  expect((await get<TeamMapping>(t, admin, '/api/v1/team-mapping')).rules).toEqual(teams)
})

test('a change names the rules before and after in the audit log, and an outdated edit is refused', async () => {
  const { etag, idle } = await get<CostSharing>(t, admin, url)
  // Entries of one millisecond have no order.
  t.clock.advance(1)
  expect((await put(rules, { 'if-match': etag })).statusCode).toBe(200)
  expect((await put({ ...rules, idle: 'none' }, { 'if-match': etag })).statusCode).toBe(412)
  const { entries } = await get<{ entries: object[] }>(t, admin, '/api/v1/audit?action=cost_sharing.replace')
  expect(entries[0]).toMatchObject({ detail: { before: { idle }, after: rules } })
})

test.each([
  { ...rules, idle: 'weighted' },
  { ...rules, namespaces: ['a', 'a'] },
  { ...rules, namespaces: ['Not A Namespace'] },
  { ...rules, namespaces: Array.from({ length: 101 }, (_each, at) => `n-${at}`) },
  { ...rules, namespaces_by: 'none' },
  { idle: 'even' },
  { ...rules, extra: 1 },
])('%j is refused', async (body) => {
  expect((await put(body)).json()).toMatchObject({ code: 'invalid_body' })
})
