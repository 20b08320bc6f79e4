import { expect, test } from 'vitest'
import { aNamespace, sayOf, someFacts } from '../builders.ts'
import type { QuotaFacts } from '../facts/object-facts.ts'
import { quotaUnused } from './quota-unused.ts'

const say = (over: Partial<QuotaFacts> = {}) => {
  const quota = { name: 'quota', cpuMillicores: 8000, memoryKib: null, usedCpuMillicores: 2000, usedMemoryKib: 0, days: 30, ...over } // prettier-ignore
  return sayOf(quotaUnused, someFacts({ namespaces: [aNamespace({ quotas: [quota] })] }))
}

test('a quota of which a quarter was never exceeded is too large', () => {
  expect(say().findings).toMatchObject([
    { target: { kind: 'ResourceQuota', namespace: 'shop', name: 'quota' }, estimatedUsdPerMonth: 0 },
  ])
})

test('nothing is said about one that is used, or that limits neither CPU nor memory', () => {
  expect(say({ usedCpuMillicores: 2100 }).findings).toEqual([])
  expect(say({ memoryKib: 100, usedMemoryKib: 50 }).findings).toEqual([])
  expect(say({ cpuMillicores: null }).findings).toEqual([])
})

test('before a month is known it is withheld', () => {
  expect(say({ days: 29 }).reasons).toEqual(['too_little_history'])
})
