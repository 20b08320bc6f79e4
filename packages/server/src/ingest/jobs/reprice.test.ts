import type { IdleCosts } from '@plimsoll/contract'
import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { rounds } from '../../../../../test/rounds.ts'
import { aBridgedCluster, aFoldedCluster, get, isoHour } from '../../../test/folded-cluster.ts'
import { firstHour, nodeCosts, oneNode, quantities, secondHour, workloadCosts } from '../../../test/stored-hours.ts'
import { aCluster, aPerson } from '../../../test/people.ts'
import { sendBatch } from '../../../test/send-batch.ts'
import { batchesOf, endSecond, twoNodesWithCloudResources } from '@plimsoll/pipeline/testing'
import { send, useTestApp } from '../../../test/test-app.ts'
import { isWaitingForLock } from '../../../test/waiting-for-lock.ts'
import { findCluster } from '../../clusters/queries/clusters.ts'
import { tryLockFold } from '../queries/fold-queue.ts'
import { endRepricing, listRepricing, lockRepricing } from '../../prices/queries/repricing.ts'
import { fold } from './fold.ts'
import { reprice } from './reprice.ts'
import { sumUpDays } from './sum-up-days.ts'
import { patience } from '../../../test/patience.ts'

const t = useTestApp()
const url = '/api/v1/price-overrides'

/** For one cluster, so that the tests of this file do not share prices. */
async function set(clusterId: string, body: object): Promise<string> {
  const { bearer } = await aPerson(t)
  const response = await send(t, { method: 'POST', url, headers: bearer, body: { cluster_id: clusterId, ...body } })
  expect(response.statusCode).toBe(201)
  return response.json<{ id: string }>().id
}

const price = (usd: number | string, from = firstHour) => ({
  kind: 'node_price',
  instance_type: 'm5.xlarge',
  usd_per_hour: usd,
  effective_from: from.toISOString(),
})

const discount = (percent: number, from = firstHour) => ({
  kind: 'discount',
  provider: 'aws',
  percent,
  effective_from: from.toISOString(),
})

async function end(id: string, from?: Date): Promise<void> {
  const { bearer } = await aPerson(t)
  const query = from ? `?from=${from.toISOString()}` : ''
  const response = await send(t, { method: 'DELETE', url: `${url}/${id}${query}`, headers: bearer })
  expect(response.statusCode).toBe(204)
}

test('a discount of 10 % from an hour on: before it $0.23 an hour, from it $0.207', async () => {
  const { clusterId } = await aFoldedCluster(t, oneNode)
  expect(await nodeCosts(t, clusterId)).toEqual([0.23, 0.23])
  await set(clusterId, discount(10, secondHour))
  await reprice(t.deps)
  expect(await nodeCosts(t, clusterId)).toEqual([0.23, 0.207])
})

test('a price for the past changes costs and no measured quantity', async () => {
  const { clusterId } = await aFoldedCluster(t, oneNode)
  const before = await quantities(t, clusterId)
  await set(clusterId, price('0.161'))
  await reprice(t.deps)
  expect(await nodeCosts(t, clusterId)).toEqual([0.161, 0.161])
  expect(await quantities(t, clusterId)).toEqual(before)
  const revisions = await revisionsOf(clusterId)
  await reprice(t.deps)
  expect(revisions).toEqual([2, 2])
  expect(await revisionsOf(clusterId)).toEqual(revisions)
})

const priceAlerts = async (clusterId: string) =>
  (
    await t.db
      .selectFrom('alert')
      .select(['state', 'content'])
      .where('rule', '=', 'price_changed')
      .where('cluster_id', '=', clusterId)
      .execute()
  ).map(({ state, content }) => `${state}: ${content.title.replace(/cluster .* by/, 'cluster by')}`)

test('a price that changes the run rate by more than 1 % opens an alert, a smaller change does not', async () => {
  const { clusterId } = await aFoldedCluster(t, oneNode)
  await set(clusterId, discount(0.5))
  await reprice(t.deps)
  expect(await priceAlerts(clusterId)).toEqual([])
  const id = await set(clusterId, discount(10, secondHour))
  // A fold may write the new rates before the repricing ends.
  await fold(t.deps, { clusterId })
  await reprice(t.deps)
  expect(await priceAlerts(clusterId)).toEqual(['firing: New prices change the run rate of cluster by −9.5 %'])
  await end(id, secondHour)
  t.clock.advance(60_000)
  await reprice(t.deps)
  expect(await priceAlerts(clusterId)).toHaveLength(2)
})

test('an hour that is written later has the price of its hour', async () => {
  const cluster = await aCluster(t)
  await set(cluster.clusterId, price('0.1', secondHour))
  t.clock.now = firstHour
  for (const [index, batch] of batchesOf(oneNode, { minutesPerBatch: 10 }).entries())
    await sendBatch(t, cluster.agentToken, batch, { seq: index + 1 })
  t.clock.now = new Date(endSecond * 1000)
  await fold(t.deps, cluster)
  expect(await nodeCosts(t, cluster.clusterId)).toEqual([0.23, 0.1])
})

test('a node with a custom price of 0 costs 0 and is not unpriced', async () => {
  const { clusterId } = await aFoldedCluster(t, oneNode)
  await set(clusterId, price(0))
  await reprice(t.deps)
  expect(await nodeCosts(t, clusterId)).toEqual([0, 0])
})

test('custom monthly rates price the hours: 4 vCPU at $20 and 16 GiB at $4 a month', async () => {
  const { clusterId } = await aFoldedCluster(t, oneNode)
  await set(clusterId, {
    kind: 'custom_rates',
    usd_per_vcpu_month: 20,
    usd_per_gib_month: 4,
    effective_from: firstHour.toISOString(),
  })
  await reprice(t.deps)
  // (4 · 20 + 16 · 4) / 730
  expect(await nodeCosts(t, clusterId)).toEqual([0.197260274, 0.197260274])
})

test('an ended override keeps the hours before; a deleted override never applied', async () => {
  const { clusterId } = await aFoldedCluster(t, oneNode)
  const id = await set(clusterId, price('0.1'))
  await reprice(t.deps)
  await end(id, secondHour)
  await reprice(t.deps)
  expect(await nodeCosts(t, clusterId)).toEqual([0.1, 0.23])
  await end(id, firstHour)
  await reprice(t.deps)
  expect(await nodeCosts(t, clusterId)).toEqual([0.23, 0.23])
})

test('without a start time, an override ends with this hour and history keeps it', async () => {
  const { clusterId } = await aFoldedCluster(t, oneNode)
  const id = await set(clusterId, price('0.1'))
  await end(id)
  await reprice(t.deps)
  expect(await nodeCosts(t, clusterId)).toEqual([0.1, 0.1])
  const row = await findCluster(t.db, clusterId)
  expect(Number(row?.monthly_cost)).toBeCloseTo((0.23 + 0.1) * 730, 6)
})

test('the monthly cost of a cluster follows at once, including the fee of its control plane', async () => {
  const { clusterId } = await aFoldedCluster(t, oneNode)
  await set(clusterId, discount(50))
  await reprice(t.deps)
  const row = await findCluster(t.db, clusterId)
  expect(Number(row?.monthly_cost)).toBeCloseTo((0.115 + 0.05) * 730, 6)
})

test('doubling the price of a class doubles every cost of it', async () => {
  const { clusterId } = await aFoldedCluster(t, oneNode)
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 50_000_000 }), async (micros) => {
      const costsAt = async (usd: string) => {
        await set(clusterId, price(usd))
        await reprice(t.deps)
        return [...(await nodeCosts(t, clusterId)), ...(await workloadCosts(t, clusterId))]
      }
      const once = await costsAt((micros / 1e6).toFixed(6))
      const twice = await costsAt((micros / 5e5).toFixed(6))
      expect(once).toHaveLength(6)
      twice.forEach((usd, index) => expect(Math.abs(usd - 2 * (once[index] ?? NaN))).toBeLessThan(1e-8))
    }),
    { numRuns: rounds({ short: 1, full: 5 }) },
  )
})

test('late data written at the new price joins the repriced rows', async () => {
  const cluster = await aCluster(t)
  const batches = batchesOf(oneNode, { minutesPerBatch: 10 })
  t.clock.now = firstHour
  const late = 3
  for (const [index, batch] of batches.entries())
    if (index !== late) await sendBatch(t, cluster.agentToken, batch, { seq: index + 1 })
  t.clock.now = new Date((endSecond + 16 * 60) * 1000)
  await fold(t.deps, cluster)
  await set(cluster.clusterId, price('0.1'))
  for (const batch of batches.slice(late, late + 1)) await sendBatch(t, cluster.agentToken, batch, { seq: late + 1 })
  await fold(t.deps, cluster)
  await reprice(t.deps)

  const clean = await aFoldedCluster(t, oneNode)
  await set(clean.clusterId, price('0.1'))
  await reprice(t.deps)
  expect(await nodeCosts(t, cluster.clusterId)).toEqual([0.1, 0.1])
  expect(await workloadCosts(t, cluster.clusterId)).toEqual(await workloadCosts(t, clean.clusterId))
  expect(await ratesStored(cluster.clusterId)).toBe(1)
})

test('two concurrent prices: stored hours and new hours follow the same one', async () => {
  const { clusterId } = await aFoldedCluster(t, oneNode)
  await Promise.all([set(clusterId, price('0.1')), set(clusterId, price('0.2'))])
  await Promise.all([reprice(t.deps), reprice(t.deps)])
  const { bearer } = await aPerson(t)
  const shown = await send(t, { url: `/api/v1/prices?cluster_id=${clusterId}`, headers: bearer })
  const [now] = shown.json<{ node_classes: { price: { usd_per_hour: number } }[] }>().node_classes
  expect([0.1, 0.2]).toContain(now?.price.usd_per_hour)
  expect(await nodeCosts(t, clusterId)).toEqual([now?.price.usd_per_hour, now?.price.usd_per_hour])
})

test('a cluster that is being folded is left to a later run, and no work is lost', async () => {
  const { clusterId } = await aFoldedCluster(t, oneNode)
  await t.db.transaction().execute(async (tx) => {
    await tryLockFold(tx, clusterId)
    await set(clusterId, price('0.1'))
    await reprice(t.deps)
  })
  expect(await nodeCosts(t, clusterId)).toEqual([0.23, 0.23])
  expect(await listRepricing(t.db)).toEqual([clusterId])
  await reprice(t.deps)
  expect(await nodeCosts(t, clusterId)).toEqual([0.1, 0.1])
  expect(await listRepricing(t.db)).toEqual([])
})

test('a price set while the job processes its cluster waits, and then counts', async () => {
  const { clusterId } = await aFoldedCluster(t, oneNode)
  await set(clusterId, price('0.1'))
  let later: Promise<string> | undefined
  await t.db.transaction().execute(async (tx) => {
    await lockRepricing(tx, clusterId)
    later = set(clusterId, price('0.2'))
    await vi.waitUntil(() => isWaitingForLock(t.db), { ...patience, interval: 10 })
    await endRepricing(tx, clusterId)
  })
  await later
  await reprice(t.deps)
  expect(await nodeCosts(t, clusterId)).toEqual([0.2, 0.2])
})

test('large clusters are repriced hour by hour; a long run yields and the next one continues', async () => {
  const { clusterId } = await aFoldedCluster(t, oneNode)
  await set(clusterId, price('0.1'))
  await t.db.updateTable('cluster_state').set({ pod_count: 1_000_000 }).where('cluster_id', '=', clusterId).execute()
  let looks = 0
  const start = t.clock.now.getTime()
  // At the start, before, in and after the first step: then half a minute is over.
  await reprice({ ...t.deps, now: () => new Date(start + ((looks += 1) > 2 ? 30_000 : 0)) })
  expect(await nodeCosts(t, clusterId)).toEqual([0.1, 0.23])
  await reprice(t.deps)
  expect(await nodeCosts(t, clusterId)).toEqual([0.1, 0.1])
  expect(await listRepricing(t.db)).toEqual([])
})

test('hours beyond the retention are skipped', async () => {
  const { clusterId } = await aFoldedCluster(t, oneNode)
  const longAgo = new Date(firstHour.getTime() - 40 * 24 * 3_600_000)
  await sql`
    insert into folded_hour (cluster_id, hour, revision, written_at)
    select ${clusterId}, generate_series(${longAgo}::timestamptz, ${longAgo}::timestamptz + '200 hours', '1 hour'), 1, ${longAgo}`.execute(
    t.db,
  )
  await set(clusterId, price('0.1', longAgo))
  await reprice(t.deps)
  expect(await nodeCosts(t, clusterId)).toEqual([0.1, 0.1])
})

test('a discount that begins before the stored hours keeps the sums of older hours', async () => {
  const { clusterId } = await aFoldedCluster(t, twoNodesWithCloudResources)
  // As the retention does: the hours of nodes, workloads and cloud resources are dropped, and their sums are kept.
  for (const table of ['node_hour', 'workload_hour', 'asset_hour']) {
    await sql`delete from ${sql.table(table)} where cluster_id = ${clusterId}`.execute(t.db)
  }
  const sums = async () =>
    Promise.all(
      ['cluster_hour', 'namespace_hour', 'asset_namespace_hour'].map(async (table) => {
        const { rows } = await sql<{ count: number }>`
          select count(*)::integer as count from ${sql.table(table)} where cluster_id = ${clusterId}`.execute(t.db)
        return rows[0]?.count ?? 0
      }),
    )
  const before = await sums()
  expect(Math.min(...before)).toBeGreaterThan(0)
  await set(clusterId, discount(10))
  await reprice(t.deps)
  expect(await sums()).toEqual(before)
})

test('every answer follows: hours, existing day sums, and renewed day sums', async () => {
  const hours = 40
  const { clusterId } = await aBridgedCluster(t, hours, oneNode)
  const admin = await aPerson(t)
  const total = async () => {
    const window = `from=${isoHour(0)}&to=${isoHour(hours)}`
    return (await get<IdleCosts>(t, admin, `/api/v1/idle-costs?cluster_id=${clusterId}&${window}`)).total
  }
  await sumUpDays(t.deps, { clusterId })
  expect(await total()).toBeCloseTo(40 * 0.23, 6)
  await set(clusterId, price('0.1', new Date(isoHour(20))))
  await reprice(t.deps)
  expect(await total()).toBeCloseTo(20 * 0.23 + 20 * 0.1, 6)
  await sumUpDays(t.deps, { clusterId })
  expect(await total()).toBeCloseTo(20 * 0.23 + 20 * 0.1, 6)
  const { nodes } = await get<{ nodes: object[] }>(t, admin, `/api/v1/clusters/${clusterId}/nodes?window=7d`)
  expect(nodes).toMatchObject([{ price: { usd_per_hour: 0.1 } }])
})

async function revisionsOf(clusterId: string): Promise<number[]> {
  const { rows } = await sql<{ revision: number }>`
    select revision from folded_hour where cluster_id = ${clusterId} order by hour`.execute(t.db)
  return rows.map(({ revision }) => revision)
}

async function ratesStored(clusterId: string): Promise<number> {
  const { rows } = await sql<{ rates: number }>`
    select count(distinct rate_id)::int as rates from workload_hour where cluster_id = ${clusterId}`.execute(t.db)
  return rows[0]?.rates ?? 0
}
