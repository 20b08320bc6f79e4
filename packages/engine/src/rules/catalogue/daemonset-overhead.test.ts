import { expect, test } from 'vitest'
import { aPool, evaluateRule, someFacts } from '../builders.ts'
import { daemonsetOverhead } from './daemonset-overhead.ts'
import type { PoolFacts } from '../facts/object-facts.ts'

const heavy = { daemons: { cpuMillicores: 4000, memoryKib: 0 } }
const evaluate = (over: Partial<PoolFacts>) => evaluateRule(daemonsetOverhead, someFacts({ pools: [aPool(over)] }))

test('DaemonSets above 15 % of a pool are reported at their price', () => {
  // 4 of 16 cores; 2.4 would be 15 %: 1.6 cores at $12.50.
  const { findings } = evaluate(heavy)
  expect(findings).toMatchObject([
    { bankableUsdPerMonth: 0, title: 'Reduce DaemonSet overhead in pool general: DaemonSets request 25 % of the CPU' },
  ])
  expect(findings[0]?.estimatedUsdPerMonth).toBeCloseTo(20, 6)
})

test('a usual share is not reported', () => {
  expect(evaluate({}).findings).toEqual([])
})

test('a pool of one node is omitted, one without prices is withheld', () => {
  expect(evaluate({ ...heavy, nodes: 1 }).findings).toEqual([])
  expect(evaluate({ ...heavy, price: null }).reasons).toEqual(['no_price'])
})
