import { expect, test } from 'vitest'
import { COUNTED_THERE, passed } from '../checks.ts'
import type { Check, Finding } from '../finding.ts'
import { aNode, evaluateRule, someFacts } from '../builders.ts'
import { nodeUnderutilizedDrain } from '../catalogue/node-underutilized-drain.ts'
import { lineOf, monthlyPrice, savingLinesOf } from './saving-lines.ts'

const own = [lineOf('1 node', 1, monthlyPrice(100, 'node'))]

function about(over: Partial<Finding>): Finding {
  const facts = someFacts({ nodes: [aNode({ fate: { kind: 'free', podsMoved: 3 } })] })
  const [finding] = evaluateRule(nodeUnderutilizedDrain, facts).findings
  if (!finding) throw new Error('nothing was found')
  return { ...finding, ...over }
}

const others: readonly Check[] = [passed(COUNTED_THERE, 'applied alone, this change saves $100/month')]

test.each<{ name: string; usd: number; cost: number | null; checks?: readonly Check[]; what: string }>([
  {
    name: 'other recommendations',
    usd: 60,
    cost: 100,
    checks: others,
    what: 'Already counted in other recommendations for this object',
  },
  { name: 'the cost of the object', usd: 60, cost: 60, what: 'Capped at the cost of the object' },
  { name: 'no known reason', usd: 60, cost: 100, what: 'Other adjustments' },
  { name: 'no reason, with unknown cost', usd: 60, cost: null, what: 'Other adjustments' },
  { name: 'no cap, because the savings are higher', usd: 140, cost: 140, what: 'Other adjustments' },
])('what is not on the lines of the rule is explained by $name', ({ usd, cost, checks = [], what }) => {
  const finding = about({ estimatedUsdPerMonth: usd, costUsdPerMonth: cost, checks })
  expect(savingLinesOf(finding, own)).toEqual([...own, { what, quantity: null, price: null, usdPerMonth: usd - 100 }])
})

test.each([99.996, 100, 100.004])('less than half a cent needs no explanation: %d', (usd) => {
  expect(savingLinesOf(about({ estimatedUsdPerMonth: usd, costUsdPerMonth: usd }), own)).toEqual(own)
})

test('without lines of the rule there are none', () => {
  expect(savingLinesOf(about({}), [])).toEqual([])
})
