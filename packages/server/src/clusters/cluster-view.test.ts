import type { Cluster, Condition } from '@plimsoll/contract'
import { expect, test } from 'vitest'
import { aCluster, aPerson, aRole } from '../../test/people.ts'
import { send, useTestApp } from '../../test/test-app.ts'

const t = useTestApp()

const second = 1000
const minute = 60 * second

const aCondition = (type: string, ok: boolean): Condition => ({
  type,
  ok,
  reason: 'because',
  message: 'For people.',
  since: '2026-03-01T11:00:00.000Z',
})

type State = { silentMs?: number; conditions?: Condition[]; monthlyCost?: string }

/** The response for a cluster with this data of its agent and its fold. */
async function shown({ silentMs, conditions = [], monthlyCost = '0' }: State): Promise<Cluster> {
  const { clusterId } = await aCluster(t)
  const seenAt = silentMs === undefined ? null : new Date(t.clock.now.getTime() - silentMs)
  await t.db
    .updateTable('cluster_state')
    .set({
      agent_version: seenAt && '1.2.3',
      agent_last_seen_at: seenAt,
      last_sync_at: seenAt,
      node_count: 2,
      pod_count: 30,
      monthly_cost: monthlyCost,
      conditions: JSON.stringify(conditions),
    })
    .where('cluster_id', '=', clusterId)
    .execute()
  const { bearer } = await aPerson(t, 'viewer')
  return (await send(t, { url: `/api/v1/clusters/${clusterId}`, headers: bearer })).json<Cluster>()
}

const fine = aCondition('metrics', true)
const noMetrics = aCondition('metrics', false)
const mistaken = aCondition('identity', false)

test.each([
  { facts: 'never heard from', state: {}, status: 'pending' },
  { facts: 'never heard from, something is wrong', state: { conditions: [noMetrics] }, status: 'pending' },
  { facts: 'just heard from', state: { silentMs: 0 }, status: 'active' },
  { facts: 'ahead of our clock', state: { silentMs: -minute }, status: 'active' },
  { facts: 'silent for 5 minutes', state: { silentMs: 5 * minute }, status: 'active' },
  { facts: 'silent for a moment more', state: { silentMs: 5 * minute + 1 }, status: 'stale' },
  { facts: 'silent for 30 minutes', state: { silentMs: 30 * minute }, status: 'stale' },
  { facts: 'silent for a moment more than that', state: { silentMs: 30 * minute + 1 }, status: 'disconnected' },
  { facts: 'heard from, all well', state: { silentMs: second, conditions: [fine] }, status: 'active' },
  {
    facts: 'heard from, one thing wrong',
    state: { silentMs: second, conditions: [fine, noMetrics] },
    status: 'degraded',
  },
  { facts: 'silent, one thing wrong', state: { silentMs: 6 * minute, conditions: [noMetrics] }, status: 'stale' },
  { facts: 'another cluster reports', state: { silentMs: second, conditions: [mistaken] }, status: 'error' },
  { facts: 'another one reported long ago', state: { silentMs: 90 * minute, conditions: [mistaken] }, status: 'error' },
])('a cluster that is $facts is $status', async ({ state, status }) => {
  expect((await shown(state)).status).toBe(status)
})

test('status follows the clock without a write', async () => {
  const { clusterId } = await aCluster(t)
  await t.db
    .updateTable('cluster_state')
    .set({ agent_last_seen_at: t.clock.now })
    .where('cluster_id', '=', clusterId)
    .execute()
  const { bearer } = await aPerson(t)
  const seen: string[] = []
  for (const pauseMs of [0, 5 * minute, second, 25 * minute]) {
    t.clock.advance(pauseMs)
    seen.push((await send(t, { url: `/api/v1/clusters/${clusterId}`, headers: bearer })).json<Cluster>().status)
  }
  expect(seen).toEqual(['active', 'active', 'stale', 'disconnected'])
})

test('figures, conditions and the agent are shown as stored', async () => {
  const seenAt = new Date(t.clock.now.getTime() - second).toISOString()
  expect(await shown({ silentMs: second, conditions: [noMetrics], monthlyCost: '1234.5' })).toMatchObject({
    node_count: 2,
    pod_count: 30,
    monthly_cost: 1234.5,
    currency: 'USD',
    last_sync_at: seenAt,
    conditions: [noMetrics],
    agent: { version: '1.2.3', last_seen_at: seenAt },
  })
})

test('a role restricted to namespaces sees no figure or message about other namespaces', async () => {
  const condition = { ...noMetrics, message: '3 of 10 nodes have no price.' }
  const { id, status } = await shown({ silentMs: second, conditions: [condition], monthlyCost: '1234.5' })
  const { bearer } = await aPerson(t, await aRole(t, ['clusters:read'], { namespaces: ['shop'] }))
  const one = (await send(t, { url: `/api/v1/clusters/${id}`, headers: bearer })).json<Cluster>()
  const list = (await send(t, { url: '/api/v1/clusters', headers: bearer })).json<{ clusters: Cluster[] }>()
  for (const cluster of [one, list.clusters.find((each) => each.id === id)]) {
    expect(cluster).toMatchObject({ node_count: null, pod_count: null, monthly_cost: null, status })
    expect(cluster?.conditions).toEqual([
      { ...condition, message: 'Your role does not include the whole cluster, so the message is hidden.' },
    ])
  }
})

test.each([
  { exact: '0.1234564', money: 0.123456 },
  { exact: '0.1234566', money: 0.123457 },
  { exact: '0.00000049', money: 0 },
  { exact: '0.0000005', money: 0.000001 },
  { exact: '1.0000005', money: 1.000001 },
  { exact: '2.0000015', money: 2.000002 },
  { exact: '-3.0000005', money: -3.000001 },
  { exact: '98765432.1234567891234', money: 98765432.123457 },
  { exact: '1000', money: 1000 },
])('a monthly cost of $exact is shown as $money', async ({ exact, money }) => {
  expect((await shown({ monthlyCost: exact })).monthly_cost).toBe(money)
})
