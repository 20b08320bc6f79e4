import { expect, test } from 'vitest'
import { aNode, aPool, HOUR, NOW, evaluateRule, someFacts } from '../builders.ts'
import { nodeUnderutilizedDrain } from './node-underutilized-drain.ts'
import type { NodeFacts } from '../facts/object-facts.ts'

const evaluate = (over: Partial<NodeFacts>, facts = {}) =>
  evaluateRule(
    nodeUnderutilizedDrain,
    someFacts({ nodes: [aNode({ fate: { kind: 'free', podsMoved: 3 }, ...over })], ...facts }),
  )

test('a node whose pods fit elsewhere saves its price', () => {
  expect(evaluate({}).findings).toMatchObject([
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

const byHand = { kind: 'by_hand', why: 'nobody-scales-the-pool' } as const
const stays = aNode({ name: 'stays', fate: { kind: 'kept', code: 'node-marked', why: '' } })

test('without an autoscaler it names the node and the steps, and its price is bankable', () => {
  const nodes = [stays, aNode({ name: 'idle', fate: byHand })]
  const [finding] = evaluateRule(nodeUnderutilizedDrain, someFacts({ nodes })).findings
  expect(finding).toMatchObject({
    title: 'Remove 1 node from pool general (idle): its pods fit on the remaining nodes',
    estimatedUsdPerMonth: 100,
    bankableUsdPerMonth: 100,
    removesNodes: ['idle'],
  })
  expect(finding?.change.summary).toMatch(/Cordon and drain idle\. Then remove exactly this node .* from 2 to 1/)
  expect(finding?.evidence.caveats.join(' ')).toContain('does not respect PodDisruptionBudgets')
})

test('in an unneeded pool without an autoscaler the most expensive node stays; a single node is mentioned', () => {
  const priced = [300, 100, 200].map((usdPerMonth) => aNode({ name: `at-${usdPerMonth}`, fate: byHand, usdPerMonth }))
  const [finding] = evaluateRule(nodeUnderutilizedDrain, someFacts({ nodes: priced })).findings
  expect(finding).toMatchObject({
    title: 'Remove 2 nodes from pool general (at-100, at-200): their pods fit on the remaining nodes',
    estimatedUsdPerMonth: 300,
  })
  expect(finding?.change.summary).toContain('from 3 to 1')
  const [only] = evaluate({ fate: byHand }).findings
  expect(only?.evidence.caveats).toContain(
    'This is the only node of the pool. Some providers do not allow empty pools.',
  )
})

test('without an autoscaler the finding is about the pool: a rejection also applies to later nodes', () => {
  const findingFor = (names: string[]) => {
    const nodes = [stays, ...names.map((name) => aNode({ name, fate: byHand, bornAt: NOW - HOUR }))]
    const [finding, ...more] = evaluateRule(nodeUnderutilizedDrain, someFacts({ nodes })).findings
    expect(more).toEqual([])
    return finding
  }
  expect(findingFor(['a', 'b'])).toMatchObject({
    target: { kind: 'NodePool', name: 'general' },
    estimatedUsdPerMonth: 200,
  })
  expect(findingFor(['a', 'b'])?.basis).toBe(findingFor(['c', 'd'])?.basis)
  expect(findingFor(['a', 'b', 'c', 'd', 'e'])?.title).toContain('a, b, c and 2 more')
})

test('two nodes stay if a system workload other than a DaemonSet runs there', () => {
  const pools = [aPool({ scaler: 'none', systemWorkloads: ['coredns'] })]
  const idle = ['a', 'b'].map((name) => aNode({ name, fate: byHand }))
  const { findings, withheld } = evaluateRule(nodeUnderutilizedDrain, someFacts({ pools, nodes: [stays, ...idle] }))
  expect(withheld).toEqual([])
  expect(findings).toMatchObject([{ removesNodes: ['a'], bankableUsdPerMonth: 100 }])
  const two = evaluateRule(nodeUnderutilizedDrain, someFacts({ pools, nodes: [stays, ...idle.slice(0, 1)] }))
  expect(two.findings).toEqual([])
  expect(two.withheld).toMatchObject([
    {
      reason: 'cannot_move',
      detail: expect.stringContaining('system workloads run in this pool (coredns)') as string,
      unlock: expect.stringContaining('Add a node') as string,
    },
  ])
})

test('a pool with workloads in several zones keeps more than one zone', () => {
  const pools = [aPool({ scaler: 'none', spreadWorkloads: ['web'] })]
  const inA = { ...stays, zone: 'a' }
  const evaluate = (zones: string[]) => {
    const idle = zones.map((zone, index) => aNode({ name: `idle-${index}`, zone, fate: byHand }))
    return evaluateRule(nodeUnderutilizedDrain, someFacts({ pools, nodes: [inA, ...idle] }))
  }
  expect(evaluate(['a', 'b']).findings).toMatchObject([{ removesNodes: ['idle-0'] }])
  expect(evaluate(['b']).findings).toEqual([])
  expect(evaluate(['b']).withheld).toMatchObject([
    { detail: expect.stringContaining('web run in several zones') as string },
  ])
})

test('nothing is found for a node that must stay, is swapped, is a commitment or was not simulated', () => {
  expect(evaluate({ fate: { kind: 'kept', code: 'node-marked', why: '' } }).findings).toEqual([])
  expect(evaluate({ fate: { kind: 'replace', instanceType: 'x', savedUsdPerMonth: 1 } }).findings).toEqual([])
  expect(evaluate({ fate: { kind: 'by_hand', why: 'committed' } }).findings).toEqual([])
  expect(evaluate({ fate: null }).findings).toEqual([])
})

test('a young node, a short history and a missing price withhold it', () => {
  expect(evaluate({ bornAt: NOW - 5 * HOUR }).reasons).toEqual(['too_fresh'])
  expect(evaluate({}, { hoursKnown: 23 }).reasons).toEqual(['too_little_history'])
  expect(evaluate({ usdPerMonth: null }).reasons).toEqual(['no_price'])
})
