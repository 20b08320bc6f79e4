import type {
  Allocation,
  Batch,
  Explanation,
  IdleCosts,
  NodeList,
  Overview,
  Prices,
  WorkloadList,
} from '@plimsoll/contract'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { deliver, foldAt, get, wholeWorld, type FoldedCluster } from './folded-cluster.ts'
import { batchesOf, endSecond, type SmallWorld, startSecond, twoNodes } from '@plimsoll/pipeline/testing'
import { aCluster, aPerson, type Person } from './people.ts'
import { useTestApp } from './test-app.ts'

const t = useTestApp()
let cluster: FoldedCluster
let person: Person

const aGpu = { gpuResource: 'nvidia.com/gpu', gpuProduct: 'Tesla-T4', gpuCapacity: 1 }

/** Two nodes with CPU and memory, and one with a GPU that a training job holds all the time. */
const world: SmallWorld = {
  nodes: [
    ...twoNodes.nodes,
    { uid: 'node-2', bornAt: startSecond - 60, endedAt: Infinity, instanceType: 'g4dn.xlarge', facts: aGpu },
  ],
  pods: [
    ...twoNodes.pods,
    {
      uid: 'training',
      node: 2,
      boundAt: startSecond,
      endedAt: Infinity,
      containers: [{ name: 'train', millicores: 2000, kib: 8 * 1024 * 1024 }],
      resize: undefined,
      useSeed: 1,
      namespace: 'ml',
    },
  ],
}

const withGpus = (batch: Batch): Batch => ({
  ...batch,
  shapes: batch.shapes.map((shape) => ({
    ...shape,
    containers: shape.containers.map((container) =>
      container.name === 'train' ? { ...container, gpu_resource: 'nvidia.com/gpu', gpu_count: 1 } : container,
    ),
  })),
})

beforeAll(async () => {
  cluster = await aCluster(t)
  await deliver(t, cluster, batchesOf(world, { minutesPerBatch: 10 }).map(withGpus))
  await foldAt(t, cluster, endSecond)
})

beforeEach(async () => {
  t.clock.now = new Date(endSecond * 1000)
  person = await aPerson(t, 'admin')
})

const of = <Body>(what: string) => get<Body>(t, person, `/api/v1/clusters/${cluster.clusterId}/${what}`)
const idleCosts = () => get<IdleCosts>(t, person, `/api/v1/idle-costs?cluster_id=${cluster.clusterId}&${wholeWorld}`)
const explain = (query: string) => of<Explanation>(`explain?${wholeWorld}&${query}`)
const allocation = (by: string) =>
  get<Allocation>(t, person, `/api/v1/allocation?cluster_id=${cluster.clusterId}&${wholeWorld}&by=${by}`)

describe('a GPU is charged by request, and its usage is not measured', () => {
  test('a requested GPU is never idle, and is reported as unmeasured', async () => {
    const { node_classes: classes } = await get<Prices>(t, person, `/api/v1/prices?cluster_id=${cluster.clusterId}`)
    const rate = classes.find(({ instance_type: type }) => type === 'g4dn.xlarge')?.rates.usd_per_gpu_hour ?? 0
    const { breakdown, by_resource: byResource, by_namespace: byNamespace, usage_coverage: seen } = await idleCosts()
    expect(rate).toBeGreaterThan(0.1)
    // One GPU for two hours.
    expect(byResource.gpu).toMatchObject({ workload_idle: 0, cluster_idle: 0 })
    expect(byResource.gpu.workload).toBeCloseTo(2 * rate, 5)
    expect(breakdown.unmeasured).toBe(byResource.gpu.workload)
    expect([byResource.cpu.unmeasured, byResource.memory.unmeasured]).toEqual([0, 0])
    expect(byNamespace.map(({ namespace, unmeasured }) => [namespace, unmeasured]).sort()).toEqual([
      ['__idle__', 0],
      ['data', 0],
      ['ml', breakdown.unmeasured],
      ['shop', 0],
    ])
    expect(seen.gpu).toBe(0)
    expect(seen.cpu).toBeGreaterThan(0.9)
  })

  test('law 8: every response shows the same GPU cost', async () => {
    const { breakdown } = await idleCosts()
    const { unmeasured } = breakdown
    const { nodes } = await of<NodeList>(`nodes?${wholeWorld}`)
    const { workloads } = await of<WorkloadList>(`workloads?${wholeWorld}`)
    const overview = await get<Overview>(t, person, `/api/v1/overview?cluster_id=${cluster.clusterId}`)
    expect(nodes.find(({ uid }) => uid === 'node-2')?.cost.unmeasured).toBe(unmeasured)
    expect(nodes.filter(({ uid }) => uid !== 'node-2').map(({ cost }) => cost.unmeasured)).toEqual([0, 0])
    const training = workloads.find(({ name }) => name === 'training')
    expect(training?.cost.unmeasured).toBe(unmeasured)
    expect(training?.usage_coverage.gpu).toBe(0)
    expect(workloads.find(({ name }) => name === 'web')?.usage_coverage.gpu).toBeNull()
    expect(overview.compute.unmeasured).toBeCloseTo((unmeasured * 730) / 2, 3)
    for (const by of ['namespace', 'workload', 'node', 'none']) {
      const rows = (await allocation(by)).steps[0]?.rows ?? []
      expect(rows.reduce((sum, { cost }) => sum + cost.unmeasured, 0)).toBe(unmeasured)
    }
    expect((await explain('figure=unmeasured')).amount).toBe(unmeasured)
    expect((await explain('figure=unmeasured&namespace=ml')).amount).toBe(unmeasured)
    expect((await explain('figure=workload')).amount).toBe(breakdown.workload)
  })

  test('efficiency covers CPU and memory, as if there were no GPU', async () => {
    const { by_namespace: byNamespace } = await idleCosts()
    const ml = byNamespace.find(({ namespace }) => namespace === 'ml')
    const row = (await allocation('namespace')).steps[0]?.rows.find(({ names }) => names.namespace === 'ml')
    const cpu = await explain('namespace=ml&resource=cpu,memory&figure=workload')
    const explained = await explain('namespace=ml&resource=cpu,memory')
    expect(row?.cost.efficiency).toBeCloseTo(cpu.amount / explained.amount, 5)
    expect(row?.cost.efficiency).toBeLessThan((ml?.workload ?? 0) / (ml?.total ?? 1))
  })

  test('the explanation mentions it wherever it mentions usage', async () => {
    expect((await explain('figure=workload')).notes).toEqual([expect.stringContaining('GPUs are charged by request')])
    expect((await explain('figure=workload&resource=cpu')).notes).toEqual([])
    expect((await explain('namespace=shop&figure=workload')).notes).toEqual([])
  })
})
