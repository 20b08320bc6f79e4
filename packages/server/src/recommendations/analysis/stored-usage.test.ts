import type { ContainerShape, RecommendationWithEvidence } from '@plimsoll/contract'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { agent, twoNodes, watchingAgent } from '@plimsoll/pipeline/testing'
import { foldAt, get } from '../../../test/folded-cluster.ts'
import { aCluster } from '../../../test/people.ts'
import { sendBatch } from '../../../test/send-batch.ts'
import { send } from '../../../test/test-app.ts'
import type { UsedPast } from '../../../test/used-past.ts'
import { gib, mib, now, podsOf, steady, useUsedWorkload } from '../../../test/used-workload.ts'
import { analyse } from './analyse.ts'

const { t, place, analysed, listed, oversized, reasons } = useUsedWorkload()

test('five weeks of usage become a recommendation with quantities, savings and all its evidence', async () => {
  await analysed(steady)
  const [found] = await oversized()
  expect(found).toMatchObject({
    pod_name: expect.stringMatching(/^web-\d$/) as string,
    workload: { kind: 'Deployment', name: 'web', container: 'app' },
    current_spec: { cpu_request: '1', memory_request: '1Gi' },
    // So steady that all but 5 % of the VPA request can be given back; memory goes down by one step of 30 %.
    recommended_spec: { cpu_request: '105m', memory_request: '717Mi' },
    risk: 'low',
    confidence: 'high',
  })
  const { evidence } = await get<RecommendationWithEvidence>(t, place.person, `/api/v1/recommendations/${found?.id}`)
  expect(evidence).toMatchObject({
    window: { hours: 336 },
    sample_count: 336 * 120,
    coverage: 1,
    requests: { current: { cpu_millicores: 1000 }, proposed: { cpu_millicores: 105, memory_bytes: 717 * mib * mib } },
    confidence: { level: 'high' },
    backtest: {
      standing_days: 7,
      results: [{ who: 'current' }, { who: 'proposed', minutes_short: 0, oom_days: 0 }, { who: 'vpa' }, { who: 'krr' }],
    },
  })
  expect(evidence?.hourly.cpu_millicores?.p90).toHaveLength(336)
  expect(new Set(evidence?.hourly.cpu_millicores?.max)).toEqual(new Set([100]))
  expect(new Set(evidence?.hourly.memory_bytes?.p50)).toEqual(new Set([300 * mib * mib]))
  // The same figures as in the chart, not the edge of a bucket.
  expect(evidence?.usage.memory_bytes?.max).toBe(300 * mib * mib)
  expect(evidence?.usage.cpu_millicores?.max).toBe(100)
  expect(evidence?.checks.map(({ passed }) => passed)).not.toContain(false)
  expect(evidence?.candidates).toHaveLength(128 + 4)
  const [price] = evidence?.prices ?? []
  const saved =
    2 * (0.895 * (price?.cpu_usd_per_core_month ?? 0) + (307 / 1024) * (price?.memory_usd_per_gib_month ?? 0))
  expect(found?.estimated_savings).toBeCloseTo(saved, 3)
})

test('the next analysis has the same result, and writes nothing', async () => {
  await analysed(steady)
  const [before] = await oversized()
  await analyse(t.deps, place.cluster)
  expect(await oversized()).toEqual([before])
})

test('a standing recommendation does not change by a few millicores', async () => {
  await analysed(steady)
  const [before] = await oversized()
  await sql`
    update recommendation set content = jsonb_set(content, '{recommended,cpuMillicores}', '110')
    where recommendation_id = ${before?.id}`.execute(t.db)
  await analyse(t.deps, place.cluster)
  expect(await oversized()).toMatchObject([{ id: before?.id, recommended_spec: { cpu_request: '110m' } }])
})

test.each([
  { name: 'is still in a crash loop', hour: () => ({ restarts: 20 }), count: 1 },
  {
    name: 'was in a crash loop until two days ago',
    hour: (ago: number) => ({ restarts: ago < 48 ? 0 : 20 }),
    count: 0,
  },
])('a workload that $name is reported $count times', async ({ hour, count }) => {
  await analysed({ ...steady, hour })
  expect(await listed('failed_pods_holding')).toHaveLength(count)
})

test('a policy with shorter history and a safe dial is followed', async () => {
  await analysed({ ...steady, days: 3 })
  expect(await reasons()).toEqual(['too_little_history'])
  const body = { cluster_id: place.cluster.clusterId, settings: { min_history_days: 2, dial: 'safe' } }
  await send(t, { method: 'PUT', url: '/api/v1/policies', headers: place.person.bearer, body })
  await analyse(t.deps, place.cluster)
  expect(await oversized()).toHaveLength(1)
})

describe('bad data has a defined result', () => {
  test.each<{ name: string; past: UsedPast | null; reason: string }>([
    { name: 'no metrics source', past: null, reason: 'no_source' },
    {
      name: 'three hours of history',
      past: { ...steady, days: 1, hour: (ago) => (ago < 3 ? {} : null) },
      reason: 'too_little_history',
    },
    { name: 'half of the minutes missing', past: { ...steady, hour: () => ({ known: 0.5 }) }, reason: 'low_coverage' },
    {
      name: 'no usage measured for three days',
      past: { ...steady, hour: (ago) => (ago < 72 ? { known: 0 } : {}) },
      reason: 'low_coverage',
    },
    {
      name: 'a pod that restarted 400 times',
      past: { ...steady, hour: (ago) => (ago < 40 ? { restarts: 10 } : {}) },
      reason: 'restarting',
    },
    { name: 'pods with uneven load', past: { ...steady, hour: () => ({ hottestFactor: 4 }) }, reason: 'x' },
  ])('$name', async ({ past, reason }) => {
    await analysed(past)
    if (reason === 'x') {
      // Memory is the maximum of all pods, so it can be sized; CPU stays.
      expect(await oversized()).toMatchObject([{ recommended_spec: { cpu_request: '1', memory_request: '717Mi' } }])
    } else {
      expect(await oversized()).toEqual([])
      expect(await reasons()).toEqual([reason])
    }
  })

  test.each<{ name: string; past: UsedPast; shape?: Partial<ContainerShape>; pods?: number; count: number }>([
    {
      name: 'a gap of six hours',
      count: 1,
      past: { ...steady, hour: (ago) => (ago > 20 && ago <= 26 ? { known: 0 } : {}) },
    },
    { name: 'a container without usage', count: 0, past: { ...steady, millicores: 0, mib: 0 } },
    { name: 'implausible usage of 10,000 cores', count: 0, past: { ...steady, millicores: 10_000_000 } },
    {
      name: 'an implausible request',
      count: 0,
      past: steady,
      shape: { cpu_request: 1_000_000_000, memory_request: 2 ** 40 },
    },
    {
      name: 'a request above any node',
      count: 1,
      past: steady,
      shape: { cpu_request: 100_000, memory_request: 1024 * gib },
    },
    {
      name: 'no requests at all',
      count: 0,
      past: steady,
      shape: { cpu_request: undefined, memory_request: undefined } as never,
    },
    {
      name: 'rescaled from 2 to 40 yesterday',
      count: 1,
      past: { ...steady, hour: (ago) => (ago < 6 ? { pods: 40 } : {}) },
      pods: 40,
    },
  ])('$name: no saving is larger than what it costs', async ({ past, shape = {}, pods, count }) => {
    await analysed(past, shape, pods)
    const all = await oversized()
    expect(all).toHaveLength(count)
    for (const found of all) {
      const { evidence } = await get<RecommendationWithEvidence>(t, place.person, `/api/v1/recommendations/${found.id}`)
      const [price] = evidence?.prices ?? []
      const { cpu_millicores: cpu, memory_bytes: bytes } = evidence?.requests.current ?? {}
      const cost =
        (pods ?? 2) *
        (((cpu ?? 0) / 1000) * (price?.cpu_usd_per_core_month ?? 0) +
          ((bytes ?? 0) / 2 ** 30) * (price?.memory_usd_per_gib_month ?? 0))
      expect(found.estimated_savings).toBeLessThanOrEqual(cost)
      expect(found.estimated_savings).toBeGreaterThan(0)
      expect(found.recommended_spec.cpu_request).toMatch(/^\d+m?$/)
      expect(found.recommended_spec.memory_request).toMatch(/^\d+(Ki|Mi|Gi|Ti)$/)
    }
  })

  test('a container without requests gets proposed requests, and saves nothing', async () => {
    await analysed(steady, { cpu_request: undefined, memory_request: undefined } as never)
    const [found] = await listed('requests_missing')
    expect(found).toMatchObject({ estimated_savings: 0, current_spec: {} })
    expect(found?.recommended_spec.cpu_request).toMatch(/^1\d\dm$/)
    expect(found?.recommended_spec.memory_request).toMatch(/^[34]\d\dMi$/)
  })

  test('a workload scaled from 2 to 40 six hours ago saves for its average number of pods', async () => {
    await analysed({ ...steady, hour: (ago) => (ago < 6 ? { pods: 40 } : {}) }, {}, 40)
    const [found] = await oversized()
    // (162 × 2 + 6 × 40) ÷ 168 is less than the mean of the last day.
    const { evidence } = await get<RecommendationWithEvidence>(t, place.person, `/api/v1/recommendations/${found?.id}`)
    expect(evidence?.facts.pods).toBeCloseTo(3.36, 2)
  })
})

test('OOM kills raise memory and are urgent', async () => {
  const past = { ...steady, mib: 1000, hour: (ago: number) => (ago < 3 ? { oomKills: 2 } : {}) }
  await analysed(past, { memory_limit: gib })
  expect(await oversized()).toEqual([])
  const raised = await listed('container_underprovisioned')
  expect(raised).toMatchObject([
    {
      severity: 'critical',
      current_spec: { memory_request: '1Gi' },
      recommended_spec: { cpu_request: '1', memory_request: '1229Mi' },
      risk: 'medium',
      risk_reasons: ['Demand above the limit is unknown'],
    },
  ])
  const { evidence } = await get<RecommendationWithEvidence>(
    t,
    place.person,
    `/api/v1/recommendations/${raised[0]?.id}`,
  )
  expect(evidence?.demand).toMatchObject({
    limits: { current: { memory_bytes: gib * 1024 } },
    unknown_above_limit: { cpu: false, memory: true },
    oom_kills: 6,
    leak: null,
  })
  expect(evidence?.hourly.oom_kills?.slice(-4)).toEqual([0, 2, 2, 2])
})

describe('a container throttled by its CPU limit', () => {
  const throttled = { ...steady, hour: () => ({ throttled: 4000 }) }
  const limit = { cpu_limit: 1000 }

  test('keeps its CPU request, and gets a recommendation for a higher limit', async () => {
    await analysed(throttled, limit)
    expect(await oversized()).toMatchObject([{ recommended_spec: { cpu_request: '1', memory_request: '717Mi' } }])
    expect(await listed('cpu_limit_throttling')).toMatchObject([
      {
        estimated_savings: 0,
        change: { fields: [{ path: 'resources.limits.cpu', from: '1', to: '2' }] },
        recommended_spec: { cpu_request: '1', memory_request: '1Gi' },
      },
    ])
  })

  test('gets it only if its pods can use the free CPU', async () => {
    // Two nodes of 3.8 cores with 2 cores requested: 5.6 are free, but 1.8 without the second node. 3.6 are needed.
    const wide = { cpu_limit: 1800 }
    await analysed(throttled, wide, 2, { by: watchingAgent })
    expect(await listed('cpu_limit_throttling')).toMatchObject([{ status: 'pending' }])
    place.cluster = await aCluster(t)
    const taints = [{ key: 'dedicated', value: 'batch', effect: 'NoSchedule' as const }]
    const nodes = twoNodes.nodes.map((node, index) => (index === 1 ? { ...node, facts: { taints } } : node))
    await analysed(throttled, wide, 2, { by: watchingAgent, world: { ...twoNodes, nodes } })
    expect(await listed('cpu_limit_throttling')).toEqual([])
    expect(await reasons('cpu_limit_throttling')).toEqual(['no_room'])
  })

  test('is analyzed again once its limit has changed', async () => {
    await analysed(throttled, limit)
    const at = now + 3600
    t.clock.now = new Date(at * 1000)
    const batch = podsOf({ cpu_limit: 2000 }, 2, at).finish(agent, at)
    await sendBatch(t, place.cluster.agentToken, batch, { epoch: 'epoch-1', seq: 3 })
    await foldAt(t, place.cluster, at)
    await analyse(t.deps, place.cluster)
    // Nothing is known of the new limit; another recommendation about the container has replaced it.
    expect(await listed('cpu_limit_throttling')).toMatchObject([{ status: 'superseded' }])
  })
})
