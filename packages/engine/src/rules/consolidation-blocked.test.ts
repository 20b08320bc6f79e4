import { expect, test } from 'vitest'
import { aNode, sayOf, someFacts } from './builders.ts'
import { consolidationBlocked } from './consolidation-blocked.ts'
import type { NodeFacts } from './object-facts.ts'

const blocker = { code: 'disruption-budget', why: 'The budget never allows it.' }
const say = (over: Partial<NodeFacts>) =>
  sayOf(consolidationBlocked, someFacts({ nodes: [aNode({ blocker, ...over })] }))

test('the one thing that keeps a node is named with the price of the node', () => {
  expect(say({}).findings).toMatchObject([
    {
      estimatedUsdPerMonth: 100,
      bankableUsdPerMonth: 100,
      risk: 'high',
      change: { summary: expect.stringMatching(/The budget never allows it/) as string },
    },
  ])
})

test('a node that nothing keeps, or that goes anyway, is not named', () => {
  expect(say({ blocker: null }).findings).toEqual([])
})

test('without a price it is withheld, and so is the rule while the question was not asked', () => {
  expect(say({ usdPerMonth: null }).reasons).toEqual(['no_price'])
  expect(sayOf(consolidationBlocked, someFacts({ known: new Set(['nodes', 'placement']) })).reasons).toEqual([
    'no_source',
  ])
})
