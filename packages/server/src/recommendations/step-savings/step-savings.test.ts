import type { Changes, Savings } from '@plimsoll/contract'
import { decimal } from '@plimsoll/engine'
import type { RuleFinding } from '@plimsoll/engine/rules'
import { startSecond, twoNodes, twoNodesWithCloudResources, type SmallWorld } from '@plimsoll/pipeline/testing'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { aFinding, idsOf } from '../../../test/findings.ts'
import { aFoldedCluster, get, isoHour } from '../../../test/folded-cluster.ts'
import { aPerson, aRole, type Person } from '../../../test/people.ts'
import { planned, type PlannedStep } from '../../../test/planned.ts'
import { send, useTestApp } from '../../../test/test-app.ts'
import { listAppliedSteps } from '../queries/step-promises.ts'

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

const disk = { kind: 'PersistentVolume', namespace: 'data', name: 'forgotten', container: '' }

const deleteDisk: RuleFinding = {
  ...aFinding({ name: 'disk', ruleId: 'pv_orphaned', namespace: 'data' }),
  target: disk,
  change: { action: 'delete', object: disk, summary: 'Delete it.', fields: [] },
}

const steps: PlannedStep[] = [
  { kind: 'remove', title: 'Delete volume forgotten', findings: [deleteDisk], shares: ['8'] },
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

const apply = async (name: string, id = clusterId) => {
  const url = `/api/v1/recommendations/${(await idsOf(t, id))[name]}/apply`
  expect((await send(t, { method: 'POST', url, headers: admin.bearer })).statusCode).toBe(200)
}

/** Half an hour after the start all changes are applied; the plan that follows has none of the steps. */
beforeEach(async () => {
  clusterId = (await aFoldedCluster(t, smaller)).clusterId
  t.clock.now = new Date((startSecond + hour / 2) * 1000)
  admin = await aPerson(t)
  stepIds = await planned(t, clusterId, steps)
  for (const name of ['disk', 'web', 'lake']) await apply(name)
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

const stepsOf = async (person = admin, id = clusterId) =>
  (await get<Savings>(t, person, `/api/v1/savings?cluster_id=${id}&include=steps`)).steps

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

/** The volume of namespace data is applied after 30 minutes; the workload of shop after 45 minutes. */
async function aSharedStep(): Promise<string> {
  const { clusterId: id } = await aFoldedCluster(t, smaller)
  const minute = (count: number) => new Date((startSecond + count * 60) * 1000)
  t.clock.now = minute(20)
  await planned(t, id, [{ kind: 'remove', findings: [deleteDisk, aFinding({ name: 'stale' })], shares: ['8', '2'] }])
  t.clock.now = minute(30)
  await apply('disk', id)
  t.clock.now = minute(45)
  await apply('stale', id)
  t.clock.now = minute(120)
  await planned(t, id, [])
  return id
}

const limitedTo = async (namespace: string) =>
  aPerson(t, await aRole(t, ['recommendations:read'], { namespaces: [namespace] }))

test('a role limited to a namespace sees no cloud resource, date or state of other namespaces', async () => {
  const id = await aSharedStep()
  const shop = await stepsOf(await limitedTo('shop'), id)
  const appliedAt = new Date((startSecond + 45 * 60) * 1000).toISOString()
  const unseen = { resources_named: 0, resources_gone: 0 }
  expect(shop?.rows).toMatchObject([
    {
      ...{ promised: 2, off_the_bill: 0, not_observed: 2, price_difference: 0, state: 'awaiting', ...unseen },
      ...{ promised_at: appliedAt, applied_at: appliedAt },
    },
  ])
  expect(shop?.total).toMatchObject({ promised: 2, off_the_bill: 0, ...unseen })
  const data = await stepsOf(await limitedTo('data'), id)
  expect(data?.rows).toMatchObject([
    { promised: 8, off_the_bill: 9.52, price_difference: 1.52, resources_named: 1, resources_gone: 1, ...nothing },
  ])
})

test('the limit counts only steps that the caller sees', async () => {
  const id = await aSharedStep()
  await planned(t, id, [{ findings: [aFinding({ name: 'newer' })], shares: ['1'] }])
  await apply('newer', id)
  const newest = { clusterIds: [id], ruleIds: null, limit: 1 }
  expect(await listAppliedSteps(t.db, { ...newest, namespaces: ['data'] })).toMatchObject([{ kind: 'remove' }])
  expect(await listAppliedSteps(t.db, { ...newest, namespaces: null })).toMatchObject([{ kind: 'free' }])
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

test('the waterfall names no step without the permission to read recommendations', async () => {
  const reader = await aPerson(t, await aRole(t, ['reports:read']))
  const url = `/api/v1/changes?cluster_id=${clusterId}&from=${isoHour(1)}&to=${isoHour(2)}`
  const { waterfall } = await get<Changes>(t, reader, url)
  const steps = waterfall?.causes?.filter(({ kind }) => kind === 'step')
  expect(steps).toEqual([expect.objectContaining({ kind: 'step', per_month: -151.14 })])
  expect(steps?.[0]).not.toHaveProperty('step')
  expect(waterfall?.nodes).toMatchObject([{ name: 'node-1', movement: 'removed' }])
  expect(JSON.stringify(waterfall)).not.toMatch(new RegExp(stepIds.join('|'), 'u'))
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

test('a promise that was fixed without cloud resources gets them with the next plan', async () => {
  const promise = () =>
    t.db
      .selectFrom('plan_step_promise')
      .where('step_id', '=', stepIds[0] ?? '')
      .select('resources')
      .executeTakeFirst()
  const before = await promise()
  expect(before?.resources).toHaveLength(1)
  await sql`update plan_step_promise set resources = '[]' where cluster_id = ${clusterId}`.execute(t.db)
  await planned(t, clusterId, [])
  expect(await promise()).toEqual(before)
})
