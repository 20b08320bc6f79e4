import { expect, test } from 'vitest'
import { aContainer, aWorkload, evaluateRule, someFacts } from '../builders.ts'
import type { ContainerFacts, WorkloadFacts } from '../facts/cluster-facts.ts'
import { jvmHeapMismatch } from './jvm-heap-mismatch.ts'

const gib = 1024 * 1024
const evaluate = (over: Partial<ContainerFacts>, workload: Partial<WorkloadFacts> = {}) => {
  const container = aContainer({ memoryRequestKib: 4 * gib, memoryLimitKib: null, heapMaxKib: gib, ...over })
  return evaluateRule(jvmHeapMismatch, someFacts({ workloads: [aWorkload({ containers: [container], ...workload })] }))
}

test('a request far above the heap plus a quarter is lowered to that', () => {
  const { findings } = evaluate({})
  expect(findings).toMatchObject([{ recommendedSpec: { cpuMillicores: 1000, memoryKib: 1.25 * gib } }])
  expect(findings[0]?.estimatedUsdPerMonth).toBeCloseTo(2 * 2.75 * gib * 0.000004, 6)
})

test('a request below the heap is raised, which costs money', () => {
  const { findings } = evaluate({ memoryRequestKib: gib, heapMaxKib: 2 * gib })
  expect(findings).toMatchObject([{ recommendedSpec: { memoryKib: 2.5 * gib } }])
  expect(findings[0]?.estimatedUsdPerMonth).toBeLessThan(0)
})

test('a small difference and an unknown heap are ignored', () => {
  expect(evaluate({ memoryRequestKib: 1.5 * gib }).findings).toEqual([])
  expect(evaluate({ heapMaxKib: null }).findings).toEqual([])
  expect(evaluate({ memoryRequestKib: null }).findings).toEqual([])
})

test('never above the limit, never below the floors, not for jobs', () => {
  expect(evaluate({ memoryRequestKib: gib, heapMaxKib: 2 * gib, memoryLimitKib: 2 * gib }).findings).toMatchObject([
    { recommendedSpec: { memoryKib: 2 * gib } },
  ])
  expect(evaluate({}, { annotations: { 'plimsoll.dev/min-memory': '4Gi' } }).findings).toEqual([])
  expect(evaluate({}, { kind: 'CronJob' }).findings).toEqual([])
})

test('without a price it is withheld', () => {
  expect(evaluate({}, { price: null }).reasons).toEqual(['no_price'])
})
