import type {
  AgentTokenList,
  Allocation,
  ClusterDetail,
  ClusterList,
  DataQuality,
  IdleCostsAnswer,
  NodeList,
  Overview,
  PriceOverrideList,
  Prices,
  RecommendationDetail,
  RecommendationGroups,
  RecommendationHistory,
  RecommendationList,
  RoleList,
  Savings,
  UserList,
  WithheldList,
  WorkloadList,
} from '@plimsoll/contract'
import { beforeAll, describe, expect, test } from 'vitest'
import { aFinding, analysed, idsOf } from './findings.ts'
import { aFoldedCluster, get, wholeWorld, type FoldedCluster } from './folded-cluster.ts'
import { endSecond, twoNodesWithCloudResources } from '@plimsoll/pipeline/testing'
import { aPerson, aRole, type Person } from './people.ts'
import { send, useTestApp } from './test-app.ts'

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

describe('responses with all data of a page', () => {
  const t = useTestApp()
  let admin: Person
  let cluster: FoldedCluster
  const ask = <Body>(path: string, person = admin) => get<Body>(t, person, `/api/v1/${path}`)

  beforeAll(async () => {
    t.clock.now = new Date(endSecond * 1000)
    admin = await aPerson(t)
    cluster = await aFoldedCluster(t, twoNodesWithCloudResources)
    await analysed(t, cluster.clusterId, {
      findings: ['web', 'api', 'lake'].map((name, index) =>
        aFinding({ name, estimatedUsdPerMonth: 30.123 + index, bankableUsdPerMonth: 10.456 * index }),
      ),
    })
    await send(t, {
      ...{ method: 'POST', url: '/api/v1/price-overrides', headers: admin.bearer },
      body: { kind: 'discount', provider: 'gcp', percent: 10 },
    })
    const { lake = '' } = await idsOf(t, cluster.clusterId)
    await send(t, { method: 'POST', url: `/api/v1/recommendations/${lake}/apply`, headers: admin.bearer })
  })

  test('each part equals the response of its own operation', async () => {
    const { clusterId } = cluster
    const { web = '' } = await idsOf(t, clusterId)
    const detail = await ask<RecommendationDetail>(`recommendations/${web}?include=history,also_open`)
    expect(detail.history).toEqual((await ask<RecommendationHistory>(`recommendations/${web}/history`)).history)
    expect(detail.also_open).toEqual([])

    const list = await ask<RecommendationList>('recommendations?include=withheld&status=pending')
    const groups = await ask<RecommendationGroups>(
      'recommendations/groups?by=rule&include=totals,withheld&status=pending',
    )
    const counts = (await ask<WithheldList>('recommendations/withheld?limit=1')).counts ?? []
    expect(groups.totals).toEqual(list.totals)
    expect([list.withheld, groups.withheld]).toEqual(Array(2).fill(sum(counts.map(({ count }) => count))))

    const costs = await ask<IdleCostsAnswer>(`idle-costs?cluster_id=${clusterId}&${wholeWorld}&include=workloads`)
    const workloads = await ask<WorkloadList>(`clusters/${clusterId}/workloads?${wholeWorld}`)
    expect(costs.workloads).toMatchObject({ rows: workloads.workloads, has_more: false, partial: false })

    const allocation = await ask<Allocation>(`allocation?${wholeWorld}&trend=hour`)
    const steps = await ask<Allocation>(`allocation?${wholeWorld}&step=hour&limit=8`)
    expect(allocation.trend).toEqual({ step: 'hour', steps: steps.steps })

    const shown = await ask<ClusterDetail>(`clusters/${clusterId}?include=data_quality,install,agent_tokens`)
    expect(shown.data_quality).toEqual(await ask<DataQuality>(`clusters/${clusterId}/data-quality`))
    expect(shown.install).toEqual(await ask(`clusters/${clusterId}/install`))
    const { agent_tokens: tokens } = await ask<AgentTokenList>(`clusters/${clusterId}/agent-tokens`)
    expect(shown.agent_tokens).toEqual(tokens)

    const prices = await ask<Prices>(`prices?cluster_id=${clusterId}&include=price_overrides`)
    const overrides = await ask<PriceOverrideList>('price-overrides')
    expect(overrides.price_overrides.map(({ cluster_id: id }) => id)).toEqual([null])
    expect(prices.price_overrides).toEqual(overrides.price_overrides)

    const users = await ask<UserList>('users?include=roles')
    expect(users.roles).toEqual((await ask<RoleList>('roles')).roles)

    const savings = await ask<Savings>('savings?include=days,done')
    const done = await ask<RecommendationList>('recommendations?status=implemented,resolved&sort=-bankable_savings')
    expect(savings.days).toEqual((await ask<Savings>('savings?by=day')).rows)
    expect(savings.done).toMatchObject({ recommendations: done.recommendations, has_more: false, next_cursor: null })
  })

  test('a caller without access to the operation of a part does not get the part', async () => {
    const path = `clusters/${cluster.clusterId}?include=data_quality,install,agent_tokens`
    const viewer = await ask<ClusterDetail>(path, await aPerson(t, 'viewer'))
    expect(viewer.agent_tokens).toBeNull()
    expect(viewer.data_quality).not.toBeNull()
    const narrowed = await aRole(t, ['clusters:read', 'clusters:token'], { namespaces: ['shop'] })
    const part = await ask<ClusterDetail>(path, await aPerson(t, narrowed))
    expect([part.agent_tokens, part.data_quality]).toEqual([null, null])
    const { clusters } = await ask<ClusterList>('clusters', await aPerson(t, narrowed))
    expect(clusters.map(({ open_recommendations: open }) => open)).toEqual([null])
    const { roles } = await ask<UserList>('users?include=roles', await aPerson(t, await aRole(t, ['users:read'])))
    expect(roles).toBeNull()
  })

  test('an unknown part is rejected', async () => {
    const answer = await send(t, { url: '/api/v1/savings?include=weeks', headers: admin.bearer })
    expect(answer.json()).toMatchObject({ code: 'invalid_parameter', errors: [{ parameter: 'include' }] })
  })

  test('totals at the top of a page equal the rows below', async () => {
    const { clusterId } = cluster
    const overview = await ask<Overview>('overview')
    expect(sum(overview.clusters.map(({ monthly_cost: cost }) => cost))).toBeCloseTo(overview.run_rate.total, 5)
    expect(sum(overview.clusters.map(({ compute }) => compute.total))).toBeCloseTo(overview.compute.total, 5)

    const idle = await ask<IdleCostsAnswer>(`idle-costs?cluster_id=${clusterId}&${wholeWorld}`)
    for (const rows of [idle.by_namespace, idle.by_node, Object.values(idle.by_resource)]) {
      expect(sum(rows.map(({ total }) => total))).toBeCloseTo(idle.total, 5)
    }
    const { nodes } = await ask<NodeList>(`clusters/${clusterId}/nodes?${wholeWorld}`)
    expect(sum(nodes.map(({ cost }) => cost.total))).toBeCloseTo(idle.total, 5)

    const { total, steps, trend } = await ask<Allocation>(`allocation?${wholeWorld}&trend=hour`)
    const amounts = steps.flatMap(({ rows, rest, idle: unallocated, unmounted, unattached, overhead }) => [
      ...rows.map(({ cost }) => cost.total),
      ...[rest.cost, unallocated, unmounted, unattached, overhead].map((cost) => cost?.total ?? 0),
    ])
    expect(sum(amounts)).toBeCloseTo(total, 5)
    expect(sum(trend?.steps.map((step) => step.total) ?? [])).toBeCloseTo(total, 5)

    const list = await ask<RecommendationList>('recommendations?status=pending')
    const { groups, rest } = await ask<RecommendationGroups>('recommendations/groups?by=workload&status=pending')
    for (const name of ['estimated_savings', 'bankable_savings'] as const) {
      const ofRows = sum(list.recommendations.map((row) => row[name] ?? 0))
      expect(list.totals.pending[name]).toBeCloseTo(ofRows, 5)
      expect(sum([...groups, rest].map((group) => group[name] ?? 0))).toBeCloseTo(ofRows, 5)
    }
    const { clusters } = await ask<ClusterList>('clusters')
    expect(sum(clusters.map(({ open_recommendations: open }) => open ?? 0))).toBe(list.totals.pending.count)

    const savings = await ask<Savings>('savings?include=days,done')
    for (const name of ['estimated', 'approved', 'implemented', 'resolved', 'observed'] as const) {
      expect(sum(savings.rows.map((row) => row[name]))).toBeCloseTo(savings.total[name], 5)
      expect(sum(savings.days?.map((row) => row[name]) ?? [])).toBeCloseTo(savings.total[name], 5)
    }
    const done = savings.done?.recommendations ?? []
    const seen = done.map(({ verification_detail: detail }) => detail?.observed_savings ?? 0)
    expect(sum(seen)).toBeCloseTo(savings.total.observed, 5)
    expect(sum(done.map(({ estimated_savings: usd }) => usd))).toBeCloseTo(
      savings.total.implemented + savings.total.resolved,
      5,
    )
  })
})
