import type { Allocation, Cluster, IdleCosts, NodeVersion, Prices } from '@plimsoll/contract'
import { beforeEach, expect, test } from 'vitest'
import { aFoldedCluster, foldAt, get, isoHour, wholeWorld } from './folded-cluster.ts'
import {
  batchesOf,
  endSecond,
  type SmallWorld,
  startSecond,
  twoNodesWithCloudResources,
} from '@plimsoll/pipeline/testing'
import { aCluster, aPerson, type Person } from './people.ts'
import { sendBatch } from './send-batch.ts'
import { send, useTestApp } from './test-app.ts'

const t = useTestApp()
let admin: Person

beforeEach(async () => {
  t.clock.now = new Date(endSecond * 1000)
  admin = await aPerson(t, 'admin')
})

/** One node with these facts, and one pod that requests a quarter of a core and half a GiB. */
const oneNode = (facts: Partial<NodeVersion>): SmallWorld => ({
  nodes: [{ uid: 'node-0', bornAt: startSecond - 60, endedAt: Infinity, facts }],
  pods: [
    {
      uid: 'web',
      node: 0,
      boundAt: startSecond,
      endedAt: Infinity,
      containers: [{ name: 'c0', millicores: 250, kib: 512 * 1024 }],
      resize: undefined,
      useSeed: 0,
      namespace: 'shop',
    },
  ],
})

const idleCosts = (clusterId: string) =>
  get<IdleCosts>(t, admin, `/api/v1/idle-costs?cluster_id=${clusterId}&${wholeWorld}`)

const prices = (clusterId: string) => get<Prices>(t, admin, `/api/v1/prices?cluster_id=${clusterId}`)

test('a Fargate pod is priced by its billed size, and has no cluster idle', async () => {
  const facts = {
    name: 'fargate-ip-10-0-0-1',
    providerId: 'aws:///eu-central-1a/fargate-ip-10-0-0-1',
    instanceType: '',
  }
  const { clusterId } = await aFoldedCluster(t, oneNode(facts))
  const { total, breakdown, unpriced } = await idleCosts(clusterId)
  // 0.5 GiB and 256 MiB for Fargate itself make 1 GiB: 0.25 · $0.04656 + 1 · $0.00511 per hour.
  expect(total).toBeCloseTo(2 * (0.25 * 0.04656 + 0.00511), 6)
  expect(breakdown.cluster_idle).toBe(0)
  expect(unpriced.cpu.fraction).toBe(0)
  const { clusters } = await get<{ clusters: Cluster[] }>(t, admin, '/api/v1/clusters')
  const cluster = clusters.find(({ id }) => id === clusterId)
  expect(cluster?.monthly_cost).toBeCloseTo(730 * (0.25 * 0.04656 + 0.00511 + 0.1), 4)
  expect(cluster?.conditions.find(({ type }) => type === 'prices')).toMatchObject({ ok: true })
})

test('an Autopilot pod is priced by its requests, and system pods of Autopilot cost nothing', async () => {
  const facts = {
    name: 'gk3-demo-1',
    providerId: 'gce://p/us-central1-a/gk3-demo-1',
    region: 'us-central1',
    zone: 'us-central1-a',
  }
  const world = oneNode({ ...facts, instanceType: 'ek-standard-8' })
  const [pod] = world.pods
  if (!pod) throw new Error('the world has a pod')
  const own = { ...pod, uid: 'agent', namespace: 'kube-system' }
  const { clusterId } = await aFoldedCluster(t, { ...world, pods: [pod, own] })
  const { total, breakdown } = await idleCosts(clusterId)
  expect(total).toBeCloseTo(2 * (0.25 * 0.0445 + 0.5 * 0.004922), 6)
  expect(breakdown.cluster_idle).toBe(0)
})

test('an EKS Auto Mode node costs at least its list price, and is marked as estimated', async () => {
  const { clusterId } = await aFoldedCluster(t, oneNode({ labels: { 'eks.amazonaws.com/compute-type': 'auto' } }))
  expect((await idleCosts(clusterId)).total).toBe(0.46)
  const { node_classes: classes } = await prices(clusterId)
  expect(classes[0]?.price).toMatchObject({ kind: 'estimated', usd_per_hour: 0.23, reason: 'surcharge-not-in-book' })
})

test('a Windows node without a Windows price is unpriced, not Linux-priced', async () => {
  const { clusterId } = await aFoldedCluster(t, oneNode({ os: 'windows' }))
  const { total, unpriced } = await idleCosts(clusterId)
  expect(total).toBe(0)
  expect(unpriced.cpu.fraction).toBe(1)
  const allocation = await get<Allocation>(t, admin, `/api/v1/allocation?cluster_id=${clusterId}&${wholeWorld}`)
  expect(allocation.steps[0]?.rows[0]?.cost).toMatchObject({ unpriced: true, unpriced_parts: ['compute'] })
})

test('a control plane on nodes of the cluster has no separate fee', async () => {
  const { clusterId } = await aFoldedCluster(t, oneNode({ labels: { 'node-role.kubernetes.io/control-plane': '' } }))
  const { control_plane: controlPlane } = await prices(clusterId)
  const price = { kind: 'listed', usd: 0, source: null, as_of: null }
  expect(controlPlane).toMatchObject([{ service: 'self-managed', price }])
})

test('prices of volumes, load balancers and the control plane, with a discount and with storage rates', async () => {
  const { clusterId } = await aFoldedCluster(t, twoNodesWithCloudResources)
  const listed = await prices(clusterId)
  expect(listed.storage_classes).toMatchObject([
    { storage_class: 'gp3', volumes: 2, total_gib: 200, price: { kind: 'listed', per: 'gib-month', usd: 0.0952 } },
  ])
  expect(listed.load_balancers).toMatchObject([
    { type: 'nlb', balancers: 1, price: { kind: 'estimated', per: 'hour', usd: 0.02695 } },
  ])
  expect(listed.control_plane).toMatchObject([{ provider: 'aws', service: 'managed', price: { usd: 0.1 } }])
  const overrides = [
    { kind: 'discount', cluster_id: clusterId, provider: 'aws', percent: '10' },
    { kind: 'custom_rates', cluster_id: clusterId, usd_per_storage_gib_month: '0.1' },
  ]
  for (const body of overrides) {
    const made = await send(t, { method: 'POST', url: '/api/v1/price-overrides', headers: admin.bearer, body })
    expect(made.statusCode, made.body).toBe(201)
  }
  const own = await prices(clusterId)
  expect(own.storage_classes[0]?.price).toMatchObject({ kind: 'custom', usd: 0.1 })
  expect(own.load_balancers[0]?.price).toMatchObject({ usd: 0.024255, list_usd: 0.02695, discount_percent: 10 })
  expect(own.control_plane[0]?.price).toMatchObject({ usd: 0.09 })
})

test('each price has its source, date and a description of the source', async () => {
  const { clusterId } = await aFoldedCluster(t, twoNodesWithCloudResources)
  const shown = await prices(clusterId)
  const others = [...shown.storage_classes, ...shown.load_balancers, ...shown.control_plane]
  expect(others).toHaveLength(3)
  for (const { price } of [...others, ...shown.node_classes]) {
    expect(price.as_of).toMatch(/^\d{4}-\d\d-\d\d$/)
    const ids = price.source?.split(';') ?? []
    expect(ids).not.toEqual([])
    expect(shown.sources.map(({ id }) => id)).toEqual(expect.arrayContaining(ids))
  }
  expect(shown.control_plane[0]?.price).toMatchObject({ source: 'lam-eks;infracost', as_of: '2025-10-28' })
  expect(shown.load_balancers[0]?.price.note).not.toContain('lb_data')
})

test('a corrected provider sets the prices from then on, if the nodes do not report a provider', async () => {
  const cluster = await aCluster(t)
  const correct = (provider: string) =>
    send(t, {
      method: 'PATCH',
      url: `/api/v1/clusters/${cluster.clusterId}`,
      headers: admin.bearer,
      body: { provider },
    })
  await correct('awz')
  const batches = batchesOf(oneNode({ providerId: '' }), { minutesPerBatch: 10 })
  /** One sixth into the second hour. */
  const correctedAt = startSecond + 3600 + 10 * 60
  const sent = { first: batches.filter((each) => each.observed_at <= correctedAt), then: batches }
  for (const [index, batch] of sent.first.entries()) await sendBatch(t, cluster.agentToken, batch, { seq: index + 1 })
  await foldAt(t, cluster, correctedAt)

  expect((await correct('aws')).json()).toMatchObject({ provider: 'aws' })
  for (const [index, batch] of sent.then.entries()) await sendBatch(t, cluster.agentToken, batch, { seq: index + 1 })
  await foldAt(t, cluster, endSecond)

  const cost = (from: number, to: number) =>
    get<IdleCosts>(
      t,
      admin,
      `/api/v1/idle-costs?cluster_id=${cluster.clusterId}&from=${isoHour(from)}&to=${isoHour(to)}`,
    )
  const { node_classes: classes } = await prices(cluster.clusterId)
  expect(classes[0]?.price).toMatchObject({ kind: 'listed', usd_per_hour: 0.23 })
  const { total: before } = await cost(0, 1)
  expect(before).not.toBe(0.23)
  expect((await cost(1, 2)).total).toBeCloseTo(before / 6 + (0.23 * 5) / 6, 5)
})
