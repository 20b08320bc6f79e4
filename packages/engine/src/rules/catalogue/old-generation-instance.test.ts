import { expect, test } from 'vitest'
import { aNode, evaluateRule, someFacts } from '../builders.ts'
import { oldGenerationInstance } from './old-generation-instance.ts'

const old = (name: string, over = {}) =>
  aNode({ name, instanceType: 'm4.xlarge', successor: { instanceType: 'm5.xlarge', usdPerMonth: 90 }, ...over })
const evaluate = (...nodes: ReturnType<typeof old>[]) => evaluateRule(oldGenerationInstance, someFacts({ nodes }))

test('all old nodes of a pool are one recommendation with the difference of their prices', () => {
  expect(evaluate(old('a'), old('b')).findings).toMatchObject([
    {
      target: { kind: 'NodePool', name: 'general' },
      estimatedUsdPerMonth: 20,
      bankableUsdPerMonth: 0,
      change: { fields: [{ from: 'm4.xlarge', to: 'm5.xlarge' }] },
    },
  ])
})

test('a node without a cheaper successor is omitted', () => {
  expect(evaluate(aNode()).findings).toEqual([])
  expect(evaluate(old('a', { usdPerMonth: 80 })).findings).toEqual([])
})

test('spot nodes and removable nodes are omitted', () => {
  expect(evaluate(old('a', { isSpot: true })).findings).toEqual([])
  expect(evaluate(old('a', { fate: { kind: 'free', podsMoved: 0 } })).findings).toEqual([])
})

test('a node that a budget blocks stays and is named; if all are blocked it is withheld with the reason', () => {
  const fate = { kind: 'kept', code: 'disruption-budget', why: 'shop/db-1: the budget never allows 0 disruptions.' }
  const { findings } = evaluate(old('a'), old('b', { fate }))
  expect(findings).toMatchObject([{ estimatedUsdPerMonth: 10, costUsdPerMonth: 100, machines: ['a'] }])
  expect(findings[0]?.change.summary).toMatch(/\. b is not replaced\.$/)
  expect(findings[0]?.checks.map(({ found }) => found).join()).toContain('b (shop/db-1: the budget never allows 0')
  expect(evaluate(old('b', { fate }))).toMatchObject({ findings: [], reasons: ['cannot_move'] })
})
