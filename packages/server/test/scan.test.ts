import { BatchWriter, type Batch } from '@plimsoll/contract'
import { analyseOffline } from '@plimsoll/pipeline'
import { nodeVersion, startSecond, watchingAgent } from '@plimsoll/pipeline/testing'
import { loadPriceBook } from '@plimsoll/pricebook/testing'
import { formatDecimal } from '@plimsoll/engine'
import { createClient, type Client } from '@plimsoll/client'
import { beforeAll, expect, test } from 'vitest'
import { analyse } from '../src/recommendations/analysis/analyse.ts'
import { deliver, foldAt, type FoldedCluster } from './folded-cluster.ts'
import { aCluster, aPerson, anApiKey } from './people.ts'
import { useTestApp } from './test-app.ts'

const t = useTestApp()
const observedAt = startSecond + 3600
const place = { provider: 'aws', region: 'eu-central-1' }

/** Two nodes in a pool of Karpenter, and an init container with a large request. */
function snapshotAt(second: number): Batch[] {
  const writer = new BatchWriter()
  for (const [index, uid] of ['left', 'right'].entries()) {
    writer.addNode(nodeVersion({ uid, bornAt: startSecond - 86_400, endedAt: Infinity }, index + 1))
  }
  writer.addNamespace({ ref: 30, uid: 'ns-shop', from: startSecond, name: 'shop', labels: {} })
  const pod = { from: startSecond, namespace: 'shop', boundAt: startSecond, phase: 'running', workloadKind: 'Deployment' } as const // prettier-ignore
  const app = (millicores: number) =>
    ({ name: 'app', kind: 'app', cpu_request: millicores, memory_request: 1024 * 1024 }) as const
  const init = { name: 'migrate', kind: 'init', cpu_request: 2500, memory_request: 1024 * 1024 } as const
  writer.addPod({ ...pod, ref: 10, uid: 'a', name: 'checkout-1', nodeRef: 1, shape: { containers: [init, app(500)] }, workloadName: 'checkout', labels: {} }) // prettier-ignore
  writer.addPod({ ...pod, ref: 11, uid: 'b', name: 'db-1', nodeRef: 2, shape: { containers: [app(2000)] }, workloadName: 'db', labels: {} }) // prettier-ignore
  const pool = { kind: 'node_pool', spec: { scaler: 'karpenter' } } as const
  writer.addObject({ ref: 20, uid: 'pool', from: startSecond, name: 'general', namespace: '', ...pool })
  const parts = { id: `s-${second}`, part: 1, parts: 1, observed_at: second }
  return [writer.finish(watchingAgent, second, parts)]
}

let cluster: FoldedCluster
let client: Client
const scanned = () => analyseOffline({ book: loadPriceBook(), place, observedAt, snapshotAt })

beforeAll(async () => {
  const baseUrl = await t.app.listen({ host: '127.0.0.1', port: 0 })
  cluster = await aCluster(t)
  await deliver(t, cluster, snapshotAt(observedAt))
  await foldAt(t, cluster, observedAt)
  await analyse(t.deps, cluster)
  const { userId } = await aPerson(t)
  client = createClient({ baseUrl, credential: { apiKey: (await anApiKey(t, userId)).header['x-api-key'] } })
})

test('a scan has the run rate of the server', async () => {
  const { clusters } = await client.listClusters()
  const shown = clusters.find(({ id }) => id === cluster.clusterId)
  const { runRate, nodes, pods } = await scanned()
  expect(runRate.total).toBeGreaterThan(0)
  expect(runRate.total).toBeCloseTo(shown?.monthly_cost ?? NaN, 6)
  expect([nodes, pods]).toEqual([shown?.node_count, shown?.pod_count])
})

test('a scan has the recommendations and the withheld reasons of the server', async () => {
  const query = { cluster_id: cluster.clusterId, limit: 200 }
  const { recommendations } = await client.listRecommendations({ query })
  const { withheld } = await client.listWithheld({ query })
  const { analysis } = await scanned()
  const shown = recommendations.map((each) => [each.rule_id, each.title, each.estimated_savings, each.bankable_savings])
  const found = analysis.findings.map((each) => [each.ruleId, each.title, round(each.estimatedUsdPerMonth), each.bankableUsdPerMonth === null ? null : round(each.bankableUsdPerMonth)]) // prettier-ignore
  expect(found.length).toBeGreaterThan(0)
  expect(found.sort()).toEqual(shown.sort())
  const reasons = (rows: { rule: string; reason: string; detail: string }[]) =>
    rows.map(({ rule, reason, detail }) => `${rule} ${reason} ${detail}`).sort()
  expect(reasons(analysis.withheld.map((each) => ({ ...each, rule: each.ruleId })))).toEqual(
    reasons(withheld.map((each) => ({ ...each, rule: each.rule_id }))),
  )
})

const round = (usd: number) => Number(usd.toFixed(6))

test('a scan has the plan of the server', async () => {
  const plan = await client.getPlan({ params: { cluster_id: cluster.clusterId } })
  const { analysis } = await scanned()
  const steps = analysis.plan?.steps.map(({ title, usdPerMonth }) => [title, Number(formatDecimal(usdPerMonth))])
  expect(steps?.length).toBeGreaterThan(0)
  expect(steps).toEqual(plan.steps.map(({ title, savings }) => [title, savings]))
})

test('requested and unallocated cost add up to the cost of the nodes', async () => {
  const { requested, runRate } = await scanned()
  expect(requested.requested + requested.unallocated).toBeCloseTo(runRate.compute, 6)
  expect(requested.byNamespace.map(({ namespace }) => namespace)).toEqual(['shop'])
  expect(requested.byNamespace[0]?.requested).toBeCloseTo(requested.requested, 6)
  expect(requested.requested).toBeGreaterThan(0)
  expect(requested.unallocated).toBeGreaterThan(0)
})
