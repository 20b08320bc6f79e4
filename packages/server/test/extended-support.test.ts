import {
  BatchWriter,
  type Batch,
  type Cluster,
  type Explanation,
  type Prices,
  type RecommendationWithEvidence,
  type Summary,
} from '@plimsoll/contract'
import { beforeEach, expect, test } from 'vitest'
import { analyse } from '../src/recommendations/analysis/analyse.ts'
import { foldAt, get, type FoldedCluster } from './folded-cluster.ts'
import { aCluster, anApiKey, aPerson, type Person } from './people.ts'
import { sendBatch } from './send-batch.ts'
import { nodeVersion } from '@plimsoll/pipeline/testing'
import { send, useTestApp } from './test-app.ts'

const t = useTestApp()

/** At EKS, 1.34 leaves standard support then: $0.10 per hour becomes $0.60. */
const ends = Date.parse('2026-12-02T00:00:00Z') / 1000
const hour = 3600

let person: Person
let cluster: FoldedCluster

beforeEach(async () => {
  t.clock.now = new Date((ends - 2 * hour) * 1000)
  cluster = await aCluster(t)
  const { userId, ...rest } = await aPerson(t)
  // An API key, because tokens expire too early.
  person = { ...rest, userId, bearer: (await anApiKey(t, userId)).header as never }
})

type Seen = [at: number, kubernetesVersion: string]

/** One permanent node, and an agent that reports the given version at the given times. */
async function report(...seen: Seen[]): Promise<void> {
  const batches = seen.map(([at, version], index): Batch => {
    const writer = new BatchWriter()
    if (index === 0) writer.addNode(nodeVersion({ uid: 'node-0', bornAt: at - 60, endedAt: Infinity }, 1))
    return writer.finish({ version: '1.0.0', kubernetes_version: version, usage_source: 'kubelet' }, at)
  })
  for (const [index, batch] of batches.entries()) await sendBatch(t, cluster.agentToken, batch, { seq: index + 1 })
  await foldAt(t, cluster, seen.at(-1)?.[0] ?? ends)
}

const iso = (second: number) => new Date(second * 1000).toISOString()
const windowOf = (from: number, to: number) => `from=${iso(from)}&to=${iso(to)}`
const around = windowOf(ends - hour, ends + 2 * hour)

const explain = (window = around) =>
  get<Explanation>(t, person, `/api/v1/clusters/${cluster.clusterId}/explain?resource=overhead&${window}`)

const overhead = async (window = around) => {
  const summary = await get<Summary>(t, person, `/api/v1/clusters/${cluster.clusterId}/summary?${window}`)
  return summary.cost_breakdown.overhead
}

const prices = () => get<Prices>(t, person, `/api/v1/prices?cluster_id=${cluster.clusterId}`)

const monthlyCost = async () => (await get<Cluster>(t, person, `/api/v1/clusters/${cluster.clusterId}`)).monthly_cost

async function advice(): Promise<RecommendationWithEvidence | undefined> {
  await analyse(t.deps, cluster)
  const url = `/api/v1/recommendations?cluster_id=${cluster.clusterId}&rule_id=control_plane_extended_support`
  return (await get<{ recommendations: RecommendationWithEvidence[] }>(t, person, url)).recommendations[0]
}

test('a cluster that enters extended support within the window costs more from that hour on', async () => {
  await report([ends - hour, 'v1.34.1-eks-abc'], [ends + 2 * hour, 'v1.34.1-eks-abc'])
  // One hour of $0.10 and two of $0.60.
  expect(await overhead()).toBe(1.3)
  const { amount, hours, parts } = await explain()
  expect(amount).toBe(1.3)
  expect(hours.map(({ exact_amount: usd }) => Number(Number(usd).toFixed(6)))).toEqual([0.1, 0.6, 0.6])
  const classes = parts.map(({ rate }) => (rate.class as { support?: string }).support)
  expect(classes.sort()).toEqual(['extended', undefined])
  const shown = (await prices()).control_plane.map(({ support, price }) => [support, price.usd])
  expect(shown.sort()).toEqual([
    ['extended', 0.6],
    ['standard', 0.1],
  ])
})

test('the recommendation saves the surcharge, with and without a discount', async () => {
  await report([ends, '1.34'], [ends + hour, '1.34'])
  expect(await advice()).toMatchObject({ estimated_savings: 365, bankable_savings: 365 })
  // m5.xlarge in Frankfurt: $0.23.
  expect(await monthlyCost()).toBeCloseTo(730 * (0.23 + 0.6), 6)

  const body = { kind: 'discount', cluster_id: cluster.clusterId, provider: 'aws', percent: '10' }
  const made = await send(t, { method: 'POST', url: '/api/v1/price-overrides', headers: person.bearer, body })
  expect(made.statusCode, made.body).toBe(201)
  t.clock.now = new Date((ends + 2 * hour) * 1000)
  const [extended] = (await prices()).control_plane
  expect(extended?.price.usd).toBe(0.54)
  // 730 · ($0.54 − $0.09)
  expect(await advice()).toMatchObject({ estimated_savings: 328.5, bankable_savings: 328.5 })
})

test('the calculation of the recommendation is the difference of the two fees, with their source', async () => {
  await report([ends, '1.34'], [ends + hour, '1.34'])
  const { id } = (await advice()) ?? { id: '' }
  const { evidence } = await get<RecommendationWithEvidence>(t, person, `/api/v1/recommendations/${id}`)
  const fee = { unit: 'cluster', per: 'hour', hours: 730, source: 'lam-eks;infracost', as_of: '2025-10-28' }
  expect(evidence?.saving).toMatchObject({
    formula: 'The surcharge for extended support.',
    lines: [
      { ...fee, quantity: 1, usd_per_unit: 0.6, usd_per_month: 438 },
      { ...fee, quantity: -1, usd_per_unit: 0.1, usd_per_month: -73 },
    ],
  })
})

test('before the end of support there is no surcharge and no recommendation', async () => {
  await report([ends - 2 * hour, '1.34'], [ends - hour, '1.34'])
  expect(await overhead(windowOf(ends - 2 * hour, ends - hour))).toBe(0.1)
  expect(await advice()).toBeUndefined()
})

test('an upgrade ends the surcharge in the second in which it is observed', async () => {
  await report([ends, '1.34'], [ends + hour + 900, '1.35'], [ends + 2 * hour, '1.35'])
  // An hour and a quarter of $0.60, three quarters of $0.10.
  expect(await overhead(windowOf(ends, ends + 2 * hour))).toBe(0.825)
  expect((await explain(windowOf(ends, ends + 2 * hour))).amount).toBe(0.825)
  expect(await advice()).toBeUndefined()
})
