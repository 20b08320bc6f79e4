import type { NodeClassPrice, Prices } from '@plimsoll/contract'
import { expect, test } from 'vitest'
import { aFoldedCluster } from '../../../test/folded-cluster.ts'
import { firstHour, oneNode } from '../../../test/stored-hours.ts'
import { aCluster, aPerson, aRole, type Person } from '../../../test/people.ts'
import { startSecond } from '@plimsoll/pipeline/testing'
import { send, useTestApp } from '../../../test/test-app.ts'
import { reprice } from '../../ingest/jobs/reprice.ts'

const t = useTestApp()

const ask = ({ bearer }: Person, clusterId: string) =>
  send(t, { url: `/api/v1/prices?cluster_id=${clusterId}`, headers: bearer })

async function pricesOf(person: Person, clusterId: string): Promise<Prices & { first: NodeClassPrice }> {
  const prices = (await ask(person, clusterId)).json<Prices>()
  const [first] = prices.node_classes
  if (!first) throw new Error('there is no class')
  return { ...prices, first }
}

async function set({ bearer }: Person, body: object): Promise<string> {
  const response = await send(t, { method: 'POST', url: '/api/v1/price-overrides', headers: bearer, body })
  expect(response.statusCode).toBe(201)
  return response.json<{ id: string }>().id
}

test('a node class shows its price, source and price list, and its spot price', async () => {
  const { clusterId } = await aFoldedCluster(t, oneNode)
  const admin = await aPerson(t)
  const { first, ...prices } = await pricesOf(admin, clusterId)
  const book = await t.deps.prices.current(t.db)
  expect(prices).toMatchObject({
    cluster_id: clusterId,
    currency: 'USD',
    book: { version: book.version, as_of: book.asOf },
    repricing_from: null,
    overrides: [],
  })
  expect(prices.node_classes).toHaveLength(1)
  expect(first).toMatchObject({
    provider: 'aws',
    region: 'eu-central-1',
    instance_type: 'm5.xlarge',
    capacity_type: 'on-demand',
    os: 'linux',
    capacity: { vcpu: 4, memory_gib: 16, gpus: 0 },
    nodes: 1,
    price: {
      kind: 'listed',
      usd_per_hour: 0.23,
      list_usd_per_hour: 0.23,
      discount_percent: 0,
      override_id: null,
      book_version: book.version,
      reason: null,
    },
    on_demand: { kind: 'listed', usd_per_hour: 0.23 },
  })
  expect(first.price.source).not.toBe('')
  expect(first.price.as_of).toMatch(/^\d{4}-\d\d-\d\d$/)
  expect(first.spot.usd_per_hour).toBeLessThan(0.23)
  const { usd_per_vcpu_hour: cpu, usd_per_gib_hour: gib } = first.rates
  expect(4 * (cpu ?? NaN) + 16 * (gib ?? NaN)).toBeCloseTo(0.23, 8)
})

test('a discount shows in every price, an override is the price, and both are named', async () => {
  const { clusterId } = await aFoldedCluster(t, oneNode)
  const admin = await aPerson(t)
  const plain = await pricesOf(admin, clusterId)
  const discount = await set(admin, { kind: 'discount', provider: 'aws', percent: 10, cluster_id: clusterId })
  const { first: discounted } = await pricesOf(admin, clusterId)
  expect(discounted.price).toMatchObject({
    kind: 'listed',
    usd_per_hour: 0.207,
    list_usd_per_hour: 0.23,
    discount_percent: 10,
    override_id: discount,
  })
  expect(discounted.spot.usd_per_hour).toBeCloseTo(0.9 * (plain.first.spot.usd_per_hour ?? NaN), 9)

  const override = await set(admin, {
    kind: 'node_price',
    instance_type: 'm5.xlarge',
    capacity_type: 'on-demand',
    usd_per_hour: 0,
    cluster_id: clusterId,
  })
  const { first: free, overrides } = await pricesOf(admin, clusterId)
  expect(free.price).toMatchObject({ kind: 'override', usd_per_hour: 0, override_id: override, source: null })
  expect(free.rates).toEqual({ usd_per_vcpu_hour: 0, usd_per_gib_hour: 0, usd_per_gpu_hour: 0 })
  expect(free.spot).toEqual(discounted.spot)
  expect(overrides.map(({ id }) => id)).toEqual([override, discount])
})

test('custom monthly rates are hourly rates of 1/730', async () => {
  const { clusterId } = await aFoldedCluster(t, oneNode)
  const admin = await aPerson(t)
  const rates = { usd_per_vcpu_month: 20, usd_per_gib_month: 4, usd_per_storage_gib_month: 0.1 }
  await set(admin, { kind: 'custom_rates', cluster_id: clusterId, ...rates })
  const { first, overrides } = await pricesOf(admin, clusterId)
  expect(first.price.kind).toBe('custom')
  expect(first.rates).toEqual({
    usd_per_vcpu_hour: 0.0273972603,
    usd_per_gib_hour: 0.0054794521,
    usd_per_gpu_hour: null,
  })
  expect(overrides).toMatchObject([rates])
})

test('hours that still have to be repriced are listed until they are', async () => {
  const { clusterId } = await aFoldedCluster(t, oneNode)
  const admin = await aPerson(t)
  const from = firstHour.toISOString()
  await set(admin, { kind: 'discount', provider: 'aws', percent: 5, cluster_id: clusterId, effective_from: from })
  expect((await pricesOf(admin, clusterId)).repricing_from).toBe(from)
  await reprice(t.deps)
  expect((await pricesOf(admin, clusterId)).repricing_from).toBeNull()
})

test('a class that is gone is still listed, without nodes', async () => {
  const { clusterId } = await aFoldedCluster(t, {
    nodes: [{ uid: 'gone', bornAt: startSecond - 60, endedAt: startSecond + 1800 }],
    pods: [],
  })
  const admin = await aPerson(t)
  expect((await pricesOf(admin, clusterId)).first).toMatchObject({ instance_type: 'm5.xlarge', nodes: 0 })
  const { clusterId: two } = await aFoldedCluster(t, {
    nodes: [...oneNode.nodes, { uid: 'node-1', bornAt: startSecond - 60, endedAt: Infinity }],
    pods: [],
  })
  expect((await pricesOf(admin, two)).first.nodes).toBe(2)
})

test('a cluster without reports has no classes', async () => {
  const admin = await aPerson(t)
  const { clusterId } = await aCluster(t)
  expect((await ask(admin, clusterId)).json<Prices>().node_classes).toEqual([])
})

test('a missing or invisible cluster is not found; access to a part of it is not enough', async () => {
  const admin = await aPerson(t)
  const { clusterId } = await aCluster(t)
  const other = await aPerson(t, await aRole(t, ['billing:read'], { clusters: [] }))
  const part = await aPerson(t, await aRole(t, ['billing:read'], { namespaces: ['shop'] }))
  expect((await ask(admin, 'cls_1')).statusCode).toBe(404)
  expect((await ask(other, clusterId)).statusCode).toBe(404)
  expect((await ask(part, clusterId)).json()).toMatchObject({ code: 'role_narrowed' })
  expect((await send(t, { url: '/api/v1/prices', headers: admin.bearer })).statusCode).toBe(400)
  expect((await ask(await aPerson(t, 'viewer'), clusterId)).json()).toMatchObject({
    required_permission: 'billing:read',
  })
})
