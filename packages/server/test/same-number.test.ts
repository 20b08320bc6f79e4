import type {
  Allocation,
  Cluster,
  DataQuality,
  Explanation,
  IdleCosts,
  NodeList,
  Summary,
  WorkloadList,
} from '@plimsoll/contract'
import { beforeEach, expect, test } from 'vitest'
import { aBridgedCluster, aFoldedCluster, get, isoHour, wholeWorld, type FoldedCluster } from './folded-cluster.ts'
import { endSecond, twoNodesWithCloudResources } from '@plimsoll/pipeline/testing'
import { aPerson, type Person } from './people.ts'
import { useTestApp } from './test-app.ts'

const t = useTestApp()
let viewer: Person

beforeEach(async () => {
  t.clock.now = new Date(endSecond * 1000)
  viewer = await aPerson(t, 'viewer')
})

/** Every operation about one cluster and window. */
async function everyAnswer({ clusterId }: FoldedCluster, window: string) {
  const of = <Body>(what: string) => get<Body>(t, viewer, `/api/v1/clusters/${clusterId}/${what}`)
  const allocation = (by: string) =>
    get<Allocation>(t, viewer, `/api/v1/allocation?cluster_id=${clusterId}&${window}&by=${by}`)
  return {
    summary: await of<Summary>(`summary?${window}`),
    idle: await get<IdleCosts>(t, viewer, `/api/v1/idle-costs?cluster_id=${clusterId}&${window}`),
    byNamespace: await allocation('namespace'),
    byWorkload: await allocation('workload'),
    byNode: await allocation('node'),
    nodes: await of<NodeList>(`nodes?${window}`),
    workloads: await of<WorkloadList>(`workloads?${window}`),
    quality: await of<DataQuality>(`data-quality?${window}`),
    total: await of<Explanation>(`explain?${window}`),
    compute: await of<Explanation>(`explain?${window}&resource=cpu,memory,gpu`),
  }
}

test('law 8: all answers show the same number for the same figure', async () => {
  const cluster = await aFoldedCluster(t, twoNodesWithCloudResources)
  const all = await everyAnswer(cluster, wholeWorld)
  const { cost_breakdown: costs } = all.summary
  expect([all.byNamespace.total, all.byWorkload.total, all.byNode.total, all.total.amount]).toEqual(
    Array(4).fill(costs.total),
  )
  expect(all.compute.amount).toBe(all.idle.total)
  expect(all.summary.idle_costs).toEqual(all.idle)
  const [step] = all.byNamespace.steps
  const componentOf = (name: 'storage' | 'load_balancer' | 'overhead') =>
    [...(step?.rows.map(({ cost }) => cost) ?? []), step?.unmounted, step?.unattached, step?.overhead].reduce(
      (sum, cost) => sum + (cost?.[name] ?? 0),
      0,
    )
  for (const name of ['storage', 'load_balancer', 'overhead'] as const) {
    expect(componentOf(name)).toBeCloseTo(costs[name] ?? 0, 5)
    expect(costs[name]).toBeGreaterThan(0)
  }
  expect(all.byNamespace.steps[0]?.idle?.total).toBe(all.idle.breakdown.cluster_idle)

  const idleOf = (name: string) => all.idle.by_namespace.find(({ namespace }) => namespace === name)
  for (const { names, cost } of all.byNamespace.steps[0]?.rows ?? []) {
    const { namespace: _name, total: _compute, ...classes } = idleOf(names.namespace ?? '') ?? {}
    expect(cost).toMatchObject(classes)
    const { amount } = await get<Explanation>(
      t,
      viewer,
      `/api/v1/clusters/${cluster.clusterId}/explain?${wholeWorld}&namespace=${names.namespace ?? ''}`,
    )
    expect(amount).toBe(cost.total)
  }
  for (const { namespace, cost } of costs.by_namespace) {
    const row = step?.rows.find(({ names }) => names.namespace === namespace)?.cost
    const line = { __idle__: step?.idle, __unmounted__: step?.unmounted, __overhead__: step?.overhead }[namespace]
    expect(cost).toBe((row ?? line)?.total)
  }
  for (const { namespace, kind, name, cost } of all.workloads.workloads) {
    const row = all.byWorkload.steps[0]?.rows.find(({ names }) => names.workload === `${namespace}/${kind}/${name}`)
    expect(row?.cost).toMatchObject(cost)
  }
  for (const { uid, cost } of all.nodes.nodes) {
    const row = all.idle.by_node.find(({ node_uid: each }) => each === uid)
    expect(row).toMatchObject(cost)
    expect(all.byNode.steps[0]?.rows.find(({ names }) => names.node === row?.node)?.cost).toMatchObject(cost)
  }
  expect(all.quality.usage_coverage).toEqual(all.idle.usage_coverage)
  expect(all.quality.unpriced).toEqual(all.idle.unpriced)
})

test('the monthly cost in the list of clusters is 730 × the mean hour of the last 24', async () => {
  const cluster = await aBridgedCluster(t, 30)
  t.clock.now = new Date(isoHour(30))
  viewer = await aPerson(t, 'viewer')
  const { clusters } = await get<{ clusters: Cluster[] }>(t, viewer, '/api/v1/clusters')
  const { monthly_cost: monthly, node_count: nodes } = clusters.find(({ id }) => id === cluster.clusterId) ?? {}
  const summary = await get<Summary>(t, viewer, `/api/v1/clusters/${cluster.clusterId}/summary?window=24h`)
  expect(summary.data_status).toBe('complete')
  expect(monthly).toBeCloseTo((summary.cost_breakdown.total * 730) / 24, 4)
  expect(monthly).toBeCloseTo((0.23 + 0.194 + 0.1) * 730, 6)
  expect(summary.node_utilization.nodes).toBe(nodes)
})
