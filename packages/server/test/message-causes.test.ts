import type { Observation } from '@plimsoll/engine/rules'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { notify } from '../src/alerts/jobs/notify.ts'
import { recordConnections } from '../src/clusters/queries/connections.ts'
import { verifyApplied } from '../src/recommendations/verify-applied.ts'
import { aChannel } from './channels.ts'
import { aFinding, analysed, idsOf } from './findings.ts'
import { aCluster, aPerson } from './people.ts'
import { send, useTestApp } from './test-app.ts'

const t = useTestApp()
let clusterId: string
let clusterName: string
let channelId: string

beforeEach(async () => {
  await sql`delete from channel`.execute(t.db)
  await sql`delete from alert`.execute(t.db)
  await sql`update cluster_state set agent_last_seen_at = null, silent_since = null`.execute(t.db)
  ;({ channelId } = await aChannel(t.deps, 'webhook', { url: 'https://receiver.example/hook' }))
  ;({ clusterId } = await aCluster(t))
  const { name } = await t.db
    .selectFrom('cluster')
    .select('name')
    .where('cluster_id', '=', clusterId)
    .executeTakeFirstOrThrow()
  clusterName = name
})

/** All messages, once those that wait for others of their time are due. */
const queued = async () => {
  await notify({ ...t.deps, now: () => new Date(t.clock.now.getTime() + 300_000) }, { channelId })
  const rows = await t.db
    .selectFrom('delivery')
    .select(['state', 'transition', 'message'])
    .orderBy('position')
    .execute()
  return rows.map(({ state, transition, message }) => ({ state, transition, ...message }))
}

const seenWith = (cpuMillicores: number, memoryKib: number): Observation => ({
  kind: 'seen',
  cpuMillicores,
  memoryKib,
  replicas: 1,
  price: null,
})

test('a reverted change sends one message, and an unchanged state sends none', async () => {
  const finding = aFinding()
  await analysed(t, clusterId, { findings: [finding] })
  const { web = '' } = await idsOf(t, clusterId)
  const { bearer: headers } = await aPerson(t, 'editor')
  const url = `/api/v1/recommendations/${web}/apply`
  expect((await send(t, { method: 'POST', url, headers })).statusCode).toBe(200)
  const look = (observed: Observation) => {
    t.clock.advance(3_600_000)
    const seen = { observe: () => observed, isFound: () => false, isUnjudged: () => false }
    return t.db.transaction().execute((tx) => verifyApplied(tx, clusterId, seen, t.clock.now))
  }
  const { recommendedSpec, currentSpec } = finding
  if (!recommendedSpec || !currentSpec) throw new Error('the finding changes no container')
  const as = ({ cpuMillicores, memoryKib }: typeof recommendedSpec) => seenWith(cpuMillicores ?? 0, memoryKib ?? 0)
  await look(as(recommendedSpec))
  expect(await queued()).toEqual([])
  await look(as(currentSpec))
  await look(as(currentSpec))
  expect(await queued()).toMatchObject([
    {
      state: 'waiting',
      event: 'saving_reverted',
      title: expect.stringContaining(` (cluster ${clusterName}): reverted`) as string,
      money: { amount: 10, currency: 'USD', per: 'month' },
      links: [{ url: `/recommendations/${web}` }],
    },
  ])
})

test('a silent cluster sends a message after 30 minutes, and its next report ends the alert', async () => {
  const lastData = `${t.clock.now.toISOString().slice(0, 16).replace('T', ' ')} UTC`
  const report = () =>
    sql`update cluster_state set agent_last_seen_at = ${t.clock.now} where cluster_id = ${clusterId}`.execute(t.db)
  const sweepAfter = async (minutes: number) => {
    t.clock.advance(minutes * 60_000)
    for (const time of [1, 2]) await recordConnections(t.db, new Date(t.clock.now.getTime() + time))
  }
  await report()
  await sweepAfter(29)
  expect(await queued()).toEqual([])
  await sweepAfter(2)
  const firing = {
    event: 'cluster_silent',
    severity: 'critical',
    title: `Cluster ${clusterName} sends no data`,
    facts: [
      { label: 'Cluster', value: clusterName },
      { label: 'Last data', value: lastData },
    ],
    endedAt: null,
    transition: 'firing',
    state: 'waiting',
  }
  expect(await queued()).toMatchObject([firing])
  await sql`update delivery set state = 'delivered', tries = 1`.execute(t.db)

  await report()
  await sweepAfter(1)
  expect(await queued()).toHaveLength(1)
  // A cluster that reports for 15 minutes is not silent any more.
  await report()
  await sweepAfter(15)
  const { endedAt: _endedAt, ...same } = firing
  expect(await queued()).toMatchObject([
    { ...firing, state: 'delivered' },
    { ...same, transition: 'resolved', endedAt: new Date(t.clock.now.getTime() + 1).toISOString() },
  ])
  // The next silence is another alert.
  await sweepAfter(31)
  expect(await queued()).toHaveLength(3)
})

test('a deleted cluster is not silent', async () => {
  await sql`update cluster_state set agent_last_seen_at = ${t.clock.now} where cluster_id = ${clusterId}`.execute(t.db)
  await sql`delete from cluster where cluster_id = ${clusterId}`.execute(t.db).catch(() => undefined)
  const { rows } = await sql`select from cluster where cluster_id = ${clusterId}`.execute(t.db)
  if (rows.length > 0) throw new Error('the cluster is still there')
  t.clock.advance(31 * 60_000)
  await recordConnections(t.db, t.clock.now)
  expect(await queued()).toEqual([])
})
