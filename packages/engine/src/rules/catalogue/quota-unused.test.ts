import { expect, test } from 'vitest'
import { aNamespace, evaluateRule, someFacts } from '../builders.ts'
import type { QuotaFacts } from '../facts/object-facts.ts'
import { quotaUnused } from './quota-unused.ts'

const evaluate = (over: Partial<QuotaFacts> = {}) => {
  const quota = { name: 'quota', cpuMillicores: 8000, memoryKib: null, usedCpuMillicores: 2000, usedMemoryKib: 0, days: 30, ...over } // prettier-ignore
  return evaluateRule(quotaUnused, someFacts({ namespaces: [aNamespace({ quotas: [quota] })] }))
}

test('a quota whose usage never exceeded a quarter is too large', () => {
  expect(evaluate().findings).toMatchObject([
    {
      target: { kind: 'ResourceQuota', namespace: 'shop', name: 'quota' },
      title: 'Lower ResourceQuota shop/quota: at most 25 % was requested',
      change: {
        summary: 'Lower ResourceQuota shop/quota. The pods of the namespace requested at most 2 cores of CPU.',
      },
      estimatedUsdPerMonth: 0,
    },
  ])
})

test('nothing is found for a used quota, or for one without CPU and memory', () => {
  expect(evaluate({ usedCpuMillicores: 2100 }).findings).toEqual([])
  expect(evaluate({ memoryKib: 100, usedMemoryKib: 50 }).findings).toEqual([])
  expect(evaluate({ cpuMillicores: null }).findings).toEqual([])
})

test('with less than a month of data it is withheld', () => {
  expect(evaluate({ days: 29 }).reasons).toEqual(['too_little_history'])
})
