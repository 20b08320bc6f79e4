import { expect, test } from 'vitest'
import { aNode, evaluateRule, someFacts } from '../builders.ts'
import { consolidationBlocked } from './consolidation-blocked.ts'
import type { NodeFacts } from '../facts/object-facts.ts'

const blocker = { code: 'disruption-budget', why: 'The budget never allows it.', basis: 'disruption-budget never' }
const evaluate = (over: Partial<NodeFacts>) =>
  evaluateRule(consolidationBlocked, someFacts({ nodes: [aNode({ blocker, ...over })] }))

test('the single blocker of a node is named with the price of the node', () => {
  expect(evaluate({}).findings).toMatchObject([
    {
      estimatedUsdPerMonth: 100,
      bankableUsdPerMonth: 100,
      risk: 'high',
      change: { summary: expect.stringMatching(/The budget never allows it/) as string },
    },
  ])
})

test('a node without a blocker, or that is removed anyway, is not named', () => {
  expect(evaluate({ blocker: null }).findings).toEqual([])
})

test('without a price it is withheld, and so is the rule without a packing', () => {
  expect(evaluate({ usdPerMonth: null }).reasons).toEqual(['no_price'])
  expect(evaluateRule(consolidationBlocked, someFacts({ known: new Set(['nodes', 'placement']) })).reasons).toEqual([
    'no_source',
  ])
})

test('for a budget the safe options come first, and the text warns if all pods would end up together', () => {
  const left = (pods: number, nodes: number, zones: number) =>
    evaluate({ blocker: { ...blocker, left: { pods, nodes, zones } } }).findings[0]?.change.summary
  expect(left(2, 1, 1)).toBe(
    'The budget never allows it. Add one replica, or set maxUnavailable: 1 in the PodDisruptionBudget. Then node node-1 can be removed. Both pods of the workload then run on one node.',
  )
  expect(left(3, 2, 1)).toContain('All 3 pods of the workload then run in one zone')
  expect(left(3, 2, 2)).toMatch(/can be removed\.$/)
})

test('the title and the checks name the blocker in words', () => {
  const [finding] = evaluate({}).findings
  expect(finding?.title).toBe('Unblock node node-1: a PodDisruptionBudget allows no disruption')
  expect(JSON.stringify(finding?.checks)).not.toContain('disruption-budget')
})

test('with less than 24 hours of data the node is withheld', () => {
  const sayAfter = (hoursKnown: number) =>
    evaluateRule(consolidationBlocked, someFacts({ nodes: [aNode({ blocker })], hoursKnown }))
  expect(sayAfter(23)).toMatchObject({ findings: [], reasons: ['too_little_history'] })
  expect(sayAfter(24).findings).toHaveLength(1)
})
