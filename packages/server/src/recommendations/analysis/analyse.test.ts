import {
  BatchWriter,
  type Batch,
  type ContainerShape,
  type Recommendation,
  type RecommendationList,
  type RecommendationWithEvidence,
  type WithheldList,
  type Savings,
  type Summary,
  type WithheldAdvice,
} from '@plimsoll/contract'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { deliver, foldAt, get, type FoldedCluster } from '../../../test/folded-cluster.ts'
import { agent, batchesOf, startSecond, twoNodes, watchingAgent } from '@plimsoll/pipeline/testing'
import { aCluster, anApiKey, aPerson, aRole, type Person } from '../../../test/people.ts'
import { sendBatch } from '../../../test/send-batch.ts'
import { send, useTestApp } from '../../../test/test-app.ts'
import { workOff } from '../../../test/work-off.ts'
import { analyse } from './analyse.ts'

const t = useTestApp()

let person: Person
let cluster: FoldedCluster
beforeAll(async () => {
  const { userId, ...rest } = await aPerson(t)
  // A key, because tokens would expire during the simulated days.
  person = { ...rest, userId, bearer: (await anApiKey(t, userId)).header as never }
})

const gib = 1024 * 1024
const app: ContainerShape = { name: 'app', kind: 'app', cpu_request: 500, memory_request: gib }
const init = (millicores: number): ContainerShape => ({
  name: 'migrate',
  kind: 'init',
  cpu_request: millicores,
  memory_request: gib,
})

type Seen = { at: number; initMillicores?: number; phase?: 'running' | 'pending' }

/** The cluster at a moment: two nodes, and one pod with an init container with a large request. */
function seen({ at, initMillicores = 2500, phase = 'running' }: Seen): Batch {
  const writer = new BatchWriter()
  writer.addPod({
    ref: 100,
    uid: 'shop-1',
    from: at,
    name: 'checkout-1',
    namespace: 'shop',
    nodeRef: 1,
    boundAt: startSecond,
    phase,
    shape: { containers: [init(initMillicores), app] },
    workloadKind: 'Deployment',
    workloadName: 'checkout',
    labels: { team: 'red' },
  })
  return writer.finish(agent, at)
}

const nodes = () => batchesOf({ ...twoNodes, pods: [] }, { isLost: () => true }).slice(0, 1)

async function analyseAt(second: number): Promise<void> {
  await foldAt(t, cluster, second)
  await analyse(t.deps, cluster)
}

const recommendations = () =>
  get<{ recommendations: RecommendationWithEvidence[] }>(
    t,
    person,
    `/api/v1/recommendations?cluster_id=${cluster.clusterId}&rule_id=init_container_inflates`,
  )

beforeEach(async () => {
  cluster = await aCluster(t)
})

const hour = 3600

describe('a finding from the agent data', () => {
  test('becomes a recommendation with its price, through the queue', async () => {
    await deliver(t, cluster, [...nodes(), seen({ at: startSecond + hour })])
    await foldAt(t, cluster, startSecond + hour)
    await workOff(t)
    const [found] = (await recommendations()).recommendations
    // 2 unneeded cores of the 4 of an m5.xlarge: CPU is a part of its $0.23 an hour.
    expect(found).toMatchObject({
      rule_id: 'init_container_inflates',
      namespace: 'shop',
      pod_name: 'checkout-1',
      workload: { kind: 'Deployment', name: 'checkout', container: 'migrate' },
      current_spec: { cpu_request: '2500m', memory_request: '1Gi' },
      recommended_spec: { cpu_request: '500m', memory_request: '1Gi' },
      status: 'pending',
      severity: 'critical',
    })
    const { evidence } = await get<RecommendationWithEvidence>(t, person, `/api/v1/recommendations/${found?.id}`)
    const [price] = evidence?.prices ?? []
    expect(found?.estimated_savings).toBeCloseTo(2 * (price?.cpu_usd_per_core_month ?? 0), 4)
    expect(found?.estimated_savings).toBeLessThan(0.23 * 730)
    expect(price?.as_of).toMatch(/^\d{4}-\d\d-\d\d$/)
    const [line, ...others] = evidence?.saving.lines ?? []
    expect(others).toEqual([])
    expect(line).toMatchObject({ quantity: 2, unit: 'core', per: 'month', source: price?.source, as_of: price?.as_of })
    expect(line?.usd_per_month).toBeCloseTo(found?.estimated_savings ?? NaN, 6)
  })

  test('is in the summary at once, and hidden from callers without access', async () => {
    const ask = () => get<Summary>(t, person, `/api/v1/clusters/${cluster.clusterId}/summary`)
    await deliver(t, cluster, [...nodes(), seen({ at: startSecond + hour })])
    expect((await ask()).top_recommendations).toEqual([])
    await analyseAt(startSecond + hour)
    const summary = await ask()
    const [found] = (await recommendations()).recommendations
    expect(summary.top_recommendations).toMatchObject([{ id: found?.id }])
    const blind = await aPerson(t, await aRole(t, ['clusters:read']))
    const hidden = await get<Summary>(t, blind, `/api/v1/clusters/${cluster.clusterId}/summary`)
    expect(hidden.top_recommendations).toBeNull()
    expect(summary.potential_savings).toEqual({
      estimated: found?.estimated_savings,
      bankable: 0,
      currency: 'USD',
      by_category: { cpu_memory: found?.estimated_savings },
    })
  })

  test('and rules without facts are withheld, with the missing facts', async () => {
    await deliver(t, cluster, [...nodes(), seen({ at: startSecond + hour })])
    await analyseAt(startSecond + hour)
    const url = `/api/v1/recommendations/withheld?cluster_id=${cluster.clusterId}&reason=no_source`
    const { withheld } = await get<{ withheld: WithheldAdvice[] }>(t, person, url)
    const ids = withheld.map(({ rule_id: id }) => id)
    // This agent watches neither budgets nor autoscalers, and reports volumes, of which there are none.
    expect(ids).toEqual(expect.arrayContaining(['hpa_min_replicas_high', 'node_underutilized_drain', 'quota_unused']))
    expect(ids).not.toContain('pv_orphaned')
  })

  test('about a scheduled pod that does not start appears after an hour', async () => {
    await deliver(t, cluster, [...nodes(), seen({ at: startSecond + hour, phase: 'pending', initMillicores: 500 })])
    await analyseAt(startSecond + hour)
    const url = `/api/v1/recommendations?cluster_id=${cluster.clusterId}`
    const { recommendations: found } = await get<{ recommendations: RecommendationWithEvidence[] }>(t, person, url)
    expect(found).toMatchObject([{ rule_id: 'failed_pods_holding', pod_name: 'checkout-1', recommended_spec: {} }])
  })
})

test('a policy is followed by the next analysis', async () => {
  await deliver(t, cluster, [...nodes(), seen({ at: startSecond + hour })])
  const body = { cluster_id: cluster.clusterId, namespace: 'shop', settings: { excluded: true } }
  const response = await send(t, { method: 'PUT', url: '/api/v1/policies', headers: person.bearer, body })
  expect(response.json()).toMatchObject({ namespace: 'shop', settings: { excluded: true } })
  await analyseAt(startSecond + hour)
  expect((await recommendations()).recommendations).toEqual([])
  const url = `/api/v1/policies?cluster_id=${cluster.clusterId}`
  const shown = await get<{ policies: object[]; defaults: object }>(t, person, url)
  expect(shown).toMatchObject({
    policies: [{ namespace: 'shop' }],
    defaults: { dial: 'balanced', min_history_days: 7 },
  })
})

test('a CronJob without an owner is reported during and between its runs alike', async () => {
  const at = startSecond + hour
  const run = (writer: BatchWriter, second: number, phase: 'running' | 'succeeded') =>
    writer.addPod({
      ...{ ref: 300, uid: 'run', from: second, name: 'report-1', namespace: 'shop', nodeRef: 1, boundAt: startSecond },
      phase,
      ...{ shape: { containers: [app] }, workloadKind: 'CronJob', workloadName: 'report', labels: {} },
    })
  const first = new BatchWriter()
  run(first, at, 'running')
  const spec = { workload_kind: 'CronJob', schedule: '0 * * * *' }
  first.addObject({ ...{ ref: 301, uid: 'cron', from: at, name: 'report', namespace: 'shop' }, kind: 'workload', spec })
  await deliver(t, cluster, [...nodes(), seen({ at }), first.finish(watchingAgent, at)])
  await analyseAt(at)
  const url = `/api/v1/recommendations?cluster_id=${cluster.clusterId}&rule_id=label_owner_missing`
  const listed = async () => (await get<{ recommendations: Recommendation[] }>(t, person, url)).recommendations
  const running = await listed()
  expect(running).toMatchObject([{ status: 'pending', title: 'Add an owner label to one workload in shop' }])
  const second = new BatchWriter()
  run(second, at + hour, 'succeeded')
  t.clock.now = new Date((at + hour) * 1000)
  await sendBatch(t, cluster.agentToken, second.finish(watchingAgent, at + hour), { epoch: 'epoch-1', seq: 4 })
  await analyseAt(at + hour)
  expect(await listed()).toEqual(running)
})

describe('an applied recommendation', () => {
  const day = 24 * hour
  let id: string
  let saving: number

  async function act(action: string): Promise<void> {
    const url = `/api/v1/recommendations/${id}/${action}`
    expect((await send(t, { method: 'POST', url, headers: person.bearer })).statusCode).toBe(200)
  }

  const shown = () => get<RecommendationWithEvidence>(t, person, `/api/v1/recommendations/${id}`)
  const savings = () => get<Savings>(t, person, `/api/v1/savings?cluster_id=${cluster.clusterId}`)

  /** One batch after the other, as time passes; each is folded and analyzed on arrival. */
  async function live(batches: Batch[], between: () => Promise<void>): Promise<void> {
    await deliver(t, cluster, batches)
    const [first] = batches.slice(1)
    await analyseAt(first?.observed_at ?? 0)
    const found = (await recommendations()).recommendations
    expect(found).toHaveLength(1)
    id = found[0]?.id ?? ''
    saving = found[0]?.estimated_savings ?? 0
    await between()
  }

  /** Sends a later batch later. */
  async function then(batch: Batch, seq: number): Promise<void> {
    t.clock.now = new Date(batch.observed_at * 1000)
    expect((await sendBatch(t, cluster.agentToken, batch, { epoch: 'epoch-1', seq })).statusCode).toBe(202)
    await analyseAt(batch.observed_at)
  }

  const begin = [...nodes(), seen({ at: startSecond + hour })]

  test('is awaited, verified when observed, and credited by the hour; undone, it is reverted', async () => {
    await live(begin, () => act('apply'))
    await analyse(t.deps, cluster)
    expect(await shown()).toMatchObject({ status: 'implemented', verification: 'awaiting' })

    await then(seen({ at: startSecond + 2 * hour, initMillicores: 500 }), 3)
    expect(await shown()).toMatchObject({
      verification: 'verified',
      verification_detail: { live_spec: { cpu_request: '500m' } },
      done_at: expect.any(String) as string,
    })
    await then(seen({ at: startSecond + 12 * hour, initMillicores: 500 }), 4)
    const { verified } = (await savings()).total
    expect(verified).toBeCloseTo((saving * 11) / 730, 4)
    expect((await shown()).verification_detail?.realised_savings).toBeCloseTo(verified, 4)
    expect((await shown()).verification_detail?.observed_savings).toBeCloseTo(saving, 4)

    // No report since: the same snapshot a day later proves no further day.
    const reportedAt = t.clock.now
    t.clock.now = new Date(reportedAt.getTime() + day * 1000)
    await analyse(t.deps, cluster)
    t.clock.now = reportedAt
    expect((await savings()).total.verified).toBeCloseTo(verified, 6)

    await then(seen({ at: startSecond + 13 * hour }), 5)
    expect(await shown()).toMatchObject({
      status: 'implemented',
      verification: 'reverted',
      verification_detail: { observed_savings: 0 },
    })
    const { total } = await savings()
    expect(total).toMatchObject({ estimated: expect.any(Number) as number, implemented: saving, reverted: saving })
    // The hour at the end of which the object was gone is not credited.
    expect(total.verified).toBeCloseTo(verified, 6)

    // A reverted recommendation is not repeated the same day, and a suppressed one counts nowhere.
    const url = `/api/v1/recommendations?cluster_id=${cluster.clusterId}&rule_id=init_container_inflates&status=pending`
    const pending = async () => (await get<RecommendationList>(t, person, url)).recommendations
    expect(await pending()).toEqual([])
    await workOff(t)
    expect(await pending()).toEqual([])
    const held = `/api/v1/recommendations/withheld?cluster_id=${cluster.clusterId}&reason=taken_back`
    expect((await get<WithheldList>(t, person, held)).withheld).toMatchObject([
      {
        rule_id: 'init_container_inflates',
        detail: expect.stringMatching(
          /^The change was applied and then reverted. The recommendation is withheld until /,
        ) as string,
        unlock: expect.stringContaining('The recommendation returns sooner if') as string,
      },
    ])
    expect((await savings()).total.estimated).toBe(total.estimated)

    // After a month it returns, with its earlier result.
    await then(seen({ at: startSecond + 31 * day }), 6)
    const [again] = await pending()
    expect(again).toMatchObject({
      confidence: 'low',
      title: expect.stringMatching(/\(applied on .*, reverted on .*\)$/) as string,
    })
    const { evidence } = await get<RecommendationWithEvidence>(t, person, `/api/v1/recommendations/${again?.id}`)
    expect(evidence?.caveats[0]).toMatch(/^This was applied on .* and reverted on /)
    expect((await shown()).title).not.toContain('reverted on')
  })

  test('that is not observed for seven days becomes not observed', async () => {
    await live(begin, () => act('apply'))
    await then(seen({ at: startSecond + hour + 7 * day }), 3)
    expect(await shown()).toMatchObject({ verification: 'not_observed' })
    expect((await savings()).total).toMatchObject({ implemented: saving, verified: 0 })
  })

  test('that is partially applied is partial', async () => {
    await live(begin, () => act('apply'))
    await then(seen({ at: startSecond + 2 * hour, initMillicores: 1500 }), 3)
    expect(await shown()).toMatchObject({ verification: 'partial' })
  })

  test('without a report of the user is resolved and credited as such', async () => {
    await live(begin, async () => undefined)
    await then(seen({ at: startSecond + 2 * hour, initMillicores: 500 }), 3)
    expect(await shown()).toMatchObject({ status: 'resolved', verification: 'verified' })
    await then(seen({ at: startSecond + 3 * hour, initMillicores: 500 }), 4)
    const { total, rows } = await get<Savings>(
      t,
      person,
      `/api/v1/savings?cluster_id=${cluster.clusterId}&by=month,namespace,rule`,
    )
    expect(total).toMatchObject({ resolved: saving, implemented: 0 })
    expect(total.verified).toBeCloseTo(saving / 730, 5)
    expect(rows).toMatchObject([
      { month: '2027-01', namespace: 'shop', rule_id: 'init_container_inflates', resolved: saving },
    ])
  })
})

test('a cluster without data is skipped', async () => {
  await analyse(t.deps, cluster)
  expect((await recommendations()).recommendations).toEqual([])
})
