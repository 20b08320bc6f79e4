import { sql } from 'kysely'
import { beforeEach, expect, test, vi } from 'vitest'
import { aChannel } from '../../test/channels.ts'
import { useTestApp } from '../../test/test-app.ts'
import { isWaitingForLock } from '../../test/waiting-for-lock.ts'
import type { Db } from '../platform/db/database.ts'
import { lockTeam, writeTeam } from '../teams/queries/teams.ts'
import type { AlertCondition } from './condition.ts'
import { endRule, evaluateRule, type RuleEvaluation } from './evaluate-rule.ts'
import { notify } from './jobs/notify.ts'
import { repeatAlerts } from './repeat-alerts.ts'
import { writeDelivery } from './queries/delivery-settings.ts'

const t = useTestApp()
const minuteMs = 60_000
const hourMs = 60 * minuteMs

let webhook: string
let slack: string

beforeEach(async () => {
  await sql`delete from channel`.execute(t.db)
  await sql`delete from alert`.execute(t.db)
  await sql`delete from alert_rule`.execute(t.db)
  await writeDelivery(t.db, { quiet_from: null, quiet_to: null, quiet_weekends: false, sends_digest: false })
  ;({ channelId: webhook } = await aChannel(t.deps, 'webhook', { url: 'https://receiver.example/hook' }))
  ;({ channelId: slack } = await aChannel(t.deps, 'slack', { url: 'https://hooks.slack.com/services/T/B/X' }))
})

const condition = (
  entity: string,
  isTrue: boolean | null = true,
  changes: Partial<AlertCondition> = {},
): AlertCondition => ({
  entity,
  isTrue,
  clusterId: null,
  namespace: null,
  content: { severity: 'warning', title: `Budget ${entity} is spent`, facts: [], money: null, links: [] },
  ...changes,
})

const evaluate = (
  conditions: AlertCondition[],
  { rule = 'channel_failing', ...others }: Partial<RuleEvaluation> = {},
) => t.db.transaction().execute((tx) => evaluateRule(tx, { rule, conditions, ...others }, t.clock.now))

/** What each channel gets, once its notices are due. */
async function messages(afterMs = 5 * minuteMs) {
  t.clock.advance(afterMs)
  for (const channelId of [webhook, slack]) await notify(t.deps, { channelId })
  await sql`update delivery set state = 'delivered', tries = 1`.execute(t.db)
  const rows = await t.db
    .selectFrom('delivery')
    .select(['channel_id', 'message', 'transition'])
    .orderBy('position')
    .execute()
  return rows.map(({ channel_id, message, transition }) => ({
    to: channel_id === slack ? 'slack' : 'webhook',
    title: message.title,
    isEnd: message.endedAt !== null,
    transition,
  }))
}

const alerts = () =>
  t.db.selectFrom('alert').select(['entity', 'state', 'unsent_reason as why']).orderBy('entity').execute()

test('people get one message for the alerts of an hour, programs get one for each alert', async () => {
  await evaluate([condition('a'), condition('b')])
  expect(await messages(0)).toEqual([])
  expect((await alerts()).map(({ why }) => why)).toEqual(['collecting', 'collecting'])
  expect((await messages()).map(({ to, title }) => [to, title])).toEqual([
    ['webhook', 'Budget a is spent'],
    ['webhook', 'Budget b is spent'],
    ['slack', '2 alerts'],
  ])
  await evaluate([condition('a'), condition('b'), condition('c')])
  expect((await messages()).filter(({ to }) => to === 'slack')).toHaveLength(1)
  expect((await alerts()).map(({ why }) => why)).toEqual([null, null, 'grouped'])
  expect((await messages(hourMs)).at(-1)).toMatchObject({ to: 'slack', title: 'Budget c is spent' })
})

test('a repeated evaluation opens no second alert and writes no second message', async () => {
  for (const _time of [1, 2]) await evaluate([condition('a')])
  t.clock.advance(minuteMs)
  await Promise.all([1, 2, 3].map(() => evaluate([condition('a')])))
  expect(await alerts()).toHaveLength(1)
  expect(await messages()).toHaveLength(2)
})

test('the database refuses a second open alert of one identity', async () => {
  await evaluate([condition('a')])
  const copy = sql`insert into alert (alert_id, rule, entity, period, state, is_urgent, content, opened_at, observed_at)
    select 'copy', rule, entity, period, state, is_urgent, content, opened_at, observed_at from alert`
  await expect(copy.execute(t.db)).rejects.toThrow('alert_open')
})

test('an alert that ends before its message is sent is not sent, and says so', async () => {
  await evaluate([condition('a')])
  t.clock.advance(minuteMs)
  await evaluate([])
  expect(await messages()).toEqual([])
  expect(await alerts()).toEqual([{ entity: 'a', state: 'resolved', why: 'ended' }])
})

/** While `end` is not committed, messages are planned. */
async function notifyDuring(change: (tx: Db) => Promise<unknown>): Promise<void> {
  t.clock.advance(5 * minuteMs)
  const ending = await t.db.startTransaction().execute()
  await change(ending)
  let hasNotified = false
  const notified = notify(t.deps, { channelId: webhook }).then(() => (hasNotified = true))
  await vi.waitFor(async () => expect(hasNotified || (await isWaitingForLock(t.db))).toBe(true), 60_000)
  await ending.commit().execute()
  await notified
}

test('an alert that ends while its message is planned is not sent', async () => {
  await evaluate([condition('a')])
  await notifyDuring((tx) => evaluateRule(tx, { rule: 'channel_failing', conditions: [] }, t.clock.now))
  expect(await messages(hourMs)).toEqual([])
  expect(await alerts()).toEqual([{ entity: 'a', state: 'resolved', why: 'ended' }])
})

test('an alert that ends while its message is held back is not sent later', async () => {
  const from = t.clock.now.getUTCHours() * 60
  const quiet = { quiet_from: from, quiet_to: (from + 120) % 1440, quiet_weekends: false }
  await writeDelivery(t.db, { ...quiet, sends_digest: false })
  await evaluate([condition('a')])
  await notifyDuring((tx) => evaluateRule(tx, { rule: 'channel_failing', conditions: [] }, t.clock.now))
  expect(await messages(3 * hourMs)).toEqual([])
})

test.each(['acknowledged', 'accepted'] as const)('an alert that was %s while pending is not sent', async (decision) => {
  const rule = 'namespace_unowned'
  await evaluate([condition('a')], { rule })
  const by = JSON.stringify({ at: t.clock.now.toISOString(), by: 'ada@example.com', note: null })
  await sql`update alert set ${sql.ref(decision)} = ${by}::jsonb`.execute(t.db)
  t.clock.advance(24 * hourMs)
  await evaluate([condition('a')], { rule })
  expect(await messages()).toEqual([])
  expect(await alerts()).toEqual([{ entity: 'a', state: 'firing', why: decision }])
})

test('an open alert is found if a resolved one has a larger ID', async () => {
  await evaluate([condition('a')])
  await sql`insert into alert (alert_id, rule, entity, period, state, is_urgent, content, opened_at, observed_at)
    select 'alr_z', rule, entity, period, 'resolved', is_urgent, content, opened_at, observed_at from alert`.execute(
    t.db,
  )
  t.clock.advance(minuteMs)
  await evaluate([condition('a')])
  expect((await alerts()).map(({ state }) => state).sort()).toEqual(['firing', 'resolved'])
})

test('an open alert is repeated to Alertmanager every 12 hours, and to no other receiver', async () => {
  const address = { url: 'https://alertmanager.example' }
  const { channelId } = await aChannel(t.deps, 'alertmanager', address)
  await evaluate([condition('a')])
  t.clock.advance(5 * minuteMs)
  await notify(t.deps, { channelId })
  await messages(0)
  const sent = async (hours: number) => {
    t.clock.advance(hours * hourMs)
    await t.db.transaction().execute((tx) => repeatAlerts(tx, t.clock.now))
    const rows = await t.db.selectFrom('delivery').select(['channel_id', 'dedup_key']).execute()
    return [rows.length, new Set(rows.filter((row) => row.channel_id === channelId).map((row) => row.dedup_key)).size]
  }
  expect(await sent(11)).toEqual([3, 1])
  expect(await sent(1)).toEqual([4, 1])
  expect(await sent(1)).toEqual([4, 1])
  const ending = await t.db.startTransaction().execute()
  t.clock.advance(12 * hourMs)
  await evaluateRule(ending, { rule: 'channel_failing', conditions: [] }, t.clock.now)
  expect(await sent(0)).toEqual([4, 1])
  await ending.commit().execute()
  expect(await sent(12)).toEqual([4, 1])
})

test('the end goes to the channels that got the alert', async () => {
  await evaluate([condition('a')])
  await messages()
  await evaluate([])
  expect((await messages(hourMs)).slice(2)).toEqual([
    { to: 'webhook', title: 'Budget a is spent', isEnd: true, transition: 'resolved' },
    { to: 'slack', title: 'Budget a is spent', isEnd: true, transition: expect.any(String) as string },
  ])
})

test('missing data does not resolve an alert', async () => {
  await evaluate([condition('a')])
  t.clock.advance(48 * hourMs)
  await evaluate([condition('a', null)])
  t.clock.advance(48 * hourMs)
  await evaluate([], { isUnknown: ({ entity }) => entity === 'a' })
  expect(await alerts()).toMatchObject([{ state: 'firing' }])
})

test('a rule with a wait fires only after it, and a short condition leaves no trace', async () => {
  const rule = 'namespace_unowned'
  await evaluate([condition('a'), condition('b')], { rule })
  t.clock.advance(24 * hourMs)
  await evaluate([condition('a')], { rule })
  expect(await alerts()).toMatchObject([{ entity: 'a', state: 'firing' }])
})

test('a budget sends one message in a period', async () => {
  const rule = 'budget_actual'
  const budget = condition('bud_1', true, { period: '2026-03/100' })
  await evaluate([budget], { rule })
  t.clock.advance(hourMs)
  await evaluate([], { rule })
  t.clock.advance(25 * hourMs)
  await evaluate([], { rule })
  t.clock.advance(hourMs)
  await evaluate([budget], { rule })
  expect(await alerts()).toMatchObject([{ entity: 'bud_1', state: 'resolved' }])
  await evaluate([condition('bud_1', true, { period: '2026-04/100' })], { rule })
  expect(await alerts()).toHaveLength(2)
})

test('an urgent alert is sent at once, also in quiet hours; other alerts wait until the quiet hours end', async () => {
  const from = t.clock.now.getUTCHours() * 60
  const quiet = { quiet_from: from, quiet_to: (from + 120) % 1440, quiet_weekends: false }
  await writeDelivery(t.db, { ...quiet, sends_digest: false })
  await evaluate([condition('later'), condition('now', true, { isUrgent: true })])
  expect((await messages(0)).map(({ to, title }) => [to, title])).toEqual([
    ['webhook', 'Budget now is spent'],
    ['slack', 'Budget now is spent'],
  ])
  expect(await messages()).toHaveLength(2)
  expect((await alerts()).map(({ why }) => why)).toEqual(['quiet_hours', null])
  expect(await messages(3 * hourMs)).toHaveLength(4)
})

test('without a channel the alert says so', async () => {
  await sql`delete from channel`.execute(t.db)
  await evaluate([condition('a')])
  expect(await alerts()).toMatchObject([{ state: 'firing', why: 'no_channel' }])
})

test('a rule that is turned off ends its alerts and opens none', async () => {
  await evaluate([condition('a')])
  await sql`insert into alert_rule values ('channel_failing', false, '{}', 1, now())`.execute(t.db)
  t.clock.advance(minuteMs)
  await t.db.transaction().execute((tx) => endRule(tx, 'channel_failing', t.clock.now))
  t.clock.advance(minuteMs)
  await evaluate([condition('a')])
  expect(await alerts()).toMatchObject([{ state: 'resolved' }])
})

test('1,000 identities are evaluated in few statements', async () => {
  const all = Array.from({ length: 1_000 }, (_, index) => condition(`entity ${index}`))
  await evaluate(all)
  t.clock.advance(hourMs)
  await evaluate(all.map((each) => ({ ...each, isTrue: false })))
  expect((await alerts()).filter(({ state }) => state === 'resolved')).toHaveLength(1_000)
})

test.each([
  { name: 'of a team', team: 'shop', to: ['slack'] },
  { name: 'of another team', team: 'data', to: ['webhook'] },
  { name: 'without a team', team: null, to: ['webhook'] },
])('an alert $name goes to $to, if Slack belongs to the team shop', async ({ team, to }) => {
  const now = t.clock.now
  await t.db.transaction().execute(async (tx) => {
    await lockTeam(tx, 'shop', now)
    await writeTeam(tx, 'shop', { contact: null, cost_center: null, channel_ids: [slack] }, now)
  })
  await evaluate([condition('a', true, { team })])
  expect((await messages()).map((each) => each.to)).toEqual(to)
})
