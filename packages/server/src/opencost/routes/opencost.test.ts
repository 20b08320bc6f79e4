import type { Allocation } from '@plimsoll/contract'
import { endSecond, twoNodes, twoNodesWithCloudResources } from '@plimsoll/pipeline/testing'
import { beforeEach, expect, test } from 'vitest'
import { aFoldedCluster, get, isoHour, wholeWorld } from '../../../test/folded-cluster.ts'
import { aPerson, aRole, type Person } from '../../../test/people.ts'
import { expectProblem } from '../../../test/promises.ts'
import { send, useTestApp } from '../../../test/test-app.ts'

const t = useTestApp()

beforeEach(() => {
  t.clock.now = new Date(endSecond * 1000)
})

type Row = Record<string, number> & { name: string; pvs: Record<string, { cost: number }> | null }
type Answer = { code: number; data: Record<string, Row>[]; warning?: string }

const window = `window=${isoHour(0)},${isoHour(2)}`.replaceAll('.000Z', 'Z')

/** Two clusters, one of them with volumes, load balancers and a control plane. */
async function aFleet(): Promise<Person> {
  const clusters = [await aFoldedCluster(t, twoNodes), await aFoldedCluster(t, twoNodesWithCloudResources)]
  const ids = clusters.map(({ clusterId }) => clusterId)
  return aPerson(t, await aRole(t, ['reports:read', 'clusters:read'], { clusters: ids }))
}

const allocations = (person: Person, query: string) => get<Answer>(t, person, `/model/allocation?${window}&${query}`)

const sumOf = ({ data }: Answer) =>
  data.flatMap((set) => Object.values(set)).reduce((sum, { totalCost = 0 }) => sum + totalCost, 0)

const rowsOf = ({ data }: Answer) => data.reduce((count, set) => count + Object.keys(set).length, 0)

const aggregates = [
  ...['all', 'cluster', 'namespace', 'controllerKind', 'controller', 'deployment', 'team', 'label:team', 'service'],
  ...['cluster,namespace,controller', 'namespace,label:team,product', 'department,environment,owner'],
]

test('with idle cost, the rows of every aggregate and step add up to the total of the allocation', async () => {
  const person = await aFleet()
  const { total } = await get<Allocation>(t, person, `/api/v1/allocation?${wholeWorld}`)
  for (const aggregate of aggregates) {
    for (const more of [
      'includeIdle=true',
      'shareIdle=weighted',
      'includeIdle=true&step=1h',
      'idle=true&accumulate=day',
    ]) {
      const answer = await allocations(person, `aggregate=${aggregate}&${more}`)
      const tolerance = (rowsOf(answer) + 1) * 0.000005
      expect([aggregate, more, Math.abs(sumOf(answer) - total) <= tolerance]).toEqual([aggregate, more, true])
    }
  }
})

test('the parts of each row add up to its total, and kubectl-cost finds the cost of volumes', async () => {
  const person = await aFleet()
  const { data } = await allocations(person, 'aggregate=namespace&includeIdle=true')
  for (const row of Object.values(data[0] ?? {})) {
    const { cpuCost = 0, ramCost = 0, gpuCost = 0, pvCost = 0, loadBalancerCost = 0, sharedCost = 0, totalCost } = row
    expect(totalCost).toBeCloseTo(cpuCost + ramCost + gpuCost + pvCost + loadBalancerCost + sharedCost, 4)
    const volumes = Object.values(row.pvs ?? {}).reduce((sum, { cost }) => sum + cost, 0)
    expect(volumes).toBeCloseTo(pvCost, 4)
    for (const key of Object.keys(row.pvs ?? {})) expect(key).toMatch(/^cluster=[^:]+:name=[^:]+$/)
  }
  expect(Object.keys(data[0] ?? {})).toEqual(expect.arrayContaining(['__idle__', 'shop', 'data']))
})

test('a key has one field for each aggregate; only idle cost has the bare key', async () => {
  const { data } = await allocations(await aFleet(), 'aggregate=cluster,namespace,controller&includeIdle=true')
  for (const key of Object.keys(data[0] ?? {}))
    expect([key, key.split('/').length]).toEqual([key, key === '__idle__' ? 1 : 3])
})

test('filters apply before rows are grouped, and complementary filters add up', async () => {
  const person = await aFleet()
  const of = async (query: string) => sumOf(await allocations(person, `aggregate=cluster&${query}`))
  const filter = (text: string) => `filter=${encodeURIComponent(text)}`
  const all = await of('')
  const shop = await of(filter('namespace:"shop"'))
  expect(shop).toBeGreaterThan(0)
  expect(shop + (await of(filter('namespace!:"shop"')))).toBeCloseTo(all, 4)
  expect(await of('filterNamespaces=sho*')).toBeCloseTo(shop, 5)
  expect(await of('filterNamespaces=')).toBeCloseTo(all, 5)
  expect(await of(filter('namespace:"none"'))).toBe(0)
})

test('the idle cost of complementary filters adds up to the idle cost', async () => {
  const person = await aFleet()
  const idle = async (text: string) => {
    const query = `aggregate=namespace&includeIdle=true&filter=${encodeURIComponent(text)}`
    return (await allocations(person, query)).data[0]?.__idle__?.totalCost ?? 0
  }
  expect((await idle('namespace:"shop"')) + (await idle('namespace!:"shop"'))).toBeCloseTo(await idle(''), 4)
})

test('start and end are the part of the window with data, the same in every row', async () => {
  const { data } = await get<Answer>(t, await aFleet(), '/model/allocation/compute?window=7d&aggregate=namespace')
  const spans = Object.values(data[0] ?? {}).map(({ start, end, minutes }) => [start, end, minutes])
  expect(new Set(spans.map((span) => JSON.stringify(span))).size).toBe(1)
  expect(spans[0]).toEqual([isoHour(0).replace('.000', ''), isoHour(2).replace('.000', ''), 120])
})

test('the summary has the same totals', async () => {
  const person = await aFleet()
  const full = await allocations(person, 'aggregate=namespace')
  const { data } = await get<{ data: { sets: { allocations: Record<string, Row> }[] } }>(
    ...[t, person, `/model/allocation/summary?${window}&aggregate=namespace`],
  )
  const totals = (set: Record<string, Row> = {}) => Object.entries(set).map(([key, row]) => [key, row.totalCost])
  expect(totals(data.sets[0]?.allocations)).toEqual(totals(full.data[0]))
})

test('assets add up to the total of the allocation', async () => {
  const person = await aFleet()
  const { total } = await get<Allocation>(t, person, `/api/v1/allocation?${wholeWorld}`)
  const { data } = await get<{ data: Record<string, { type: string; totalCost: number }> }>(
    ...[t, person, `/model/assets?${window}`],
  )
  expect(Object.values(data).reduce((sum, { totalCost }) => sum + totalCost, 0)).toBeCloseTo(total, 4)
  expect(new Set(Object.values(data).map(({ type }) => type))).toContain('Node')
  const nodes = await get<{ data: Record<string, { type: string }>[] }>(
    t,
    person,
    `/model/assets?${window}&filterTypes=Node`,
  )
  expect(nodes.data).toHaveLength(1)
  expect(new Set(Object.values(nodes.data[0] ?? {}).map(({ type }) => type))).toEqual(new Set(['Node']))
})

test('a role limited to namespaces sees their rows only, and no idle cost, overhead or assets', async () => {
  await aFleet()
  const person = await aPerson(t, await aRole(t, ['reports:read'], { namespaces: ['shop'] }))
  const { data } = await allocations(person, 'aggregate=namespace&includeIdle=true')
  expect(Object.keys(data[0] ?? {})).toEqual(['shop'])
  expect(data[0]?.shop?.sharedCost).toBe(0)
  expectProblem(await send(t, { url: `/model/assets?${window}`, headers: person.bearer }), 'role_narrowed')
})

test('autocomplete, clusters and currency', async () => {
  const person = await aFleet()
  const names = await get<{ data: { data: string[] } }>(
    ...[t, person, `/model/allocation/autocomplete?${window}&field=namespace&search=SHO`],
  )
  expect(names.data.data).toEqual(['shop'])
  const types = await get<{ data: { data: string[] } }>(t, person, `/model/assets/autocomplete?${window}&field=type`)
  expect(types.data.data).toContain('Node')
  expect(await get(t, person, '/model/getConfigs')).toMatchObject({ data: { currencyCode: 'USD' } })
  const { data } = await get<{ data: Record<string, object> }>(t, person, '/model/clusterInfoMap')
  expect(Object.keys(data)).toHaveLength(2)
  const cluster = await get<{ data: { id: string }; warning: string }>(t, person, '/model/clusterInfo')
  expect(Object.keys(data)).toContain(cluster.data.id)
  expect(await get(t, person, '/model/cloudCost/view/totals?window=7d')).toMatchObject({
    warning: 'Cloud costs and custom costs are not collected.',
  })
})

test('a dimension that is not collected is unallocated, with a warning', async () => {
  const answer = await allocations(await aFleet(), 'aggregate=annotation:team')
  expect(Object.keys(answer.data[0] ?? {})).toEqual(['__unallocated__'])
  expect(answer.warning).toContain('Not collected: annotation.')
})

test('without data the answer is one empty set', async () => {
  const { data } = await allocations(
    await aPerson(t, await aRole(t, ['reports:read'], { clusters: [] })),
    'aggregate=namespace',
  )
  expect(data).toEqual([{}])
})

test.each([
  'aggregate=namespace&window=someday',
  'aggregate=namespace&window=2099-01-01T00:00:00Z,2099-01-02T00:00:00Z',
  'aggregate=namespace&window=900d',
  'aggregate=color',
  'aggregate=namespace&filter=namespace:shop',
  `aggregate=namespace&filter=${'('.repeat(1000)}`,
  'aggregate=namespace&filterServices=a',
  'aggregate=namespace&shareNamespaces=a',
  'aggregate=namespace&shareIdle=perhaps',
  'aggregate=namespace&accumulate=decade',
  'aggregate=namespace&step=20m',
  'aggregate=namespace&includeIdle=maybe',
  'aggregate=namespace&window=30d&step=1h',
])('%s is refused', async (query) => {
  const person = await aPerson(t, 'viewer')
  expectProblem(await send(t, { url: `/model/allocation?${query}`, headers: person.bearer }), 'invalid_parameter')
})
