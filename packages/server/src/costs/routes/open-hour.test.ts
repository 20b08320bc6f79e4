import type { Allocation, Changes, NodeList, WorkloadList } from '@plimsoll/contract'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import {
  aFoldedCluster,
  deliver,
  foldAt,
  get,
  isoHour,
  wholeWorld,
  type FoldedCluster,
} from '../../../test/folded-cluster.ts'
import { batchesOf, endSecond, startSecond, twoNodesWithCloudResources } from '@plimsoll/pipeline/testing'
import { aCluster, aPerson } from '../../../test/people.ts'
import { useTestApp } from '../../../test/test-app.ts'
import { clearOpenHour } from '../../ingest/queries/open-hour.ts'

const t = useTestApp()
const batches = batchesOf(twoNodesWithCloudResources, { minutesPerBatch: 10 })
const firstHalfHour = batches.filter(({ observed_at: at }) => at <= startSecond + 1800)

/** Of both nodes in Frankfurt. */
const nodesUsdPerHour = 0.424

const nodes = async ({ clusterId }: FoldedCluster, window: string) =>
  get<NodeList>(t, await aPerson(t), `/api/v1/clusters/${clusterId}/nodes?${window}`)
const workloads = async ({ clusterId }: FoldedCluster, window: string) =>
  get<WorkloadList>(t, await aPerson(t), `/api/v1/clusters/${clusterId}/workloads?${window}`)
const allocation = async ({ clusterId }: FoldedCluster, window: string) =>
  get<Allocation>(t, await aPerson(t), `/api/v1/allocation?cluster_id=${clusterId}&by=namespace&${window}`)

async function aNewCluster(): Promise<FoldedCluster> {
  const cluster = await aCluster(t)
  await deliver(t, cluster, firstHalfHour)
  await foldAt(t, cluster, startSecond + 1800)
  return cluster
}

const hoursSinceStart = (asOf: string | null | undefined) =>
  (new Date(asOf ?? '').getTime() / 1000 - startSecond) / 3600

test('the lists of a cluster in its first hour show the open hour, marked as partial', async () => {
  const cluster = await aNewCluster()
  const list = await nodes(cluster, 'window=7d')
  expect(list).toMatchObject({ partial: true, nodes: [{ name: 'node-0' }, { name: 'node-1' }] })
  const hours = hoursSinceStart(list.as_of)
  expect(hours).toBeGreaterThan(0.3)
  expect(hours).toBeLessThanOrEqual(0.5)
  const nodesUsd = list.nodes.reduce((sum, { cost }) => sum + cost.total, 0)
  expect(nodesUsd).toBeCloseTo(nodesUsdPerHour * hours, 5)

  const ran = await workloads(cluster, 'window=today')
  expect(ran).toMatchObject({ partial: true, as_of: list.as_of })
  expect(ran.workloads.map(({ name, replicas }) => [name, replicas]).sort()).toEqual([
    ['db', 1],
    ['web', 1],
  ])

  const shares = await allocation(cluster, 'window=24h')
  expect(shares).toMatchObject({
    partial: true,
    data_status: 'partial',
    as_of: list.as_of,
    steps: [{ has_data: true }],
  })
  const compute = [...(shares.steps[0]?.rows ?? []).map(({ cost }) => cost), shares.steps[0]?.idle]
  const computeUsd = compute.reduce((sum, cost) => sum + (cost?.cpu ?? 0) + (cost?.memory ?? 0), 0)
  expect(computeUsd).toBeCloseTo(nodesUsd, 5)
})

test('a fleet with a new cluster says which of its clusters is partial', async () => {
  const old = await aFoldedCluster(t, twoNodesWithCloudResources)
  const young = await aNewCluster()
  const fleet = await get<Allocation>(t, await aPerson(t), `/api/v1/allocation?by=namespace&${wholeWorld}`)
  expect(fleet.partial).toBe(true)
  expect(fleet.partial_cluster_ids).toContain(young.clusterId)
  expect(fleet.partial_cluster_ids).not.toContain(old.clusterId)
  expect(fleet.cluster_ids).toEqual(expect.arrayContaining([old.clusterId, young.clusterId]))
})

test('a window that ends before the open hour does not show it', async () => {
  const list = await nodes(await aNewCluster(), `from=${isoHour(-3)}&to=${isoHour(0)}`)
  expect(list).toMatchObject({ partial: false, as_of: null })
  expect(list.nodes.every(({ cost }) => cost.total === 0)).toBe(true)
})

test('a comparison includes the open hour of a cluster, which is new', async () => {
  const cluster = await aNewCluster()
  const url = `/api/v1/changes?cluster_id=${cluster.clusterId}&window=24h`
  const { total, data_status: status } = await get<Changes>(t, await aPerson(t), url)
  expect(total).toMatchObject({ before: 0, now: (await allocation(cluster, 'window=24h')).total })
  expect(new Set(total.effects.map(({ kind }) => kind))).toEqual(new Set(['new']))
  expect(status).toBe('partial')
})

test('complete hours replace the open hour and cost what they cost without it', async () => {
  const cluster = await aNewCluster()
  await deliver(t, cluster, batches)
  await foldAt(t, cluster, endSecond)
  const other = await aFoldedCluster(t, twoNodesWithCloudResources)
  for (const list of [nodes, workloads, allocation]) {
    const [shown, expected] = [await list(cluster, wholeWorld), await list(other, wholeWorld)]
    expect(shown).toMatchObject({ partial: false, as_of: isoHour(2) })
    expect(withoutIds(shown)).toEqual(withoutIds(expected))
  }
  const { rows } = await sql`select from open_hour where cluster_id = ${cluster.clusterId}`.execute(t.db)
  expect(rows).toEqual([])
})

const withoutIds = (answer: object) => ({ ...answer, cluster_id: '', cluster_ids: [], clusters: [] })

test('an open hour that another version has finalised keeps its rows', async () => {
  const { clusterId } = await aNewCluster()
  await sql`insert into folded_hour (cluster_id, hour, revision, written_at, origin)
    select cluster_id, hour, 1, now(), 'live' from open_hour where cluster_id = ${clusterId}`.execute(t.db)
  await clearOpenHour(t.db, clusterId)
  const { rows } = await sql`select from node_hour where cluster_id = ${clusterId}`.execute(t.db)
  expect(rows).toHaveLength(2)
})
