import { sql } from 'kysely'
import { beforeEach, expect, test, vi } from 'vitest'
import { queueMessage } from '../../channels/index.ts'
import { aChannel, aMessage } from '../../../test/channels.ts'
import { aReadCluster } from '../../../test/folded-cluster.ts'
import { aPerson } from '../../../test/people.ts'
import { useTestApp } from '../../../test/test-app.ts'
import { isEvaluationDue } from '../../alerts/index.ts'
import { EvaluationTooLong } from '../incidents/evaluation-too-long.ts'
import { loadDigestFigures } from '../queries/digest.ts'
import { findIncidentState } from '../queries/incidents.ts'
import { listFailingChannels } from '../queries/installation-figures.ts'
import { evaluateAlerts } from './evaluate-alerts.ts'

const t = useTestApp()

beforeEach(async () => {
  await sql`delete from alert`.execute(t.db)
})

const alerts = async () =>
  (await t.db.selectFrom('alert').select(['rule', 'state']).execute())
    .map(({ rule, state }) => `${rule} ${state}`)
    .sort()

test('stored hours, channels and users are evaluated, and a second run changes nothing', async () => {
  await aReadCluster(t)
  const { channelId } = await aChannel(t.deps, 'webhook', { url: 'https://receiver.example' })
  await t.db.transaction().execute((tx) => queueMessage(tx, { message: aMessage(), transition: 'firing' }, t.clock.now))
  await sql`update delivery set state = 'dead', ended_at = ${t.clock.now} where channel_id = ${channelId}`.execute(t.db)
  const { userId } = await aPerson(t)
  await sql`insert into api_key (key_id, user_id, name, secret_mac, created_at)
    values ('key_1', ${userId}, 'old', ''::bytea, now())`.execute(t.db)
  await sql`update app_user set created_at = ${new Date(0)} where user_id = ${userId}`.execute(t.db)
  await sql`delete from last_use where subject_id = ${userId}`.execute(t.db)
  await sql`insert into alert_rule values ('namespace_unowned', true, '{"unowned_usd_per_month": 0}', 1, now())
    on conflict do nothing`.execute(t.db)
  for (const _time of [1, 2]) await evaluateAlerts(t.deps)
  expect(await alerts()).toEqual(
    expect.arrayContaining(['channel_failing firing', 'key_owner_absent firing', 'namespace_unowned pending']),
  )
  await sql`delete from api_key`.execute(t.db)
  await sql`update delivery set state = 'delivered'`.execute(t.db)
  t.clock.advance(60_000)
  await evaluateAlerts(t.deps)
  expect(await alerts()).toEqual(expect.arrayContaining(['channel_failing resolved', 'key_owner_absent resolved']))
})

test('labels create the teams that they name', async () => {
  const { clusterId } = await aReadCluster(t)
  await sql`update workload_hour set labels = '{"plimsoll.dev/team": "named-by-label"}'
    where cluster_id = ${clusterId}`.execute(t.db)
  await evaluateAlerts(t.deps)
  const teams = await t.db.selectFrom('team').select('name').execute()
  expect(teams.map(({ name }) => name)).toContain('named-by-label')
})

test('a channel that delivers again is no longer failing', async () => {
  await sql`delete from channel`.execute(t.db)
  const { channelId } = await aChannel(t.deps, 'webhook', { url: 'https://receiver.example' })
  for (const transition of ['first', 'second'])
    await t.db.transaction().execute((tx) => queueMessage(tx, { message: aMessage(), transition }, t.clock.now))
  const end = (transition: string, state: string, minutes: number) =>
    sql`update delivery set state = ${state}, ended_at = ${new Date(t.clock.now.getTime() + minutes * 60_000)}
      where transition = ${transition}`.execute(t.db)
  await end('first', 'dead', 2)
  await end('second', 'delivered', 1)
  expect(await listFailingChannels(t.db)).toMatchObject([{ channelId, dead: 1 }])
  await end('second', 'delivered', 3)
  expect(await listFailingChannels(t.db)).toEqual([])
})

test('a part that fails does not stop the others', async () => {
  await sql`update incident_state set evaluated_to = null`.execute(t.db)
  const { channelId } = await aChannel(t.deps, 'webhook', { url: 'https://receiver.example' })
  await t.db.transaction().execute((tx) => queueMessage(tx, { message: aMessage(), transition: 'again' }, t.clock.now))
  await sql`update delivery set state = 'dead', ended_at = now() where channel_id = ${channelId}`.execute(t.db)
  const monitoring = { ...t.deps.monitoring, evaluateIncidents: () => Promise.reject(new Error('no memory')) }
  await expect(evaluateAlerts({ ...t.deps, monitoring })).rejects.toThrow('not all alert rules were evaluated')
  expect(await alerts()).toContain('channel_failing firing')
})

test('an hour whose evaluation takes too long is skipped, and the job ends', async () => {
  await sql`update incident_state set evaluated_to = null`.execute(t.db)
  const evaluateIncidents = vi.fn(() => Promise.reject(new EvaluationTooLong(10)))
  const deps = { ...t.deps, monitoring: { ...t.deps.monitoring, evaluateIncidents } }
  await evaluateAlerts(deps)
  await evaluateAlerts(deps)
  expect(evaluateIncidents).toHaveBeenCalledOnce()
  expect((await findIncidentState(t.db)).evaluatedTo).toBeGreaterThan(0)
})

test('the digest has a run rate, and lists neither shifts nor snoozed alerts', async () => {
  await sql`update cluster_state set monthly_cost = 0`.execute(t.db)
  expect(await loadDigestFigures(t.db, t.clock.now)).toBeUndefined()
  await sql`update cluster_state set monthly_cost = 100`.execute(t.db)
  const later = new Date(t.clock.now.getTime() + 60_000)
  const listed = [
    { title: 'open', unsent_reason: null, snoozed_until: null },
    { title: 'snoozed', unsent_reason: null, snoozed_until: later },
    { title: 'shift', unsent_reason: 'shift', snoozed_until: null },
  ]
  for (const { title, unsent_reason, snoozed_until } of listed)
    await sql`insert into alert (alert_id, rule, entity, period, state, is_urgent, content, opened_at, observed_at,
        unsent_reason, snoozed_until)
      values (${title}, 'idle_above', ${title}, '', 'firing', false, ${JSON.stringify({ title })}::jsonb, now(), now(),
        ${unsent_reason}, ${snoozed_until})`.execute(t.db)
  expect(await loadDigestFigures(t.db, t.clock.now)).toMatchObject({ alerts: ['open'] })
})

test('the digest goes to people and programs, and not to receivers that wait for its end', async () => {
  await sql`delete from channel`.execute(t.db)
  const { channelId: slack } = await aChannel(t.deps, 'slack', { url: 'https://hooks.slack.com/services/T/B/X' })
  await aChannel(t.deps, 'pagerduty', { routing_key: 'a'.repeat(32) })
  await aChannel(t.deps, 'alertmanager', { url: 'https://alertmanager.example' })
  await sql`update alert_delivery set digest_at = null`.execute(t.db)
  t.clock.now = new Date('2026-11-16T07:30:00Z')
  await evaluateAlerts(t.deps)
  const sent = await sql<{ id: string }>`
    select channel_id as id from delivery where message ->> 'event' = 'weekly_digest'`.execute(t.db)
  expect(sent.rows).toEqual([{ id: slack }])
})

test('a finalised hour makes the next evaluation due, five minutes after the last one', async () => {
  await evaluateAlerts(t.deps)
  expect(await isEvaluationDue(t.db, t.clock.now)).toBe(false)
  await sql`insert into event (at, kind, subject_type, subject_id, data)
    values (now(), 'hour.finalised', 'hour', 'x', '{}')`.execute(t.db)
  expect(await isEvaluationDue(t.db, t.clock.now)).toBe(false)
  t.clock.advance(5 * 60_000)
  expect(await isEvaluationDue(t.db, t.clock.now)).toBe(true)
  await evaluateAlerts(t.deps)
  expect(await isEvaluationDue(t.db, t.clock.now)).toBe(false)
  t.clock.advance(15 * 60_000)
  expect(await isEvaluationDue(t.db, t.clock.now)).toBe(true)
})
