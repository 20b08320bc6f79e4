import { BatchWriter, type NodeList, type PolicyList, type Preview, type RecommendationList } from '@plimsoll/contract'
import { beforeAll, expect, test } from 'vitest'
import { nodeVersion, startSecond, watchingAgent } from '@plimsoll/pipeline/testing'
import { deliver, foldAt, get, type FoldedCluster } from '../../../test/folded-cluster.ts'
import { aCluster, aPerson, aRole, type Person } from '../../../test/people.ts'
import { send, useTestApp } from '../../../test/test-app.ts'
import { analyse } from './analyse.ts'

const t = useTestApp()

let person: Person
let cluster: FoldedCluster
const at = startSecond + 3600

/**
 * Two m5.xlarge of 3.8 cores, $0.23 an hour each, in a pool that Karpenter scales. A pod whose init container reserves
 * 2.5 cores and a pod of 2 cores do not fit on one of them; without the init container they do.
 */
function seen() {
  const writer = new BatchWriter()
  for (const [index, uid] of ['left', 'right'].entries()) {
    writer.addNode(nodeVersion({ uid, bornAt: startSecond - 86_400, endedAt: Infinity }, index + 1))
  }
  const pod = { from: startSecond, namespace: 'shop', boundAt: startSecond, phase: 'running', workloadKind: 'Deployment' } as const // prettier-ignore
  const app = (millicores: number) =>
    ({ name: 'app', kind: 'app', cpu_request: millicores, memory_request: 1024 * 1024 }) as const
  const init = { name: 'migrate', kind: 'init', cpu_request: 2500, memory_request: 1024 * 1024 } as const
  const team = { team: 'red' }
  writer.addPod({ ...pod, ref: 10, uid: 'a', name: 'checkout-1', nodeRef: 1, shape: { containers: [init, app(500)] }, workloadName: 'checkout', labels: team }) // prettier-ignore
  writer.addPod({ ...pod, ref: 11, uid: 'b', name: 'db-1', nodeRef: 2, shape: { containers: [app(2000)] }, workloadName: 'db', labels: team }) // prettier-ignore
  const pool = { kind: 'node_pool', spec: { scaler: 'karpenter' } } as const
  writer.addObject({ ref: 20, uid: 'pool', from: startSecond, name: 'general', namespace: '', ...pool })
  return writer.finish(watchingAgent, at)
}

beforeAll(async () => {
  cluster = await aCluster(t)
  await deliver(t, cluster, [seen()])
  await foldAt(t, cluster, at)
  await analyse(t.deps, cluster)
  // Now, because a token is valid for a day.
  person = await aPerson(t)
})

const found = async () => {
  const url = `/api/v1/recommendations?cluster_id=${cluster.clusterId}&rule_id=init_container_inflates`
  const [first] = (await get<RecommendationList>(t, person, url)).recommendations
  return first ?? expect.fail('nothing was found')
}

test('each node shows its blocker', async () => {
  const { nodes } = await get<NodeList>(t, person, `/api/v1/clusters/${cluster.clusterId}/nodes`)
  expect(nodes.map(({ name, why_still_here: why }) => [name, why?.code, why?.message])).toEqual([
    ['left', 'pod_does_not_fit', 'shop/checkout-1 does not fit on any other node: not enough CPU on 1 node.'],
    ['right', 'pod_does_not_fit', 'shop/db-1 does not fit on any other node: not enough CPU on 1 node.'],
  ])
})

test('the policies name each node pool with its autoscaler, and the answer of a user takes precedence', async () => {
  const pools = async () =>
    (await get<PolicyList>(t, person, `/api/v1/policies?cluster_id=${cluster.clusterId}`)).node_pools
  expect(await pools()).toEqual([{ name: 'general', nodes: 2, scaling: { by: 'karpenter', known_from: 'node_pool' } }])
  const put = (settings: object, namespace: string | null = null) =>
    send(t, {
      method: 'PUT',
      url: '/api/v1/policies',
      headers: person.bearer,
      body: { cluster_id: cluster.clusterId, namespace, settings },
    })
  const answer = { node_pool_scaling: { general: 'manual' } }
  expect((await put(answer, 'shop')).json()).toMatchObject({ status: 422, code: 'invalid_body' })
  await put(answer)
  await analyse(t.deps, cluster)
  expect(await pools()).toEqual([{ name: 'general', nodes: 2, scaling: { by: 'nobody', known_from: 'answer' } }])
  await put({})
  await analyse(t.deps, cluster)
})

test('a change that alone frees a node is credited with the whole price of the node', async () => {
  const { bankable_savings: bankable, estimated_savings: estimated } = await found()
  // The 2.5 cores and 1 GiB of the init container are worth less than the node.
  expect(bankable).toBeGreaterThan(estimated)
  expect(bankable).toBe(167.9)
})

test('approved savings are counted without the merely open ones', async () => {
  const { id } = await found()
  const ask = async (body: object) =>
    (
      await send(t, { method: 'POST', url: '/api/v1/recommendations/preview', headers: person.bearer, body })
    ).json<Preview>()
  const approved = { status: 'approved', cluster_id: cluster.clusterId }
  expect(await ask(approved)).toMatchObject({ bankable_savings: 0, recommendations: 0 })
  await send(t, { method: 'POST', url: `/api/v1/recommendations/${id}/approve`, headers: person.bearer })
  const alone = await ask({ ids: [id] })
  expect(await ask(approved)).toEqual(alone)
  expect(alone).toMatchObject({ recommendations: 1 })
  expect((alone.bankable_savings ?? 0) + (alone.unattributed_savings ?? 0)).toBeCloseTo(167.9, 6)
})

test('a preview names the removed node and its price', async () => {
  const { id, bankable_savings: share } = await found()
  const ask = (person: Person) =>
    send(t, { method: 'POST', url: '/api/v1/recommendations/preview', headers: person.bearer, body: { ids: [id] } })
  const preview = (await ask(person)).json<Preview>()
  expect(preview).toMatchObject({ bankable_savings: share, nodes_freed: [{ savings: 167.9 }], recommendations: 1 })
  const narrowed = await aPerson(t, await aRole(t, ['recommendations:read'], { namespaces: ['shop'] }))
  expect((await ask(narrowed)).json<Preview>()).toMatchObject({
    bankable_savings: share,
    unattributed_savings: null,
    nodes_freed: [],
    blockers: [],
  })
  expect(preview.unattributed_savings).toBe(0)
})

test('an analysis stores the plan with its steps, and the next one keeps their ids', async () => {
  const stored = () =>
    t.db
      .selectFrom('plan_step as s')
      .leftJoin('plan_step_member as m', (join) =>
        join.onRef('m.cluster_id', '=', 's.cluster_id').onRef('m.step_id', '=', 's.step_id'),
      )
      .select([
        's.step_id',
        's.kind',
        's.title',
        's.savings',
        's.nodes',
        's.effort',
        's.risk',
        'm.recommendation_id',
        'm.share',
      ])
      .where('s.cluster_id', '=', cluster.clusterId)
      .where('s.position', 'is not', null)
      .orderBy('s.position')
      .execute()
  await analyse(t.deps, cluster)
  const { id } = await found()
  const steps = await stored()
  expect(steps.filter(({ kind }) => kind === 'free')).toMatchObject([
    {
      step_id: expect.stringMatching(/^stp_[0-9a-z]{26}$/) as string,
      recommendation_id: id,
      nodes: [{ replacedBy: null, usdPerMonth: '167.9' }],
      effort: { workloads: 1, teams: ['shop'] },
    },
  ])
  const [free] = steps.filter(({ kind }) => kind === 'free')
  expect(Number(free?.share)).toBe(167.9)
  await analyse(t.deps, cluster)
  expect(await stored()).toEqual(steps)
  const plan = await t.db.selectFrom('plan').selectAll().where('cluster_id', '=', cluster.clusterId).executeTakeFirst()
  expect(plan).toMatchObject({ is_complete: true, bounds: [] })
  expect(Number(plan?.savings)).toBe(steps.reduce((sum, { savings }) => sum + Number(savings), 0))
})
