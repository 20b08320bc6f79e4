import { expect, test } from 'vitest'
import { aCheaperSet, aPool, fourNodes, evaluateRule, someFacts } from '../builders.ts'
import { nodeInstanceTypeMismatch } from './node-instance-type-mismatch.ts'
import type { NodeFate, PoolFacts } from '../facts/object-facts.ts'
import { savingLinesOf } from '../savings/saving-lines.ts'

const evaluate = (over: Partial<PoolFacts>, nodes = fourNodes()) =>
  evaluateRule(nodeInstanceTypeMismatch, someFacts({ nodes, pools: [aPool({ cheaperSet: aCheaperSet(), ...over })] }))

test('a cheaper set of instance types saves the difference; only automatic swaps are bankable', () => {
  expect(evaluate({}).findings).toMatchObject([{ estimatedUsdPerMonth: 150, bankableUsdPerMonth: 0 }])
  const swapping = evaluate({ cheaperSet: aCheaperSet({ swappedUsdPerMonth: 40 }) })
  expect(swapping.findings).toMatchObject([{ bankableUsdPerMonth: 40 }])
})

const oneOf = (fate: NodeFate) => fourNodes().map((node, index) => (index === 0 ? { ...node, fate } : node))
const annotated = {
  kind: 'kept',
  code: 'pod-marked',
  why: 'shop/report-1 has the annotation karpenter.sh/do-not-disrupt=true.',
} as const
const stuck = {
  kind: 'kept',
  code: 'pod-does-not-fit',
  why: 'shop/web-1 does not fit on any other node: not enough CPU on 1 node.',
} as const

test('nodes that can be removed belong to another recommendation', () => {
  const going = oneOf({ kind: 'free', podsMoved: 1 })
  expect(evaluate({}, going).findings).toMatchObject([{ estimatedUsdPerMonth: 50 }])
  expect(evaluate({ cheaperSet: aCheaperSet({ usdPerMonth: 290 }) }, going).findings).toEqual([])
})

test('a node that an annotation blocks stays: it is not counted, and it is named with the annotation', () => {
  const { findings } = evaluate({}, oneOf(annotated))
  expect(findings).toMatchObject([{ estimatedUsdPerMonth: 50, machines: ['node-2', 'node-3', 'node-4'] }])
  expect(findings[0]?.change.summary).toMatch(/instead of 3 × m5\.xlarge\. node-1 is not replaced\.$/)
  expect(findings[0]?.checks.map(({ found }) => found).join()).toContain('node-1 (shop/report-1 has the annotation')
  // A pod that does not fit on the current nodes fits on the set.
  expect(evaluate({}, oneOf(stuck)).findings).toMatchObject([{ estimatedUsdPerMonth: 150 }])
})

test('if an annotation blocks every node it is withheld with that reason', () => {
  const { findings, withheld } = evaluate({ cheaperSet: null }, fourNodes({ fate: annotated }))
  expect(findings).toEqual([])
  expect(withheld).toMatchObject([{ reason: 'cannot_move', detail: expect.stringMatching(/do-not-disrupt/) as string }])
})

test('the withheld reason gives the cost of the nodes, and only the applicable option', () => {
  const [withheld] = evaluate({ cheaperSet: null }, fourNodes({ fate: annotated })).withheld
  expect(withheld?.detail).toMatch(/These nodes cost \$400\.00\/month\.$/)
  expect(withheld?.unlock).toBe('Remove the annotation from the pod.')
})

test('fewer nodes of the same type are not recommended if no node can be drained', () => {
  const fewer = aCheaperSet({ usdPerMonth: 300, machines: [{ type: 'm5.xlarge', count: 3 }] })
  const { findings, withheld } = evaluate({ cheaperSet: fewer }, fourNodes({ fate: stuck }))
  expect(findings).toEqual([])
  expect(withheld).toMatchObject([
    {
      reason: 'cannot_move',
      detail: expect.stringMatching(/node-1: shop\/web-1 does not fit on any other node/) as string,
    },
  ])
  const other = aCheaperSet({ usdPerMonth: 300, machines: [{ type: 'm6i.xlarge', count: 3 }] })
  expect(evaluate({ cheaperSet: other }, fourNodes({ fate: stuck })).findings).toHaveLength(1)
})

test('less than a tenth is not worth new nodes, and without a set nothing is found', () => {
  expect(evaluate({ cheaperSet: aCheaperSet({ usdPerMonth: 361 }) }).findings).toEqual([])
  expect(evaluate({ cheaperSet: null }).findings).toEqual([])
})

test('without a price it is withheld', () => {
  expect(evaluate({ usdPerMonth: null }).reasons).toEqual(['no_price'])
})

test('prices with more decimals than the set add no line to the receipt', () => {
  const price = { usd: 0.1651006, per: 'hour', unit: 'node', source: null, asOf: null, isEstimated: false } as const
  const machines = [{ type: 'm6i.xlarge', count: 3, price }]
  const cheaperSet = aCheaperSet({ usdPerMonth: 0.495302 * 730, machines })
  const [finding] = evaluate({ cheaperSet, usdPerMonth: 600 }, fourNodes({ usdPerMonth: 150 })).findings
  if (!finding) throw new Error('nothing was found')
  expect(savingLinesOf(finding, finding.evidence.savingLines).map(({ what }) => what)).toEqual([
    '4 nodes of m5.xlarge',
    '3 nodes of m6i.xlarge instead',
  ])
})

test('with less than 24 hours of data the pool is withheld', () => {
  const pools = [aPool({ cheaperSet: aCheaperSet() })]
  const sayAfter = (hoursKnown: number) =>
    evaluateRule(nodeInstanceTypeMismatch, someFacts({ nodes: fourNodes(), pools, hoursKnown }))
  expect(sayAfter(23)).toMatchObject({ findings: [], reasons: ['too_little_history'] })
  expect(sayAfter(24).findings).toHaveLength(1)
})
