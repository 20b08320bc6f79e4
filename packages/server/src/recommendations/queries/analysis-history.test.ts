import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { aFoldedCluster } from '../../../test/folded-cluster.ts'
import { startSecond, twoNodesWithCloudResources } from '@plimsoll/pipeline/testing'
import { useTestApp } from '../../../test/test-app.ts'
import {
  countHoursOfWeek,
  listClassPeaks,
  listLastUses,
  listNamespacePeaks,
  listNamespaceRhythms,
  listReplicaPeaks,
  listRestingLabels,
  listRunCosts,
  listScalingHistories,
} from './analysis-history.ts'
import { ensureDay } from '../../platform/db/partitions.ts'

const t = useTestApp()

let clusterId: string
beforeAll(async () => {
  clusterId = (await aFoldedCluster(t, twoNodesWithCloudResources)).clusterId
})

const hour = (number: number) => new Date((startSecond + number * 3600) * 1000)
const web = { namespace: 'shop', kind: 'Deployment', name: 'web', replicasMin: 1 }

test('stored hours show the last use of a volume, and since when it is known', async () => {
  const uses = await listLastUses(t.db, clusterId, ['shared', 'forgotten', 'nobody'], t.clock.now)
  expect([...uses.keys()].sort()).toEqual(['forgotten', 'shared'])
  expect(uses.get('shared')?.lastUsedHour).toEqual(hour(1))
  expect(uses.get('forgotten')).toMatchObject({ lastUsedHour: null })
  expect(await listLastUses(t.db, clusterId, [], t.clock.now)).toEqual(new Map())
})

test('the time of a scaled workload at its minimum, and its highest number of pods', async () => {
  const [history] = [...(await listScalingHistories(t.db, clusterId, [web], t.clock.now)).entries()]
  expect(history?.[0]).toBe('shop/Deployment/web')
  expect(history?.[1]).toMatchObject({ days: 0, atMinShare: 1 })
  expect(history?.[1].cpuUsePercent).toBeGreaterThan(0)
  expect(await listReplicaPeaks(t.db, clusterId, [web], t.clock.now)).toEqual(new Map([['shop/Deployment/web', 1]]))
  expect(await listReplicaPeaks(t.db, clusterId, [], t.clock.now)).toEqual(new Map())
  expect(await countHoursOfWeek(t.db, clusterId, t.clock.now)).toBe(2)
})

test('the highest requests of a namespace, and its usage in working hours', async () => {
  const peaks = await listNamespacePeaks(t.db, clusterId, ['shop'], t.clock.now)
  expect(peaks).toEqual(new Map([['shop', { days: 0, cpuMillicores: 1000, memoryKib: 4 * 1024 * 1024 }]]))
  const rhythm = (await listNamespaceRhythms(t.db, clusterId, ['shop'], t.clock.now)).get('shop')
  expect(rhythm).toMatchObject({ days: 0, coverage: 1 })
  expect((rhythm?.officeCpuMillicores ?? 0) + (rhythm?.offCpuMillicores ?? 0)).toBeGreaterThan(0)
})

test('the cost of runs is queried for the given CronJobs only', async () => {
  expect(await listRunCosts(t.db, clusterId, [{ namespace: 'shop', name: 'web' }], t.clock.now)).toEqual(new Map())
})

test('the pod labels of a CronJob are known for a month after its last run', async () => {
  const at = new Date(Math.floor(t.clock.now.getTime() / 86_400_000 - 9) * 86_400_000)
  for (const [ago, team] of [
    [0, 'red'],
    [-7, 'blue'],
  ] as const) {
    const day = new Date(at.getTime() + ago * 86_400_000)
    await ensureDay(t.db, 'workload_day', day)
    await sql`
      insert into workload_day
      select (jsonb_populate_record(null::workload_day, to_jsonb(h) || jsonb_build_object('day', ${day}::timestamptz,
        'namespace', 'shop', 'workload_kind', 'CronJob', 'workload_name', 'weekly', 'labels', jsonb_build_object('team', ${team}::text),
        'container_seconds', 0))).*
      from (select * from workload_hour where cluster_id = ${clusterId} limit 1) h`.execute(t.db)
  }
  const cronJobs = [
    { namespace: 'shop', name: 'weekly' },
    { namespace: 'shop', name: 'never' },
  ]
  const labels = (now: Date) => listRestingLabels(t.db, clusterId, cronJobs, now)
  expect(await labels(t.clock.now)).toEqual(new Map([['shop/weekly', { team: 'red' }]]))
  expect(await labels(new Date(t.clock.now.getTime() + 40 * 86_400_000))).toEqual(new Map())
})

test('by node class: the ratio of the busiest hour of a month to the last day', async () => {
  const factors = async (now: Date) => new Set((await listClassPeaks(t.db, clusterId, now)).values())
  expect(await factors(t.clock.now)).toEqual(new Set([1]))
  await sql`
    insert into cluster_hour
    select (jsonb_populate_record(h, jsonb_build_object('hour', h.hour - interval '20 days', 'cpu_alloc', 3 * h.cpu_alloc))).*
    from cluster_hour h where cluster_id = ${clusterId}`.execute(t.db)
  expect(await factors(t.clock.now)).toEqual(new Set([3]))
  // Ten days later the busy hour is still in the month, but the last day has no data to compare with.
  expect(await factors(new Date(t.clock.now.getTime() + 10 * 86_400_000))).toEqual(new Set([1]))
})
