import type { Explanation, IdleCosts, Summary, WorkloadList } from '@plimsoll/contract'
import { decimal, formatDecimal, roundToNumber } from '@plimsoll/engine'
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
import { endSecond, mixedWorld, twoNodesWithCloudResources } from '@plimsoll/pipeline/testing'
import { aCluster, aPerson, aRole, type Person } from '../../../test/people.ts'
import { send, useTestApp } from '../../../test/test-app.ts'

const t = useTestApp()
let viewer: Person

beforeEach(async () => {
  t.clock.now = new Date(endSecond * 1000)
  viewer = await aPerson(t, 'viewer')
})

const explain = ({ clusterId }: FoldedCluster, query: string, person = viewer) =>
  get<Explanation>(t, person, `/api/v1/clusters/${clusterId}/explain?${wholeWorld}&${query}`)

const idleCosts = ({ clusterId }: FoldedCluster) =>
  get<IdleCosts>(t, viewer, `/api/v1/idle-costs?cluster_id=${clusterId}&${wholeWorld}`)

const summary = ({ clusterId }: FoldedCluster) =>
  get<Summary>(t, viewer, `/api/v1/clusters/${clusterId}/summary?${wholeWorld}`)

const sumOf = (rows: readonly { exact_amount: string }[]) =>
  formatDecimal(rows.reduce((sum, row) => sum + decimal(row.exact_amount), 0n))

const figures = ['total', 'workload', 'workload_idle', 'cluster_idle', 'system_reserved'] as const

test('a receipt names quantities, rates and their sources', async () => {
  const { parts, formula, definitions, hours, nodes } = await explain(
    await aReadCluster(t),
    'figure=total&resource=cpu',
  )
  expect(formula).toBe('sum over hours, resources and rates of capacity × rate')
  expect(Object.keys(definitions)).toEqual(['capacity'])
  expect(hours.map(({ hour, revision }) => [hour, revision])).toEqual([
    [isoHour(0), 1],
    [isoHour(1), 1],
  ])
  expect(nodes?.map(({ node }) => node).sort()).toEqual(['node-0', 'node-1'])
  // Two hours of 4 cores, of each class of node.
  expect(parts.map(({ quantity, unit, terms }) => [quantity, unit, terms])).toEqual(
    Array(2).fill(['28800000000', 'microcore-seconds', { capacity: '28800000000' }]),
  )
  for (const { rate } of parts) {
    expect(rate).toMatchObject({ estimated: false, class: { query: { region: 'eu-central-1' } } })
    expect(rate.evidence).toMatchObject({ kind: 'listed' })
    expect(Object.keys(rate.evidence)).toEqual(expect.arrayContaining(['book', 'source', 'as_of']))
  }
})

test.each(['total', 'workload', 'workload_idle', 'cluster_idle', 'system_reserved', 'unmounted'])(
  'every word of the formula of %s is defined, and no other word',
  async (figure) => {
    const { formula, definitions } = await explain(
      await aReadCluster(t, twoNodesWithCloudResources),
      `figure=${figure}`,
    )
    const [, terms = ''] = /^sum over hours, resources and rates of (.+) × rate$/.exec(formula) ?? []
    const words = terms.match(/[a-z_]+/g)?.filter((word) => word !== 'and') ?? []
    expect(words.length).toBeGreaterThan(0)
    expect(Object.keys(definitions).sort()).toEqual([...new Set(words)].sort())
  },
)

test('every part is its quantity times its rate, and each list adds up to exactly the figure', async () => {
  await fc.assert(
    fc.asyncProperty(mixedWorld, async (world) => {
      const cluster = await aFoldedCluster(t, world)
      const idle = await idleCosts(cluster)
      const { total } = (await summary(cluster)).cost_breakdown
      const shown = { ...idle.breakdown, total, system_reserved: idle.system_reserved }
      for (const figure of figures) {
        const receipt = await explain(cluster, `figure=${figure}`)
        expect(receipt.amount).toBe(shown[figure])
        for (const { quantity, rate, exact_amount: amount } of receipt.parts) {
          expect(formatDecimal(BigInt(quantity) * decimal(rate.usd_per_unit_second ?? '0'))).toBe(amount)
        }
        for (const list of [receipt.parts, receipt.hours, [...(receipt.nodes ?? []), ...receipt.assets]]) {
          expect(sumOf(list)).toBe(receipt.exact_amount)
        }
      }
    }),
    { numRuns: rounds({ short: 1, full: 3 }) },
  )
})

test('figures of namespaces, nodes and resources have receipts too', async () => {
  const cluster = await aReadCluster(t)
  const idle = await idleCosts(cluster)
  for (const { namespace, workload, workload_idle: reserved, total } of idle.by_namespace.slice(1)) {
    const amount = async (figure: string) => (await explain(cluster, `figure=${figure}&namespace=${namespace}`)).amount
    expect([await amount('workload'), await amount('workload_idle'), await amount('total')]).toEqual([
      workload,
      reserved,
      total,
    ])
  }
  for (const { node_uid: uid, cluster_idle: unallocated } of idle.by_node) {
    expect((await explain(cluster, `figure=cluster_idle&node_uid=${uid}`)).amount).toBe(unallocated)
  }
  for (const resource of ['cpu', 'memory', 'gpu'] as const) {
    const { amount } = await explain(cluster, `figure=workload&resource=${resource}`)
    expect(amount).toBe(idle.by_resource[resource].workload)
  }
})

test('figures of workloads have receipts, which add up to those of their namespaces', async () => {
  const cluster = await aReadCluster(t, twoNodesWithCloudResources)
  const { workloads } = await get<WorkloadList>(
    t,
    viewer,
    `/api/v1/clusters/${cluster.clusterId}/workloads?${wholeWorld}`,
  )
  expect(workloads.some(({ cost }) => cost.storage > 0)).toBe(true)
  for (const { namespace, kind, name, cost } of workloads) {
    const of = (figure: string) => explain(cluster, `figure=${figure}&workload=${namespace}/${kind}/${name}`)
    const total = await of('total')
    expect(total).toMatchObject({ amount: cost.total, nodes: null })
    for (const list of [total.parts, total.hours]) expect(sumOf(list)).toBe(total.exact_amount)
    expect((await of('workload')).amount).toBe(cost.workload)
    expect((await of('workload_idle')).amount).toBe(cost.workload_idle)
  }
  for (const namespace of new Set(workloads.map((each) => each.namespace))) {
    const own = workloads.filter((each) => each.namespace === namespace)
    const receipts = await Promise.all(
      own.map(({ kind, name }) => explain(cluster, `workload=${namespace}/${kind}/${name}`)),
    )
    expect(sumOf(receipts)).toBe((await explain(cluster, `namespace=${namespace}`)).exact_amount)
  }
})

test('storage, load balancers and overhead have explanations that name each of them', async () => {
  const cluster = await aReadCluster(t, twoNodesWithCloudResources)
  const { cost_breakdown: costs } = await summary(cluster)
  for (const resource of ['storage', 'load_balancer', 'overhead'] as const) {
    const { amount, parts, hours, assets, exact_amount: exact } = await explain(cluster, `resource=${resource}`)
    expect(amount).toBe(costs[resource])
    for (const list of [parts, hours, assets]) expect(sumOf(list)).toBe(exact)
  }
  const { assets, parts } = await explain(cluster, 'figure=unmounted')
  expect(assets.map(({ name, kind }) => [name, kind])).toEqual([
    ['forgotten', 'volume'],
    ['shared', 'volume'],
  ])
  // 100 GiB for two hours and for one.
  expect(parts[0]).toMatchObject({ unit: 'KiB-seconds', quantity: String(100 * 1024 * 1024 * 3 * 3600) })
  expect(parts[0]?.rate.evidence).toMatchObject({ kind: 'listed', per: 'gib-month' })
})

test('an unknown name is reported as unknown, not as a cost of 0', async () => {
  const cluster = await aReadCluster(t)
  const notesOf = async (query: string) => (await explain(cluster, query)).notes
  for (const query of ['workload=shop/deployment/web', 'namespace=nowhere']) {
    expect(await notesOf(query)).toEqual([expect.stringContaining('No object with this name has costs')])
  }
  expect(await notesOf('namespace=shop')).toEqual([])
})

test('hours that are no longer stored are rejected, and other hours are explained', async () => {
  const cluster = await aReadCluster(t)
  const ask = (query: string, { bearer }: Person = viewer) =>
    send(t, { url: `/api/v1/clusters/${cluster.clusterId}/explain?${wholeWorld}&${query}`, headers: bearer })
  const kept = ['figure=total', 'workload=shop/Deployment/web', 'node_uid=node-0', 'namespace=shop']
  for (const query of kept) expect((await ask(query)).statusCode).toBe(200)
  t.clock.now = new Date((endSecond + 40 * 86_400) * 1000)
  const later = await aPerson(t, 'viewer')
  for (const query of kept) {
    expect((await ask(query, later)).json()).toMatchObject({
      code: 'invalid_parameter',
      errors: [{ parameter: 'window' }],
    })
  }
  for (const query of ['resource=cpu,memory', 'figure=workload_idle', 'namespace=shop&resource=cpu']) {
    expect((await ask(query, later)).statusCode).toBe(200)
  }
})

test('an empty window has an empty receipt', async () => {
  const receipt = await explain(await aCluster(t), '')
  expect(receipt).toMatchObject({
    amount: 0,
    exact_amount: '0',
    parts: [],
    hours: [],
    nodes: [],
    data_status: 'no_data',
  })
  expect(roundToNumber(decimal(receipt.exact_amount))).toBe(0)
})

test('a role restricted to namespaces gets their receipts', async () => {
  const cluster = await aReadCluster(t)
  const person = await aPerson(t, await aRole(t, ['clusters:read'], { namespaces: ['shop'] }))
  expect((await explain(cluster, 'namespace=shop', person)).amount).toBeGreaterThan(0)
  expect((await explain(cluster, 'workload=shop/Deployment/nobody', person)).amount).toBe(0)
  for (const query of ['namespace=data', 'workload=data/Deployment/nobody', 'figure=total', 'node_uid=node-0']) {
    const url = `/api/v1/clusters/${cluster.clusterId}/explain?${query}`
    expect((await send(t, { url, headers: person.bearer })).json()).toMatchObject({
      status: 403,
      code: 'role_narrowed',
    })
  }
})

test.each([
  { query: 'figure=everything', parameter: 'figure' },
  { query: 'figure=cluster_idle&namespace=shop', parameter: 'figure' },
  { query: 'namespace=shop&node_uid=node-0', parameter: 'node_uid' },
  { query: 'workload=shop/Deployment/web&node_uid=node-0', parameter: 'node_uid' },
  { query: 'workload=shop/Deployment/web&namespace=shop', parameter: 'namespace' },
  { query: 'workload=web', parameter: 'workload' },
  { query: 'figure=cluster_idle&workload=shop/Deployment/web', parameter: 'figure' },
  { query: 'resource=disk', parameter: 'resource' },
])('explain?$query is rejected', async ({ query, parameter }) => {
  const { clusterId } = await aCluster(t)
  const url = `/api/v1/clusters/${clusterId}/explain?${query}`
  const response = await send(t, { url, headers: viewer.bearer })
  expect(response.statusCode).toBe(400)
  expect(response.json()).toMatchObject({ code: 'invalid_parameter', errors: [{ parameter }] })
})
