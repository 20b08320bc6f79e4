import { RULES } from '@plimsoll/engine'
import { expect, test } from 'vitest'
import { awsProduction } from '../scenarios/aws-production.ts'
import { azureOffice } from '../scenarios/azure-office.ts'
import { gcpPlatform } from '../scenarios/gcp-platform.ts'
import { goodWeek } from './decisions.ts'
import { stories, whatToLookAt } from './stories.ts'

const scenarios = [awsProduction, azureOffice, gcpPlatform]
const scenarioOf = (name: string) => scenarios.find((each) => each.name === name)

test('what people decide is about containers and pools that there are', () => {
  for (const { scenario, namespace, workload, container } of goodWeek.decisions) {
    const found = scenarioOf(scenario)?.workloads.find((each) => each.namespace === namespace && each.name === workload)
    expect(found?.containers.map(({ name }) => name)).toContain(container)
  }
  for (const { scenario, pool } of goodWeek.removals) {
    expect(scenarioOf(scenario)?.pools.map(({ name }) => name)).toContain(pool)
  }
})

test('no story is told about something that people have changed', () => {
  const changed = new Set(goodWeek.decisions.map(({ scenario, workload }) => `${scenario}/${workload}`))
  expect(stories.filter(({ scenario, text }) => changed.has(`${scenario}/${text}`))).toEqual([])
})

test('each story is seen by a rule that there is', () => {
  const rules = RULES.map(({ id }) => id)
  for (const { rule } of stories) expect(rules).toContain(rule)
})

test('a story about an idle workload names the rule that sees it: another one, where it holds a GPU', () => {
  const told = stories.flatMap(({ scenario, text, rule }) => {
    const workload = scenarioOf(scenario)?.workloads.find(({ name }) => name === text)
    if (workload?.archetype.kind !== 'idle') return []
    const holdsGpu = workload.containers.some(({ request }) => (request?.gpus ?? 0) > 0)
    return [{ text, rule, expected: holdsGpu ? 'gpu_idle' : 'workload_abandoned' }]
  })
  expect(told.map(({ text }) => text)).toEqual(['legacy-gateway', 'notebook-anna'])
  for (const { rule, expected } of told) expect(rule).toBe(expected)
})

test('what is printed says where it runs, who to be, and where each story is', () => {
  const told = [{ title: 'A memory leak', what: '$15 a month', link: 'http://here/recommendations?text=leak' }]
  const shown = whatToLookAt({
    ...{ url: 'http://here', email: 'demo@example.com', password: 'secret', seconds: 41.4 },
    largest: undefined,
    told,
    ledgerMoves: { verified: 9, reverted: 1 },
  })
  for (const words of ['ready after 41 s', 'demo@example.com', 'secret', told[0]?.link ?? '', '1 taken back']) {
    expect(shown).toContain(words)
  }
})

test('the password of an admin that somebody named is not printed, and no link carries it', () => {
  const shown = whatToLookAt({
    ...{ url: 'http://here', email: 'me@example.com', password: undefined, seconds: 1 },
    ...{ largest: undefined, told: [], ledgerMoves: { verified: 0, reverted: 0 } },
  })
  expect(shown).toContain('http://here/sign-in\n')
  expect(shown).toContain('me@example.com')
  expect(shown).not.toContain('#')
})
