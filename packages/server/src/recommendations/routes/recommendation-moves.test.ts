import type { BatchResult, Recommendation, RecommendationHistory } from '@plimsoll/contract'
import type { Static } from 'typebox'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { entriesOf } from '../../../test/audit-trail.ts'
import { aFinding, analysed, idsOf } from '../../../test/findings.ts'
import { aCluster, anApiKey, aPerson, aRole, type Person } from '../../../test/people.ts'
import { expectProblem } from '../../../test/promises.ts'
import { send, useTestApp } from '../../../test/test-app.ts'
import { deleteCluster } from '../../clusters/queries/clusters.ts'

const t = useTestApp()

let editor: Person
let clusterId: string
let ids: Record<string, string>
beforeAll(async () => {
  editor = await aPerson(t, 'editor')
})
beforeEach(async () => {
  clusterId = (await aCluster(t)).clusterId
  await analysed(t, clusterId, { findings: ['web', 'api', 'db'].map((name) => aFinding({ name })) })
  ids = await idsOf(t, clusterId)
})

const idOf = (name: string) => ids[name] ?? ''

const act = (name: string, action: string, { body, headers = {}, as = editor }: Act = {}) =>
  send(t, {
    method: 'POST',
    url: `/api/v1/recommendations/${idOf(name)}/${action}`,
    headers: { ...as.bearer, ...headers },
    ...(body === undefined ? {} : { body }),
  })

type Act = { body?: unknown; headers?: Record<string, string>; as?: Person }

async function read(name: string): Promise<Recommendation> {
  const response = await send(t, { url: `/api/v1/recommendations/${idOf(name)}`, headers: editor.bearer })
  expect(response.statusCode).toBe(200)
  return response.json()
}

async function history(name: string): Promise<Static<typeof RecommendationHistory>['history']> {
  const response = await send(t, { url: `/api/v1/recommendations/${idOf(name)}/history`, headers: editor.bearer })
  return response.json<Static<typeof RecommendationHistory>>().history
}

const batch = (body: object, { as = editor, headers = {} }: Act = {}) =>
  send(t, { method: 'POST', url: '/api/v1/recommendations/batch', headers: { ...as.bearer, ...headers }, body })

test('allowed actions are those that the caller has the permission for, in every answer', async () => {
  const reader = await aPerson(t, 'viewer')
  const writer = await aPerson(t, await aRole(t, ['clusters:read', 'recommendations:read', 'recommendations:write']))
  const urls = {
    list: `/api/v1/recommendations?cluster_id=${clusterId}`,
    one: `/api/v1/recommendations/${idOf('web')}`,
    summary: `/api/v1/clusters/${clusterId}/summary`,
    overview: `/api/v1/overview?cluster_id=${clusterId}`,
  }
  const read = async (url: string, { bearer }: Person, headers: Record<string, string> = {}) =>
    send(t, { url, headers: { ...bearer, ...headers } })
  for (const url of Object.values(urls)) {
    // The editor first: a cached answer must not reach the others.
    const mine = await read(url, editor)
    expect(mine.body).toContain('"allowed_actions":["approve","reject","apply","snooze"]')
    const theirs = await read(url, reader)
    expect(theirs.body).toContain('"allowed_actions":[]')
    expect(theirs.body).not.toContain('"allowed_actions":["')
    expect((await read(url, writer)).body).toContain('"allowed_actions":["approve","reject","snooze"]')
    const etag = mine.headers.etag
    if (etag !== undefined) expect((await read(url, reader, { 'if-none-match': etag })).statusCode).toBe(200)
  }
  const refused = await act('web', 'reopen', { as: writer })
  expect(refused.json()).toMatchObject({ status: 409, allowed_actions: ['approve', 'reject', 'snooze'] })
})

test('a plain client approves, applies and rejects without a body', async () => {
  const approved = await act('web', 'approve')
  expect([approved.statusCode, approved.json()]).toEqual([
    200,
    expect.objectContaining({
      id: ids.web,
      status: 'approved',
      changed: true,
      namespace: 'shop',
      pod_name: 'web-0',
      recommended_spec: { cpu_request: '500m', memory_request: '512Mi' },
      allowed_actions: ['reject', 'apply', 'withdraw'],
    }),
  ])
  expect((await act('web', 'apply')).json()).toMatchObject({ status: 'implemented', verification: 'awaiting' })
  expect((await act('api', 'reject')).json()).toMatchObject({ status: 'rejected', changed: true })
  expect((await act('db', 'apply')).json()).toMatchObject({ status: 'implemented', changed: true })
})

test('repeating an action changes nothing and is not an error', async () => {
  for (const action of ['approve', 'reject', 'reopen', 'apply']) {
    expect((await act('web', action)).json()).toMatchObject({ changed: true })
    const again = await act('web', action)
    expect([again.statusCode, again.json<{ changed: boolean }>().changed]).toEqual([200, false])
  }
  expect((await history('web')).map(({ action }) => action)).toEqual(['found', 'approve', 'reject', 'reopen', 'apply'])
})

test('any other move is a conflict that lists the allowed ones', async () => {
  await act('web', 'reject')
  const response = await act('web', 'approve')
  expectProblem(response, 'recommendation_state')
  expect(response.json()).toMatchObject({ status: 409, current_status: 'rejected', allowed_actions: ['reopen'] })
  const reopened = await act('api', 'reopen')
  expectProblem(reopened, 'recommendation_state')
  expect(reopened.json()).toMatchObject({
    current_status: 'pending',
    allowed_actions: ['approve', 'reject', 'apply', 'snooze'],
  })
})

test('each change records user, time and reason, and is in the audit', async () => {
  await act('web', 'reject', { body: { reason: 'peak in December' } })
  const key = await anApiKey(t, editor.userId)
  await act('web', 'reopen', { as: { ...editor, bearer: key.header as never } })
  expect(await history('web')).toMatchObject([
    { action: 'found', from_status: null, to_status: 'pending', actor: { kind: 'engine', id: null } },
    {
      action: 'reject',
      from_status: 'pending',
      to_status: 'rejected',
      reason: 'peak in December',
      actor: { kind: 'person', id: editor.userId, email: editor.email },
      at: t.clock.now.toISOString(),
    },
    { action: 'reopen', to_status: 'pending', actor: { kind: 'api_key', id: editor.userId } },
  ])
  const audited = await t.db.selectFrom('audit_entry').selectAll().where('target_id', '=', idOf('web')).execute()
  expect(audited.map(({ action }) => action).sort()).toEqual(['recommendation.reject', 'recommendation.reopen'])
  const reasons = new Map(audited.map(({ action, detail }) => [action, detail.reason]))
  expect(reasons.get('recommendation.reject')).toBe('peak in December')
  expect(reasons.get('recommendation.reopen')).toBeUndefined()
})

test('a caller with an older version gets a conflict', async () => {
  const shown = await send(t, { url: `/api/v1/recommendations/${idOf('web')}`, headers: editor.bearer })
  const headers = { 'if-match': String(shown.headers.etag) }
  const cheaper = aFinding({ name: 'web', recommendedSpec: { cpuMillicores: 100, memoryKib: 1024 * 100 } })
  await analysed(t, clusterId, { findings: [cheaper, aFinding({ name: 'api' }), aFinding({ name: 'db' })] })
  expectProblem(await act('web', 'approve', { headers }), 'precondition_failed')
  expect((await read('web')).status).toBe('pending')
  const known = await send(t, {
    url: `/api/v1/recommendations/${idOf('api')}`,
    headers: { ...editor.bearer, 'if-none-match': '*' },
  })
  expect(known.statusCode).toBe(304)
})

test('an Idempotency-Key repeats the response and not the action', async () => {
  const headers = { 'idempotency-key': `key-${idOf('web')}` }
  const first = await act('web', 'approve', { headers })
  const second = await act('web', 'approve', { headers })
  expect(second.json()).toEqual(first.json())
  expect([second.headers['idempotency-replayed'], second.json<{ changed: boolean }>().changed]).toEqual(['true', true])
  expectProblem(await act('web', 'approve', { headers, body: { reason: 'other' } }), 'idempotency_key_reused')
})

test('a snoozed one is omitted until its time, and stays pending', async () => {
  const until = new Date(t.clock.now.getTime() + 86_400_000).toISOString()
  expect((await act('web', 'snooze', { body: { until } })).json()).toMatchObject({
    status: 'pending',
    snoozed_until: until,
    changed: true,
  })
  expect((await act('web', 'snooze', { body: { until } })).json()).toMatchObject({ changed: false })
  const names = async (more = '') => {
    const url = `/api/v1/recommendations?cluster_id=${clusterId}&status=pending${more}`
    const { recommendations } = (await send(t, { url, headers: editor.bearer })).json<{
      recommendations: Recommendation[]
    }>()
    return recommendations.map(({ workload }) => workload?.name).sort()
  }
  expect(await names()).toEqual(['api', 'db'])
  expect(await names('&include_snoozed=true')).toEqual(['api', 'db', 'web'])
  for (const wrong of ['2020-01-01T00:00:00Z', '2099-01-01T00:00:00Z', 'tomorrow']) {
    expectProblem(await act('api', 'snooze', { body: { until: wrong } }), 'invalid_body')
  }
})

describe('a withdrawal', () => {
  test('of an approval sets the status to pending, is recorded as such, and suppresses nothing', async () => {
    await act('web', 'approve')
    const withdrawn = await act('web', 'withdraw', { body: { reason: 'after the sale' } })
    expect(withdrawn.json()).toMatchObject({ status: 'pending', changed: true })
    expect((await history('web')).at(-1)).toMatchObject({
      action: 'withdraw',
      from_status: 'approved',
      to_status: 'pending',
      reason: 'after the sale',
    })
    expect((await entriesOf(t, withdrawn)).map(({ action }) => action)).toEqual(['recommendation.withdraw'])
    expect((await act('web', 'withdraw')).json()).toMatchObject({ status: 'pending', changed: false })
    const suppressed = t.db.selectFrom('recommendation_suppression').selectAll().where('cluster_id', '=', clusterId)
    expect(await suppressed.execute()).toEqual([])
    expectProblem(await act('api', 'withdraw'), 'recommendation_state')
  })

  test('of a mark as implemented is possible until the change is observed', async () => {
    const names = ['web', 'api', 'db'].map((name) => aFinding({ name }))
    await act('web', 'apply')
    expect((await read('web')).allowed_actions).toEqual(['withdraw'])
    t.clock.advance(3_600_000)
    // The analysis looks, and the change is not there.
    await analysed(t, clusterId, { findings: names })
    expect((await act('web', 'withdraw')).json()).toMatchObject({
      status: 'approved',
      verification: null,
      verification_detail: null,
      done_at: null,
      allowed_actions: ['reject', 'apply', 'withdraw'],
    })
    expect((await history('web')).map(({ action }) => action)).toEqual(['found', 'apply', 'withdraw'])
    await act('web', 'apply')
    await t.db
      .updateTable('recommendation')
      .set({ verification: 'verified' })
      .where('recommendation_id', '=', idOf('web'))
      .execute()
    const late = await act('web', 'withdraw')
    expectProblem(late, 'recommendation_state')
    expect(late.json()).toMatchObject({ current_status: 'implemented', allowed_actions: [] })
  })

  test('of a mark as implemented requires the permission to apply', async () => {
    const as = await aPerson(t, await aRole(t, ['recommendations:read', 'recommendations:write']))
    await act('web', 'apply')
    const refused = await act('web', 'withdraw', { as })
    expectProblem(refused, 'forbidden')
    expect(refused.json()).toMatchObject({ required_permission: 'recommendations:apply' })
    const shown = await send(t, { url: `/api/v1/recommendations/${idOf('web')}`, headers: as.bearer })
    expect(shown.json<Recommendation>().allowed_actions).toEqual([])
  })
})

describe('a batch', () => {
  const outcomes = (response: Awaited<ReturnType<typeof batch>>) =>
    response.json<BatchResult>().results.map(({ outcome }) => outcome)

  test('does what is possible, in the order of the ids, each once', async () => {
    await act('api', 'reject')
    await act('db', 'approve')
    const unknown = `rec_${'0'.repeat(52)}`
    const order = [idOf('db'), idOf('web'), 'nonsense', idOf('api'), idOf('web'), unknown]
    const response = await batch({ action: 'approve', ids: order, reason: 'all of them' })
    expect(response.statusCode).toBe(200)
    const { summary, results } = response.json<BatchResult>()
    expect(results.map(({ id, outcome, status }) => [id, outcome, status])).toEqual([
      [idOf('db'), 'unchanged', 'approved'],
      [idOf('web'), 'changed', 'approved'],
      ['nonsense', 'not_found', null],
      [idOf('api'), 'conflict', 'rejected'],
      [idOf('web'), 'unchanged', 'approved'],
      [unknown, 'not_found', null],
    ])
    expect(summary).toEqual({ requested: 6, changed: 1, unchanged: 2, failed: 3 })
    expect((await history('web')).at(-1)).toMatchObject({ action: 'approve', reason: 'all of them' })
  })

  test('that is atomic does all or nothing, and names the failures', async () => {
    await act('api', 'reject')
    const all = { ids: [idOf('web'), idOf('api')], atomic: true }
    const response = await batch({ action: 'approve', ...all })
    expectProblem(response, 'batch_refused')
    expect(outcomes(response)).toEqual(['unchanged', 'conflict'])
    expect((await read('web')).status).toBe('pending')
    expect(await history('web')).toHaveLength(1)
    expect(outcomes(await batch({ action: 'reject', ...all }))).toEqual(['changed', 'unchanged'])
  })

  test('of apply requires the permission to apply as well', async () => {
    const as = await aPerson(t, await aRole(t, ['recommendations:read', 'recommendations:write']))
    const response = await batch({ action: 'apply', ids: [idOf('web')] }, { as })
    expectProblem(response, 'forbidden')
    expect(response.json()).toMatchObject({ required_permission: 'recommendations:apply' })
    expect(outcomes(await batch({ action: 'approve', ids: [idOf('web')] }, { as }))).toEqual(['changed'])
    expect(outcomes(await batch({ action: 'apply', ids: [idOf('web')] }))).toEqual(['changed'])
  })

  test.each([
    { action: 'reopen', ids: ['x'] },
    { action: 'approve', ids: [] },
    { action: 'approve', ids: Array(501).fill('x') },
    { action: 'approve' },
    { action: 'approve', ids: ['x'], atomicc: true },
  ])('of %j is rejected', async (body) => {
    expectProblem(await batch(body), 'invalid_body')
  })
})

describe('a restricted role', () => {
  test('sees and moves recommendations of its namespaces, and no others', async () => {
    await analysed(t, clusterId, {
      findings: [
        ...['web', 'api', 'db'].map((name) => aFinding({ name })),
        aFinding({ name: 'lake', namespace: 'data' }),
      ],
    })
    ids = await idsOf(t, clusterId)
    const as = await aPerson(
      t,
      await aRole(t, ['recommendations:read', 'recommendations:write'], { namespaces: ['data'] }),
    )
    expectProblem(await act('web', 'approve', { as }), 'recommendation_not_found')
    expectProblem(
      await send(t, { url: `/api/v1/recommendations/${idOf('web')}/history`, headers: as.bearer }),
      'recommendation_not_found',
    )
    expect((await act('lake', 'approve', { as })).statusCode).toBe(200)
    const { results } = (
      await batch({ action: 'reject', ids: [idOf('web'), idOf('lake')] }, { as })
    ).json<BatchResult>()
    expect(results.map(({ outcome }) => outcome)).toEqual(['not_found', 'changed'])
    const url = `/api/v1/recommendations?cluster_id=${clusterId}`
    const list = (await send(t, { url, headers: as.bearer })).json<{
      recommendations: Recommendation[]
      totals: object
    }>()
    expect(list.recommendations.map(({ namespace }) => namespace)).toEqual(['data'])
    expect(list.totals).toMatchObject({ pending: { count: 0 }, rejected: { count: 1, estimated_savings: 10 } })
    expect((await read('web')).status).toBe('pending')
  })

  test('does not find recommendations of another cluster', async () => {
    const other = await aCluster(t)
    const role = await aRole(t, ['recommendations:read', 'recommendations:apply'], { clusters: [other.clusterId] })
    const as = await aPerson(t, role)
    expectProblem(await act('web', 'apply', { as }), 'recommendation_not_found')
    const list = await send(t, { url: '/api/v1/recommendations', headers: as.bearer })
    expect(list.json()).toMatchObject({ recommendations: [], totals: { pending: { count: 0 } } })
    expectProblem(
      await send(t, { url: `/api/v1/recommendations?cluster_id=${clusterId}`, headers: as.bearer }),
      'cluster_not_found',
    )
  })
})

test('recommendations of a deleted cluster are hidden at once', async () => {
  await t.db.transaction().execute((tx) => deleteCluster(tx, clusterId, t.clock.now))
  expectProblem(await act('web', 'approve'), 'recommendation_not_found')
  const { results } = (await batch({ action: 'approve', ids: [idOf('web')] })).json<BatchResult>()
  expect(results).toMatchObject([{ outcome: 'not_found' }])
  const list = await send(t, { url: '/api/v1/recommendations?limit=500', headers: editor.bearer })
  expect(list.body).not.toContain(clusterId)
})
