import {
  stepMembersMax,
  type BatchResult,
  type ManifestResult,
  type Plan,
  type PlanList,
  type Recommendation,
  type RecommendationList,
} from '@plimsoll/contract'
import { decimal } from '@plimsoll/engine'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { entriesOf } from '../../../test/audit-trail.ts'
import { aFinding, analysed, idsOf } from '../../../test/findings.ts'
import { get } from '../../../test/folded-cluster.ts'
import { aCluster, aPerson, aRole, type Person } from '../../../test/people.ts'
import { planned } from '../../../test/planned.ts'
import { expectProblem } from '../../../test/promises.ts'
import { send, useTestApp } from '../../../test/test-app.ts'

const t = useTestApp()

let editor: Person
let clusterId: string
let protect: string
let free: string
let rest: string
let ids: Record<string, string>

const node = {
  name: 'ip-10-0-0-1',
  pool: 'general',
  instanceType: 'm6i.4xlarge',
  usdPerMonth: decimal('100.07'),
  replacedBy: null,
}

/** The two services of the free step are in two namespaces. */
const steps = () => [
  {
    kind: 'protect' as const,
    title: 'Raise memory of hot',
    findings: [
      aFinding({
        name: 'hot',
        ruleId: 'container_underprovisioned',
        severity: 'critical',
        estimatedUsdPerMonth: -17.25,
        risk: 'medium',
        riskReasons: ['Single pod: unavailable during the rollout'],
      }),
    ],
    shares: ['-8.5'],
  },
  {
    title: 'Lower 2 requests in data and shop',
    nodes: [node],
    risk: 'medium' as const,
    findings: [aFinding({ name: 'web' }), aFinding({ name: 'lake', namespace: 'data' })],
    shares: ['60.04', '40.03'],
  },
  { kind: 'rest' as const, findings: [aFinding({ name: 'rest' })], shares: ['0'] },
]

beforeAll(async () => {
  editor = await aPerson(t, 'editor')
})

beforeEach(async () => {
  clusterId = (await aCluster(t)).clusterId
  ;[protect = '', free = '', rest = ''] = await planned(t, clusterId, steps())
  ids = await idsOf(t, clusterId)
})

const read = (as = editor, id = clusterId) => get<Plan>(t, as, `/api/v1/clusters/${id}/plan`)

type Act = { as?: Person; body?: object; headers?: Record<string, string>; cluster?: string }

const act = (step: string, action: string, { as = editor, body, headers = {}, cluster = clusterId }: Act = {}) =>
  send(t, {
    method: 'POST',
    url: `/api/v1/clusters/${cluster}/plan/steps/${step}/${action}`,
    headers: { ...as.bearer, ...headers },
    ...(body ? { body } : {}),
  })

const narrowed = async (namespaces: string[], more: 'recommendations:write'[] = []) =>
  aPerson(t, await aRole(t, ['recommendations:read', ...more], { namespaces }))

describe('the plan of a cluster', () => {
  test('has its steps in order, and the savings add up to the cent', async () => {
    const plan = await read()
    expect(plan).toMatchObject({
      cluster_id: clusterId,
      run_rate: 1000,
      savings: 91.57,
      run_rate_after: 908.43,
      is_complete: true,
      bounds: [],
      reason: null,
      analysed_at: t.clock.now.toISOString(),
    })
    expect(plan.steps.map(({ id, number, kind, savings }) => [id, number, kind, savings])).toEqual([
      [protect, 1, 'protect', -8.5],
      [free, 2, 'free', 100.07],
      [rest, 3, 'rest', 0],
    ])
    expect(plan.steps.map((step) => [step.run_rate_before, step.run_rate_after])).toEqual([
      [1000, 1008.5],
      [1008.5, 908.43],
      [908.43, 908.43],
    ])
    for (const { savings, recommendations } of plan.steps) {
      expect(recommendations.reduce((sum, each) => sum + (each.bankable_savings ?? 0), 0)).toBeCloseTo(savings, 6)
    }
    expect(plan.steps[1]).toMatchObject({
      title: 'Lower 2 requests in data and shop',
      capacity_value: 12.5,
      risk: 'medium',
      capacity_used: 0,
      risk_reason: null,
      runnable: { manifests: 2, commands: 0 },
      effort: { workloads: 2, teams: ['shop'], pods_restarted: 4, pods_moved: 2, stateful_sets_restarted: 0 },
      nodes: [
        { name: 'ip-10-0-0-1', pool: 'general', instance_type: 'm6i.4xlarge', savings: 100.07, replaced_by: null },
      ],
      status: 'open',
      allowed_actions: ['approve', 'reject'],
      changes: 2,
    })
    expect(plan.steps[0]).toMatchObject({
      capacity_value: 12.5,
      capacity_used: 17.25,
      risk_reason: { recommendation_id: ids.hot, name: 'hot', reason: 'Single pod: unavailable during the rollout' },
    })
    expect(plan.steps[1]?.recommendations.find(({ id }) => id === ids.web)).toMatchObject({
      title: 'Lower requests of web',
      rule_id: 'container_overprovisioned',
      namespace: 'shop',
      workload: { kind: 'Deployment', name: 'web' },
      container: 'app',
      status: 'pending',
      severity: 'medium',
      risk: 'low',
      estimated_savings: 10,
      bankable_savings: 60.04,
    })
  })

  test('counts the workloads that fail now, and names the step that protects them', async () => {
    expect((await read()).unsafe).toMatchObject({
      workloads: 1,
      oom_killed: 1,
      throttled: 0,
      crash_looping: 0,
      regressed: 0,
      examples: [{ recommendation_id: ids.hot, kind: 'oom_killed', namespace: 'shop', name: 'hot' }],
      step: { id: protect, cluster_id: clusterId, number: 1, of: 3, savings: -8.5, failing_workloads: 1 },
    })
  })

  test('counts each failing workload once, and links to the step that holds most of them', async () => {
    const failing = [
      aFinding({ name: 'loop', ruleId: 'failed_pods_holding', basis: 'crash loop of app' }),
      aFinding({ name: 'loop', ruleId: 'cpu_limit_throttling' }),
      aFinding({ name: 'back', ruleId: 'change_regressed' }),
    ]
    const alone = (await aCluster(t)).clusterId
    const [, many] = await planned(t, alone, [
      { kind: 'protect', findings: [aFinding({ name: 'calm', ruleId: 'requests_missing' })], shares: ['0'] },
      { kind: 'protect', findings: failing, shares: ['0', '0', '0'] },
      { findings: [aFinding({ name: 'stuck', ruleId: 'failed_pods_holding', basis: 'stuck since 5' })], shares: ['1'] },
    ])
    expect((await read(editor, alone)).unsafe).toMatchObject({
      ...{ workloads: 2, oom_killed: 0, throttled: 1, crash_looping: 1, regressed: 1 },
      examples: [
        { kind: 'crash_looping', name: 'loop' },
        { kind: 'regressed', name: 'back' },
      ],
      step: { id: many, number: 2, failing_workloads: 2 },
    })
  })

  test('is empty with a reason before the first analysis, and without scheduling constraints', async () => {
    const fresh = (await aCluster(t)).clusterId
    expect(await read(editor, fresh)).toMatchObject({ steps: [], savings: 0, reason: { code: 'not_analysed' } })
    await analysed(t, fresh, { findings: [aFinding()] })
    expect(await read(editor, fresh)).toMatchObject({ analysed_at: null, reason: { code: 'no_scheduling_facts' } })
    await planned(t, fresh, [])
    expect(await read(editor, fresh)).toMatchObject({ steps: [], reason: { code: 'nothing_to_do' } })
  })

  test('shows a role limited to namespaces its own recommendations, without nodes, run rates and names of others', async () => {
    const as = await narrowed(['data'])
    const plan = await read(as)
    expect(plan).toMatchObject({
      run_rate: null,
      run_rate_after: null,
      savings: 40.03,
      unsafe: { workloads: 0, step: null },
    })
    expect(plan.steps).toMatchObject([
      {
        id: free,
        title: 'Lower requests so that nodes can be removed',
        savings: 40.03,
        run_rate_before: null,
        nodes: [],
        changes: 1,
        capacity_value: 10,
        effort: { workloads: 1, teams: [], pods_restarted: null, pods_moved: null },
        allowed_actions: [],
        recommendations: [{ id: ids.lake, bankable_savings: 40.03 }],
      },
    ])
    expect(JSON.stringify(plan)).not.toMatch(/shop|ip-10|web/)
  })

  test('sums up more recommendations than it lists, also for a role limited to namespaces', async () => {
    const large = (await aCluster(t)).clusterId
    const names = Array.from({ length: stepMembersMax + 20 }, (_, index) => `svc-${index}`)
    const findings = names.map((name, index) => aFinding({ name, estimatedUsdPerMonth: index < 20 ? -2 : 10, risk: index === 3 ? 'high' : 'low', riskReasons: index === 3 ? ['Final'] : [] })) // prettier-ignore
    await planned(t, large, [{ findings, shares: names.map(() => '1') }])
    const [step] = (await read(await narrowed(['shop']), large)).steps
    expect(step?.recommendations).toHaveLength(stepMembersMax)
    expect(step).toMatchObject({
      ...{ changes: 520, savings: 520, capacity_value: 5000, capacity_used: 40, risk: 'high' },
      effort: { workloads: 520 },
      risk_reason: { name: 'svc-3', reason: 'Final' },
    })
  })

  test('is not found in a cluster that the role does not include', async () => {
    const as = await aPerson(t, await aRole(t, ['recommendations:read'], { clusters: [(await aCluster(t)).clusterId] }))
    expectProblem(await send(t, { url: `/api/v1/clusters/${clusterId}/plan`, headers: as.bearer }), 'cluster_not_found')
    expect((await get<PlanList>(t, as, '/api/v1/plans')).steps).toEqual([])
  })
})

describe('the plans of all clusters', () => {
  test('are one list whose savings add up, with the order of each cluster', async () => {
    const other = (await aCluster(t)).clusterId
    await planned(t, other, [{ findings: [aFinding({ name: 'big' })], shares: ['500.5'] }], '2000')
    const as = await aPerson(t, await aRole(t, ['recommendations:read'], { clusters: [clusterId, other] }))
    const list = await get<PlanList>(t, as, '/api/v1/plans')
    expect(list).toMatchObject({
      run_rate: 3000,
      savings: 592.07,
      run_rate_after: 2407.93,
      left_out: { steps: 0, savings: 0 },
    })
    expect(list.steps.map((step) => [step.place, step.cluster_id, step.number, step.run_rate_after])).toEqual([
      [1, clusterId, 1, 3008.5],
      [2, other, 1, 2508],
      [3, clusterId, 2, 2407.93],
      [4, clusterId, 3, 2407.93],
    ])
    expect(list.clusters.map(({ cluster_id: id, savings, steps: count }) => [id, savings, count])).toEqual(
      expect.arrayContaining([
        [clusterId, 91.57, 3],
        [other, 500.5, 1],
      ]),
    )
  })
})

describe('a step', () => {
  test('is approved, withdrawn and rejected as a whole, each with one audit entry that names it', async () => {
    const approved = await act(free, 'approve', { body: { reason: 'agreed' } })
    expect(approved.statusCode).toBe(200)
    const { summary, results } = approved.json<BatchResult>()
    expect(summary).toEqual({ requested: 2, changed: 2, unchanged: 0, failed: 0 })
    expect(results.map(({ id, status }) => [id, status]).sort()).toEqual(
      [ids.web, ids.lake].map((id) => [id, 'approved']).sort(),
    )
    const entries = await entriesOf(t, approved)
    expect(entries).toMatchObject([
      {
        action: 'plan_step.approve',
        target: { type: 'plan_step', id: free },
        detail: { cluster_id: clusterId, title: 'Lower 2 requests in data and shop', number: 2, reason: 'agreed' },
      },
    ])
    expect(entries[0]?.detail.recommendation_ids).toHaveLength(2)
    const url = `/api/v1/recommendations/${ids.web}/history`
    const { history } = await get<{ history: object[] }>(t, editor, url)
    expect(history.at(-1)).toMatchObject({ action: 'approve', reason: 'agreed', actor: { email: editor.email } })
    expect((await read()).steps[1]).toMatchObject({ status: 'approved', allowed_actions: ['reject', 'withdraw'] })

    expect((await act(free, 'withdraw')).json()).toMatchObject({ summary: { changed: 2 } })
    expect((await read()).steps[1]?.status).toBe('open')
    expect((await act(free, 'reject')).json()).toMatchObject({ summary: { changed: 2 } })
    expect((await read()).steps[1]).toMatchObject({ status: 'rejected', allowed_actions: [] })
  })

  test('shows the progress of its recommendations', async () => {
    const move = (name: string, action: string) =>
      send(t, { method: 'POST', url: `/api/v1/recommendations/${ids[name]}/${action}`, headers: editor.bearer })
    await move('web', 'approve')
    expect((await read()).steps[1]?.status).toBe('partly_approved')
    expect((await act(free, 'approve')).json()).toMatchObject({ summary: { requested: 2, changed: 1, unchanged: 1 } })
    await move('web', 'apply')
    expect((await read()).steps[1]?.status).toBe('partly_implemented')
  })

  test('is approved once with an Idempotency-Key', async () => {
    const headers = { 'idempotency-key': `key-${free}` }
    const first = await act(free, 'approve', { headers })
    await act(free, 'withdraw')
    const again = await act(free, 'approve', { headers })
    expect([again.headers['idempotency-replayed'], again.json()]).toEqual(['true', first.json()])
    expect((await read()).steps[1]?.status).toBe('open')
    expectProblem(await act(free, 'approve', { headers, body: { reason: 'other' } }), 'idempotency_key_reused')
  })

  test('moves only the recommendations that the role can see', async () => {
    const as = await narrowed(['data'], ['recommendations:write'])
    expect((await act(free, 'approve', { as })).json()).toMatchObject({
      results: [{ id: ids.lake, status: 'approved' }],
    })
    expectProblem(await act(protect, 'approve', { as }), 'plan_step_not_found')
    expect((await read()).steps[1]?.status).toBe('partly_approved')
  })

  test('must be in the current plan of the cluster', async () => {
    const other = (await aCluster(t)).clusterId
    for (const step of ['nonsense', `stp_${'0'.repeat(26)}`]) {
      expectProblem(await act(step, 'approve'), 'plan_step_not_found')
    }
    expectProblem(await act(free, 'approve', { cluster: other }), 'plan_step_not_found')
    await planned(t, clusterId, steps().slice(0, 1))
    expectProblem(await act(free, 'approve'), 'plan_step_not_found')
  })

  test.each([{ reason: 7 }, { reason: 'x', step: 1 }, []])('refuses the body %j', async (body) => {
    expectProblem(await act(free, 'approve', { body }), 'invalid_body')
  })
})

test('each recommendation names its step, in the list and alone', async () => {
  const { recommendations } = await get<RecommendationList>(
    t,
    editor,
    `/api/v1/recommendations?cluster_id=${clusterId}`,
  )
  const stepOf = (id: string | undefined) => recommendations.find((each) => each.id === id)?.plan_step
  const reference = {
    id: free,
    number: 2,
    of: 3,
    kind: 'free',
    title: 'Lower 2 requests in data and shop',
    savings: 100.07,
    others: 1,
    nodes: ['ip-10-0-0-1'],
  }
  expect(stepOf(ids.web)).toEqual(reference)
  expect(stepOf(ids.rest)).toMatchObject({ id: rest, others: 0 })
  expect((await get<Recommendation>(t, editor, `/api/v1/recommendations/${ids.web}`)).plan_step).toEqual(reference)
  const mine = await get<Recommendation>(t, await narrowed(['data']), `/api/v1/recommendations/${ids.lake}`)
  expect(mine.plan_step).toMatchObject({ savings: 40.03, others: 0, nodes: [] })
  expect(JSON.stringify(mine.plan_step)).not.toContain('shop')
})

test('manifests are created for a step, and never for both a step and a list', async () => {
  const render = async (body: object, as = editor) =>
    send(t, { method: 'POST', url: '/api/v1/gitops/manifests', headers: as.bearer, body: { format: 'yaml', ...body } })
  const named = (answer: ManifestResult) =>
    [
      ...answer.files.flatMap((file) => file.recommendation_ids),
      ...answer.skipped.map((each) => each.recommendation_id),
    ].sort()
  const step = { cluster_id: clusterId, step_id: free }
  expect(named((await render(step)).json())).toEqual([ids.web, ids.lake].sort())
  expect(named((await render(step, await narrowed(['data']))).json())).toEqual([ids.lake])
  const removals = (await render(step)).json<ManifestResult>().node_removals
  expect(removals).toMatchObject([{ cluster_id: clusterId, nodes: ['ip-10-0-0-1'] }])
  expect(removals[0]?.steps.flatMap(({ commands }) => commands).join('\n')).toContain('drain ip-10-0-0-1')
  expect((await render({ recommendation_ids: [ids.web] })).json()).toMatchObject({ node_removals: [] })
  expect((await render(step, await narrowed(['data']))).json()).toMatchObject({ node_removals: [] })
  const refusals: [object, string, string][] = [
    [{}, '/recommendation_ids', 'required'],
    [{ step_id: free }, '/cluster_id', 'required'],
    [{ ...step, recommendation_ids: [ids.web] }, '/step_id', 'combination'],
    [{ ...step, step_id: 'stp_x' }, '/step_id', 'unknown_step'],
    [{ ...step, cluster_id: (await aCluster(t)).clusterId }, '/step_id', 'unknown_step'],
  ]
  for (const [body, pointer, code] of refusals) {
    const response = await render(body)
    expectProblem(response, 'invalid_body')
    expect(response.json()).toMatchObject({ errors: [{ pointer, code }] })
  }
})
