import { usageBucketEdges, usageBucketOf, type Batch } from '@plimsoll/contract'
import { CPU_SCALE } from '@plimsoll/engine/rightsizing'
import { bucketOf, edgeOf, MEMORY_SCALE } from '@plimsoll/engine/testing'
import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { rounds } from '../../../../../test/rounds.ts'
import { aFoldedCluster, foldAt } from '../../../test/folded-cluster.ts'
import { aCluster } from '../../../test/people.ts'
import { sendBatch } from '../../../test/send-batch.ts'
import { batchesOf, endSecond, smallWorld, type SmallWorld, startSecond } from '@plimsoll/pipeline/testing'
import { storedHours } from '../../../test/stored-usage.ts'
import { useTestApp } from '../../../test/test-app.ts'
import { listUsageHours } from '../queries/usage-hours.ts'
import { containerIdOf } from '../queries/usage-rows.ts'

const t = useTestApp()

const allTime = { from: new Date(0), to: new Date('2100-01-01') }

/** Two replicas, one with twice the usage, running for an hour before the first report. */
const replicas: SmallWorld = {
  nodes: [{ uid: 'node-0', bornAt: startSecond - 3600, endedAt: Infinity }],
  pods: ['web-0', 'web-1'].map((uid, index) => ({
    uid,
    node: 0,
    boundAt: startSecond - 3600,
    endedAt: Infinity,
    containers: [{ name: 'c0', millicores: 1000, kib: 4 * 1024 * 1024 }],
    resize: undefined,
    useSeed: index,
    workload: 'web',
  })),
}

test('the engine and the contract define the same buckets', () => {
  expect(usageBucketEdges).toHaveLength(MEMORY_SCALE.bucketCount)
  usageBucketEdges.forEach((edge, bucket) => expect(edge).toBe(edgeOf(bucket)))
  for (const scale of [CPU_SCALE, MEMORY_SCALE]) {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: scale.unitsMax }), (value) => {
        expect(usageBucketOf(value)).toBe(bucketOf(scale, value))
      }),
    )
  }
})

test('an hour of a workload, computed by hand', async () => {
  const { clusterId } = await aFoldedCluster(t, replicas)
  const containerId = containerIdOf(['shop', 'Deployment', 'web', 'c0'])
  const [hour] = await listUsageHours(t.db, clusterId, allTime, [containerId])
  // Minute by minute a pod uses (seed × 31 + minute × 7) mod 101 times 30 millicores.
  const useOf = (seed: number) => Array.from({ length: 60 }, (_each, minute) => ((seed * 31 + minute * 7) % 101) * 300)
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)
  const [cold, hot] = [useOf(0), useOf(1)]
  expect(hour).toMatchObject({
    podSeconds: 7200,
    podMinutes: 120,
    cpu: {
      sum: sum([...cold, ...hot]),
      max: Math.max(...cold, ...hot),
      hottest: Math.floor(Math.max(sum(cold), sum(hot)) / 60),
    },
    startUp: { minutes: 0 },
  })
  const container = await t.db
    .selectFrom('workload_container')
    .select(['workload_name', 'container_kind', 'cpu_request', 'cpu_limit', 'memory_request', 'pods'])
    .where('cluster_id', '=', clusterId)
    .execute()
  expect(container).toEqual([
    {
      workload_name: 'web',
      container_kind: 'app',
      cpu_request: '1000',
      cpu_limit: null,
      memory_request: String(4 * 1024 * 1024),
      pods: 2,
    },
  ])
})

test('late minutes reopen their hour, with the same result as without delay', async () => {
  await fc.assert(
    fc.asyncProperty(smallWorld, fc.integer({ min: 1, max: 11 }), async (world, late) => {
      const shared = { ...world, pods: world.pods.map((pod, index) => ({ ...pod, workload: `workload-${index % 2}` })) }
      const clean = await aFoldedCluster(t, shared)
      const messy = await aCluster(t)
      const batches = batchesOf(shared, { minutesPerBatch: 10 })
      const isLate = (minute: number) => Math.floor(minute / 10) === late
      const withGap = batchesOf(shared, { minutesPerBatch: 10, isLost: (_node, minute) => isLate(minute) })
      for (const [index, batch] of withGap.entries()) await sendBatch(t, messy.agentToken, batch, { seq: index + 1 })
      await foldAt(t, messy, endSecond)
      for (const [index, batch] of batches.entries()) {
        await sendBatch(t, messy.agentToken, batch, { epoch: 'epoch-2', seq: index + 1 })
        if (index === late) await foldAt(t, messy, endSecond)
      }
      await foldAt(t, messy, endSecond)
      expect(await storedHours(t.db, messy.clusterId)).toEqual(await storedHours(t.db, clean.clusterId))
      expect(await sums('pod_hour', messy.clusterId)).toEqual(await sums('workload_hour', messy.clusterId))
    }),
    { numRuns: rounds({ short: 1, full: 3 }) },
  )
})

test('throttling is stored with its hour, even if reported later, and is unknown without a report', async () => {
  const cluster = await aCluster(t)
  const batches = batchesOf(replicas, { minutesPerBatch: 10 })
  const throttled = (minute: number) => ({
    pod_ref: [2, 3],
    container: [0, 0],
    at: [startSecond + minute * 60, startSecond + minute * 60],
    oom_kills: [0, 0],
    restarts: [0, 0],
    cpu_periods: [600, 400],
    throttled_periods: [150, 0],
  })
  const stored = async () => {
    const hours = await listUsageHours(t.db, cluster.clusterId, allTime)
    return hours.map(({ throttling }) => throttling)
  }
  const send = async (seq: number, batch: Batch, events: Batch['events']) => {
    await sendBatch(t, cluster.agentToken, { ...batch, events }, { seq })
  }
  for (const [index, batch] of batches.entries()) {
    await send(index + 1, batch, index === 2 ? throttled(20) : batch.events)
  }
  await foldAt(t, cluster, endSecond)
  expect(await stored()).toEqual([{ periods: 1000, throttledPeriods: 150 }, null])
  const last = batches.at(-1) ?? expect.fail('there are no batches')
  await send(batches.length + 1, last, throttled(40))
  await foldAt(t, cluster, endSecond)
  expect(await stored()).toEqual([{ periods: 2000, throttledPeriods: 300 }, null])
})

/** Pods are the parts of workloads: their allocation and usage add up to the same. */
async function sums(table: 'pod_hour' | 'workload_hour', clusterId: string): Promise<unknown[]> {
  const { rows } = await sql`
    select hour, namespace, workload_name, sum(seconds) as seconds, sum(cpu_request) as cpu_request, sum(cpu_usage) as cpu_usage,
      sum(cpu_alloc) as cpu_alloc, sum(cpu_used) as cpu_used, sum(cpu_known) as cpu_known,
      sum(memory_alloc) as memory_alloc, sum(memory_used) as memory_used
    from ${sql.table(table)} where cluster_id = ${clusterId}
    group by hour, namespace, workload_name order by hour, namespace, workload_name`.execute(t.db)
  return rows
}
