import type { Alert, AlertList, AlertRuleList } from '@plimsoll/contract'
import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { entriesOf } from '../../../test/audit-trail.ts'
import { aChannel } from '../../../test/channels.ts'
import { get } from '../../../test/folded-cluster.ts'
import { aCluster, aPerson, aRole, type Person } from '../../../test/people.ts'
import { expectProblem } from '../../../test/promises.ts'
import { send, useTestApp } from '../../../test/test-app.ts'
import { sweep } from '../../maintenance/sweep.ts'
import { announceAgain, evaluateRule } from '../evaluate-rule.ts'
import { notify } from '../jobs/notify.ts'

const t = useTestApp()
let editor: Person
let clusterId: string
let otherId: string

beforeAll(async () => {
  editor = await aPerson(t, 'editor')
  ;({ clusterId } = await aCluster(t))
  ;({ clusterId: otherId } = await aCluster(t))
})

beforeEach(async () => {
  for (const table of ['alert', 'channel', 'alert_rule']) await sql`delete from ${sql.table(table)}`.execute(t.db)
  const content = { severity: 'warning' as const, title: 'One', facts: [], money: null, links: [] }
  const conditions = [
    { entity: 'installation', clusterId: null, namespace: null },
    { entity: 'cluster', clusterId, namespace: null },
    { entity: 'shop', clusterId, namespace: 'shop' },
    { entity: 'other', clusterId: otherId, namespace: 'shop', team: 'blue' },
  ].map((each) => ({ ...each, isTrue: true, content: { ...content, title: each.entity } }))
  await aChannel(t.deps, 'slack', { url: 'https://hooks.slack.com/services/T/B/X' })
  t.clock.advance(60_000)
  await t.db.transaction().execute((tx) => evaluateRule(tx, { rule: 'channel_failing', conditions }, t.clock.now))
})

function the<Item>(item: Item | undefined): Item {
  if (item === undefined) throw new Error('not found')
  return item
}

const list = async (as = editor, query = '') => (await get<AlertList>(t, as, `/api/v1/alerts${query}`)).alerts

const find = async (title: string) => the((await list()).find((each) => each.title === title))

const act = (id: string, action: string, body?: object, as = editor) =>
  send(t, {
    method: 'POST',
    url: `/api/v1/alerts/${id}/${action}`,
    headers: as.bearer,
    ...(body ? { body } : {}),
  })

const titles = (alerts: readonly Alert[]) => alerts.map(({ title }) => title).sort()

test('a role that is limited to a part of the fleet sees only its alerts', async () => {
  const limited = async (part: { clusters?: string[]; namespaces?: string[]; teams?: string[] }) =>
    titles(await list(await aPerson(t, await aRole(t, ['alerts:read'], part))))
  expect(titles(await list())).toEqual(['cluster', 'installation', 'other', 'shop'])
  expect(await limited({ clusters: [clusterId] })).toEqual(['cluster', 'shop'])
  expect(await limited({ namespaces: ['shop'] })).toEqual(['other', 'shop'])
  expect(await limited({ clusters: [clusterId], namespaces: ['shop'] })).toEqual(['shop'])
  expect(await limited({ clusters: [clusterId], namespaces: ['data'] })).toEqual([])
  expect(await limited({ teams: ['blue'] })).toEqual(['other'])
  const person = await aPerson(t, await aRole(t, ['alerts:read', 'alerts:write'], { clusters: [otherId] }))
  const { id } = await find('shop')
  expectProblem(await act(id, 'acknowledge', undefined, person), 'alert_not_found')
  const url = '/api/v1/alert-rules/idle_above'
  const body = { enabled: false }
  expectProblem(await send(t, { method: 'PATCH', url, headers: person.bearer, body }), 'role_narrowed')
})

test('an acknowledged alert drops its waiting messages, and says who did it', async () => {
  const { id } = await find('shop')
  const answer = await act(id, 'acknowledge', { note: 'load test' })
  expect(answer.json()).toMatchObject({
    state: 'firing',
    acknowledged: { by: editor.email, note: 'load test' },
    sent: false,
    unsent_reason: 'acknowledged',
    allowed_actions: ['snooze', 'accept'],
  })
  expect(await entriesOf(t, answer)).toMatchObject([{ action: 'alert.acknowledge' }])
})

test('an acknowledged alert that was sent before has no reason for a missing message', async () => {
  const channel = await t.db.selectFrom('channel').select('channel_id as channelId').executeTakeFirstOrThrow()
  t.clock.advance(300_000)
  await notify(t.deps, channel)
  await act((await find('shop')).id, 'acknowledge')
  const again = { rule: 'channel_failing', entity: 'shop', transition: 'grew 1' } as const
  await t.db.transaction().execute((tx) => announceAgain(tx, again, t.clock.now))
  expect(await find('shop')).toMatchObject({ sent: true, unsent_reason: null })
})

test('a snoozed alert is sent when the snooze ends', async () => {
  const { id } = await find('shop')
  const until = new Date(t.clock.now.getTime() + 3_600_000).toISOString()
  expect((await act(id, 'snooze', { until })).json()).toMatchObject({ snoozed_until: until })
  const channel = await t.db.selectFrom('channel').select('channel_id as channelId').executeTakeFirstOrThrow()
  t.clock.advance(300_000)
  await notify(t.deps, channel)
  expect(await find('shop')).toMatchObject({ sent: false, unsent_reason: 'snoozed' })
  t.clock.advance(3_600_000)
  await notify(t.deps, channel)
  expect(await find('shop')).toMatchObject({ sent: true, unsent_reason: null })
})

test('an alert whose only channel was deleted says that it has no channel', async () => {
  expect(await find('shop')).toMatchObject({ sent: false, unsent_reason: 'collecting' })
  const { channel_id: id } = await t.db.selectFrom('channel').select('channel_id').executeTakeFirstOrThrow()
  const admin = await aPerson(t)
  const url = `/api/v1/channels/${id}`
  expect((await send(t, { method: 'DELETE', url, headers: admin.bearer })).statusCode).toBe(204)
  await sweep(t.deps)
  expect(await find('shop')).toMatchObject({ sent: false, unsent_reason: 'no_channel' })
})

test.each(['2020-01-01T00:00:00Z', '2036-01-01T00:00:00Z'])('snoozing until %s is refused', async (until) => {
  expectProblem(await act((await find('shop')).id, 'snooze', { until }), 'invalid_body')
})

test('an accepted alert needs a reason, stays open, and sends nothing', async () => {
  const { id } = await find('shop')
  expectProblem(await act(id, 'accept', {}), 'invalid_body')
  expect((await act(id, 'accept', { reason: 'new shop' })).json()).toMatchObject({
    state: 'firing',
    accepted: { note: 'new shop' },
    unsent_reason: 'accepted',
    allowed_actions: [],
  })
})

test('a resolved alert cannot be changed', async () => {
  const { id } = await find('shop')
  t.clock.advance(60_000)
  await t.db.transaction().execute((tx) => evaluateRule(tx, { rule: 'channel_failing', conditions: [] }, t.clock.now))
  expectProblem(await act(id, 'acknowledge'), 'alert_resolved')
  expect(await list(editor, '?state=open')).toEqual([])
  expect(await list(editor, `?state=resolved&rule=channel_failing&cluster_id=${clusterId}`)).toHaveLength(2)
})

const rules = async () => (await get<AlertRuleList>(t, editor, '/api/v1/alert-rules')).alert_rules
const ruleOf = async (name: string) => the((await rules()).find(({ rule }) => rule === name))

const edit = (rule: string, body: object, etag?: string) =>
  send(t, {
    method: 'PATCH',
    url: `/api/v1/alert-rules/${rule}`,
    headers: { ...editor.bearer, ...(etag ? { 'if-match': etag } : {}) },
    body,
  })

test('a rule has thresholds with defaults and limits', async () => {
  const before = await ruleOf('idle_above')
  expect(before).toMatchObject({ enabled: true, for_minutes: 1_440, thresholds: [{ value: 40 }, { value: 500 }] })
  const changed = await edit('idle_above', { thresholds: { idle_percent: 30 } }, before.etag)
  expect(changed.json()).toMatchObject({ thresholds: [{ value: 30, default: 40 }, { value: 500 }] })
  expectProblem(await edit('idle_above', { thresholds: { idle_percent: 20 } }, before.etag), 'precondition_failed')
  for (const thresholds of [{ idle_percent: -1 }, { idle_percent: 1e13 }, { other: 1 }, { constructor: 1 }])
    expectProblem(await edit('idle_above', { thresholds }), 'invalid_body')
  expectProblem(await edit('toString', { enabled: true }), 'alert_rule_not_found')
})

test('the rule of incidents says what its alert budget amounts to', async () => {
  expect((await ruleOf('cost_above_expected')).note).toBeNull()
  await sql`update incident_state set threshold = ${String(126n * 10n ** 24n)}`.execute(t.db)
  expect((await ruleOf('cost_above_expected')).note).toBe('Alerts above $126.00/day')
})

test('turning a rule off resolves its alerts', async () => {
  expect((await ruleOf('channel_failing')).fired_30_days).toBe(4)
  expect((await edit('channel_failing', { enabled: false })).json()).toMatchObject({ enabled: false })
  expect(await list(editor, '?state=open')).toEqual([])
})

test('quiet hours are times of day', async () => {
  const set = (body: object) => send(t, { method: 'PUT', url: '/api/v1/alert-delivery', headers: editor.bearer, body })
  const delivery = { quiet_hours: { from: '20:00', to: '07:30' }, quiet_weekends: true, weekly_digest: false }
  expect((await set(delivery)).json()).toMatchObject(delivery)
  expect((await get<AlertRuleList>(t, editor, '/api/v1/alert-rules')).delivery).toMatchObject(delivery)
  expectProblem(await set({ ...delivery, quiet_hours: { from: '24:00', to: '07:00' } }), 'invalid_body')
  expectProblem(await set({ ...delivery, quiet_hours: { from: '20:00', to: '20:00' } }), 'invalid_body')
  expect((await set({ ...delivery, quiet_hours: null })).json()).toMatchObject({ quiet_hours: null })
})
