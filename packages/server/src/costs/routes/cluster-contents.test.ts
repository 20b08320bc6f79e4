import { gzipSync } from 'node:zlib'
import type { Allocation, DataQuality, IdleCosts, NodeList, WorkloadCost, WorkloadList } from '@plimsoll/contract'
import { beforeEach, expect, test } from 'vitest'
import {
  aBridgedCluster,
  aFoldedCluster,
  foldAt,
  get,
  isoHour,
  wholeWorld,
  type FoldedCluster,
} from '../../../test/folded-cluster.ts'
import { batchesOf, endSecond, startSecond, twoNodes, twoNodesWithCloudResources } from '@plimsoll/pipeline/testing'
import { aCluster, aPerson, aRole, type Person } from '../../../test/people.ts'
import { sendBatch } from '../../../test/send-batch.ts'
import { send, useTestApp } from '../../../test/test-app.ts'

const t = useTestApp()
let viewer: Person

beforeEach(async () => {
  t.clock.now = new Date(endSecond * 1000)
  viewer = await aPerson(t, 'viewer')
})

const read = <Body>({ clusterId }: FoldedCluster, what: string, query = wholeWorld, person = viewer) =>
  get<Body>(t, person, `/api/v1/clusters/${clusterId}/${what}?${query}`)

test('a node shows its type, its hourly price with the reason, and its cost', async () => {
  const { nodes } = await read<NodeList>(await aFoldedCluster(t), 'nodes')
  expect(nodes).toHaveLength(2)
  expect(nodes[0]).toMatchObject({
    uid: 'node-0',
    name: 'node-0',
    instance_type: 'm5.xlarge',
    pool: 'general',
    capacity: { cpu_cores: 4, memory_bytes: 16 * 1024 ** 3, gpus: 0 },
    allocatable: { cpu_cores: 3.8, memory_bytes: 15 * 1024 ** 3 },
    pods_allocatable: 58,
    price: { usd_per_hour: 0.23, estimated: false },
    ended_at: null,
    cost: { total: 0.46 },
  })
  expect(nodes[0]?.price.evidence).toHaveProperty('source')
})

test('a node that has ended is shown in the windows that it lived in', async () => {
  const [first, second] = twoNodes.nodes
  if (!first || !second) throw new Error('the world has two nodes')
  const gone = { ...second, endedAt: startSecond + 1800 }
  const cluster = await aFoldedCluster(t, { nodes: [first, gone], pods: [] })
  const names = async (query: string) =>
    (await read<NodeList>(cluster, 'nodes', query)).nodes.map(({ name, ended_at: at }) => [name, at !== null])
  expect(await names(`from=${isoHour(0)}&to=${isoHour(1)}`)).toEqual([
    ['node-0', false],
    ['node-1', true],
  ])
  expect(await names(`from=${isoHour(1)}&to=${isoHour(2)}`)).toEqual([['node-0', false]])
})

test('ended nodes are marked, and the list can be limited to existing or ended nodes', async () => {
  const [first, second] = twoNodes.nodes
  if (!first || !second) throw new Error('the world has two nodes')
  const cluster = await aFoldedCluster(t, { nodes: [first, { ...second, endedAt: startSecond + 1800 }], pods: [] })
  const states = async (query: string) =>
    (await read<NodeList>(cluster, 'nodes', `${wholeWorld}${query}`)).nodes.map(({ name, state }) => [name, state])
  expect(await states('')).toEqual([
    ['node-0', 'existing'],
    ['node-1', 'ended'],
  ])
  expect(await states('&state=existing')).toEqual([['node-0', 'existing']])
  expect(await states('&state=ended')).toEqual([['node-1', 'ended']])
})

test('pages of nodes hold each node once', async () => {
  const [node] = twoNodes.nodes
  if (!node) throw new Error('the world has nodes')
  const nodes = ['c', 'a', 'b'].map((uid) => ({ ...node, uid }))
  const cluster = await aFoldedCluster(t, { nodes, pods: [] })
  const first = await read<NodeList>(cluster, 'nodes', `${wholeWorld}&limit=2`)
  expect(first.nodes.map(({ name }) => name)).toEqual(['a', 'b'])
  const next = `${wholeWorld}&limit=2&cursor=${encodeURIComponent(first.next_cursor ?? '')}`
  const second = await read<NodeList>(cluster, 'nodes', next)
  expect(second).toMatchObject({ nodes: [{ name: 'c' }], has_more: false, next_cursor: null })
})

test('workloads come with their costs, the most expensive first, and add up to their namespaces', async () => {
  const cluster = await aFoldedCluster(t)
  const { workloads } = await read<WorkloadList>(cluster, 'workloads')
  expect(workloads.map(({ namespace, kind, name }) => [namespace, kind, name])).toEqual([
    ['data', 'Deployment', 'db'],
    ['shop', 'Deployment', 'web'],
  ])
  const web = workloads[1]
  expect(web).toMatchObject({ replicas: 1, cpu_cores: { requested: 1 }, usage_coverage: { cpu: 1, memory: 1 } })
  expect(web?.memory_bytes.requested).toBe(4 * 1024 ** 3)
  const idle = await get<IdleCosts>(t, viewer, `/api/v1/idle-costs?cluster_id=${cluster.clusterId}&${wholeWorld}`)
  for (const { namespace, cost } of workloads) {
    const [row] = idle.by_namespace.filter((each) => each.namespace === namespace)
    expect(cost).toMatchObject({ workload: row?.workload, workload_idle: row?.workload_idle, total: row?.total })
  }
})

test('pages of workloads are about the same hours, even when an hour ends between them', async () => {
  const [pod] = twoNodes.pods
  if (!pod) throw new Error('the world has pods')
  // Three equal ones: equal costs are ordered by name.
  const pods = ['b', 'c', 'a'].map((uid) => ({ ...pod, uid }))
  const cluster = await aFoldedCluster(t, { ...twoNodes, pods })
  const seen: WorkloadCost[] = []
  const windows = new Set<string>()
  for (let cursor: string | null = ''; cursor !== null;) {
    const query = `window=24h&limit=1${cursor && `&cursor=${encodeURIComponent(cursor)}`}`
    const answer: WorkloadList = await read<WorkloadList>(cluster, 'workloads', query)
    seen.push(...answer.workloads)
    windows.add(answer.window.to)
    cursor = answer.next_cursor
    t.clock.advance(3_600_000)
  }
  expect(seen.map(({ name }) => name)).toEqual(['a', 'b', 'c'])
  expect(windows.size).toBe(1)
})

test('a role restricted to namespaces sees their workloads only, and no nodes', async () => {
  const cluster = await aFoldedCluster(t)
  const person = await aPerson(t, await aRole(t, ['clusters:read'], { namespaces: ['shop'] }))
  const names = async (query: string, who = person) =>
    (await read<WorkloadList>(cluster, 'workloads', `${wholeWorld}${query}`, who)).workloads.map(({ name }) => name)
  expect(await names('')).toEqual(['web'])
  expect(await names('&namespace=data')).toEqual([])
  expect(await names('&namespace=data,nothing', viewer)).toEqual(['db'])
  for (const what of ['nodes', 'data-quality']) {
    const url = `/api/v1/clusters/${cluster.clusterId}/${what}`
    expect((await send(t, { url, headers: person.bearer })).json()).toMatchObject({
      status: 403,
      code: 'role_narrowed',
    })
  }
})

test('data quality shows measured, bridged, rejected and quarantined data', async () => {
  const cluster = await aCluster(t)
  t.clock.now = new Date(startSecond * 1000)
  const batches = batchesOf(twoNodes, { minutesPerBatch: 10 })
  // From another agent: later batches do not wait for a snapshot.
  await sendBatch(t, cluster.agentToken, gzipSync('{"not":"a batch"}'), { epoch: 'epoch-2', seq: 1 })
  const [, , tenMinutes] = batches
  for (const [index, batch] of batches.filter((each) => each !== tenMinutes).entries()) {
    if (index === 3) batch.minutes.node_ref[0] = 99
    await sendBatch(t, cluster.agentToken, batch, { seq: index + 1 })
  }
  await foldAt(t, cluster, endSecond)
  const answer = await read<DataQuality>(cluster, 'data-quality')
  expect(answer).toMatchObject({
    data_status: 'complete',
    hours: { expected: 2, with_data: 2, revised: 0 },
    gaps: [],
    // Of 4 node-hours, ten minutes of both nodes are missing and one minute of one node is rejected.
    bridged: { node_seconds: '1260', fraction: 1260 / 14400 },
    estimated: { cost: 0, fraction: 0 },
    batches: { received: 11, folded: 10, pending: 0, quarantined: 1, rejected_records: 1 },
    quarantined: [{ batch_id: 'epoch-2-1', reason: 'agent does not match the schema' }],
    rejected: [{ batch_id: 'epoch-1-4', rejected_records: 1, reason: 'minutes 0: the node is unknown' }],
  })
  expect(answer.usage_coverage.cpu).toBeCloseTo(1 - 1260 / 14400, 6)
})

test('data quality shows the cost of volumes, load balancers and the control plane, and what is not priced', async () => {
  const cluster = await aFoldedCluster(t, twoNodesWithCloudResources)
  const { assets } = await read<DataQuality>(cluster, 'data-quality')
  expect(assets.control_plane).toEqual({ cost: 0.2, estimated_cost: 0, unpriced: { unit_seconds: '0', fraction: 0 } })
  const { steps } = await get<Allocation>(
    t,
    viewer,
    `/api/v1/allocation?cluster_id=${cluster.clusterId}&${wholeWorld}&by=none`,
  )
  const parts = [steps[0]?.rows[0]?.cost, steps[0]?.unmounted, steps[0]?.unattached]
  const sum = (of: 'storage' | 'load_balancer') => parts.reduce((total, part) => total + (part?.[of] ?? 0), 0)
  expect(assets.volumes.cost).toBeCloseTo(sum('storage'), 5)
  expect(assets.balancers.cost).toBeCloseTo(sum('load_balancer'), 5)
  expect(sum('storage')).toBeGreaterThan(0)
})

test('hours without data are gaps, from the first data to the last full hour', async () => {
  const cluster = await aBridgedCluster(t, 4)
  await t.db
    .deleteFrom('folded_hour')
    .where('cluster_id', '=', cluster.clusterId)
    .where('hour', '=', new Date(isoHour(1)))
    .execute()
  t.clock.now = new Date(isoHour(6))
  viewer = await aPerson(t, 'viewer')
  const { gaps, data_status: status } = await read<DataQuality>(cluster, 'data-quality', 'window=24h')
  expect(status).toBe('partial')
  expect(gaps).toEqual([
    { from: isoHour(4), to: isoHour(6), hours: 2 },
    { from: isoHour(1), to: isoHour(2), hours: 1 },
  ])
})

test('a pending cluster has no nodes, no workloads and no quality problems', async () => {
  const cluster = await aCluster(t)
  expect((await read<NodeList>(cluster, 'nodes', '')).nodes).toEqual([])
  expect((await read<WorkloadList>(cluster, 'workloads', '')).workloads).toEqual([])
  expect(await read<DataQuality>(cluster, 'data-quality', '')).toMatchObject({
    data_status: 'no_data',
    gaps: [],
    bridged: { node_seconds: '0', fraction: null },
    batches: { received: 0 },
  })
})
