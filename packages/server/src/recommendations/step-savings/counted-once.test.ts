import type { Savings } from '@plimsoll/contract'
import { decimal } from '@plimsoll/engine'
import type { RuleFinding } from '@plimsoll/engine/rules'
import {
  batchesOf,
  startSecond,
  twoNodes,
  twoNodesWithCloudResources,
  type SmallWorld,
} from '@plimsoll/pipeline/testing'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { aFinding, idsOf } from '../../../test/findings.ts'
import { aFoldedCluster, deliver, foldAt, get } from '../../../test/folded-cluster.ts'
import { aCluster, aPerson, type Person } from '../../../test/people.ts'
import { planned, type PlannedStep } from '../../../test/planned.ts'
import { send, useTestApp } from '../../../test/test-app.ts'
import { retention } from '../../maintenance/retention.ts'

const t = useTestApp()
const hour = 3600
const day = 24 * hour

/** After the first hour node-1, at $0.194 per hour, and the unattached disk are gone. */
const smaller: SmallWorld = {
  ...twoNodesWithCloudResources,
  nodes: twoNodes.nodes.map((node, at) => (at === 1 ? { ...node, endedAt: startSecond + hour } : node)),
  pods: twoNodes.pods.map((pod, at) => (at === 1 ? { ...pod, endedAt: startSecond + hour } : pod)),
  cloudResources: (twoNodesWithCloudResources.cloudResources ?? []).map((resource) =>
    resource.uid === 'forgotten' ? { ...resource, endedAt: startSecond + hour } : resource,
  ),
}

const nodeUsd = '141.62'

const removesNode = (name: string): PlannedStep => ({
  title: `Lower requests of ${name}`,
  nodes: [{ name: 'node-1', pool: 'compute', replacedBy: null, usdPerMonth: decimal(nodeUsd) }],
  findings: [aFinding({ name })],
  shares: [nodeUsd],
})

const disk = { kind: 'PersistentVolume', namespace: 'data', name: 'forgotten', container: '' }

const deleteDisk: RuleFinding = {
  ...aFinding({ name: 'disk', ruleId: 'pv_orphaned', namespace: 'data' }),
  target: disk,
  change: { action: 'delete', object: disk, summary: 'Delete it.', fields: [] },
}

let admin: Person
let clusterId: string

const at = (second: number) => (t.clock.now = new Date((startSecond + second) * 1000))

const planAndApply = async (name: string, step: PlannedStep) => {
  await planned(t, clusterId, [step])
  const url = `/api/v1/recommendations/${(await idsOf(t, clusterId))[name]}/apply`
  expect((await send(t, { method: 'POST', url, headers: admin.bearer })).statusCode).toBe(200)
}

const stepsOf = async () =>
  (await get<Savings>(t, admin, `/api/v1/savings?cluster_id=${clusterId}&include=steps`)).steps

beforeEach(async () => {
  clusterId = (await aFoldedCluster(t, smaller)).clusterId
  at(hour / 4)
  admin = await aPerson(t)
})

test('a node that two applied steps named counts in one promise', async () => {
  await planAndApply('web', removesNode('web'))
  at(hour / 2)
  await planAndApply('api', removesNode('api'))
  at(2 * hour)
  await planned(t, clusterId, [])
  const { rows = [], total } = (await stepsOf()) ?? {}
  expect(rows).toMatchObject([{ title: 'Lower requests of api', promised: 141.62, off_the_bill: 141.62 }])
  expect(total).toMatchObject({ promised: 141.62, off_the_bill: 141.62, nodes_named: 1, nodes_gone: 1 })
})

test('a volume that was created again is not off the bill', async () => {
  await planAndApply('disk', { kind: 'remove', findings: [deleteDisk], shares: ['9.52'] })
  at(2 * hour)
  await planned(t, clusterId, [])
  expect(await stepsOf()).toMatchObject({ rows: [{ off_the_bill: 9.52, resources_gone: 1 }] })

  // The other disk, of the same size, gets the name of the deleted one.
  await sql`
    update asset again set name = old.name, namespace = old.namespace, first_seen_at = old.ended_at
    from asset old
    where again.cluster_id = ${clusterId} and again.asset_uid = 'shared'
      and old.cluster_id = ${clusterId} and old.asset_uid = 'forgotten'`.execute(t.db)
  expect(await stepsOf()).toMatchObject({ rows: [{ off_the_bill: 0, resources_gone: 0 }] })
})

test('a volume that was removed in the first hour of its cluster is off the bill', async () => {
  const cluster = await aCluster(t)
  clusterId = cluster.clusterId
  const [first] = batchesOf(twoNodesWithCloudResources, { minutesPerBatch: 10 })
  if (!first) throw new Error('a world has batches')
  const snapshot = { id: 'first', part: 1, parts: 1, observed_at: first.observed_at }
  await deliver(t, cluster, [{ ...first, snapshot }])
  await foldAt(t, cluster, startSecond + 900)
  await planAndApply('disk', { kind: 'remove', findings: [deleteDisk], shares: ['9.52'] })
  await planned(t, clusterId, [])
  const endedAt = new Date((startSecond + 1200) * 1000)
  await sql`update asset set ended_at = ${endedAt} where cluster_id = ${clusterId} and asset_uid = 'forgotten'`.execute(
    t.db,
  )
  expect(await stepsOf()).toMatchObject({ rows: [{ off_the_bill: 9.52, not_observed: 0, resources_gone: 1 }] })
})

test('the price of a removed node stays when its hours are deleted and its class has another price', async () => {
  await planAndApply('web', removesNode('web'))
  at(33 * day)
  await retention(t.deps)
  at(40 * day)
  await retention(t.deps)
  // Sessions are shorter than this.
  admin = await aPerson(t)
  await sql`update node_class set rate_id = (select max(rate_id) from rate) where cluster_id = ${clusterId}`.execute(
    t.db,
  )
  await sql`update rate set node_usd_per_hour = 99`.execute(t.db)
  expect((await stepsOf())?.total).toMatchObject({ off_the_bill: 141.62, price_difference: 0 })
})
