import type { Changes, Savings } from '@plimsoll/contract'
import { decimal } from '@plimsoll/engine'
import { startSecond, twoNodes, twoNodesWithCloudResources, type SmallWorld } from '@plimsoll/pipeline/testing'
import { beforeEach, expect, test } from 'vitest'
import { aFinding, idsOf } from '../../../test/findings.ts'
import { aFoldedCluster, get, isoHour } from '../../../test/folded-cluster.ts'
import { aPerson, aRole, type Person } from '../../../test/people.ts'
import { planned, type PlannedStep } from '../../../test/planned.ts'
import { send, useTestApp } from '../../../test/test-app.ts'

const t = useTestApp()
const hour = 3600

/** After the first hour node-1, at $0.194 per hour, and the unattached disk of 100 GiB are gone. */
const smaller: SmallWorld = {
  ...twoNodesWithCloudResources,
  nodes: twoNodes.nodes.map((node, at) => (at === 1 ? { ...node, endedAt: startSecond + hour } : node)),
  pods: twoNodes.pods.map((pod, at) => (at === 1 ? { ...pod, endedAt: startSecond + hour } : pod)),
  cloudResources: (twoNodesWithCloudResources.cloudResources ?? []).map((resource) =>
    resource.uid === 'forgotten' ? { ...resource, endedAt: startSecond + hour } : resource,
  ),
}

/** $0.23 and $0.194 × 730 hours. */
const nodePrices = { 'node-0': '167.9', 'node-1': '141.62' }

const namedNode = (name: keyof typeof nodePrices, pool: string) => ({
  ...{ name, pool, replacedBy: null },
  usdPerMonth: decimal(nodePrices[name]),
})

const disk = { kind: 'PersistentVolume', namespace: '', name: 'forgotten', container: '' }

const steps: PlannedStep[] = [
  {
    kind: 'remove',
    title: 'Delete volume forgotten',
    findings: [
      {
        ...aFinding({ name: 'disk', ruleId: 'pv_orphaned', namespace: 'data' }),
        target: disk,
        change: { action: 'delete', object: disk, summary: 'Delete it.', fields: [] },
      },
    ],
    shares: ['8'],
  },
  {
    title: 'Lower 2 requests in data and shop',
    nodes: [namedNode('node-0', 'default'), namedNode('node-1', 'compute')],
    findings: [aFinding({ name: 'web' }), aFinding({ name: 'lake', namespace: 'data' })],
    shares: ['154.76', '154.76'],
  },
  { kind: 'rest', findings: [aFinding({ name: 'other' })], shares: ['0'] },
]

let admin: Person
let clusterId: string
let stepIds: string[]

/** Half an hour after the start all changes are applied; the plan that follows has none of the steps. */
beforeEach(async () => {
  clusterId = (await aFoldedCluster(t, smaller)).clusterId
  t.clock.now = new Date((startSecond + hour / 2) * 1000)
  admin = await aPerson(t)
  stepIds = await planned(t, clusterId, steps)
  const ids = await idsOf(t, clusterId)
  for (const name of ['disk', 'web', 'lake']) {
    const url = `/api/v1/recommendations/${ids[name]}/apply`
    expect((await send(t, { method: 'POST', url, headers: admin.bearer })).statusCode).toBe(200)
  }
  await verified('disk', 'verified')
  await verified('web', 'verified')
  await verified('lake', 'reverted')
  t.clock.now = new Date((startSecond + 2 * hour) * 1000)
  await planned(t, clusterId, [])
})

const counted = { hours: 168, oom_kills: 1, restarts: 3, throttled: 0.012 }
const watch = { until: isoHour(168), before: counted, since: { ...counted, oom_kills: 0 }, regressions: [] }

const verified = (name: string, verification: 'verified' | 'reverted') =>
  t.db
    .updateTable('recommendation')
    .set({ verification, verification_detail: JSON.stringify({ observed_savings: 10, watch }) } as object)
    .where('cluster_id', '=', clusterId)
    .where('workload_name', '=', name)
    .execute()

const stepsOf = async (person = admin) =>
  (await get<Savings>(t, person, `/api/v1/savings?cluster_id=${clusterId}&include=steps`)).steps

const nothing = { capacity_freed: 0, reverted: 0, not_observed: 0 }

test('steps that left the plan show their promise, the nodes that are gone, and parts that add up to the cent', async () => {
  const { rows = [], total } = (await stepsOf()) ?? {}
  const free = rows.find(({ kind }) => kind === 'free')
  expect(free).toMatchObject({
    ...{ id: stepIds[1], title: 'Lower 2 requests in data and shop', is_in_plan: false, state: 'partial' },
    // node-1 is gone; the other node stays, for one half because of the reverted change.
    ...{ promised: 309.52, off_the_bill: 141.62, capacity_freed: 83.95, reverted: 83.95, not_observed: 0 },
    ...{ nodes_named: 2, nodes_gone: 1, changes: 2, changes_applied: 2, reverted_names: ['data/lake'] },
    nodes: [
      { name: 'node-0', state: 'stays', ended_at: null, off_the_bill: 0 },
      { name: 'node-1', state: 'gone', ended_at: isoHour(1), off_the_bill: 141.62 },
    ],
    health: { containers: 2, before: { restarts: 6, oom_kills: 2, throttled: 0.012 }, since: { oom_kills: 0 } },
  })
  // 100 GiB at $0.0952 per month: the promise of $8 was too low.
  expect(rows.find(({ kind }) => kind === 'remove')).toMatchObject({
    ...{ id: stepIds[0], state: 'verified', resources_named: 1, resources_gone: 1 },
    ...{ promised: 8, off_the_bill: 9.52, price_difference: 1.52, ...nothing },
  })
  expect(rows).toHaveLength(2)
  expect(total).toMatchObject({
    ...{ promised: 317.52, off_the_bill: 151.14, capacity_freed: 83.95, reverted: 83.95, price_difference: 1.52 },
    ...{ nodes_named: 2, nodes_gone: 1 },
  })
})

test('a role limited to a namespace sees its share of the step, and no nodes', async () => {
  const limited = await aPerson(t, await aRole(t, ['recommendations:read'], { namespaces: ['shop'] }))
  const { rows = [], total } = (await stepsOf(limited)) ?? {}
  expect(rows).toMatchObject([
    {
      ...{ title: 'Lower requests so that nodes can be removed', nodes: [], nodes_named: null, nodes_gone: null },
      ...{ changes: 1, reverted_names: [], promised: 154.76, off_the_bill: 70.81, capacity_freed: 83.95, reverted: 0 },
    },
  ])
  expect(total).toMatchObject({ promised: 154.76, off_the_bill: 70.81, nodes_named: null })
})

test('the waterfall credits removed nodes and volumes to the step that named them', async () => {
  const url = `/api/v1/changes?cluster_id=${clusterId}&from=${isoHour(1)}&to=${isoHour(2)}`
  const { waterfall, total } = await get<Changes>(t, admin, url)
  const causes = waterfall?.causes ?? []
  expect(causes).toMatchObject([
    { kind: 'step', step: { id: stepIds[1], cluster_id: clusterId, nodes: 1, resources: 0 }, per_month: -141.62 },
    { kind: 'step', step: { id: stepIds[0], nodes: 0, resources: 1 }, per_month: -9.52 },
    ...['nodes', 'price', 'storage', 'load_balancers', 'fees', 'new_clusters', 'gone_clusters', 'hours'].map(
      (kind) => ({
        kind,
        amount: 0,
      }),
    ),
  ])
  const sum = (amounts: readonly number[]) => amounts.reduce((all, each) => all + Math.round(each * 1e6), 0)
  expect(sum(causes.map(({ amount }) => amount))).toBe(Math.round(total.difference * 1e6))
  const monthly = causes.map((cause) => cause.per_month ?? NaN)
  expect(sum(monthly)).toBe(Math.round((waterfall?.run_rate?.difference ?? NaN) * 1e6))
  expect(waterfall?.nodes).toMatchObject([{ name: 'node-1', movement: 'removed', step_id: stepIds[1] }])
})

test('a withdrawn decision ends the promise', async () => {
  const { clusterId: id } = await aFoldedCluster(t, twoNodes)
  await planned(t, id, [{ findings: [aFinding({ name: 'web' })], shares: ['10'] }])
  const act = async (action: string) => {
    const url = `/api/v1/recommendations/${(await idsOf(t, id)).web}/${action}`
    expect((await send(t, { method: 'POST', url, headers: admin.bearer })).statusCode).toBe(200)
    await planned(t, id, [{ findings: [aFinding({ name: 'web' })], shares: ['10'] }])
    return (await t.db.selectFrom('plan_step_promise').where('cluster_id', '=', id).selectAll().execute()).length
  }
  expect(await act('approve')).toBe(1)
  expect(await act('withdraw')).toBe(0)
})
