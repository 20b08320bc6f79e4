import { describe, expect, test } from 'vitest'
import { aContainer, aSize, aUsage, aWorkload, evaluateRule, someCpu, someFacts } from '../builders.ts'
import type { ContainerFacts, WorkloadFacts } from '../facts/cluster-facts.ts'
import { requestsMissing } from './requests-missing.ts'

const decision = aSize(120, 100 * 1024)
const usage = aUsage()
const bare: Partial<ContainerFacts> = {
  cpuRequestMillicores: null,
  memoryRequestKib: null,
  memoryLimitKib: null,
  usage,
  decision,
}

const evaluate = (container: Partial<ContainerFacts>, workload: Partial<WorkloadFacts> = {}) =>
  evaluateRule(
    requestsMissing,
    someFacts({ workloads: [aWorkload({ containers: [aContainer(container)], ...workload })] }),
  )

test('a container without requests gets requests by its usage, at no cost', () => {
  expect(evaluate(bare).findings).toMatchObject([
    {
      estimatedUsdPerMonth: 0,
      currentSpec: { cpuMillicores: null, memoryKib: null },
      recommendedSpec: { cpuMillicores: 120, memoryKib: 100 * 1024 },
      change: {
        summary:
          'Set resources.requests.cpu to 120m (not set now) and resources.requests.memory to 100Mi (not set now) for container app.',
      },
    },
  ])
})

test('existing requests stay unchanged', () => {
  expect(evaluate({ ...bare, memoryRequestKib: 64 * 1024 }).findings).toMatchObject([
    { recommendedSpec: { cpuMillicores: 120, memoryKib: 64 * 1024 } },
  ])
})

describe('nothing is found', () => {
  test('for a container with both requests', () => {
    expect(evaluate({ decision }).findings).toEqual([])
  })

  test('for init containers, jobs, and workloads without running pods', () => {
    expect(evaluate({ ...bare, kind: 'init' }).findings).toEqual([])
    expect(evaluate(bare, { kind: 'Job' }).findings).toEqual([])
    expect(evaluate(bare, { replicas: 0 }).findings).toEqual([])
  })
})

test('floors hold, and a request is not above the limit', () => {
  const tiny = { ...bare, decision: aSize(1, 10), usage: aUsage({ cpu: someCpu([1]) }) }
  expect(evaluate(tiny).findings).toMatchObject([{ recommendedSpec: { cpuMillicores: 10, memoryKib: 20 * 1024 } }])
  expect(evaluate({ ...bare, memoryLimitKib: 50 * 1024 }).findings).toMatchObject([
    { recommendedSpec: { memoryKib: 50 * 1024 } },
  ])
  const limits = { cpuMillicoresMin: 300, memoryKibMin: null, quotaCpuMillicoresLeft: null, quotaMemoryKibLeft: null }
  expect(evaluate(bare, { limits }).findings).toMatchObject([{ recommendedSpec: { cpuMillicores: 300 } }])
})

const short = { kind: 'unknown', reason: 'short_history', days: 0.1, daysMin: 7 } as const

test.each([
  { name: 'for neither', unknown: null },
  { name: 'for CPU', unknown: { ...decision, cpu: short } },
  { name: 'for memory', unknown: { ...decision, memory: short } },
])('without a decision $name it is withheld', ({ unknown }) => {
  expect(evaluate({ ...bare, decision: unknown }).reasons).toEqual(['too_little_history'])
})
