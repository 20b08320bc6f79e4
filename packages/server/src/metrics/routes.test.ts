import type { Allocation, IdleCosts, Savings } from '@plimsoll/contract'
import { endSecond, twoNodes, twoNodesWithCloudResources } from '@plimsoll/pipeline/testing'
import { beforeEach, expect, test } from 'vitest'
import { aFinding, analysed } from '../../test/findings.ts'
import { aReadCluster, get, isoHour } from '../../test/folded-cluster.ts'
import { aPerson, anApiKey, aRole, type Person } from '../../test/people.ts'
import { expectProblem } from '../../test/promises.ts'
import { readMetrics, type Sample } from '../../test/read-metrics.ts'
import { send, useTestApp } from '../../test/test-app.ts'

const t = useTestApp()

beforeEach(() => {
  t.clock.now = new Date(endSecond * 1000)
})

const lastHour = `from=${isoHour(1)}&to=${isoHour(2)}`

async function metricsOf({ bearer }: Person, url: string): Promise<Sample[]> {
  const response = await send(t, { url, headers: bearer })
  expect(response.statusCode, response.body).toBe(200)
  expect(response.headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8')
  return readMetrics(response.body)
}

async function aFleet() {
  const plain = await aReadCluster(t, twoNodes)
  const rich = await aReadCluster(t, twoNodesWithCloudResources)
  return { plain, rich, person: await aPerson(t, 'viewer') }
}

const named = (samples: readonly Sample[], name: string, labels: Record<string, string> = {}) =>
  samples.filter(
    (each) => each.name === name && Object.entries(labels).every(([label, value]) => each.labels[label] === value),
  )
const sum = (samples: readonly Sample[]) => samples.reduce((total, { value }) => total + value, 0)

test('namespaces and idle cost add up to the cost of the cluster, which is the total of the allocation', async () => {
  const { plain, rich, person } = await aFleet()
  const samples = await metricsOf(person, '/metrics/costs')
  for (const { clusterId, name: cluster } of [plain, rich]) {
    const { total } = await get<Allocation>(t, person, `/api/v1/allocation?cluster_id=${clusterId}&${lastHour}`)
    expect(total).toBeGreaterThan(0)
    const of = (name: string) => named(samples, name, { cluster, currency: 'USD' })
    expect(sum(of('plimsoll_cluster_hourly_cost'))).toBeCloseTo(total, 6)
    expect(sum([...of('plimsoll_namespace_hourly_cost'), ...of('plimsoll_idle_hourly_cost')])).toBeCloseTo(total, 6)
  }
})

test('each namespace, component and class is that of the API', async () => {
  const { rich, person } = await aFleet()
  const samples = await metricsOf(person, '/metrics/costs')
  const of = (labels: Record<string, string>) =>
    sum(named(samples, 'plimsoll_namespace_hourly_cost', { cluster: rich.name, ...labels }))
  const { steps } = await get<Allocation>(t, person, `/api/v1/allocation?cluster_id=${rich.clusterId}&${lastHour}`)
  for (const row of steps[0]?.rows ?? []) {
    const namespace = row.names.namespace ?? ''
    if (namespace === '__idle__') continue
    const expected = {
      cpu: row.cost.cpu,
      memory: row.cost.memory,
      storage: row.cost.storage,
      load_balancer: row.cost.load_balancer,
      overhead: row.cost.overhead,
    }
    for (const [component, usd] of Object.entries(expected))
      expect([namespace, component, of({ namespace, component }).toFixed(5)]).toEqual([
        namespace,
        component,
        usd.toFixed(5),
      ])
    expect(of({ namespace, class: 'workload' })).toBeCloseTo(row.cost.workload, 5)
    expect(of({ namespace, class: 'workload_idle' })).toBeCloseTo(row.cost.workload_idle, 5)
  }
  const idle = await get<IdleCosts>(t, person, `/api/v1/idle-costs?cluster_id=${rich.clusterId}&${lastHour}`)
  for (const component of ['cpu', 'memory'] as const) {
    expect(of({ component, class: 'workload' })).toBeCloseTo(idle.by_resource[component].workload, 5)
    const unallocated = named(samples, 'plimsoll_idle_hourly_cost', { cluster: rich.name, component })
    expect(sum(unallocated)).toBeCloseTo(idle.by_resource[component].cluster_idle, 5)
    const coverage = named(samples, 'plimsoll_usage_coverage_ratio', { cluster: rich.name, resource: component })
    expect(coverage.map(({ value }) => value)).toEqual([idle.usage_coverage[component]])
  }
})

test('workloads are shown on request and add up to their namespaces', async () => {
  const { plain, person } = await aFleet()
  expect(named(await metricsOf(person, '/metrics/costs'), 'plimsoll_workload_hourly_cost')).toEqual([])
  const samples = await metricsOf(person, '/metrics/costs?by=workload')
  const of = (name: string) => named(samples, name, { cluster: plain.name, namespace: 'shop' })
  expect(of('plimsoll_workload_hourly_cost').length).toBeGreaterThan(0)
  expect(sum(of('plimsoll_workload_hourly_cost'))).toBeCloseTo(sum(of('plimsoll_namespace_hourly_cost')), 6)
})

test('run rate, unpriced nodes and the end of the last finalised hour', async () => {
  const { plain, person } = await aFleet()
  const samples = await metricsOf(person, '/metrics/costs')
  const valueOf = (name: string) => named(samples, name, { cluster: plain.name }).map(({ value }) => value)
  const cluster = await get<{ monthly_cost: number }>(t, person, `/api/v1/clusters/${plain.clusterId}`)
  expect(valueOf('plimsoll_cluster_monthly_run_rate')).toEqual([cluster.monthly_cost])
  expect(valueOf('plimsoll_unpriced_nodes')).toEqual([0])
  expect(valueOf('plimsoll_sealed_hour_timestamp_seconds')).toEqual([Date.parse(isoHour(2)) / 1000])
})

test('pending recommendations and their savings, for callers that may read them', async () => {
  const { plain, person } = await aFleet()
  const findings = [aFinding(), aFinding({ name: 'api', severity: 'high', bankableUsdPerMonth: 5 })]
  await analysed(t, plain.clusterId, { findings })
  const samples = await metricsOf(person, '/metrics/costs')
  const savings = (kind: string) => sum(named(samples, 'plimsoll_savings_monthly', { cluster: plain.name, kind }))
  const { rows } = await get<Savings>(t, person, `/api/v1/savings?cluster_id=${plain.clusterId}`)
  expect(savings('estimated')).toBe(20)
  expect(savings('estimated')).toBe(rows.reduce((all, { estimated }) => all + estimated, 0))
  expect(savings('bankable')).toBe(rows.reduce((all, { bankable }) => all + bankable, 0))
  const open = named(samples, 'plimsoll_open_recommendations', { rule_id: 'container_overprovisioned' })
  expect(open.map(({ labels, value }) => [labels.severity, value]).sort()).toEqual([
    ['high', 1],
    ['medium', 1],
  ])
})

test('a role limited to a namespace gets the series of this namespace only', async () => {
  await aFleet()
  const person = await aPerson(t, await aRole(t, ['reports:read'], { namespaces: ['shop'] }))
  const samples = await metricsOf(person, '/metrics/costs?by=workload')
  expect(new Set(samples.map(({ name }) => name))).toEqual(
    new Set([
      'plimsoll_namespace_hourly_cost',
      'plimsoll_workload_hourly_cost',
      'plimsoll_sealed_hour_timestamp_seconds',
    ]),
  )
  const namespaces = samples.flatMap(({ labels }) => labels.namespace ?? [])
  expect(new Set(namespaces)).toEqual(new Set(['shop']))
  expectProblem(await send(t, { url: '/metrics/opencost?cluster=x', headers: person.bearer }), 'role_narrowed')
})

test('a role limited to a team without workloads gets no costs', async () => {
  await aFleet()
  const person = await aPerson(t, await aRole(t, ['reports:read'], { teams: ['nobody'] }))
  const samples = await metricsOf(person, '/metrics/costs')
  expect(named(samples, 'plimsoll_namespace_hourly_cost')).toEqual([])
  expect(named(samples, 'plimsoll_cluster_hourly_cost')).toEqual([])
})

test('a role limited to a cluster gets the series of this cluster only', async () => {
  const { plain, rich } = await aFleet()
  const person = await aPerson(t, await aRole(t, ['reports:read'], { clusters: [plain.clusterId] }))
  const samples = await metricsOf(person, '/metrics/costs')
  expect(new Set(samples.map(({ labels }) => labels.cluster))).toEqual(new Set([plain.name]))
  expectProblem(
    await send(t, { url: `/metrics/opencost?cluster=${rich.name}`, headers: person.bearer }),
    'cluster_not_found',
  )
})

test('an API key works as a bearer token, as Prometheus sends it', async () => {
  const { person } = await aFleet()
  const { key } = await anApiKey(t, person.userId, ['reports:read'])
  const samples = await metricsOf({ ...person, bearer: { authorization: `Bearer ${key}` } }, '/metrics/costs')
  expect(named(samples, 'plimsoll_cluster_hourly_cost')).not.toEqual([])
  expect(named(samples, 'plimsoll_open_recommendations')).toEqual([])
})

test('with the names of OpenCost, nodes, pods, volumes and load balancers add up to the cost of the cluster', async () => {
  const { rich, person } = await aFleet()
  const samples = await metricsOf(person, `/metrics/opencost?cluster=${rich.name}`)
  const { total } = await get<Allocation>(t, person, `/api/v1/allocation?cluster_id=${rich.clusterId}&${lastHour}`)
  const gib = 1024 ** 3
  const volumes = named(samples, 'pv_hourly_cost').map(({ value, labels: { persistentvolume = '' } }) => {
    const [claim] = named(samples, 'pod_pvc_allocation', { persistentvolume })
    return (value * (claim?.value ?? 0)) / gib
  })
  const others = ['node_total_hourly_cost', 'kubecost_load_balancer_cost', 'kubecost_cluster_management_cost']
  const claimed = volumes.reduce((all, each) => all + each, 0)
  const found = claimed + sum(others.flatMap((name) => named(samples, name)))
  expect(found).toBeCloseTo(total, 5)
})

test('the prices of a node add up to its total, and its labels are those of OpenCost', async () => {
  const { rich, person } = await aFleet()
  const samples = await metricsOf(person, `/metrics/opencost?cluster=${rich.name}`)
  const nodes = named(samples, 'node_total_hourly_cost')
  expect(nodes).toHaveLength(2)
  for (const { labels } of nodes) {
    expect(Object.keys(labels)).toEqual(expect.arrayContaining(['cluster', 'instance', 'node', 'instance_type', 'uid']))
    expect(labels.instance).toBe(labels.node)
  }
  const pods = named(samples, 'container_cpu_allocation')
  expect(pods.length).toBeGreaterThan(0)
  const names = nodes.map(({ labels }) => labels.node)
  for (const { labels, value } of pods) {
    expect(names).toContain(labels.node)
    expect(value).toBeGreaterThan(0)
  }
})

test.each([
  ['/metrics/costs?by=pod', 'invalid_parameter'],
  ['/metrics/costs?window=7d', 'invalid_parameter'],
  ['/metrics/opencost', 'invalid_parameter'],
  ['/metrics/opencost?cluster=absent', 'cluster_not_found'],
] as const)('%s is refused', async (url, code) => {
  const { bearer } = await aPerson(t, 'viewer')
  expectProblem(await send(t, { url, headers: bearer }), code)
})
