import type { Allocation, Changes } from '@plimsoll/contract'
import { endSecond } from '@plimsoll/pipeline/testing'
import { beforeEach, expect, test } from 'vitest'
import { aReadCluster, get, isoHour, wholeWorld, type FoldedCluster } from '../../../test/folded-cluster.ts'
import { aCluster, aPerson, aRole, type Person } from '../../../test/people.ts'
import { send, useTestApp } from '../../../test/test-app.ts'

const t = useTestApp()
let viewer: Person
let cluster: FoldedCluster

beforeEach(async () => {
  t.clock.now = new Date(endSecond * 1000)
  viewer = await aPerson(t, 'viewer')
  cluster = await aReadCluster(t)
})

const explore = (query: string, person = viewer) =>
  get<Allocation>(t, person, `/api/v1/allocation?cluster_id=${cluster.clusterId}&${query}`)

/** The second hour of the world, compared with its first hour. */
const secondHour = `from=${isoHour(1)}&to=${isoHour(2)}`

test('two levels: each row contains its rows of the second level, and they add up', async () => {
  const { by, steps } = await explore(`${wholeWorld}&group_by=label:team,workload`)
  expect(by).toEqual(['label:team', 'workload'])
  const rows = steps[0]?.rows ?? []
  expect(rows.map(({ names }) => names)).toEqual([{ 'label:team': 'blue' }, { 'label:team': 'red' }])
  for (const { cost, rows: inner = [], rest } of rows) {
    const sum = inner.reduce((total, row) => total + row.cost.total, rest?.cost.total ?? 0)
    expect(sum).toBeCloseTo(cost.total, 6)
  }
  expect(rows.flatMap((row) => row.rows?.map(({ names }) => names.workload))).toEqual([
    'data/Deployment/db',
    'shop/Deployment/web',
  ])
})

test('a comparison has the amount, the difference and the percent of each row, and its lines add up', async () => {
  const now = await explore(`${secondHour}&group_by=namespace`)
  const before = await explore(`from=${isoHour(0)}&to=${isoHour(1)}&group_by=namespace`)
  const both = await explore(`${secondHour}&group_by=namespace&compare=previous&trend=hour`)
  const [step] = both.steps
  expect(both.total).toBe(now.total)
  expect(both.compare?.window).toMatchObject({ from: before.window.from, to: before.window.to })
  expect(both.compare?.totals?.map(({ total }) => total)).toEqual([before.total])
  expect(step?.compare?.total).toMatchObject({ total: before.total })
  for (const { names, cost, compare } of step?.rows ?? []) {
    const earlier = before.steps[0]?.rows.find((row) => row.names.namespace === names.namespace)?.cost.total ?? 0
    expect(compare?.total).toBe(earlier)
    expect(compare?.difference).toBeCloseTo(cost.total - earlier, 6)
    expect(compare?.percent).toEqual(earlier === 0 ? null : expect.closeTo((100 * (cost.total - earlier)) / earlier, 2))
  }
  const lines = [...(step?.rows.map(({ compare }) => compare) ?? []), step?.compare?.rest, step?.compare?.idle]
  const sum = lines.reduce((total, line) => total + (line?.total ?? 0), step?.compare?.overhead?.total ?? 0)
  expect(sum).toBeCloseTo(before.total, 5)
})

test('a window compared with one that has no data shows 0 and no percent', async () => {
  const { steps, compare } = await explore(`${wholeWorld}&group_by=namespace&compare=year`)
  expect(compare).toMatchObject({ data_status: 'no_data', hours_with_data: 0 })
  expect(steps[0]?.rows[0]?.compare).toMatchObject({ total: 0, percent: null })
})

test.each([
  { filter: 'label=team=blue', names: ['data'] },
  { filter: 'label=team=blue,team=red', names: ['data', 'shop'] },
  { filter: 'label=team=blue&namespace=shop', names: [] },
  { filter: 'controller_kind=Deployment', names: ['data', 'shop'] },
  { filter: 'controller_kind=CronJob', names: [] },
  { filter: 'team=__none__', names: ['data', 'shop'] },
  { filter: 'team=nobody', names: [] },
  { filter: 'label=team=blue&namespace=data,__idle__', names: ['data'] },
  { filter: 'label=constructor=x', names: [] },
])('filter $filter', async ({ filter, names }) => {
  const { steps, total } = await explore(`${wholeWorld}&group_by=namespace&${filter}`)
  expect(steps[0]?.rows.map((row) => row.names.namespace)).toEqual(names)
  expect(steps[0]?.idle).toBeNull()
  if (names.length === 0) expect(total).toBe(0)
})

test('changes and allocation have the same totals for a filter by label', async () => {
  const filter = `cluster_id=${cluster.clusterId}&${secondHour}&label=team=blue`
  const changes = await get<Changes>(t, viewer, `/api/v1/changes?${filter}&by=label:team`)
  const { total } = await explore(`${secondHour}&group_by=namespace&label=team=blue`)
  expect(changes.total.now).toBe(total)
  expect(changes.rows.map(({ names }) => names)).toEqual([{ 'label:team': 'blue' }])
  expect(changes.waterfall).toBeNull()
})

test('a filter by node pool keeps the nodes of the pool', async () => {
  const { steps } = await explore(`${wholeWorld}&group_by=node_pool,node&node_pool=general`)
  expect(steps[0]?.rows.map(({ names }) => names)).toEqual([{ node_pool: 'general' }])
  expect(steps[0]?.rows[0]?.rows?.map(({ names }) => names)).toEqual([{ node: 'node-0' }])
  const one = await explore(`${wholeWorld}&group_by=node&node=node-1`)
  expect(one.steps[0]?.rows.map(({ names }) => names)).toEqual([{ node: 'node-1' }])
})

test('evenly shared idle cost: the total of the other period is the same in the chart and in the table', async () => {
  const query = `${secondHour}&group_by=namespace,workload&namespace=shop&share_idle=even&compare=previous&trend=hour`
  const { compare, steps } = await explore(query)
  const [total] = compare?.totals ?? []
  expect(total?.total).toBeCloseTo(steps[0]?.compare?.total.total ?? 0, 6)
})

test('a grouping by a name of the language is a label that no workload has', async () => {
  const { steps } = await explore(`${wholeWorld}&group_by=label:constructor`)
  expect(steps[0]?.rows.map(({ names }) => names)).toEqual([{ 'label:constructor': '__none__' }])
})

test('a filter by cluster limits the answer, and an invisible cluster is not found', async () => {
  const other = await aCluster(t)
  const { cluster_ids: ids } = await get<Allocation>(t, viewer, `/api/v1/allocation?clusters=${other.clusterId}`)
  expect(ids).toEqual([other.clusterId])
  const missing = await send(t, { url: '/api/v1/allocation?clusters=cls_absent', headers: viewer.bearer })
  expect(missing.statusCode).toBe(404)
})

test.each([
  { query: 'by=namespace&group_by=team', parameter: 'group_by' },
  { query: 'group_by=team,namespace,workload', parameter: 'group_by' },
  { query: 'group_by=nothing', parameter: 'group_by' },
  { query: 'compare=previous&step=day', parameter: 'step' },
  { query: `compare=previous&compare_from=${isoHour(0)}`, parameter: 'compare' },
  { query: 'node_pool=general', parameter: 'node_pool' },
  { query: 'node=node-0&by=namespace', parameter: 'node' },
  { query: 'group_by=node&team=blue', parameter: 'team' },
  { query: 'label=team', parameter: 'label' },
  { query: 'label=__team__=blue', parameter: 'label' },
  { query: `compare=previous&include=changes&share_idle=even&${secondHour}`, parameter: 'include' },
])('rejects $query', async ({ query, parameter }) => {
  const response = await send(t, {
    url: `/api/v1/allocation?cluster_id=${cluster.clusterId}&${query}`,
    headers: viewer.bearer,
  })
  expect(response.statusCode).toBe(400)
  expect(response.json()).toMatchObject({ code: 'invalid_parameter', errors: [{ parameter }] })
})

test('a role limited to a namespace compares only its rows', async () => {
  const role = await aRole(t, ['reports:read'], { namespaces: ['shop'] })
  const person = await aPerson(t, role)
  const { steps, total } = await explore(`${secondHour}&group_by=label:team,workload&compare=previous`, person)
  const [step] = steps
  expect(step?.rows.map(({ names }) => names)).toEqual([{ 'label:team': 'red' }])
  expect(step?.compare?.idle).toBeNull()
  expect(total).toBe(step?.rows[0]?.cost.total)
})

test('one call has the cost over time, the comparison and its causes', async () => {
  const query = `${secondHour}&group_by=workload,team&workload=shop/Deployment/web&trend=hour&compare=previous`
  const { changes, trend, steps, total } = await explore(`${query}&include=changes`)
  expect(trend?.steps).toHaveLength(1)
  expect(steps[0]?.rows[0]?.rows?.map(({ names }) => names)).toEqual([{ team: '__none__' }])
  expect(changes?.total.now).toBe(total)
  expect(changes?.rows[0]).toMatchObject({ names: { workload: 'shop/Deployment/web' }, workload: { pods: {} } })
  const refused = await send(t, {
    url: `/api/v1/allocation?cluster_id=${cluster.clusterId}&include=changes`,
    headers: viewer.bearer,
  })
  expect(refused.json()).toMatchObject({ code: 'invalid_parameter', errors: [{ parameter: 'include' }] })
})
