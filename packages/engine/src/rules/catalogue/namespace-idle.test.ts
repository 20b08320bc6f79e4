import { expect, test } from 'vitest'
import { aNamespace, DAY, NOW, evaluateRule, someFacts } from '../builders.ts'
import { namespaceIdle } from './namespace-idle.ts'
import type { NamespaceFacts } from '../facts/object-facts.ts'

const evaluate = (over: Partial<NamespaceFacts> = {}) => {
  const idle = { pods: 0, cloudResources: 2, cloudResourcesUsdPerMonth: 30, unusedSince: NOW - 7 * DAY }
  return evaluateRule(namespaceIdle, someFacts({ namespaces: [aNamespace({ ...idle, ...over })] }))
}

test('a namespace with volumes but without pods is named; its cost counts with the volumes', () => {
  expect(evaluate().findings).toMatchObject([
    {
      target: { kind: 'Namespace', name: 'shop' },
      estimatedUsdPerMonth: 0,
      evidence: { facts: { assets_usd_per_month: 30 } },
    },
  ])
})

test('nothing is found while a pod runs, a resource is used, nothing costs money, or a workload may return', () => {
  expect(evaluate({ pods: 1 }).findings).toEqual([])
  expect(evaluate({ unusedSince: null }).findings).toEqual([])
  expect(evaluate({ cloudResources: 0 }).findings).toEqual([])
  expect(evaluate({ unusedSince: NOW - 6 * DAY }).findings).toEqual([])
})
