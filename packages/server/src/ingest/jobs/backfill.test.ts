import type { Allocation, Batch, Summary } from '@plimsoll/contract'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { get } from '../../../test/folded-cluster.ts'
import { aCluster, aPerson } from '../../../test/people.ts'
import { sendBatch } from '../../../test/send-batch.ts'
import { batchesOf, endSecond, type SmallWorld, startHour, startSecond } from '@plimsoll/pipeline/testing'
import { storedHours } from '../../../test/stored-usage.ts'
import { useTestApp } from '../../../test/test-app.ts'
import { sentHistory } from '../../../test/sent-history.ts'
import { percentile } from '@plimsoll/pipeline/fold'
import { listUsageSlots } from '../queries/usage-histograms.ts'
import { listUsageHours } from '../queries/usage-hours.ts'
import { containerIdOf } from '../queries/usage-rows.ts'
import { fold } from './fold.ts'
import { retention } from '../../maintenance/retention.ts'
import { sumUpDays } from './sum-up-days.ts'

const t = useTestApp()

type TestCluster = Awaited<ReturnType<typeof aCluster>>

const containerId = containerIdOf(['past', 'Deployment', 'web', 'c0'])
const allTime = { from: new Date(0), to: new Date('2100-01-01') }
const hoursBefore = (first: number, count: number) =>
  Array.from({ length: count }, (_each, index) => startHour - first + index)

const liveWorld: SmallWorld = { nodes: [{ uid: 'node-0', bornAt: startSecond - 60, endedAt: Infinity }], pods: [] }

test('backfilled history is priced, visible over 30 days, and summed by day', async () => {
  const cluster = await aCluster(t)
  await sendHistory(cluster, [sentHistory({ hours: hoursBefore(36, 12) }), sentHistory({ hours: hoursBefore(24, 12) })])
  await foldAt(cluster, startSecond)
  await sumUpDays(t.deps, cluster)
  const viewer = await aPerson(t, 'viewer')
  const window = `from=${iso(startHour - 30 * 24)}&to=${iso(startHour)}`
  const summary = await get<Summary>(t, viewer, `/api/v1/clusters/${cluster.clusterId}/summary?${window}`)
  // 24 hours at $0.23, and at $0.10 for the control plane
  expect(summary.cost_breakdown.total).toBeCloseTo(7.92, 5)
  const allocation = await get<Allocation>(
    t,
    viewer,
    `/api/v1/allocation?cluster_id=${cluster.clusterId}&by=namespace&${window}`,
  )
  expect(allocation.total).toBeCloseTo(7.92, 5)
  expect(allocation.steps[0]?.rows.map(({ names }) => names.namespace)).toEqual(['past'])
  const days = await t.db.selectFrom('folded_day').select('hours').where('cluster_id', '=', cluster.clusterId).execute()
  expect(days.reduce((sum, { hours }) => sum + hours, 0)).toBe(24)
})

test('backfilled usage is stored with percentiles, by the hour, by six hours and by the day', async () => {
  const cluster = await aCluster(t)
  const day = Math.floor(startHour / 24) * 24 - 24
  await sendHistory(cluster, [
    sentHistory({ hours: Array.from({ length: 24 }, (_each, index) => day + index), parts: 'usage' }),
  ])
  await foldAt(cluster, startSecond)
  const hours = await listUsageHours(t.db, cluster.clusterId, allTime, [containerId])
  expect(hours).toHaveLength(24)
  expect(hours[0]).toMatchObject({
    podSeconds: 3600,
    podMinutes: 60,
    throttling: { periods: 36_000, throttledPeriods: 9000 },
    cpu: { sum: 60 * 5000, max: 10_000, hottest: 5000 },
  })
  const slots = await listUsageSlots(t.db, cluster.clusterId, allTime, [containerId])
  expect(slots.map((slot) => [slot.hours, slot.cpu.histogram.counts])).toEqual(
    Array.from({ length: 4 }, () => [0b111111, [6 * 59, 6]]),
  )
  // Six hours of 1 GiB, with a peak of 2 GiB.
  for (const { memory } of slots) {
    expect(memory.max).toBe(2 * 1024 * 1024)
    const p95 = percentile(memory.histogram, 0.95, memory.max)
    expect(p95).toBeGreaterThanOrEqual(1024 * 1024)
    expect(p95).toBeLessThanOrEqual(1.03 * 1024 * 1024)
  }
})

test('repetition changes nothing: in the same epoch, in another, in other batches', async () => {
  const [once, often] = [await aCluster(t), await aCluster(t)]
  const hours = hoursBefore(40, 12)
  await sendHistory(once, [sentHistory({ hours })])
  await sendHistory(often, [
    sentHistory({ hours: hours.slice(0, 5) }),
    sentHistory({ hours: hours.slice(3) }),
    sentHistory({ hours }),
  ])
  await sendHistory(often, [sentHistory({ hours, cpu: 7000 })], 'past-2')
  for (const cluster of [once, often]) await foldAt(cluster, startSecond)
  expect(await stored(often)).toEqual(await stored(once))
})

test('an hour is rejected if it is incomplete, too old, or has live data, and the agent gets the reason', async () => {
  const cluster = await aCluster(t)
  await live(cluster)
  const hours = [startHour - 35 * 24 - 1, startHour - 34 * 24, startHour, startHour + 2]
  await sendHistory(
    cluster,
    hours.map((hour) => ({ ...sentHistory({ hours: [hour], parts: 'usage' }), observed_at: endSecond })),
  )
  await foldAt(cluster, endSecond)
  const answer = await send(
    cluster,
    sentHistory({ hours: [startHour - 24], parts: 'usage' }),
    'past-1',
    hours.length + 1,
  )
  const { rejected_records: rejected, rejections } = answer.json<{
    fold: { rejected_records: number; rejections: { reason: string }[] }
  }>().fold
  expect(rejected).toBe(3)
  expect(rejections.map(({ reason }) => reason)).toEqual([
    'usage 0: the hour has not ended',
    'usage 0: the hour has live data',
    'usage 0: older than 35 days',
  ])
})

test('live data that arrives later replaces the backfilled hour completely', async () => {
  const [backfilled, clean] = [await aCluster(t), await aCluster(t)]
  t.clock.now = new Date(endSecond * 1000)
  await sendHistory(backfilled, [sentHistory({ hours: [startHour - 1, startHour, startHour + 1] })])
  await foldAt(backfilled, endSecond)
  expect(await origins(backfilled)).toEqual(['backfill', 'backfill', 'backfill'])
  for (const cluster of [backfilled, clean]) {
    await live(cluster)
    await foldAt(cluster, endSecond)
  }
  expect(await origins(backfilled)).toEqual(['backfill', 'live', 'live'])
  expect((await stored(backfilled)).filter(({ hour }) => hour >= startSecond * 1000)).toEqual(await stored(clean))
  // The hour before shares a six-hour slot with them and remains.
  const slots = await listUsageSlots(t.db, backfilled.clusterId, allTime, [containerId])
  expect(slots.reduce((minutes, { cpu }) => minutes + cpu.histogram.counts.reduce((a, b) => a + b, 0), 0)).toBe(60)
})

test('hours without reports can be backfilled, and remain when more live data comes', async () => {
  const cluster = await aCluster(t)
  const batches = batchesOf(liveWorld, { minutesPerBatch: 10 })
  const [first] = batches
  if (!first) throw new Error('the world is too short')
  // Silent from the first ten minutes on, for nine hours.
  const back = { ...first, ...emptyMinutes(first), observed_at: startSecond + 9 * 3600 }
  await live(cluster, [first, back])
  await foldAt(cluster, startSecond + 9 * 3600)
  expect((await origins(cluster)).slice(0, 3)).toEqual(['live', 'bridged', 'bridged'])
  await sendHistory(cluster, [sentHistory({ hours: [startHour + 1] })])
  await foldAt(cluster, startSecond + 9 * 3600)
  await live(cluster, [{ ...back, observed_at: startSecond + 10 * 3600 }], 3)
  await foldAt(cluster, startSecond + 10 * 3600)
  expect((await origins(cluster)).slice(0, 3)).toEqual(['live', 'backfill', 'bridged'])
  const nodes = (await stored(cluster)).filter(
    ({ what, hour }) => what === 'node' && hour === (startHour + 1) * 3_600_000,
  )
  expect(nodes.map(({ name }) => name)).toEqual(['old-node'])
})

test('history without inventory costs nothing and is replaced by live data too', async () => {
  const cluster = await aCluster(t)
  t.clock.now = new Date(endSecond * 1000)
  await sendHistory(cluster, [sentHistory({ hours: [startHour], parts: 'usage' })])
  await foldAt(cluster, endSecond)
  expect(await origins(cluster)).toEqual([])
  expect(await listUsageHours(t.db, cluster.clusterId, allTime, [containerId])).toHaveLength(1)
  await live(cluster)
  await foldAt(cluster, endSecond)
  expect(await listUsageHours(t.db, cluster.clusterId, allTime, [containerId])).toEqual([])
  expect(await listUsageSlots(t.db, cluster.clusterId, allTime, [containerId])).toEqual([])
})

test('a long history is folded in several runs, each of which queues the next', async () => {
  const cluster = await aCluster(t)
  await sendHistory(
    cluster,
    hoursBefore(22, 22).map((hour) => sentHistory({ hours: [hour], parts: 'nodes' })),
  )
  const written = async () => {
    const hours = await t.db
      .selectFrom('folded_hour')
      .select('hour')
      .where('cluster_id', '=', cluster.clusterId)
      .execute()
    return hours.length
  }
  await foldAt(cluster, startSecond)
  expect(await written()).toBe(20)
  const { rows } = await sql`select from graphile_worker.jobs where key = ${`fold ${cluster.clusterId}`}`.execute(t.db)
  expect(rows).toHaveLength(1)
  await foldAt(cluster, startSecond)
  expect(await written()).toBe(22)
})

test('unreadable backfill is quarantined, and it must not contain minutes', async () => {
  const cluster = await aCluster(t)
  const [minutes] = batchesOf(liveWorld)
  if (!minutes) throw new Error('the world is too short')
  await sendHistory(cluster, [
    { ...minutes, hours: {} } as unknown as Batch,
    minutes,
    sentHistory({ hours: [startHour - 5] }),
  ])
  await foldAt(cluster, startSecond + 60)
  const rows = await t.db
    .selectFrom('ingest_batch')
    .select(['state', 'reason'])
    .where('cluster_id', '=', cluster.clusterId)
    .orderBy('seq')
    .execute()
  expect(rows).toEqual([
    { state: 'quarantined', reason: expect.stringContaining('hours:') as string },
    { state: 'folded', reason: 'minutes 0: a backfill batch must use hours, not minutes' },
    { state: 'folded', reason: null },
  ])
  expect(await origins(cluster)).toEqual(['backfill'])
})

test('old days are dropped from every table', async () => {
  const cluster = await aCluster(t)
  await sendHistory(cluster, [sentHistory({ hours: [startHour - 34 * 24, startHour - 2] })])
  await foldAt(cluster, startSecond)
  const count = async () => {
    const { rows } = await sql<{ count: number }>`
      select (select count(*) from usage_histogram where cluster_id = ${cluster.clusterId})
        + (select count(*) from usage_hour where cluster_id = ${cluster.clusterId})
        + (select count(*) from pod_hour where cluster_id = ${cluster.clusterId}) as count`.execute(t.db)
    return Number(rows[0]?.count)
  }
  // Two histograms; usage and pod of the younger hour only.
  expect(await count()).toBe(4)
  t.clock.now = new Date((startSecond + 5 * 86_400) * 1000)
  await retention(t.deps)
  expect(await count()).toBe(2)
  t.clock.now = new Date((startSecond + 40 * 86_400) * 1000)
  await retention(t.deps)
  expect(await count()).toBe(0)
  const left = await t.db
    .selectFrom('workload_container')
    .select('container')
    .where('cluster_id', '=', cluster.clusterId)
    .execute()
  expect(left).toEqual([])
})

const iso = (hour: number) => new Date(hour * 3_600_000).toISOString()

const emptyMinutes = (batch: Batch): Pick<Batch, 'minutes'> => ({
  minutes: Object.fromEntries(Object.keys(batch.minutes).map((name) => [name, []])) as unknown as Batch['minutes'],
})

const send = ({ agentToken }: TestCluster, batch: Batch, epoch: string, seq: number) =>
  sendBatch(t, agentToken, batch, { epoch, seq, headers: { 'plimsoll-kind': 'backfill' } })

async function sendHistory(cluster: TestCluster, batches: readonly Batch[], epoch = 'past-1'): Promise<void> {
  t.clock.now = new Date(Math.max(startSecond * 1000, t.clock.now.getTime()))
  for (const [index, batch] of batches.entries()) {
    expect((await send(cluster, batch, epoch, index + 1)).statusCode).toBe(202)
  }
}

async function live(
  { agentToken }: TestCluster,
  batches = batchesOf(liveWorld, { minutesPerBatch: 10 }),
  firstSeq = 1,
): Promise<void> {
  for (const [index, batch] of batches.entries()) await sendBatch(t, agentToken, batch, { seq: firstSeq + index })
}

async function foldAt({ clusterId }: TestCluster, second: number): Promise<void> {
  t.clock.now = new Date(second * 1000)
  await fold(t.deps, { clusterId })
}

async function origins({ clusterId }: TestCluster): Promise<string[]> {
  const rows = await t.db
    .selectFrom('folded_hour')
    .select('origin')
    .where('cluster_id', '=', clusterId)
    .orderBy('hour')
    .execute()
  return rows.map(({ origin }) => origin)
}

/** Containers of workloads have the time of their last observation. */
async function stored({ clusterId }: TestCluster) {
  return (await storedHours(t.db, clusterId)).filter(({ what }) => what !== 'container')
}
