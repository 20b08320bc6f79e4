import type { Allocation, IdleCosts, Summary } from '@plimsoll/contract'
import fc from 'fast-check'
import { beforeEach, expect, test } from 'vitest'
import { rounds } from '../../../../../test/rounds.ts'
import {
  aFoldedCluster,
  aReadCluster,
  get,
  isoHour,
  wholeWorld,
  type FoldedCluster,
} from '../../../test/folded-cluster.ts'
import { endSecond, mixedWorld, twoNodes, twoNodesWithCloudResources } from '@plimsoll/pipeline/testing'
import { aCluster, aPerson, aRole, type Person } from '../../../test/people.ts'
import { send, useTestApp } from '../../../test/test-app.ts'
import { sumUpDays } from '../../ingest/jobs/sum-up-days.ts'

const t = useTestApp()
let viewer: Person

beforeEach(async () => {
  t.clock.now = new Date(endSecond * 1000)
  viewer = await aPerson(t, 'viewer')
})

const allocation = ({ clusterId }: FoldedCluster, query: string, person = viewer) =>
  get<Allocation>(t, person, `/api/v1/allocation?cluster_id=${clusterId}&${wholeWorld}&${query}`)

const groupings = [
  'cluster',
  'cluster,namespace',
  'cluster,node',
  'namespace',
  'workload',
  'controller_kind',
  'label:team',
  'namespace,label:team',
  'node',
  'node_pool',
  'none',
]

type Cost = Allocation['steps'][number]['rest']['cost']

/** Everything that a step shows, as the sum of its parts. */
const partsOf = ({ rows, rest, idle, unmounted, unattached, overhead }: Allocation['steps'][number]) =>
  [...rows.map(({ cost }) => cost), rest.cost, idle, unmounted, unattached, overhead].reduce(
    (sum, cost) => sum + (cost?.total ?? 0),
    0,
  )

test('by namespace: requests are charged to their owner, and unallocated capacity is idle', async () => {
  const { steps, total, data_status: status, by } = await allocation(await aReadCluster(t), '')
  const [step] = steps
  // The nodes cost $0.848 and the control plane $0.10 an hour.
  expect({ total, status, by }).toEqual({ total: 1.048, status: 'complete', by: ['namespace'] })
  expect(step?.rows.map(({ names }) => names)).toEqual([{ namespace: 'data' }, { namespace: 'shop' }])
  expect(step?.idle?.cluster_idle).toBe(step?.idle?.total)
  expect(step?.rest).toMatchObject({ rows: 0, cost: { total: 0 } })
})

test.each([
  { by: 'workload', names: ['data/Deployment/db', 'shop/Deployment/web'] },
  { by: 'controller_kind', names: ['Deployment'] },
  { by: 'label:team', names: ['blue', 'red'] },
  { by: 'label:absent', names: ['__none__'] },
  { by: 'node', names: ['node-0', 'node-1'] },
  { by: 'node_pool', names: ['general', 'compute'] },
])('by $by', async ({ by, names }) => {
  const { steps } = await allocation(await aReadCluster(t), `by=${by}`)
  expect(steps[0]?.rows.map((row) => row.names[by])).toEqual(names)
})

test('laws 1 and 2: components sum to their row, and all rows to the total cost, for any grouping', async () => {
  await fc.assert(
    fc.asyncProperty(mixedWorld, async (world) => {
      const cluster = await aFoldedCluster(t, world)
      const idle = await get<IdleCosts>(t, viewer, `/api/v1/idle-costs?cluster_id=${cluster.clusterId}&${wholeWorld}`)
      const summary = await get<Summary>(t, viewer, `/api/v1/clusters/${cluster.clusterId}/summary?${wholeWorld}`)
      const { cost_breakdown: costs } = summary
      const cloudResources = (costs.storage ?? 0) + (costs.load_balancer ?? 0) + (costs.overhead ?? 0)
      expect(idle.total + cloudResources).toBeCloseTo(costs.total, 5)
      for (const by of groupings) {
        const { steps, total } = await allocation(cluster, `by=${by}`)
        expect(total).toBe(costs.total)
        for (const step of steps) {
          expect(partsOf(step)).toBeCloseTo(costs.total, 5)
          for (const { cost } of step.rows) expectWhole(cost)
          if (step.idle) expect(step.idle.total).toBe(idle.breakdown.cluster_idle)
        }
      }
    }),
    { numRuns: rounds({ short: 1, full: 3 }) },
  )
})

function expectWhole(cost: Cost): void {
  const compute = cost.cpu + cost.memory + cost.gpu + cost.shared_idle
  const others = cost.storage + cost.load_balancer + cost.overhead + cost.shared_overhead + cost.shared_namespaces
  expect(compute + others).toBeCloseTo(cost.total, 5)
  expect(cost.workload + cost.workload_idle + cost.cluster_idle).toBeCloseTo(compute, 5)
  for (const part of Object.values(cost)) if (typeof part === 'number') expect(part).toBeGreaterThanOrEqual(0)
}

test('by cluster: a row is the whole cost of its cluster, and the rows sum to the fleet', async () => {
  const clusters = [await aFoldedCluster(t), await aFoldedCluster(t, twoNodesWithCloudResources)]
  const person = await aPerson(
    t,
    await aRole(t, ['reports:read', 'clusters:read'], { clusters: clusters.map(({ clusterId }) => clusterId) }),
  )
  const fleet = (query: string) => get<Allocation>(t, person, `/api/v1/allocation?${wholeWorld}&${query}`)
  for (const query of [
    'by=cluster',
    'by=cluster&share_idle=proportional&share_overhead=even',
    'by=cluster&step=hour',
  ]) {
    const { steps, total, clusters: named } = await fleet(query)
    const sum = steps.flatMap(({ rows }) => rows).reduce((all, { cost }) => all + cost.total, 0)
    expect(sum).toBeCloseTo(total, 5)
    for (const step of steps)
      expect(step).toMatchObject({ idle: null, unmounted: null, unattached: null, overhead: null })
    for (const { id, name } of named) {
      const one = await get<Allocation>(t, person, `/api/v1/allocation?${wholeWorld}&cluster_id=${id}`)
      const rows = steps.flatMap(({ rows: all }) => all).filter(({ names }) => names.cluster === name)
      expect(rows.reduce((all, { cost }) => all + cost.total, 0)).toBeCloseTo(one.total, 5)
    }
  }
  const both = await fleet('by=cluster,namespace')
  expect(both.steps[0]?.rows.map(({ names }) => names.namespace).sort()).toEqual(['data', 'data', 'shop', 'shop'])
  expect(both.steps[0]?.idle).not.toBeNull()
})

test('law 3: steps sum to the window, and day sums equal their hours', async () => {
  const cluster = await aFoldedCluster(t)
  const total = async (query: string) => (await allocation(cluster, query)).total
  for (const by of ['namespace', 'workload', 'node']) {
    const hourly = await allocation(cluster, `by=${by}&step=hour`)
    expect(hourly.steps.map(({ from }) => from)).toEqual([isoHour(0), isoHour(1)])
    expect(hourly.steps.reduce((sum, step) => sum + step.total, 0)).toBeCloseTo(await total(`by=${by}`), 5)
  }
  const daily = () =>
    get<Allocation>(
      t,
      viewer,
      `/api/v1/allocation?cluster_id=${cluster.clusterId}&step=day&by=label:team&from=2027-01-14T12:00:00Z&to=2027-01-17T00:00:00Z`,
    )
  const before = await daily()
  expect(before.steps.map(({ from, has_data: hasData, total: sum }) => [from, hasData, sum])).toEqual([
    ['2027-01-14T12:00:00.000Z', false, 0],
    ['2027-01-15T00:00:00.000Z', true, 1.048],
    ['2027-01-16T00:00:00.000Z', false, 0],
  ])
  t.clock.now = new Date('2027-01-16T02:00:00Z')
  await sumUpDays(t.deps, cluster)
  expect(await daily()).toEqual(before)
})

test('law 4: filters partition the total, including idle', async () => {
  await fc.assert(
    fc.asyncProperty(mixedWorld, fc.constantFrom('none', 'even', 'proportional'), async (world, sharing) => {
      const cluster = await aFoldedCluster(t, world)
      const query = `by=label:team&share_idle=${sharing}`
      let sum = 0
      for (const name of ['shop', 'data', 'ops', '__idle__', '__unmounted__', '__unattached__', '__overhead__']) {
        sum += (await allocation(cluster, `${query}&namespace=${name}`)).total
      }
      expect(sum).toBeCloseTo((await allocation(cluster, query)).total, 5)
    }),
    { numRuns: rounds({ short: 1, full: 4 }) },
  )
})

test('a filter by workload keeps that workload and its share', async () => {
  const cluster = await aReadCluster(t)
  const { steps } = await allocation(cluster, 'by=namespace&workload=shop/Deployment/web&share_idle=even')
  expect(steps[0]?.rows.map(({ names }) => names.namespace)).toEqual(['shop'])
  expect(steps[0]?.idle).toBeNull()
  expect(steps[0]?.rows[0]?.cost.shared_idle).toBeGreaterThan(0)
})

test('law 5: sharing changes who pays and never the sum', async () => {
  const cluster = await aReadCluster(t)
  const plain = await allocation(cluster, '')
  const idle = plain.steps[0]?.idle?.total ?? 0
  for (const sharing of ['even', 'proportional']) {
    const shared = await allocation(cluster, `share_idle=${sharing}`)
    expect(shared.total).toBe(plain.total)
    expect(shared.steps[0]?.idle).toBeNull()
    const given = shared.steps[0]?.rows.map(({ cost }) => cost.shared_idle) ?? []
    expect(given.reduce((sum, each) => sum + each, 0)).toBeCloseTo(idle, 5)
    for (const { cost } of shared.steps[0]?.rows ?? []) expectWhole(cost)
    if (sharing === 'even') for (const each of given) expect(each).toBeCloseTo(idle / 2, 5)
  }
})

test('the largest total comes first, including shared costs', async () => {
  const cluster = await aReadCluster(t)
  const plain = await allocation(cluster, '')
  const [first, last] = plain.steps[0]?.rows.map(({ names }) => names.namespace) ?? []
  const shared = await allocation(cluster, `share_idle=weighted&share_weights=${last}=1`)
  const rows = shared.steps[0]?.rows ?? []
  expect(rows.map(({ names }) => names.namespace)).toEqual([last, first])
  expect(rows[0]?.cost.total).toBeGreaterThan(rows[1]?.cost.total ?? Infinity)
})

test('overhead and weights: 3 to 1 between the named receivers, and the sum stays', async () => {
  const cluster = await aReadCluster(t, twoNodesWithCloudResources)
  const plain = await allocation(cluster, '')
  const shared = await allocation(cluster, 'share_overhead=weighted&share_idle=weighted&share_weights=shop=3,data=1')
  expect(shared.total).toBe(plain.total)
  const of = (name: string) => shared.steps[0]?.rows.find(({ names }) => names.namespace === name)?.cost
  expect([of('shop')?.shared_overhead, of('data')?.shared_overhead]).toEqual([0.15, 0.05])
  expect(of('shop')?.shared_idle).toBeCloseTo((plain.steps[0]?.idle?.total ?? 0) * 0.75, 5)
  expect(shared.steps[0]).toMatchObject({ idle: null, overhead: null })
  for (const { cost } of shared.steps[0]?.rows ?? []) expectWhole(cost)
})

test('shared namespaces: the other namespaces pay for them, and the sum stays', async () => {
  const cluster = await aReadCluster(t, twoNodesWithCloudResources)
  const plain = await allocation(cluster, '')
  const costs = ({ steps }: Allocation) => new Map(steps[0]?.rows.map(({ names, cost }) => [names.namespace, cost]))
  const data = costs(plain).get('data')?.total ?? 0
  for (const by of ['even', 'proportional', 'weighted&share_weights=shop=1']) {
    const shared = await allocation(cluster, `share_namespaces=data&share_namespaces_by=${by}&share_idle=proportional`)
    expect(shared.total).toBe(plain.total)
    expect([...costs(shared).keys()]).not.toContain('data')
    const handed = [...costs(shared).values()].reduce((sum, cost) => sum + cost.shared_namespaces, 0)
    expect(handed).toBeCloseTo(data, 5)
    for (const cost of costs(shared).values()) expectWhole(cost)
  }
})

test('when every namespace is shared, each keeps its cost', async () => {
  const cluster = await aReadCluster(t, twoNodesWithCloudResources)
  const plain = await allocation(cluster, '')
  const all = plain.steps[0]?.rows.map(({ names }) => names.namespace).join(',')
  expect((await allocation(cluster, `share_namespaces=${all}`)).steps[0]?.rows).toEqual(plain.steps[0]?.rows)
})

test('volumes and load balancers: their users pay, and unused ones have a separate line', async () => {
  const { steps } = await allocation(await aReadCluster(t, twoNodesWithCloudResources), '')
  const [step] = steps
  // gp3 in Frankfurt is $0.0952 per GiB-month, so 100 GiB are $9.52 / 730 an hour; a network balancer is $0.02695 an hour.
  const disk = 9.52 / 730
  const of = (name: string) => step?.rows.find(({ names }) => names.namespace === name)?.cost
  expect(of('shop')?.storage).toBeCloseTo(disk / 2, 5)
  expect(of('data')?.storage).toBeCloseTo(disk / 2, 5)
  expect(step?.unmounted?.storage).toBeCloseTo(3 * disk, 5)
  expect(of('shop')?.load_balancer).toBeCloseTo(2 * 0.02695, 5)
  expect(step?.unattached).toBeNull()
  expect(step?.overhead).toMatchObject({ total: 0.2, overhead: 0.2 })
})

test('by team: rules are evaluated on read, and the first match counts', async () => {
  const cluster = await aReadCluster(t, twoNodesWithCloudResources)
  const admin = await aPerson(t, 'admin')
  const rules = [
    { team: 'storefront', namespace: 'sh*' },
    { team: 'storefront', label: { key: 'team', value: 'red' } },
    { team: 'blues', label: { key: 'team', value: 'b*e' } },
  ]
  const url = '/api/v1/team-mapping'
  const put = await send(t, { method: 'PUT', url, headers: admin.bearer, body: { rules } })
  expect(put.json()).toMatchObject({ rules })
  const byTeam = await allocation(cluster, 'by=team')
  expect(byTeam.steps[0]?.rows.map(({ names }) => names.team).sort()).toEqual(['blues', 'storefront'])
  expect(byTeam.total).toBe((await allocation(cluster, '')).total)
  await send(t, { method: 'PUT', url, headers: admin.bearer, body: { rules: [] } })
  const without = await allocation(cluster, 'by=team')
  expect(without.steps[0]?.rows.map(({ names }) => names.team)).toEqual(['__none__'])
})

test('idle without a receiver stays where it is', async () => {
  const [node] = twoNodes.nodes
  if (!node) throw new Error('the world has nodes')
  const { steps } = await allocation(await aFoldedCluster(t, { nodes: [node], pods: [] }), 'share_idle=even')
  expect(steps[0]).toMatchObject({ rows: [], total: 0.66, idle: { total: 0.46 }, overhead: { total: 0.2 } })
})

test('rows beyond the limit are summed up in the rest', async () => {
  const { steps, total } = await allocation(await aReadCluster(t), 'by=workload&limit=1')
  const [step] = steps
  expect(step?.rows).toHaveLength(1)
  expect(step?.rest.rows).toBe(1)
  expect(step ? partsOf(step) : 0).toBeCloseTo(total, 5)
})

test('without a cluster the answer covers all visible clusters', async () => {
  const [one, other] = [await aFoldedCluster(t), await aFoldedCluster(t)]
  const role = await aRole(t, ['reports:read'], { clusters: [one.clusterId, other.clusterId] })
  const person = await aPerson(t, role)
  const both = await get<Allocation>(t, person, `/api/v1/allocation?${wholeWorld}&share_idle=proportional`)
  expect(both).toMatchObject({ total: 2.096, cluster_ids: [one.clusterId, other.clusterId].sort() })
  expect(both.steps[0]?.rows.map(({ names }) => names.namespace)).toEqual(['data', 'shop'])
})

test('a role restricted to namespaces sees their rows, and neither idle nor nodes', async () => {
  const cluster = await aReadCluster(t)
  const person = await aPerson(t, await aRole(t, ['reports:read'], { namespaces: ['shop'] }))
  const { steps, total } = await allocation(cluster, 'namespace=shop,data,__idle__', person)
  expect(steps[0]?.rows.map(({ names }) => names.namespace)).toEqual(['shop'])
  expect(steps[0]?.idle).toBeNull()
  expect(total).toBe(steps[0]?.rows[0]?.cost.total)
  for (const query of ['by=node', 'share_idle=even', 'share_namespaces=data']) {
    const url = `/api/v1/allocation?cluster_id=${cluster.clusterId}&${query}`
    expect((await send(t, { url, headers: person.bearer })).json()).toMatchObject({
      status: 403,
      code: 'role_narrowed',
    })
  }
})

test.each(['share_idle=even', 'share_namespaces=data', 'by=node', 'step=hour', 'trend=hour'])(
  'share=statements cannot be combined with %s',
  async (other) => {
    const url = `/api/v1/allocation?${wholeWorld}&share=statements&${other}`
    const answer = await send(t, { url, headers: viewer.bearer })
    expect(answer.json()).toMatchObject({ status: 400, errors: [{ parameter: 'share', code: 'combination' }] })
  },
)

test('a pending cluster and an empty window have no rows', async () => {
  const { clusterId } = await aCluster(t)
  const url = `/api/v1/allocation?cluster_id=${clusterId}&step=day`
  const answer = await get<Allocation>(t, viewer, url)
  expect(answer).toMatchObject({ total: 0, data_status: 'no_data' })
  for (const step of answer.steps) expect(step).toMatchObject({ total: 0, rows: [], idle: null })
})

test.each([
  { query: 'by=namespace,node', status: 400, parameter: 'by' },
  { query: 'by=node&share_idle=even', status: 400, parameter: 'share_idle' },
  { query: 'by=node_pool&namespace=shop', status: 400, parameter: 'namespace' },
  { query: 'by=node&workload=a/b/c', status: 400, parameter: 'workload' },
  { query: 'workload=checkout', status: 400, parameter: 'workload' },
  { query: 'workload=shop/checkout', status: 400, parameter: 'workload' },
  { query: 'workload=shop/Deployment/checkout,', status: 400, parameter: 'workload' },
  { query: 'step=hour&window=30d', status: 400, parameter: 'step' },
  { query: 'step=week', status: 400, parameter: 'step' },
  { query: 'share_idle=weighted', status: 400, parameter: 'share_weights' },
  { query: 'share_weights=shop=1', status: 400, parameter: 'share_weights' },
  { query: 'share_overhead=weighted&share_weights=shop', status: 400, parameter: 'share_weights' },
  { query: 'share_overhead=weighted&share_weights=shop=1&by=namespace,team', status: 400, parameter: 'share_weights' },
  { query: 'by=node&share_overhead=even', status: 400, parameter: 'share_overhead' },
  { query: 'by=node&share_namespaces=shop', status: 400, parameter: 'share_namespaces' },
  { query: 'share_namespaces=shop&share_namespaces_by=weighted', status: 400, parameter: 'share_weights' },
  { query: 'limit=0', status: 400, parameter: 'limit' },
  { query: 'limit=1001', status: 400, parameter: 'limit' },
])('allocation?$query is rejected', async ({ query, status, parameter }) => {
  const response = await send(t, { url: `/api/v1/allocation?${query}`, headers: viewer.bearer })
  expect(response.statusCode).toBe(status)
  expect(response.json()).toMatchObject({ code: 'invalid_parameter', errors: [{ parameter }] })
})

test('an unknown cluster is not found, and reports:read is needed', async () => {
  const url = '/api/v1/allocation?cluster_id=cls_01k3v7m9q2x4t6b8n0d2f4h6j8'
  expect((await send(t, { url, headers: viewer.bearer })).statusCode).toBe(404)
  const person = await aPerson(t, await aRole(t, ['clusters:read']))
  expect((await send(t, { url: '/api/v1/allocation', headers: person.bearer })).statusCode).toBe(403)
})
