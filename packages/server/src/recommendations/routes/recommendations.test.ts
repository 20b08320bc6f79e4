import type {
  Recommendation,
  RecommendationGroup,
  RecommendationGroups,
  RecommendationList,
  RecommendationWithEvidence,
} from '@plimsoll/contract'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { aFinding, analysed, idsOf } from '../../../test/findings.ts'
import { findings, useListedRecommendations } from '../../../test/listed-recommendations.ts'
import { showWorkloads } from '../../../test/manifests/shown-workloads.ts'
import { aCluster, aPerson, aRole, type Person } from '../../../test/people.ts'
import { expectProblem } from '../../../test/promises.ts'
import { send } from '../../../test/test-app.ts'

const place = useListedRecommendations()
const { t, list } = place

const namesOf = ({ recommendations }: Pick<RecommendationList, 'recommendations'>) =>
  recommendations.map(({ workload }) => workload?.name)

test('a recommendation has the fields of the specification', async () => {
  const { recommendations } = await list('&workload=web')
  expect(recommendations).toEqual([
    {
      id: place.ids.web,
      cluster_id: place.clusterId,
      title: 'Lower requests of web',
      rule_id: 'container_overprovisioned',
      rule_name: 'Over-provisioned',
      category: 'cpu_memory',
      severity: 'high',
      estimated_savings: 30,
      bankable_savings: 1,
      bankable_because: '',
      currency: 'USD',
      pod_name: 'web-0',
      namespace: 'shop',
      workload: { kind: 'Deployment', name: 'web', container: 'app' },
      volume_claim: null,
      status: 'pending',
      current_spec: { cpu_request: '1', memory_request: '1Gi' },
      recommended_spec: { cpu_request: '500m', memory_request: '512Mi' },
      change: expect.objectContaining({ action: 'set_requests', summary: 'Ask for half.' }) as object,
      risk: 'low',
      risk_reasons: ['Single pod'],
      confidence: 'high',
      verification: null,
      verification_detail: null,
      done_at: null,
      drift: null,
      unconfirmed_since: null,
      plan_step: null,
      bundle_id: expect.stringMatching(/^bnd_[0-9a-z]{26}$/) as string,
      snoozed_until: null,
      // A viewer may do none of them.
      allowed_actions: [],
      created_at: t.clock.now.toISOString(),
      updated_at: t.clock.now.toISOString(),
    },
  ])
  expect(place.ids.web).toMatch(new RegExp(`^rec_${place.clusterId.slice(4)}[0-9a-z]{26}$`))
})

test.each([
  { query: '', names: ['web', 'api', 'db', 'lake'] },
  { query: '&status=pending', names: ['web', 'api', 'lake'] },
  { query: '&status=approved,rejected', names: ['db'] },
  { query: '&namespace=data', names: ['db', 'lake'] },
  { query: '&workload=web,lake', names: ['web', 'lake'] },
  { query: '&rule_id=requests_missing', names: ['lake'] },
  { query: '&category=governance', names: ['lake'] },
  { query: '&severity=high,critical', names: ['web', 'api'] },
  { query: '&risk=high', names: ['api'] },
  { query: '&verification=__none__', names: ['web', 'api', 'db', 'lake'] },
  { query: '&verification=awaiting,reverted', names: [] },
  { query: '&min_savings=20', names: ['web', 'api', 'db'] },
  { query: '&text=LAKE_100%25', names: ['lake'] },
  { query: '&text=data', names: ['db', 'lake'] },
  { query: '&text=%25', names: ['lake'] },
  { query: '&status=rejected', names: [] },
])('the filter $query finds $names', async ({ query, names }) => {
  expect(namesOf(await list(query)).sort()).toEqual([...names].sort())
})

test.each([
  { sort: '-estimated_savings', first: 'web', last: 'lake' },
  { sort: 'estimated_savings', first: 'lake', last: 'web' },
  { sort: '-bankable_savings', first: 'db', last: undefined },
  { sort: '-severity', first: 'api', last: undefined },
  { sort: 'created_at', first: undefined, last: undefined },
])('sorted by $sort, pages are contiguous', async ({ sort, first, last }) => {
  const whole = namesOf(await list(`&sort=${sort}`))
  if (first !== undefined) expect(whole[0]).toBe(first)
  if (last !== undefined) expect(whole.at(-1)).toBe(last)
  const pages: (string | undefined)[] = []
  let cursor = ''
  for (;;) {
    const page = await list(`&sort=${sort}&limit=1${cursor}`)
    pages.push(...namesOf(page))
    if (page.next_cursor === null) break
    cursor = `&cursor=${page.next_cursor}`
  }
  expect(pages).toEqual(whole)
})

test('totals count the matches of the other filters, by status', async () => {
  const none = { count: 0, estimated_savings: 0, bankable_savings: null }
  expect((await list('&namespace=data&status=pending,approved')).totals).toEqual({
    pending: { count: 1, estimated_savings: -3, bankable_savings: null },
    approved: { count: 1, estimated_savings: 20, bankable_savings: 9 },
    rejected: none,
    implemented: none,
    superseded: none,
    resolved: none,
    expired: none,
  })
})

test.each([
  {
    by: 'namespace',
    groups: [
      ['data', 2],
      ['shop', 2],
    ],
  },
  {
    by: 'rule',
    groups: [
      ['container_overprovisioned', 3],
      ['requests_missing', 1],
    ],
  },
  { by: 'cluster', groups: [['', 4]] },
  { by: 'verification', groups: [['__none__', 4]] },
  {
    by: 'workload',
    groups: [
      ['data/db', 1],
      ['shop/api', 1],
      ['shop/web', 1],
      ['data/lake', 1],
    ],
  },
])(
  'grouped by $by, every recommendation is in one group, which its names find again',
  async ({ by, groups: expected }) => {
    const url = `/api/v1/recommendations/groups?cluster_id=${place.clusterId}&by=${by}`
    const response = await send(t, { url, headers: place.viewer.bearer })
    const { groups, rest } = response.json<RecommendationGroups>()
    const nameOf = ({ namespace, workload, rule_id: rule, verification }: RecommendationGroup) =>
      rule ?? verification ?? [namespace, workload].filter((name) => name !== null).join('/')
    const found = groups.map((group): [string, number] => [nameOf(group), group.count])
    expect([...found].sort()).toEqual([...expected].sort())
    expect(rest.count).toBe(0)
    for (const { rule_id, rule_name } of groups) expect(rule_name === null).toBe(rule_id === null)
    for (const { cluster_id: _cluster, namespace, workload, rule_id: rule, verification, ...total } of groups) {
      const names = Object.entries({ namespace, workload, rule_id: rule, verification }).filter(
        ([, name]) => name !== null,
      )
      const { recommendations } = await list(names.map(([key, name]) => `&${key}=${name}`).join(''))
      expect(recommendations).toHaveLength(total.count)
      const estimated = recommendations.reduce((sum, each) => sum + each.estimated_savings, 0)
      expect(total.estimated_savings).toBeCloseTo(estimated, 6)
    }
  },
)

test.each([
  'status=open',
  'status=pending,',
  'severity=huge',
  'risk=none',
  'category=cpu',
  'limit=501',
  'stauts=pending',
  'sort=title',
  'min_savings=x',
])('the query %s is rejected, so that a typo does not look like an empty result', async (query) => {
  expectProblem(
    await send(t, { url: `/api/v1/recommendations?${query}`, headers: place.viewer.bearer }),
    'invalid_parameter',
  )
})

test('applied recommendations are filtered and counted by verification, and totals follow at once', async () => {
  const { clusterId: own } = await aCluster(t)
  const states = { web: 'verified', api: 'reverted', db: 'awaiting', lake: null }
  await analysed(t, own, { findings })
  const become = (name: string, verification: string | null) =>
    t.db
      .updateTable('recommendation')
      .set({ status: verification === null ? 'resolved' : 'implemented', verification: verification as 'verified' })
      .where('cluster_id', '=', own)
      .where('workload_name', '=', name)
      .execute()
  for (const [name, state] of Object.entries(states)) await become(name, state)
  const ask = async <Answer>(path: string, person = place.viewer) =>
    (await send(t, { url: `/api/v1/recommendations${path}`, headers: person.bearer })).json<Answer>()
  const found = async (state: string, person = place.viewer) => {
    const answer = await ask<RecommendationList>(`?cluster_id=${own}&verification=${state}`, person)
    return [namesOf(answer), answer.totals.implemented.count, answer.totals.resolved.count]
  }
  expect(await found('verified,reverted')).toEqual([['web', 'api'], 2, 0])
  expect(await found('awaiting,__none__')).toEqual([['db', 'lake'], 1, 1])
  expect(await found('verified')).toEqual([['web'], 1, 0])
  // Verification changes no recommendation, and the totals still follow.
  await become('web', 'reverted')
  expect(await found('reverted')).toEqual([['web', 'api'], 2, 0])
  expect(await found('verified')).toEqual([[], 0, 0])
  const narrowed = await aPerson(t, await aRole(t, ['recommendations:read'], { namespaces: ['data'] }))
  expect(await found('reverted', narrowed)).toEqual([[], 0, 0])
  const counted = async (person: Person) => {
    const path = `/groups?cluster_id=${own}&status=implemented,resolved&by=verification`
    const { groups } = await ask<RecommendationGroups>(path, person)
    return Object.fromEntries(groups.map(({ verification, count }) => [verification ?? '', count]))
  }
  expect(await counted(place.viewer)).toEqual({ reverted: 2, awaiting: 1, __none__: 1 })
  expect(await counted(narrowed)).toEqual({ awaiting: 1, __none__: 1 })
})

test('a missing cluster is reported, also among several', async () => {
  for (const wanted of ['cls_00000000000000000000000000', `${place.clusterId},nonsense`]) {
    const url = `/api/v1/recommendations?cluster_id=${wanted}`
    expectProblem(await send(t, { url, headers: place.viewer.bearer }), 'cluster_not_found')
  }
})

test('a single recommendation includes its evidence, and is not sent again unchanged', async () => {
  const url = `/api/v1/recommendations/${place.ids.web}`
  const response = await send(t, { url, headers: place.viewer.bearer })
  expect(response.json()).toMatchObject({
    id: place.ids.web,
    verification_detail: null,
    evidence: {
      written_at: t.clock.now.toISOString(),
      requests: { current: { cpu_millicores: 1000, memory_bytes: 1024 ** 3 } },
      confidence: { level: 'high', reasons: [] },
      backtest: { results: [] },
      candidates: [],
    },
  })
  const etag = String(response.headers.etag)
  expect((await send(t, { url, headers: { ...place.viewer.bearer, 'if-none-match': etag } })).statusCode).toBe(304)
})

test('a receipt adds up to the shown savings, even after these have changed', async () => {
  const show = async () =>
    (
      await send(t, { url: `/api/v1/recommendations/${place.ids.web}`, headers: place.viewer.bearer })
    ).json<RecommendationWithEvidence>()
  const { estimated_savings: usd, evidence } = await show()
  expect(evidence?.saving.lines).toEqual([])
  const line = { what: '1 node', quantity: 1, unit: 'node', usd_per_unit: usd - 2, per: 'month', hours: null }
  const lines = [{ ...line, source: null, as_of: null, estimated: false, usd_per_month: usd - 2 }]
  await sql`update recommendation_evidence set evidence = evidence || ${JSON.stringify({ saving_lines: lines })}::jsonb
    where recommendation_id = ${place.ids.web}`.execute(t.db)
  const savingLines = (await show()).evidence?.saving.lines ?? []
  expect(savingLines).toMatchObject([line, { quantity: null, usd_per_month: 2 }])
  expect(savingLines[1]?.what).toContain('since the analysis')
})

test('every rule is listed with its required facts and the missing ones', async () => {
  const { rules } = (await send(t, { url: '/api/v1/rules', headers: place.viewer.bearer })).json<{
    rules: { id: string }[]
  }>()
  expect(rules.map(({ id }) => id)).toContain('init_container_inflates')
  expect(rules.find(({ id }) => id === 'pv_orphaned')).toMatchObject({
    category: 'storage',
    short_name: 'Unattached volume',
    needs: ['volumes, their phase and mounts', 'volume prices'],
  })
})

test('the list of the whole fleet has all visible recommendations', async () => {
  const other = (await aCluster(t)).clusterId
  await analysed(t, other, { findings: [aFinding({ name: 'elsewhere', estimatedUsdPerMonth: 1000 })] })
  const response = await send(t, { url: '/api/v1/recommendations?status=pending', headers: place.viewer.bearer })
  const { recommendations } = response.json<{ recommendations: Recommendation[] }>()
  expect(namesOf({ recommendations })).toEqual(['elsewhere', 'web', 'api', 'lake'])
})

test('thousands of matches are paged and counted like a few', async () => {
  const { clusterId: large } = await aCluster(t)
  const many = Array.from({ length: 2100 }, (_, index) =>
    aFinding({ name: `many-${index}`, estimatedUsdPerMonth: index }),
  )
  await analysed(t, large, { findings: [...many, aFinding({ name: 'few', estimatedUsdPerMonth: 9999 })] })
  const ask = async (query: string) => {
    const url = `/api/v1/recommendations?cluster_id=${large}&limit=2${query}`
    const {
      recommendations,
      totals,
      next_cursor: cursor,
    } = (await send(t, { url, headers: place.viewer.bearer })).json<RecommendationList>()
    return { names: namesOf({ recommendations }), pending: totals.pending, cursor }
  }
  const first = await ask('&text=MANY')
  expect(first).toMatchObject({
    names: ['many-2099', 'many-2098'],
    pending: { count: 2100, estimated_savings: 2_203_950, bankable_savings: 8400 },
  })
  const second = await ask(`&text=MANY&cursor=${first.cursor}`)
  expect(second).toMatchObject({ names: ['many-2097', 'many-2096'], pending: first.pending })
  expect((await ask('&namespace=shop')).pending).toMatchObject({ count: 2101 })
  expect(await ask('&text=many-209')).toMatchObject({ names: ['many-2099', 'many-2098'], pending: { count: 11 } })
})

test('a single recommendation names the manager of its workload, if known, and the list does not', async () => {
  const { clusterId } = await aCluster(t)
  const { bearer: headers } = await aPerson(t, 'viewer')
  const show = (labels: Record<string, string>) =>
    showWorkloads(t, clusterId, [aFinding({ name: 'front' })], { labels })
  await show({ 'argocd.argoproj.io/instance': 'shop', 'helm.sh/chart': 'web-1.0.0' })
  const id = (await idsOf(t, clusterId)).front ?? ''
  const shown = async () => (await send(t, { url: `/api/v1/recommendations/${id}`, headers })).json<object>()
  expect(await shown()).toMatchObject({
    delivered_by: [
      { tool: 'argocd', kind: 'Application', namespace: null, name: 'shop' },
      { tool: 'helm', kind: 'Release', namespace: null, name: null },
    ],
  })
  const list = await send(t, { url: `/api/v1/recommendations?cluster_id=${clusterId}`, headers })
  expect(list.body).not.toContain('delivered_by')
  await show({})
  expect(await shown()).not.toHaveProperty('delivered_by')
})
