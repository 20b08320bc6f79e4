import { bankableSavings } from '../testing/bankable-savings.ts'
import { expect, test } from 'vitest'
import { decimal } from '../decimal.ts'
import { packCluster } from './bankable-savings.ts'
import { aResize, capacity, someCluster, someNode, somePod } from './builders.ts'
import type { PackingCluster, PackingPool } from './cluster.ts'

/** Three full nodes of 4 cores at $1 an hour: `big` requests 3 cores on every node, `small` requests 1. */
const full = (pools?: readonly PackingPool[]): PackingCluster =>
  someCluster({
    nodes: ['a', 'b', 'c'].map((name) => someNode(name)),
    pods: ['a', 'b', 'c'].flatMap((node, index) => [
      somePod(`big-${index}`, { node, requests: { cores: 3 } }),
      somePod(`small-${index}`, { node }),
    ]),
    ...(pools ? { pools } : {}),
  })

const month = decimal('730')

test('a full cluster has nothing to save, and one smaller workload may free a node', () => {
  // 3 × (1.5 + 1) = 7.5 cores: two nodes of 4 cores hold 1.5 + 1.5 + 1 each.
  const { present, joint } = bankableSavings(full(), [[aResize('r', 'big', { cores: 1.5 })]])
  expect(present).toMatchObject({ usdPerMonth: 0n, freed: [] })
  expect(present.kept[0]?.blocker).toMatchObject({ code: 'pod-does-not-fit', filter: 'insufficient-cpu' })
  expect(joint[0]).toMatchObject({ usdPerMonth: month, shares: [{ id: 'r', usdPerMonth: month, why: 'shared' }] })
  expect(joint[0]?.freed).toHaveLength(1)
})

test('the savings are shared by freed amounts of the binding resource: 3 × 1.5 and 3 × 0.5 cores', () => {
  const proposals = [aResize('big', 'big', { cores: 1.5 }), aResize('small', 'small', { cores: 0.5 })]
  const { joint } = bankableSavings(full(), [proposals])
  expect(joint[0]?.usdPerMonth).toBe(month)
  expect(joint[0]?.shares).toEqual([
    { id: 'big', usdPerMonth: decimal('547.5'), why: 'shared' },
    { id: 'small', usdPerMonth: decimal('182.5'), why: 'shared' },
  ])
})

test('freed memory that does not bind earns nothing', () => {
  const proposals = [aResize('cpu', 'big', { cores: 1.5 }), aResize('memory', 'small', { gib: 0.5 })]
  const { joint } = bankableSavings(full(), [proposals])
  expect(joint[0]?.shares).toEqual([
    { id: 'cpu', usdPerMonth: month, why: 'shared' },
    { id: 'memory', usdPerMonth: 0n, why: 'frees-nothing-that-binds' },
  ])
})

test('without a freed node the savings are 0 and the reason is given', () => {
  const { joint } = bankableSavings(full(), [[aResize('r', 'big', { cores: 2.9 })]])
  expect(joint[0]).toMatchObject({ usdPerMonth: 0n, shares: [{ usdPerMonth: 0n, why: 'no-node-freed' }] })
})

test('in a pool without autoscaling the savings are 0, the node is named and the reason is given', () => {
  const { joint } = bankableSavings(full([{ name: 'main', kind: 'unmanaged' }]), [
    [aResize('r', 'big', { cores: 1.5 })],
  ])
  expect(joint[0]).toMatchObject({ usdPerMonth: 0n, freed: [], shares: [{ usdPerMonth: 0n, why: 'only-by-hand' }] })
  expect(joint[0]?.byHand).toMatchObject([{ node: 'a', why: 'nobody-scales-the-pool', usdPerMonth: month }])
})

test('a node that can be removed anyway is not credited to a proposal', () => {
  const cluster = { ...full(), nodes: [...full().nodes, someNode('d')] }
  const { present, joint } = bankableSavings(cluster, [[aResize('r', 'big', { cores: 1.5 })], []])
  expect(present).toMatchObject({ usdPerMonth: month, freed: [{ node: 'd' }] })
  expect(joint[0]).toMatchObject({ usdPerMonth: month, freed: [{ pool: 'main' }] })
  expect(joint[1]).toMatchObject({ usdPerMonth: 0n, freed: [], shares: [] })
})

test('each set of proposals is computed independently', () => {
  const one = [aResize('r', 'big', { cores: 1.5 })]
  const two = [aResize('s', 'big', { cores: 0.5 }), { id: 't', changes: [] }]
  const together = bankableSavings(full(), [one, two, one])
  expect(together.joint[0]).toEqual(together.joint[2])
  expect(together.joint[1]).toEqual(bankableSavings(full(), [two]).joint[0])
})

test('removed pods free capacity like smaller pods', () => {
  const pods = ['big-0', 'small-0']
  const { joint } = bankableSavings(full(), [[{ id: 'abandoned', changes: [{ kind: 'remove', pods }] }]])
  expect(joint[0]).toMatchObject({ usdPerMonth: month, freed: [{ node: 'a', moves: [] }] })
})

test('growth that needs another node costs that node, and the cost counts for the growing proposal', () => {
  const { joint } = bankableSavings(full(), [
    [aResize('grow', 'small', { cores: 2 }), aResize('less', 'big', { cores: 2.9 })],
  ])
  expect(joint[0]).toMatchObject({ usdPerMonth: -2n * month, added: [{ pool: 'main', count: 2 }] })
  expect(joint[0]?.shares).toEqual([
    { id: 'grow', usdPerMonth: -2n * month, why: 'shared' },
    { id: 'less', usdPerMonth: 0n, why: 'frees-nothing-that-binds' },
  ])
})

test('growth that prevents a swap for a smaller node costs the difference', () => {
  const half = { name: 'half', usdPerHour: decimal('0.5'), allocatable: capacity({ cores: 2 }), labels: {} }
  const cluster = someCluster({
    nodes: [someNode('a')],
    pods: [somePod('web-1', { node: 'a' })],
    pools: [{ name: 'main', kind: 'karpenter', types: [half] }],
  })
  const { present, joint } = bankableSavings(cluster, [[aResize('grow', 'web', { cores: 3 })]])
  expect(present).toMatchObject({ usdPerMonth: decimal('365'), replaced: [{ node: 'a', type: 'half' }] })
  expect(joint[0]).toMatchObject({ usdPerMonth: decimal('-365'), replaced: [], added: [] })
  expect(joint[0]?.shares).toEqual([{ id: 'grow', usdPerMonth: decimal('-365'), why: 'shared' }])
})

test('a pending pod is placed before any node is removed', () => {
  const cluster = someCluster({
    nodes: [someNode('a'), someNode('b')],
    pods: [
      somePod('web-1', { node: 'a' }),
      somePod('huge-1', { requests: { cores: 4 } }),
      somePod('never-1', { requests: { cores: 9 } }),
    ],
  })
  const { present, waiting } = bankableSavings(cluster, [])
  expect(present.freed).toEqual([])
  expect(waiting).toEqual([{ namespace: 'shop', name: 'never-1' }])
})

test('no arrangement beats the upper bound: 7.5 of 12 cores leave 1.125 nodes', () => {
  const { joint } = bankableSavings(full(), [[aResize('r', 'big', { cores: 1.5 })]])
  expect(joint[0]?.upperBound).toEqual({ kind: 'global-repack', usdPerMonth: decimal('821.25') })
})

test.each([
  { name: 'nothing at all', cluster: someCluster({}) },
  {
    name: 'a single tainted node',
    cluster: someCluster({ nodes: [someNode('a', { taints: [{ key: 'k', effect: 'NoSchedule' }] })] }),
  },
  { name: 'a pod on an unknown node', cluster: someCluster({ pods: [somePod('web-1', { node: 'gone' })] }) },
])('a cluster of $name has a result', ({ cluster }) => {
  const { joint } = bankableSavings(cluster, [[aResize('r', 'web', { cores: 1 })]])
  expect(joint[0]?.shares).toMatchObject([{ usdPerMonth: 0n, why: 'no-node-freed' }])
})

test('a node without its annotations and budgets is removed, or names its next blocker; nothing else changes', () => {
  const disruptionBudgets = [
    { namespace: 'shop', name: 'never', selector: { labels: { app: 'web' } }, disruptionsAllowed: 0 },
  ]
  const pods = [somePod('web-1', { node: 'a' }), somePod('db-1', { node: 'b', requests: { cores: 3 } })]
  const nodes = [someNode('a'), someNode('b', { keep: true })]
  const packing = packCluster(someCluster({ nodes, pods, disruptionBudgets }))
  expect(packing.joint([], ['a'])).toMatchObject({
    usdPerMonth: 0n,
    lifted: [{ node: 'a', usdPerMonth: month, moves: [{ pod: 'web-1', to: 'b' }] }],
    kept: [{ node: 'b' }],
  })
  expect(packing.joint([])).toMatchObject({ lifted: [], kept: [{ node: 'a', blocker: { code: 'disruption-budget' } }, { node: 'b' }] }) // prettier-ignore
  const tight = packCluster(
    someCluster({ nodes, disruptionBudgets, pods: [...pods, somePod('more-1', { node: 'b' })] }),
  )
  expect(tight.joint([], ['a'])).toMatchObject({ lifted: [], kept: [{ node: 'a', blocker: { code: 'pod-does-not-fit' } }, { node: 'b' }] }) // prettier-ignore
})
