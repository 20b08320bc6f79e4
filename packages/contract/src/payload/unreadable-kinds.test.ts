import { expect, test } from 'vitest'
import type { AgentFacts } from './batch.ts'
import { addThrottling } from './throttling.ts'
import { unreadableKinds } from './unreadable-kinds.ts'

const facts = (conditions?: AgentFacts['conditions']): AgentFacts => ({
  version: '1.0.0',
  kubernetes_version: '1.35',
  usage_source: 'kubelet',
  ...(conditions && { conditions }),
})

test('a kind is unreadable while the agent lacks the permission or the list fails', () => {
  const conditions = (['ok', 'forbidden', 'failing'] as const).map((status, index) => ({
    kind: `kind-${index}`,
    status,
  }))
  expect(unreadableKinds(facts(conditions as AgentFacts['conditions']))).toEqual(new Set(['kind-1', 'kind-2']))
})

test('an agent that reports no conditions can read every kind', () => {
  expect(unreadableKinds(facts())).toEqual(new Set())
})

test('throttled periods add up, starting from none', () => {
  const one = { periods: 10, throttledPeriods: 2 }
  expect(addThrottling(null, one)).toEqual(one)
  expect(addThrottling(undefined, one)).toEqual(one)
  expect(addThrottling(one, { periods: 5, throttledPeriods: 5 })).toEqual({ periods: 15, throttledPeriods: 7 })
})
