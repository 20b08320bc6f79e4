import type { ClusterList, IdleCosts, Overview, RecommendationList } from '@plimsoll/contract'
import type { RuleFinding } from '@plimsoll/engine/rules'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { aFinding, analysed } from '../../test/findings.ts'
import { aBridgedCluster, aFoldedCluster, get, wholeWorld } from '../../test/folded-cluster.ts'
import { endSecond, startSecond, twoNodes, twoNodesWithCloudResources } from '@plimsoll/pipeline/testing'
import { aCluster, aPerson, aRole, type Person } from '../../test/people.ts'
import { planned } from '../../test/planned.ts'
import { send, useTestApp } from '../../test/test-app.ts'
import { ensureDay } from '../platform/db/partitions.ts'

const t = useTestApp()
let viewer: Person

beforeEach(async () => {
  t.clock.now = new Date(endSecond * 1000)
  viewer = await aPerson(t, 'viewer')
})

const overviewOf = (clusterId: string, person = viewer) =>
  get<Overview>(t, person, `/api/v1/overview?cluster_id=${clusterId}`)

const cents = (value: number) => Number(value.toFixed(4))

test('the compute of a month is the mean of the known hours × 730, in the classes of the idle costs', async () => {
  const { clusterId } = await aFoldedCluster(t, twoNodes)
  const { compute, run_rate: rate, clusters } = await overviewOf(clusterId)
  const idle = await get<IdleCosts>(t, viewer, `/api/v1/idle-costs?cluster_id=${clusterId}&${wholeWorld}`)
  // Two hours are known: $0.23 and $0.194 an hour make $0.424 × 730.
  expect(cents(compute.total)).toBe(cents(0.424 * 730))
  for (const name of ['workload', 'workload_idle', 'cluster_idle'] as const) {
    expect(compute[name]).toBeCloseTo((idle.breakdown[name] * 730) / 2, 3)
  }
  expect(rate.compute).toBe(compute.total)
  expect(clusters).toMatchObject([{ id: clusterId, hours: 2, compute: { total: compute.total } }])
})

test('volumes, load balancers and the control plane have separate lines', async () => {
  const { clusterId } = await aFoldedCluster(t, twoNodesWithCloudResources)
  const { run_rate: rate } = await overviewOf(clusterId)
  expect(rate.storage).toBeGreaterThan(0)
  expect(rate.overhead).toBeGreaterThan(0)
  expect(rate.unpriced_parts).toEqual([])
})

test.each([
  { age: 'of an hour and a half', hours: 1.5 },
  { age: 'of 23 hours', hours: 23 },
  { age: 'of two days', hours: 48 },
])('the parts of the run rate add up to the total, for a cluster $age', async ({ hours }) => {
  const { clusterId } = await aBridgedCluster(t, hours, twoNodesWithCloudResources)
  const { run_rate: rate, clusters } = await overviewOf(clusterId, await aPerson(t, 'viewer'))
  expect(rate.compute + rate.storage + rate.load_balancer + rate.overhead).toBeCloseTo(rate.total, 5)
  expect(clusters[0]?.monthly_cost).toBeCloseTo(rate.total, 5)
  expect(rate.compute).toBeCloseTo(0.424 * 730, 4)
  expect(rate.storage).toBeGreaterThan(0)
})

test('a line with an unpriced part says so', async () => {
  const { clusterId } = await aFoldedCluster(t, twoNodesWithCloudResources)
  // Like a volume of an unknown class: a rate without a price.
  await sql`
    update asset_namespace_hour set rate_id = (select rate_id from cluster_hour where cluster_id = ${clusterId} limit 1)
    where cluster_id = ${clusterId} and kind = 'volume'`.execute(t.db)
  expect((await overviewOf(clusterId)).run_rate).toMatchObject({ unpriced_parts: ['storage'] })
})

test('the fleet cost equals the sum of the cluster list', async () => {
  await aFoldedCluster(t, twoNodes)
  const { run_rate: rate, clusters } = await get<Overview>(t, viewer, '/api/v1/overview')
  const list = await get<ClusterList>(t, viewer, '/api/v1/clusters')
  expect(clusters).toHaveLength(list.clusters.length)
  const listed = list.clusters.reduce((sum, { monthly_cost: cost }) => sum + (cost ?? 0), 0)
  expect(rate.total).toBeCloseTo(listed, 4)
})

test('nothing is compared with an unknown week', async () => {
  const { clusterId } = await aFoldedCluster(t, twoNodes)
  expect(await overviewOf(clusterId)).toMatchObject({ week: null, movers: [], other_change: 0 })
})

const startOf = (at: Date) => `${at.toISOString().slice(0, 10)}T00:00:00.000Z`

/** Two nodes for $0.424 an hour and a control plane for $0.10. */
const calm = 0.524 * 730

/** Two hours, and the same two hours a week later. */
async function aCalmCluster(): Promise<string> {
  const { clusterId } = await aFoldedCluster(t, twoNodes)
  await ensureDay(t.db, 'workload_hour', new Date((startSecond + 7 * 86_400) * 1000))
  for (const name of ['folded_hour', 'cluster_hour', 'namespace_hour', 'workload_hour', 'asset_namespace_hour']) {
    await sql`
      insert into ${sql.table(name)}
      select (jsonb_populate_record(each, to_jsonb(each) || jsonb_build_object('hour', hour + interval '7 days'))).*
      from ${sql.table(name)} each where cluster_id = ${clusterId}`.execute(t.db)
  }
  t.clock.now = new Date((endSecond + 7 * 86_400) * 1000)
  viewer = await aPerson(t, 'viewer')
  return clusterId
}

test('two equal weeks in a row: nothing has changed, and each day costs the same', async () => {
  const clusterId = await aCalmCluster()
  const { week, movers, other_change: other, trend } = await overviewOf(clusterId)
  expect(week && cents(week.before)).toBe(cents(calm))
  expect(week?.now).toBe(week?.before)
  expect([movers, other]).toEqual([[], 0])
  const known = trend.flatMap(({ total }) => total ?? [])
  expect(known).toHaveLength(2)
  for (const total of known) expect(cents(total)).toBe(cents(calm))
  expect(trend[0]).toMatchObject({ hours: 0, total: null })
})

test('a cluster that joined since is marked on its day, and not compared', async () => {
  const { clusterId: younger } = await aFoldedCluster(t, twoNodes)
  const older = await aCalmCluster()
  const later = new Date((startSecond + 7 * 86_400) * 1000)
  for (const name of ['folded_hour', 'cluster_hour', 'namespace_hour', 'asset_namespace_hour']) {
    await sql`
      update ${sql.table(name)} set hour = hour + interval '7 days' where cluster_id = ${younger}`.execute(t.db)
  }
  await sql`update cluster_state set monthly_cost = 1 where cluster_id = ${younger}`.execute(t.db)
  const role = await aRole(t, ['clusters:read'], { clusters: [older, younger] })
  const both = await get<Overview>(t, await aPerson(t, role), '/api/v1/overview')
  const joins = both.trend.filter(({ joined }) => joined.length > 0)
  expect(joins).toMatchObject([{ from: startOf(later), joined: [younger] }])
  expect(both.not_compared).toEqual([younger])
  expect(both.week?.now).toBe(both.week?.before)
})

test('the first cluster does not join, and neither does a single cluster', async () => {
  const { trend, not_compared: left } = await overviewOf(await aCalmCluster())
  expect(trend.flatMap(({ joined }) => joined)).toEqual([])
  expect(left).toEqual([])
})

test('the largest changes are named with their cause, and the rest is shown', async () => {
  const clusterId = await aCalmCluster()
  await sql`
    update workload_hour set seconds = 3 * seconds, cpu_alloc = 3 * cpu_alloc, memory_alloc = 3 * memory_alloc,
      cpu_request = 3 * cpu_request, memory_request = 3 * memory_request
    where cluster_id = ${clusterId} and namespace = 'shop' and hour >= ${new Date((startSecond + 86_400) * 1000)}`.execute(
    t.db,
  )
  const { movers, other_change: other, week } = await overviewOf(clusterId)
  const [first] = movers
  expect(first).toMatchObject({ kind: 'workload', namespace: 'shop', cause: 'Mean replicas 1 → 3' })
  expect(first?.now).toBeCloseTo(3 * (first?.before ?? 0), 3)
  const named = movers.reduce((sum, { change }) => sum + change, 0)
  expect(named + other).toBeCloseTo((week?.now ?? 0) - (week?.before ?? 0), 3)
})

test('a cluster without reports costs nothing yet and says so', async () => {
  const { clusterId } = await aCluster(t)
  expect(await overviewOf(clusterId)).toMatchObject({
    as_of: null,
    run_rate: { total: 0, compute: 0 },
    clusters: [{ status: 'pending', hours: 0, usage_coverage: null }],
    recommendations: {
      open: 0,
      approved: 0,
      estimated_savings: 0,
      bankable_savings: null,
      compute: { estimated_savings: 0, bankable_savings: null },
    },
  })
})

test('approved recommendations are not open, and only those about nodes are compared with compute', async () => {
  const { clusterId } = await aCluster(t)
  const about = (name: string, usd: number, category: RuleFinding['category']) =>
    aFinding({ name, category, estimatedUsdPerMonth: usd, bankableUsdPerMonth: usd / 2 })
  await analysed(t, clusterId, {
    findings: [about('web', 100, 'cpu_memory'), about('api', 30, 'cpu_memory'), about('disk', 8, 'storage')],
  })
  const editor = await aPerson(t, 'editor')
  const { recommendations } = await get<RecommendationList>(
    t,
    viewer,
    `/api/v1/recommendations?cluster_id=${clusterId}`,
  )
  const id = recommendations.find(({ estimated_savings: usd }) => usd === 100)?.id ?? ''
  await send(t, { method: 'POST', url: `/api/v1/recommendations/${id}/approve`, headers: editor.bearer })
  const { recommendations: advice } = await overviewOf(clusterId)
  expect(advice).toMatchObject({ open: 2, approved: 1, estimated_savings: 38, bankable_savings: 19 })
  expect(advice?.top.map(({ estimated_savings: usd }) => usd)).toEqual([30, 8])
  // The approved one is not applied yet: the line stays until then.
  expect(advice?.compute).toEqual({ estimated_savings: 130, bankable_savings: 65 })
})

test('an unchanged response is not sent again', async () => {
  const { clusterId } = await aFoldedCluster(t, twoNodes)
  const url = `/api/v1/overview?cluster_id=${clusterId}`
  const { etag } = (await send(t, { url, headers: viewer.bearer })).headers
  const again = await send(t, { url, headers: { ...viewer.bearer, 'if-none-match': String(etag) } })
  expect([again.statusCode, again.body]).toEqual([304, ''])
})

test('a caller without access to recommendations sees none, and one restricted to namespaces sees no whole cluster', async () => {
  const { clusterId } = await aCluster(t)
  const counter = await aPerson(t, await aRole(t, ['clusters:read']))
  expect((await overviewOf(clusterId, counter)).recommendations).toBeNull()
  const narrowed = await aPerson(t, await aRole(t, ['clusters:read'], { namespaces: ['shop'] }))
  const response = await send(t, { url: '/api/v1/overview', headers: narrowed.bearer })
  expect(response.json()).toMatchObject({ code: 'role_narrowed' })
})

test('a fleet with more clusters than one page is counted completely', async () => {
  await sql`
    with made as (
      insert into cluster (cluster_id, name, provider, region, created_at, updated_at)
      select 'cls_many_' || n, 'many ' || n, 'aws', 'eu-central-1', now(), now() from generate_series(1, 1001) n
      returning cluster_id)
    insert into cluster_state (cluster_id) select cluster_id from made`.execute(t.db)
  const { clusters } = await get<Overview>(t, viewer, '/api/v1/overview')
  expect(clusters.filter(({ name }) => name.startsWith('many '))).toHaveLength(1001)
})

test('the plan has the bill after each step', async () => {
  const { clusterId } = await aCluster(t)
  const [protect, free] = await planned(t, clusterId, [
    { kind: 'protect', title: 'Raise memory', findings: [aFinding({ name: 'hot' })], shares: ['-8.5'] },
    {
      title: 'Lower 2 requests',
      findings: [aFinding({ name: 'a' }), aFinding({ name: 'b' })],
      shares: ['60', '40.07'],
    },
  ])
  expect((await overviewOf(clusterId)).recommendations?.plan).toMatchObject({
    ...{ run_rate: 1000, run_rate_after: 908.43, savings: 91.57, step_count: 2, changes: 3 },
    steps: [
      {
        id: protect,
        place: 1,
        title: 'Raise memory',
        savings: -8.5,
        run_rate_after: 1008.5,
        status: 'open',
        changes: 1,
      },
      { id: free, place: 2, title: 'Lower 2 requests', savings: 100.07, run_rate_after: 908.43, changes: 2 },
    ],
  })
})
