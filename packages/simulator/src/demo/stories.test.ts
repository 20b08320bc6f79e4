import { RULES } from '@plimsoll/engine/rules'
import { expect, test } from 'vitest'
import { awsProduction } from '../scenarios/aws-production.ts'
import { azureOffice } from '../scenarios/azure-office.ts'
import { gcpPlatform } from '../scenarios/gcp-platform.ts'
import { goodWeek } from './decisions.ts'
import type { Found } from './api.ts'
import { historyWords, largestResize, largestWaste, stories, linkStories, whatToLookAt, worth } from './stories.ts'

const scenarios = [awsProduction, azureOffice, gcpPlatform]
const scenarioOf = (name: string) => scenarios.find((each) => each.name === name)

test('decisions refer to existing containers and pools', () => {
  for (const { scenario, namespace, workload, container } of goodWeek.decisions) {
    const found = scenarioOf(scenario)?.workloads.find((each) => each.namespace === namespace && each.name === workload)
    expect(found?.containers.map(({ name }) => name)).toContain(container)
  }
  for (const { scenario, pool } of goodWeek.removals) {
    expect(scenarioOf(scenario)?.pools.map(({ name }) => name)).toContain(pool)
  }
})

test('no story is about an object that users have changed', () => {
  const changed = new Set(goodWeek.decisions.map(({ scenario, workload }) => `${scenario}/${workload}`))
  expect(stories.filter(({ scenario, text }) => changed.has(`${scenario}/${text}`))).toEqual([])
})

test('each story names an existing rule', () => {
  const rules = RULES.map(({ id }) => id)
  for (const { rule } of stories) expect(rules).toContain(rule)
})

test('a story about an idle workload names its rule, which differs for workloads with a GPU', () => {
  const idleStories = stories.flatMap(({ scenario, text, rule }) => {
    const workload = scenarioOf(scenario)?.workloads.find(({ name }) => name === text)
    if (workload?.archetype.kind !== 'idle') return []
    const holdsGpu = workload.containers.some(({ request }) => (request?.gpus ?? 0) > 0)
    return [{ text, rule, expected: holdsGpu ? 'gpu_idle' : 'workload_abandoned' }]
  })
  expect(idleStories.map(({ text }) => text)).toEqual(['legacy-gateway', 'notebook-anna'])
  for (const { rule, expected } of idleStories) expect(rule).toBe(expected)
})

test('the output names the URL, the login, and each story', () => {
  const found = [{ title: 'A memory leak', what: '$15/month', link: 'http://here/recommendations?text=leak' }]
  const shown = whatToLookAt({
    ...{ url: 'http://here', email: 'demo@example.com', password: 'secret', seconds: 41.4 },
    largest: undefined,
    resize: undefined,
    storyLinks: found,
    ledgerMoves: { verified: 9, reverted: 1 },
  })
  for (const words of ['ready after 41 s', 'demo@example.com', 'secret', found[0]?.link ?? '', '1 reverted']) {
    expect(shown).toContain(words)
  }
})

const aFound = (name: string, rule: string, usd: number, status = 'pending'): Found => ({
  ...{ id: `rec_${name}`, cluster_id: 'cls_1', rule_id: rule, title: `About ${name}`, namespace: 'ml', status },
  ...{ workload: { name, container: '' }, verification: null, estimated_savings: usd, bankable_savings: null },
  ...{ current_spec: {}, recommended_spec: {} },
})

test('the largest open recommendation is the largest story; the largest one with a manifest is listed next to it', () => {
  const [gpu, resize] = [aFound('gpu', 'gpu_idle', 2403.1), aFound('web', 'container_overprovisioned', 642)]
  const found = [resize, gpu, aFound('done', 'container_overprovisioned', 9000, 'implemented')]
  expect([largestWaste(found), largestResize(found)]).toEqual([gpu, resize])
  expect([largestWaste([]), largestResize([gpu])]).toEqual([undefined, undefined])
  const shown = whatToLookAt({
    ...{ url: 'http://here', email: 'me@example.com', password: undefined, seconds: 1, largest: gpu, resize },
    ...{ storyLinks: [], ledgerMoves: { verified: 0, reverted: 0 } },
  })
  expect(shown).toContain(
    'Largest estimated savings: ml/gpu, estimated $2,403.10/month\n      http://here/recommendations/rec_gpu',
  )
  expect(shown).toContain('ml/web, estimated $642.00/month')
})

test('objects other than workloads are named by the title, and increases are shown as a cost', () => {
  const node = { ...aFound('node', 'node_underutilized_drain', 12), workload: null }
  const shown = whatToLookAt({
    ...{ url: 'http://here', email: 'me@example.com', password: undefined, seconds: 1, largest: node },
    ...{ resize: undefined, storyLinks: [], ledgerMoves: { verified: 0, reverted: 0 } },
  })
  expect(shown).toContain('Largest estimated savings: About node, estimated $12.00/month')
  expect(worth(aFound('leak', 'container_underprovisioned', -14.5))).toBe('costs $14.50/month')
  expect(worth({ ...aFound('db', 'container_overprovisioned', 530.85), bankable_savings: 0 })).toBe(
    'estimated $530.85/month, not bankable until nodes are removed',
  )
})

test('throttling is shown instead of savings, unless fixing it has a cost', () => {
  const members = [{ scenario: gcpPlatform, cluster: { id: 'cls_1' } }]
  const valueOf = (usd: number) =>
    linkStories(members, [aFound('thumbnails', 'cpu_limit_throttling', usd)], 'http://here').map(({ what }) => what)
  expect(valueOf(0)).toEqual(['no savings: the service is throttled most of the day'])
  expect(valueOf(-40)).toEqual(['costs $40.00/month'])
})

test('a story about a limit has a container that needs more CPU than its limit', () => {
  const throttled = stories.filter(({ rule }) => rule === 'cpu_limit_throttling')
  const containers = throttled.flatMap(
    ({ scenario, text }) => scenarioOf(scenario)?.workloads.find(({ name }) => name === text)?.containers ?? [],
  )
  expect(containers).toHaveLength(1)
  for (const { limit, uses } of containers) expect(uses.cpuMillicores).toBeGreaterThan(limit?.cpuMillicores ?? Infinity)
})

test('stories are aligned in columns for all amounts', () => {
  const found = [
    { title: 'A leak', what: 'costs $1.00/month', link: 'http://here/1' },
    { title: 'An idle GPU', what: 'estimated $12,403.35/month', link: 'http://here/2' },
  ]
  const shown = whatToLookAt({
    ...{ url: 'http://here', email: 'me@example.com', password: undefined, seconds: 1 },
    ...{ largest: undefined, resize: undefined, storyLinks: found, ledgerMoves: { verified: 0, reverted: 0 } },
  })
  expect(shown).toContain('  A leak       costs $1.00/month           http://here/1\n')
  expect(shown).toContain('  An idle GPU  estimated $12,403.35/month  http://here/2\n')
})

test('the message after the whole history names the cost incident, if any', () => {
  const title = 'research/embed-catalog costs more than expected: new in the last 24 hours'
  expect(historyWords('http://here', title)).toContain(`Cost incident: ${title}\n      http://here/changes`)
  expect(historyWords('http://here', undefined)).not.toContain('incident')
})

test('the password of a given admin is not printed, and no link contains it', () => {
  const shown = whatToLookAt({
    ...{ url: 'http://here', email: 'me@example.com', password: undefined, seconds: 1 },
    ...{ largest: undefined, resize: undefined, storyLinks: [], ledgerMoves: { verified: 0, reverted: 0 } },
  })
  expect(shown).toContain('http://here/sign-in\n')
  expect(shown).toContain('me@example.com')
  expect(shown).not.toContain('#')
})
