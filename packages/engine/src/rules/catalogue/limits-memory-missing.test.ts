import { expect, test } from 'vitest'
import { aContainer, aUsage, aWorkload, evaluateRule, someFacts } from '../builders.ts'
import type { ContainerFacts } from '../facts/cluster-facts.ts'
import { limitsMemoryMissing } from './limits-memory-missing.ts'

const evaluate = (container: Partial<ContainerFacts>) =>
  evaluateRule(
    limitsMemoryMissing,
    someFacts({
      workloads: [aWorkload({ containers: [aContainer({ memoryLimitKib: null, usage: aUsage(), ...container })] })],
    }),
  )

test('the limit is 1.3 times the highest usage', () => {
  const { findings } = evaluate({ memoryRequestKib: 100 * 1024, usage: aUsage({ memoryMaxKib: 1000 * 1024 }) })
  expect(findings).toMatchObject([
    {
      change: { action: 'set_limits', fields: [{ path: 'resources.limits.memory', from: null, to: '1300Mi' }] },
      recommendedSpec: { memoryKib: 100 * 1024 },
      estimatedUsdPerMonth: 0,
      evidence: { confidenceReasons: ['The limit is 1.3 × the maximum usage in the window.'] },
    },
  ])
})

test('the limit is not below the request, and the text then says that it equals the request', () => {
  const { findings } = evaluate({})
  expect(findings).toMatchObject([{ change: { fields: [{ to: '1Gi' }] } }])
  const why = 'The limit is the request, which exceeds 1.3 × the maximum usage'
  expect(findings[0]?.checks.map(({ check }) => check)).toContain(why)
  expect(findings[0]?.evidence.confidenceReasons).toEqual([`${why} in the window.`])
})

test('nothing is found for a container with a limit or without a memory request', () => {
  expect(evaluate({ memoryLimitKib: 1 }).findings).toEqual([])
  expect(evaluate({ memoryRequestKib: null }).findings).toEqual([])
})

test.each<{ name: string; container: Partial<ContainerFacts>; reason: string }>([
  { name: 'no measurements', container: { usage: null }, reason: 'too_little_history' },
  { name: 'three hours', container: { usage: aUsage({ historyDays: 0.125 }) }, reason: 'too_little_history' },
  { name: 'gaps', container: { usage: aUsage({ coverage: 0.79 }) }, reason: 'low_coverage' },
  { name: 'an OOM kill', container: { oomKills: 1 }, reason: 'low_coverage' },
])('with $name it is withheld', ({ container, reason }) => {
  expect(evaluate(container).reasons).toEqual([reason])
})
