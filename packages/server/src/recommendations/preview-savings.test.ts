import { BatchWriter, type Preview, type RecommendationList, type RecommendationWithEvidence } from '@plimsoll/contract'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { nodeVersion, startSecond, watchingAgent } from '@plimsoll/pipeline/testing'
import { deliver, foldAt, get, type FoldedCluster } from '../../test/folded-cluster.ts'
import { aCluster, aPerson, type Person } from '../../test/people.ts'
import { send, useTestApp } from '../../test/test-app.ts'
import { workOff } from '../../test/work-off.ts'
import { analyse } from './analysis/analyse.ts'

const t = useTestApp()

let person: Person
let cluster: FoldedCluster
const at = startSecond + 3600
const nodeUsd = 167.9

const dedicated = { key: 'dedicated', value: 'ledger', effect: 'NoSchedule' as const }

/**
 * Nodes of 3.8 cores in a pool that Karpenter scales. Two pods reserve 2.5 cores for an init container and one reserves
 * 0.7 beside a pod of 2. One pod never starts and holds 3, and a budget keeps a pod of one core on its own node.
 */
function seen() {
  const writer = new BatchWriter()
  for (const [index, uid] of ['init-1', 'db-1', 'init-2', 'db-2', 'ledger', 'stuck'].entries()) {
    const facts = uid === 'ledger' ? { taints: [dedicated] } : {}
    writer.addNode(nodeVersion({ uid, bornAt: startSecond - 86_400, endedAt: Infinity, facts }, index + 1))
  }
  const add = (
    name: string,
    nodeRef: number,
    millicores: number,
    { more = {}, initMillicores = 0 }: { more?: object; initMillicores?: number } = {},
  ) => {
    const requests = (cpu_request: number) => ({ cpu_request, memory_request: 1024 * 1024 })
    const containers = [
      ...(initMillicores > 0 ? [{ name: 'migrate', kind: 'init' as const, ...requests(initMillicores) }] : []),
      { name: 'app', kind: 'app' as const, ...requests(millicores) },
    ]
    const { scheduling, ...rest } = more as { scheduling?: object }
    writer.addPod({
      ...{ ref: 10 + nodeRef, uid: name, name: `${name}-1`, from: startSecond, namespace: 'shop', nodeRef },
      ...{ boundAt: startSecond - 7200, phase: 'running' as const, workloadKind: 'Deployment', workloadName: name },
      ...{ shape: { containers, ...(scheduling ? { scheduling } : {}) }, labels: { team: 'red', app: name }, ...rest },
    })
  }
  add('checkout', 1, 500, { initMillicores: 2500 })
  add('db', 2, 2000)
  add('orders', 3, 500, { initMillicores: 2500 })
  add('cache', 4, 2000)
  add('tiny', 2, 100, { more: { ref: 30 }, initMillicores: 700 })
  add('ledger', 5, 1000, { more: { scheduling: { tolerations: [{ key: 'dedicated', operator: 'Exists' }] } } })
  add('broken', 6, 3000, { more: { phase: 'pending' } })
  const pool = { kind: 'node_pool', spec: { scaler: 'karpenter' } } as const
  writer.addObject({ ref: 20, uid: 'pool', from: startSecond, name: 'general', namespace: '', ...pool })
  const disruptionBudget = { selector: { labels: { app: 'ledger' } }, disruptions_allowed: 0 }
  writer.addObject({ ref: 21, uid: 'b', from: startSecond, name: 'never', namespace: 'shop', kind: 'budget', spec: disruptionBudget }) // prettier-ignore
  return writer.finish(watchingAgent, at)
}

beforeAll(async () => {
  cluster = await aCluster(t)
  await deliver(t, cluster, [seen()])
  await foldAt(t, cluster, at)
  await knowADay()
  await analyse(t.deps, cluster)
  person = await aPerson(t)
})

/** Rules about nodes need 24 hours of data. */
async function knowADay(): Promise<void> {
  const { clusterId: cluster_id } = cluster
  const hours = Array.from({ length: 24 }, (_, index) => new Date((startSecond - (index + 1) * 3600) * 1000))
  await t.db
    .insertInto('folded_hour')
    .values(hours.map((hour) => ({ cluster_id, hour, revision: 1, written_at: hour })))
    .execute()
}

const listOpen = async () => {
  const url = `/api/v1/recommendations?cluster_id=${cluster.clusterId}&status=pending,approved`
  return (await get<RecommendationList>(t, person, url)).recommendations
}

const preview = async (ids: string[]) =>
  (
    await send(t, { method: 'POST', url: '/api/v1/recommendations/preview', headers: person.bearer, body: { ids } })
  ).json<Preview>()

const move = (id: string, action: string, body: object = {}) =>
  send(t, { method: 'POST', url: `/api/v1/recommendations/${id}/${action}`, headers: person.bearer, body })

async function expectSameSum() {
  const open = await listOpen()
  const sum = open.reduce((total, { bankable_savings: usd }) => total + (usd ?? 0), 0)
  const all = await preview(open.map(({ id }) => id))
  expect(all.bankable_savings).toBeCloseTo(sum, 2)
  expect(all).toMatchObject({ shares_differ_because: null })
  expect(all.share_savings).toBeCloseTo(sum, 5)
  return { open, all }
}

const byRule = (open: RecommendationList['recommendations'], rule: string) =>
  open.filter(({ rule_id }) => rule_id === rule)

test('the shares of all open recommendations add up to a preview of them', async () => {
  const { open, all } = await expectSameSum()
  expect(byRule(open, 'init_container_inflates')).toHaveLength(3)
  expect(byRule(open, 'failed_pods_holding')).toHaveLength(1)
  // Together they are the prices of the removed nodes.
  const nodes = all.nodes_freed.reduce((sum, { savings }) => sum + savings, 0)
  expect(all.bankable_savings).toBeCloseTo(nodes, 2)
  expect(all.unattributed_savings).toBe(0)
})

test('a preview of a blocker lifts it, and shows the node with its price', async () => {
  const [blocked] = byRule(await listOpen(), 'consolidation_blocked')
  expect(blocked).toMatchObject({ bankable_savings: nodeUsd })
  const lifted = await preview([blocked?.id ?? ''])
  expect(lifted).toMatchObject({ bankable_savings: nodeUsd, nodes_freed: [{ node: 'ledger', savings: nodeUsd }] })
  expect(lifted.blockers.filter((text) => text.includes('budget never'))).toEqual([])
})

const ofWorkload = (open: RecommendationList['recommendations'], name: string) =>
  open.find(({ workload }) => workload?.name === name) ?? expect.fail(`nothing is said about ${name}`)

test('a change that no step needs takes nothing off the bill, and says so', async () => {
  const { id } = ofWorkload(await listOpen(), 'tiny')
  const { evidence, ...row } = await get<RecommendationWithEvidence>(t, person, `/api/v1/recommendations/${id}`)
  expect(row.bankable_savings).toBe(0)
  expect(evidence?.bankable_because).toContain('removes no further node')
  expect(await preview([id])).toMatchObject({ bankable_savings: 0, nodes_freed: [], shares_differ_because: null })
})

test('a role restricted to namespaces sees other open recommendations of these only', async () => {
  const open = await listOpen()
  const { id, namespace } = ofWorkload(open, 'tiny')
  // As if its step had needed it when it was analyzed.
  const share = (usd: string) =>
    t.db.updateTable('recommendation').set({ bankable_savings: usd }).where('recommendation_id', '=', id).execute()
  await share('9')
  const inShop = open.filter((each) => each.namespace === namespace).length
  expect(inShop).toBeLessThan(open.length)
  const askAs = (namespaces: string[] | null) => t.deps.previewing.preview({ ids: [id], namespaces })
  const others = (many: number) =>
    expect.stringContaining(`${many} other open recommendations are not selected`) as string
  expect(await askAs(null)).toMatchObject({ shares_differ_because: others(open.length - 1), unattributed_savings: 0 })
  expect(await askAs([namespace])).toMatchObject({ shares_differ_because: others(inShop - 1) })
  const row = t.db.updateTable('recommendation').where('recommendation_id', '=', id)
  await row.set({ namespace: 'alone' }).execute()
  expect(await askAs(['alone'])).toMatchObject({ shares_differ_because: null, unattributed_savings: null })
  await row.set({ namespace }).execute()
  await share('0')
})

test('one that frees a node alone does not say that it frees nothing', async () => {
  const { id } = ofWorkload(await listOpen(), 'checkout')
  const { evidence } = await get<RecommendationWithEvidence>(t, person, `/api/v1/recommendations/${id}`)
  expect(evidence?.bankable_because).toContain('In the plan, this change removes node')
  expect((await preview([id])).nodes_freed).toHaveLength(1)
})

test('the shares still add up after an approval, a rejection and an analysis', async () => {
  const before = await listOpen()
  const [kept, rejected] = ['checkout', 'orders'].map((name) => ofWorkload(before, name))
  await move(kept?.id ?? '', 'approve')
  await move(rejected?.id ?? '', 'reject', { reason: 'It is needed.' })
  await analyse(t.deps, cluster)
  const { open } = await expectSameSum()
  expect(open.map(({ id }) => id)).not.toContain(rejected?.id)
  expect(open.find(({ id }) => id === kept?.id)?.status).toBe('approved')
})

async function jobsWaiting(): Promise<(string | null)[]> {
  const { rows } = await sql<{ key: string | null }>`select key from graphile_worker.jobs`.execute(t.db)
  return rows.map(({ key }) => key)
}

test('a finding that returns after another change was reverted gets its share in the one queued analysis', async () => {
  const open = await listOpen()
  const [forgotten, undone] = ['checkout', 'tiny'].map((name) => ofWorkload(open, name).id)
  await move(forgotten ?? '', 'apply')
  await move(undone ?? '', 'apply')
  const ago = new Date(t.clock.now.getTime() - 8 * 86_400_000)
  const applied = t.db.updateTable('recommendation').where('cluster_id', '=', cluster.clusterId)
  await applied
    .set({ done_at: ago })
    .where('recommendation_id', '=', forgotten ?? '')
    .execute()
  await applied
    .set({ verification: 'verified' })
    .where('recommendation_id', '=', undone ?? '')
    .execute()
  await workOff(t)
  await analyse(t.deps, cluster)
  // The list adds up until then as well.
  await expectSameSum()
  expect(await jobsWaiting()).toEqual([`analyse ${cluster.clusterId}`])
  await workOff(t)
  const after = await expectSameSum()
  const again = ofWorkload(after.open, 'checkout')
  expect(again.id).not.toBe(forgotten)
  expect(again.bankable_savings).toBeGreaterThan(0)
  // A reverted recommendation is not repeated the same day.
  expect(after.open.filter(({ workload }) => workload?.name === 'tiny')).toEqual([])
})

/** Two nodes in a pool without an autoscaler, one of them empty, with more than a day of data. */
async function aFixedPool(): Promise<FoldedCluster> {
  const fixed = await aCluster(t)
  const writer = new BatchWriter()
  for (const [index, uid] of ['busy', 'idle'].entries())
    writer.addNode(nodeVersion({ uid, bornAt: startSecond - 86_400, endedAt: Infinity }, index + 1))
  const containers = [{ name: 'app', kind: 'app' as const, cpu_request: 2000, memory_request: 1024 * 1024 }]
  writer.addPod({
    ...{ ref: 10, uid: 'web', name: 'web-1', from: startSecond, namespace: 'shop', nodeRef: 1 },
    ...{ boundAt: startSecond - 7200, phase: 'running', workloadKind: 'Deployment', workloadName: 'web' },
    ...{ shape: { containers }, labels: { team: 'red' } },
  })
  await deliver(t, fixed, [writer.finish(watchingAgent, at)])
  await foldAt(t, fixed, at)
  await sql`
    insert into folded_hour (cluster_id, hour, revision, written_at)
    select ${fixed.clusterId}, date_trunc('hour', ${t.deps.now()}::timestamptz) - make_interval(hours => ago), 1, ${t.deps.now()}
    from generate_series(1, 30) ago on conflict do nothing`.execute(t.db)
  await analyse(t.deps, fixed)
  return fixed
}

test('a preview of manually removed nodes names them with their price, which leaves the bill', async () => {
  const { clusterId } = await aFixedPool()
  const url = `/api/v1/recommendations?cluster_id=${clusterId}&status=pending`
  const open = (await get<RecommendationList>(t, person, url)).recommendations
  const [pool] = byRule(open, 'node_underutilized_drain')
  expect(pool).toMatchObject({ estimated_savings: nodeUsd, bankable_savings: nodeUsd, severity: 'critical' })
  expect(await preview([pool?.id ?? ''])).toMatchObject({
    ...{ bankable_savings: nodeUsd, share_savings: nodeUsd, blockers: [] },
    nodes_freed: [{ node: 'idle', savings: nodeUsd }],
  })
})
