import { endSecond, twoNodesWithCloudResources } from '@plimsoll/pipeline/testing'
import { dayMs, hourMs } from '@plimsoll/engine'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { aChannel } from '../../../test/channels.ts'
import { aReadCluster } from '../../../test/folded-cluster.ts'
import { aPerson } from '../../../test/people.ts'
import { send, useTestApp } from '../../../test/test-app.ts'
import { sweep } from '../../maintenance/sweep.ts'
import { monthBefore } from '../month-windows.ts'
import { sendStatements } from './send-statements.ts'

const t = useTestApp()
const world = new Date(endSecond * 1000)
const third = new Date(Date.UTC(world.getUTCFullYear(), world.getUTCMonth() + 1, 3, 7))
const month = world.toISOString().slice(0, 7)

beforeEach(async () => {
  await aReadCluster(t, twoNodesWithCloudResources)
  await sql`delete from channel`.execute(t.db)
  await sql`update statement_sending set sent_month = ${monthBefore(world)}, waiting_since = ${daysBefore(third, 1)}`.execute(
    t.db,
  )
  t.clock.now = third
})

const daysBefore = (at: Date, days: number) => new Date(at.getTime() - days * dayMs)

const queued = async () => {
  const rows = await t.db.selectFrom('delivery').select(['channel_id', 'transition', 'message']).execute()
  return rows.map(({ channel_id: channelId, transition, message }) => ({ channelId, transition, message }))
}

test('on the 3rd, each channel gets the provisional statements of the last month once, also from three servers', async () => {
  const { channelId } = await aChannel(t.deps, 'email', { recipients: ['finops@example.com'] })
  await aChannel(t.deps, 'pagerduty', { routing_key: 'A'.repeat(32) })
  await Promise.all([sendStatements(t.deps), sendStatements(t.deps), sendStatements(t.deps)])
  await sendStatements(t.deps)
  const messages = await queued()
  expect(messages.map((each) => each.channelId)).toEqual([channelId])
  expect(messages[0]).toMatchObject({
    transition: 'provisional',
    message: { event: 'monthly_statements', title: `Statements ${month} (provisional)` },
  })
  expect(messages[0]?.message.links[0]?.url).toContain(`/statements?month=${month}`)
})

test('a channel that receives other events gets no statements', async () => {
  const { channelId } = await aChannel(t.deps, 'email', { recipients: ['finops@example.com'] })
  await t.db
    .updateTable('channel')
    .set({ events: ['weekly_digest'] })
    .where('channel_id', '=', channelId)
    .execute()
  await sendStatements(t.deps)
  expect(await queued()).toEqual([])
})

const firstAttemptNow = () => sql`update statement_sending set waiting_since = null`.execute(t.db)
const hoursLater = (hours: number) => new Date(third.getTime() + hours * hourMs)
const sendAfter = async (hours: number) => {
  t.clock.now = hoursLater(hours)
  await sendStatements(t.deps)
  return (await queued()).map(({ message }) => message)
}

test('right after an outage, the statements wait until the buffered data of the month is stored', async () => {
  const { clusterId } = await aReadCluster(t, twoNodesWithCloudResources)
  await aChannel(t.deps, 'email', { recipients: ['finops@example.com'] })
  await firstAttemptNow()
  expect(await sendAfter(0)).toEqual([])
  const seen = (hours: number) =>
    sql`update cluster_state set agent_last_seen_at = ${hoursLater(hours)} where cluster_id = ${clusterId}`.execute(
      t.db,
    )
  await seen(3)
  expect(await sendAfter(3)).toEqual([])
  const lastHour = new Date(Date.UTC(world.getUTCFullYear(), world.getUTCMonth() + 1, 1) - hourMs)
  const store = sql`insert into folded_hour (cluster_id, hour, revision, written_at, origin)
    values (${clusterId}, ${lastHour}, 1, ${hoursLater(4)}, 'live')`
  await store.execute(t.db)
  await seen(5)
  expect(await sendAfter(5)).toEqual([])
  const [message] = await sendAfter(6)
  expect(message?.facts.map(({ label }) => label)).not.toContain('Incomplete data')
  await sql`delete from folded_hour where hour = ${lastHour}`.execute(t.db)
  await sql`update cluster_state set agent_last_seen_at = ${world} where cluster_id = ${clusterId}`.execute(t.db)
})

test('statements wait at most three days, and say what is missing', async () => {
  const { clusterId } = await aReadCluster(t, twoNodesWithCloudResources)
  await aChannel(t.deps, 'email', { recipients: ['finops@example.com'] })
  await firstAttemptNow()
  await sendAfter(0)
  await sql`update cluster_state set agent_last_seen_at = ${hoursLater(71)} where cluster_id = ${clusterId}`.execute(
    t.db,
  )
  expect(await sendAfter(71)).toEqual([])
  const [message] = await sendAfter(72)
  expect(message?.facts[0]).toEqual({ label: 'Incomplete data', value: '1 cluster' })
  await sql`update cluster_state set agent_last_seen_at = ${world} where cluster_id = ${clusterId}`.execute(t.db)
})

test('after an outage of 20 days that contains the 3rd, the statements are sent once', async () => {
  const { channelId } = await aChannel(t.deps, 'email', { recipients: ['finops@example.com'] })
  await firstAttemptNow()
  const runFor = async (days: readonly number[]) => {
    for (const day of days) {
      t.clock.now = new Date(third.getTime() + day * dayMs)
      await sweep(t.deps)
      const { rows } = await sql<{ id: string }>`
        select id from graphile_worker.jobs where task_identifier = 'send-statements'`.execute(t.db)
      if (rows.length > 0) await sendStatements(t.deps)
    }
  }
  await runFor([-1, -1 / 24])
  expect(await queued()).toEqual([])
  await runFor([18, 18 + 1 / 24])
  expect(await queued()).toEqual([])
  await runFor([18 + 2 / 24, 19])
  expect((await queued()).map((each) => each.channelId)).toEqual([channelId])

  await aChannel(t.deps, 'email', { recipients: ['later@example.com'] })
  await runFor([20])
  expect(await queued()).toHaveLength(1)
})

test('before the 3rd, and without cost in the last month, nothing is sent', async () => {
  await aChannel(t.deps, 'email', { recipients: ['finops@example.com'] })
  t.clock.now = new Date(third.getTime() - 86_400_000)
  await sendStatements(t.deps)
  t.clock.now = new Date(Date.UTC(world.getUTCFullYear() + 1, world.getUTCMonth(), 3, 7))
  await sendStatements(t.deps)
  expect(await queued()).toEqual([])
})

test('the channel of a team gets only the statement of its team, once', async () => {
  const { bearer: headers } = await aPerson(t, 'admin')
  const body = { rules: [{ team: 'storefront', namespace: 'shop' }, { team: 'others' }] }
  await send(t, { method: 'PUT', url: '/api/v1/team-mapping', headers, body })
  const { channelId } = await aChannel(t.deps, 'email', { recipients: ['shop@example.com'] })
  const team = { contact: null, cost_center: null, channel_ids: [channelId] }
  await send(t, { method: 'PUT', url: '/api/v1/teams/storefront', headers, body: team })
  await Promise.all([sendStatements(t.deps), sendStatements(t.deps)])
  const messages = await queued()
  expect(messages.map(({ message }) => message.title)).toEqual([`Statement of storefront, ${month} (provisional)`])
  expect(messages[0]).toMatchObject({ channelId, message: { links: [{ label: 'Open the statement' }] } })
})

test('a job that failed waits for its next attempt', async () => {
  const job = sql`graphile_worker._private_jobs where key = 'send-statements'`
  const failed = { attempts: 3, run_at: new Date('2040-01-01T00:00:00Z') }
  t.clock.now = new Date(third.getTime() + 60 * dayMs)
  await sweep(t.deps)
  await sql`
    update graphile_worker._private_jobs set attempts = ${failed.attempts}, run_at = ${failed.run_at}
    where key = 'send-statements'`.execute(t.db)
  await sweep(t.deps)
  const { rows } = await sql<typeof failed>`select attempts, run_at from ${job}`.execute(t.db)
  expect(rows).toEqual([failed])
})
