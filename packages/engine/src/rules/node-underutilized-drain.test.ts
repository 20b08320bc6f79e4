import { expect, test } from 'vitest'
import { aNode, HOUR, NOW, sayOf, someFacts } from './builders.ts'
import { nodeUnderutilizedDrain } from './node-underutilized-drain.ts'
import type { NodeFacts } from './object-facts.ts'

const say = (over: Partial<NodeFacts>, facts = {}) =>
  sayOf(
    nodeUnderutilizedDrain,
    someFacts({ nodes: [aNode({ fate: { kind: 'free', podsMoved: 3 }, ...over })], ...facts }),
  )

test('a node whose pods fit elsewhere saves its price', () => {
  expect(say({}).findings).toMatchObject([
    {
      target: { kind: 'Node', namespace: '', name: 'node-1', container: '' },
      podName: '',
      recommendedSpec: null,
      estimatedUsdPerMonth: 100,
      bankableUsdPerMonth: 100,
      change: { action: 'delete' },
    },
  ])
})

test('where nobody scales the pool nothing is banked, and it says who has to do it', () => {
  const { findings } = say({ fate: { kind: 'by_hand', why: 'nobody-scales-the-pool' } })
  expect(findings).toMatchObject([{ estimatedUsdPerMonth: 100, bankableUsdPerMonth: 0 }])
  expect(findings[0]?.change.summary).toContain('Lower the size of the node group')
})

const byHand = { kind: 'by_hand', why: 'nobody-scales-the-pool' } as const

test('of a pool that nobody scales and nobody needs one node stays, the dearest; where there is only one it says so', () => {
  const priced = [300, 100, 200].map((usdPerMonth) => aNode({ name: `at-${usdPerMonth}`, fate: byHand, usdPerMonth }))
  const [finding] = sayOf(nodeUnderutilizedDrain, someFacts({ nodes: priced })).findings
  expect(finding).toMatchObject({
    title: 'Pool general has 2 nodes more than its pods need',
    estimatedUsdPerMonth: 300,
  })
  expect(finding?.change.summary).toContain('from 3 to 1')
  const [only] = say({ fate: byHand }).findings
  expect(only?.evidence.caveats).toContain('It is the only node of its pool: some pools cannot be empty.')
})

test('in a pool that nobody scales the advice is about the pool: its nodes may be replaced without changing it', () => {
  const stays = aNode({ name: 'stays', fate: { kind: 'kept', code: 'node-marked', why: '' } })
  const told = (names: string[]) => {
    const nodes = [stays, ...names.map((name) => aNode({ name, fate: byHand, bornAt: NOW - HOUR }))]
    const [finding, ...more] = sayOf(nodeUnderutilizedDrain, someFacts({ nodes })).findings
    expect(more).toEqual([])
    return { ...finding, evidence: null }
  }
  expect(told(['a', 'b'])).toEqual(told(['c', 'd']))
  expect(told(['a', 'b'])).toMatchObject({
    target: { kind: 'NodePool', name: 'general' },
    title: 'Pool general has 2 nodes more than its pods need',
    estimatedUsdPerMonth: 200,
  })
  expect(told(['a']).title).toBe('Pool general has 1 node more than its pods need')
})

test('nothing is said about a node that has to stay, is swapped, is paid for anyway or was not simulated', () => {
  expect(say({ fate: { kind: 'kept', code: 'node-marked', why: '' } }).findings).toEqual([])
  expect(say({ fate: { kind: 'replace', instanceType: 'x', savedUsdPerMonth: 1 } }).findings).toEqual([])
  expect(say({ fate: { kind: 'by_hand', why: 'committed' } }).findings).toEqual([])
  expect(say({ fate: null }).findings).toEqual([])
})

test('a young node, a short history and a missing price withhold it', () => {
  expect(say({ bornAt: NOW - 5 * HOUR }).reasons).toEqual(['too_fresh'])
  expect(say({}, { hoursKnown: 23 }).reasons).toEqual(['too_little_history'])
  expect(say({ usdPerMonth: null }).reasons).toEqual(['no_price'])
})
