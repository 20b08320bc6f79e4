import { BatchWriter, type Plan, type RecommendationList } from '@plimsoll/contract'
import { nodeVersion, startSecond, watchingAgent } from '@plimsoll/pipeline/testing'
import { beforeAll, expect, test } from 'vitest'
import { deliver, foldAt, get, type FoldedCluster } from '../../test/folded-cluster.ts'
import { aCluster, aPerson, type Person } from '../../test/people.ts'
import { send, useTestApp } from '../../test/test-app.ts'
import { analyse } from '../recommendations/analysis/analyse.ts'
import { loadPreviousPlan, writePlan } from '../recommendations/queries/plans.ts'
import { aFinding } from '../../test/findings.ts'
import { planned } from '../../test/planned.ts'
import { aRole } from '../../test/people.ts'

const t = useTestApp()

let person: Person
let cluster: FoldedCluster
const at = startSecond + 3600

/** Four nodes of 3.8 cores. Two init containers of 2.5 cores keep two of the nodes. */
function seen() {
  const writer = new BatchWriter()
  for (const [index, uid] of ['a', 'b', 'c', 'd'].entries()) {
    writer.addNode(nodeVersion({ uid, bornAt: startSecond - 86_400, endedAt: Infinity }, index + 1))
  }
  const pod = { from: startSecond, boundAt: startSecond, phase: 'running', workloadKind: 'Deployment' } as const
  const app = (millicores: number) =>
    ({ name: 'app', kind: 'app', cpu_request: millicores, memory_request: 1024 * 1024 }) as const
  const init = { name: 'migrate', kind: 'init', cpu_request: 2500, memory_request: 1024 * 1024 } as const
  const add = (ref: number, namespace: string, name: string, containers: ReturnType<typeof app>[] | [typeof init, ReturnType<typeof app>]) => // prettier-ignore
    writer.addPod({ ...pod, ref, uid: `pod-${ref}`, name: `${name}-1`, namespace, nodeRef: ref - 9, shape: { containers: [...containers] }, workloadName: name, labels: {} }) // prettier-ignore
  add(10, 'shop', 'checkout', [init, app(500)])
  add(11, 'shop', 'db', [app(2000)])
  add(12, 'pay', 'gateway', [init, app(400)])
  add(13, 'pay', 'ledger', [app(2100)])
  writer.addObject({ ref: 20, uid: 'pool', from: startSecond, name: 'general', namespace: '', kind: 'node_pool', spec: { scaler: 'karpenter' } }) // prettier-ignore
  return writer.finish(watchingAgent, at)
}

beforeAll(async () => {
  cluster = await aCluster(t)
  await deliver(t, cluster, [seen()])
  await foldAt(t, cluster, at)
  await analyse(t.deps, cluster)
  person = await aPerson(t)
})

/** Every figure of the plan and of the list. */
async function figures() {
  const { steps, savings, run_rate, run_rate_after } = await get<Plan>(
    t,
    person,
    `/api/v1/clusters/${cluster.clusterId}/plan`,
  )
  const url = `/api/v1/recommendations?cluster_id=${cluster.clusterId}&sort=created_at`
  const { recommendations } = await get<RecommendationList>(t, person, url)
  return {
    ...{ savings, run_rate, run_rate_after },
    steps: steps.map(({ id, number, title, savings: usd, run_rate_after: after, recommendations: members }) => ({
      ...{ id, number, title, usd, after },
      members: members.map((each) => [each.id, each.estimated_savings, each.bankable_savings]),
    })),
    shares: recommendations.map((each) => [each.id, each.estimated_savings, each.bankable_savings]).sort(),
  }
}

test('approving changes no figure, immediately or with the next analysis', async () => {
  await analyse(t.deps, cluster)
  const before = await figures()
  expect(before.steps.filter(({ usd }) => usd > 0).length).toBeGreaterThan(0)
  expect(before.shares.length).toBeGreaterThan(1)
  for (const [id] of before.shares) {
    const approve = await send(t, {
      method: 'POST',
      url: `/api/v1/recommendations/${id}/approve`,
      headers: person.bearer,
    })
    expect(approve.json()).toMatchObject({ status: 'approved', changed: true })
    expect(await figures()).toEqual(before)
    await analyse(t.deps, cluster)
    expect(await figures()).toEqual(before)
  }
})

test('the shares in the list are the shares in the plan', async () => {
  const { steps, shares } = await figures()
  const inPlan = new Map(steps.flatMap(({ members }) => members.map(([id, , share]) => [id, share])))
  for (const [id, , share] of shares) if (inPlan.has(id ?? '')) expect([id, inPlan.get(id ?? '')]).toEqual([id, share])
})

test('a step counts the changes that its savings count, and applied changes apart', async () => {
  const { clusterId } = await aCluster(t)
  const web = aFinding({ name: 'web' })
  const lake = aFinding({ name: 'lake', namespace: 'data' })
  const [id = ''] = await planned(t, clusterId, [{ findings: [web, lake], shares: ['60.04', '40.03'] }])
  await t.db
    .updateTable('recommendation')
    .set({ status: 'resolved' })
    .where('cluster_id', '=', clusterId)
    .where('workload_name', '=', 'lake')
    .execute()
  await planned(t, clusterId, [{ id, findings: [web], shares: ['60.04'] }])
  const role = await aRole(t, ['recommendations:read'], { clusters: [clusterId], namespaces: ['shop', 'data'] })
  for (const as of [person, await aPerson(t, role)]) {
    const { steps } = await get<Plan>(t, as, `/api/v1/clusters/${clusterId}/plan`)
    expect(steps).toMatchObject([{ id, savings: 60.04, changes: 1, changes_applied: 1 }])
    expect(steps[0]?.recommendations.map(({ status }) => status)).toEqual(['pending', 'resolved'])
  }
})

test('the next analysis knows the nodes that packing removed, with or without a step', async () => {
  const { clusterId } = await aCluster(t)
  const plan = { steps: [], usdPerMonth: 0n, isComplete: true, bounds: [], drained: ['node-b', 'node-a'] }
  await t.db.transaction().execute((tx) => writePlan(tx, clusterId, plan, t.clock.now))
  expect(await loadPreviousPlan(t.db, clusterId)).toEqual({ previous: [], drained: ['node-b', 'node-a'] })
})
