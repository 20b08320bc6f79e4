import type { IdleCosts, Summary } from '@plimsoll/contract'
import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { rounds } from '../../../../../test/rounds.ts'
import {
  aBridgedCluster,
  aFoldedCluster,
  aReadCluster,
  deliver,
  foldAt,
  get,
  isoHour,
  wholeWorld,
  type FoldedCluster,
} from '../../../test/folded-cluster.ts'
import { batchesOf, endSecond, mixedWorld, twoNodes, twoNodesWithCloudResources } from '@plimsoll/pipeline/testing'
import { aCluster, aPerson, aRole, type Person } from '../../../test/people.ts'
import { send, useTestApp } from '../../../test/test-app.ts'
import { sumUpDays } from '../../ingest/jobs/sum-up-days.ts'

const t = useTestApp()
let viewer: Person

beforeEach(async () => {
  t.clock.now = new Date(endSecond * 1000)
  viewer = await aPerson(t, 'viewer')
})

const idleCosts = ({ clusterId }: FoldedCluster, window = wholeWorld) =>
  get<IdleCosts>(t, viewer, `/api/v1/idle-costs?cluster_id=${clusterId}&${window}`)

const summary = ({ clusterId }: FoldedCluster, window = wholeWorld, person = viewer) =>
  get<Summary>(t, person, `/api/v1/clusters/${clusterId}/summary?${window}`)

test('two hours of two nodes in three classes, computed by hand', async () => {
  const cluster = await aBridgedCluster(t, 3)
  const answer = await idleCosts(cluster)
  // m5.xlarge $0.23 and c5.xlarge $0.194 an hour; without usage data all requests are unmeasured.
  expect(answer).toMatchObject({ total: 0.848, data_status: 'complete', currency: 'USD', as_of: isoHour(2) })
  expect(answer.breakdown.workload_idle).toBe(0)
  expect(answer.breakdown.unmeasured).toBe(answer.breakdown.workload)
  expect(answer.usage_coverage).toEqual({ cpu: 0, memory: 0, gpu: null })
  expect(answer.by_node.map(({ node, total }) => [node, total])).toEqual([
    ['node-0', 0.46],
    ['node-1', 0.388],
  ])
  expect(answer.by_namespace.map(({ namespace }) => namespace).sort()).toEqual(['__idle__', 'data', 'shop'])
  // A quarter of the cores and of the memory of one node, half of the cores and 6 of 8 GiB of the other.
  const [shop] = answer.by_namespace.filter(({ namespace }) => namespace === 'shop')
  expect(shop).toMatchObject({ workload: 0.115, total: 0.115, cluster_idle: 0 })
  expect(answer.unpriced.cpu).toEqual({ unit_seconds: '0', fraction: 0 })
})

test('the parts of an answer add up, for any cluster', async () => {
  await fc.assert(
    fc.asyncProperty(mixedWorld, async (world) => {
      const answer = await idleCosts(await aFoldedCluster(t, world))
      const { breakdown, by_resource: resources, by_namespace: namespaces, by_node: nodes } = answer
      for (const name of ['workload', 'workload_idle', 'cluster_idle', 'unmeasured'] as const) {
        for (const rows of [Object.values(resources), namespaces, nodes]) {
          expect(rows.reduce((sum, row) => sum + row[name], 0)).toBeCloseTo(breakdown[name], 5)
          for (const row of rows) expect(row[name]).toBeGreaterThanOrEqual(0)
        }
      }
      expect(breakdown.workload + breakdown.workload_idle + breakdown.cluster_idle).toBeCloseTo(answer.total, 5)
      expect(answer.system_reserved).toBeLessThanOrEqual(breakdown.cluster_idle)
    }),
    { numRuns: rounds({ short: 1, full: 5 }) },
  )
})

test('adjacent windows add up to the window that joins them', async () => {
  const cluster = await aReadCluster(t)
  const [first, second, both] = await Promise.all([
    idleCosts(cluster, `from=${isoHour(0)}&to=${isoHour(1)}`),
    idleCosts(cluster, `from=${isoHour(1)}&to=${isoHour(2)}`),
    idleCosts(cluster),
  ])
  expect(first.total + second.total).toBeCloseTo(both.total, 5)
})

test('usage coverage is the measured share', async () => {
  const isLost = (_node: number, minute: number) => minute >= 30 && minute < 60
  const { usage_coverage: coverage, breakdown } = await idleCosts(await aFoldedCluster(t, twoNodes, { isLost }))
  expect(coverage).toEqual({ cpu: 0.75, memory: 0.75, gpu: null })
  // A quarter of the two hours: 1 of 4 cores and 4 of 16 GiB of one node, 2 of 4 cores and 6 of 8 GiB of the other.
  const whole = (await idleCosts(await aBridgedCluster(t, 3))).breakdown.unmeasured
  expect(breakdown.unmeasured).toBeCloseTo(whole / 4, 5)
})

test('unpriced capacity is not free: its share is reported', async () => {
  const cluster = await aFoldedCluster(t)
  const ratesOfNode = sql`select rate_id from node_hour
    where cluster_id = ${cluster.clusterId} and node_uid = 'node-1'`
  const { rows: before } = await sql<{ rateId: string; usd: string }>`
    select rate_id as "rateId", cpu_usd_per_microcore_second as usd from rate
    where rate_id in (${ratesOfNode})`.execute(t.db)
  await sql`update rate set cpu_usd_per_microcore_second = null where rate_id in (${ratesOfNode})`.execute(t.db)
  const { unpriced, by_resource: resources } = await idleCosts(cluster)
  expect(unpriced.cpu.fraction).toBe(0.5)
  expect(unpriced.memory.fraction).toBe(0)
  expect(resources.cpu.total).toBeGreaterThan(0)
  for (const { rateId, usd } of before) {
    await sql`update rate set cpu_usd_per_microcore_second = ${usd} where rate_id = ${rateId}`.execute(t.db)
  }
})

test.each([
  { name: 'before the first data', window: `from=${isoHour(-9)}&to=${isoHour(-2)}`, expected: 'no_data' },
  { name: 'in the future', window: `from=${isoHour(100)}&to=${isoHour(200)}`, expected: 'no_data' },
  { name: 'that starts with data', window: `from=${isoHour(1)}&to=${isoHour(5)}`, expected: 'partial' },
  { name: 'that is complete', window: wholeWorld, expected: 'complete' },
])('a window $name is $expected', async ({ window, expected }) => {
  const cluster = await aReadCluster(t)
  const { data_status: status, total } = await idleCosts(cluster, window)
  expect(status).toBe(expected)
  expect(total > 0).toBe(expected !== 'no_data')
})

test('an empty window is without data', async () => {
  const cluster = await aReadCluster(t)
  t.clock.now = new Date('2027-01-16T00:10:00Z')
  viewer = await aPerson(t, 'viewer')
  expect(await idleCosts(cluster, 'window=today')).toMatchObject({ total: 0, data_status: 'no_data', as_of: null })
})

test('a cluster without reports has zeros, and one in its first hour is collecting', async () => {
  const pending = await aCluster(t)
  const answer = await summary(pending, 'window=7d')
  expect(answer).toMatchObject({ data_status: 'no_data', as_of: null, top_recommendations: [] })
  expect(answer.cost_breakdown).toMatchObject({ total: 0, compute: { cpu: 0, memory: 0, gpu: 0 }, storage: 0 })
  expect(answer.idle_costs).toMatchObject({ total: 0, by_namespace: [], by_node: [] })
  expect((await summary(await aBridgedCluster(t, 0.5), 'window=7d')).data_status).toBe('collecting')
})

test('a summary shows utilisation as means, and holds the idle costs of the same window', async () => {
  const cluster = await aReadCluster(t)
  const answer = await summary(cluster)
  expect(answer.idle_costs).toEqual(await idleCosts(cluster))
  expect(answer.cost_breakdown).toMatchObject({ total: 1.048, storage: 0, load_balancer: 0, overhead: 0.2 })
  const { nodes, cpu, memory, pods, by_node: byNode } = answer.node_utilization
  expect(nodes).toBe(2)
  expect(cpu).toMatchObject({ capacity: 8, allocatable: 7.6, requested: 3, requested_percent: 39.47 })
  expect(cpu.used).toBeGreaterThan(0)
  expect(memory.capacity).toBe(24 * 1024 ** 3)
  expect(pods).toEqual({ allocatable: 116, running: 2, percent: 1.72 })
  expect(byNode.map(({ node }) => node)).toEqual(['node-0', 'node-1'])
  expect(answer.potential_savings).toEqual({ estimated: 0, bankable: 0, currency: 'USD', by_category: {} })
})

test('the ten largest namespaces and the rest add up to the total', async () => {
  const [pod] = twoNodes.pods
  if (!pod) throw new Error('the world has a pod')
  const pods = Array.from({ length: 13 }, (_each, index) => ({ ...pod, uid: `pod-${index}`, namespace: `ns-${index}` }))
  const small = pods.map((each) => ({ ...each, containers: [{ name: 'c0', millicores: 100, kib: 1024 * 1024 }] }))
  const { cost_breakdown: costs } = await summary(
    await aFoldedCluster(t, { ...twoNodesWithCloudResources, pods: small }),
  )
  expect(costs.by_namespace).toHaveLength(10)
  expect(costs.by_namespace_rest.rows).toBeGreaterThanOrEqual(4)
  const shown = costs.by_namespace.reduce((sum, { cost }) => sum + cost, 0)
  expect(costs.by_namespace_rest.cost).toBeGreaterThan(0)
  expect(shown + costs.by_namespace_rest.cost).toBeCloseTo(costs.total, 5)
})

test('a storage class without a price is shown as such, never as 0', async () => {
  const cloudResources = twoNodesWithCloudResources.cloudResources?.map((cloudResource) => ({
    ...cloudResource,
    storageClass: 'efs-sc',
  }))
  const { cost_breakdown: costs } = await summary(
    await aFoldedCluster(t, { ...twoNodesWithCloudResources, cloudResources: cloudResources ?? [] }),
  )
  expect(costs).toMatchObject({ storage: null, load_balancer: 0.0539, overhead: 0.2 })
  expect(costs.unpriced.storage).toEqual({ unit_seconds: String(2 * 100 * 1024 * 1024 * 7200), fraction: 1 })
})

test('day sums give the same figures as hours, and are renewed when late minutes come', async () => {
  const isLost = (node: number, minute: number) => node === 0 && minute === 70
  const cluster = await aFoldedCluster(t, twoNodes, { isLost })
  const window = 'from=2027-01-14T00:00:00Z&to=2027-01-17T00:00:00Z'
  const before = await idleCosts(cluster, window)
  t.clock.now = new Date('2027-01-16T02:00:00Z')
  viewer = await aPerson(t, 'viewer')
  await sumUpDays(t.deps, cluster)
  await sumUpDays(t.deps, cluster)
  const days = t.db.selectFrom('folded_day').select('hours').where('cluster_id', '=', cluster.clusterId)
  expect(await days.execute()).toEqual([{ hours: 2 }])
  expect(await idleCosts(cluster, window)).toEqual(before)

  const late = batchesOf(twoNodes, {
    minutesPerBatch: 10,
    firstRef: 1000,
    isLost: (node, minute) => !isLost(node, minute),
  })
  await deliver(t, cluster, late, 'epoch-2')
  await foldAt(t, cluster, endSecond)
  expect(await days.execute()).toEqual([])
  const after = await idleCosts(cluster, window)
  expect(after.usage_coverage.cpu).toBe(1)
  expect(after.total).toBe(before.total)
})

test.each(['idle-costs?cluster_id=ID', 'clusters/ID/summary?'])(
  '%s requires access to the whole cluster',
  async (path) => {
    const cluster = await aReadCluster(t)
    const url = `/api/v1/${path.replace('ID', cluster.clusterId)}`
    const status = async (role: string) => (await send(t, { url, headers: (await aPerson(t, role)).bearer })).statusCode
    expect(await status('viewer')).toBe(200)
    expect(await status(await aRole(t, ['clusters:read'], { namespaces: ['shop'] }))).toBe(403)
    expect(await status(await aRole(t, ['clusters:read'], { clusters: [(await aCluster(t)).clusterId] }))).toBe(404)
    expect(await status(await aRole(t, ['reports:read']))).toBe(403)
    const elsewhere = url.replace(cluster.clusterId, 'cls_01k3v7m9q2x4t6b8n0d2f4h6j8')
    expect((await send(t, { url: elsewhere, headers: viewer.bearer })).statusCode).toBe(404)
  },
)

test('recommendations require more than access to costs', async () => {
  const cluster = await aReadCluster(t)
  const person = await aPerson(t, await aRole(t, ['clusters:read']))
  expect((await summary(cluster, wholeWorld, person)).top_recommendations).toBeNull()
})

test.each([
  { query: '', parameter: 'cluster_id' },
  { query: 'cluster_id=ID&window=5d', parameter: 'window' },
  { query: 'cluster_id=ID&from=yesterday', parameter: 'from' },
  { query: 'cluster_id=ID&from=2027-01-15T10:00:00Z&to=2027-01-15T09:00:00Z', parameter: 'from' },
  { query: 'cluster_id=ID&windows=7d', parameter: 'windows' },
])('idle-costs?$query is rejected', async ({ query, parameter }) => {
  const { clusterId } = await aCluster(t)
  const url = `/api/v1/idle-costs?${query.replace('ID', clusterId)}`
  const response = await send(t, { url, headers: viewer.bearer })
  expect(response.statusCode).toBe(400)
  expect(response.json()).toMatchObject({ code: 'invalid_parameter', errors: [{ parameter }] })
})
