import { expect, test } from 'vitest'
import { decimal } from '../decimal.ts'
import { amounts } from '../allocation/builders.ts'
import { capacity, someCluster, someNode, somePod } from './builders.ts'
import type { NodeType, PackingCluster, PackingPod, PackingPool } from './cluster.ts'
import { packCluster } from './bankable-savings.ts'
import { simulateChange as simulate } from './simulate-change.ts'

const month = decimal('730')

const simulateChange = (before: PackingCluster, after: PackingCluster) =>
  simulate({ cluster: before, present: packCluster(before).present }, after)

/** Two nodes of 4 cores at $1 an hour; 3 cores of each are requested. */
const cluster = (more: Partial<PackingCluster> = {}): PackingCluster =>
  someCluster({
    nodes: [someNode('a'), someNode('b')],
    pods: [
      somePod('web-1', { node: 'a', requests: { cores: 3 } }),
      somePod('db-1', { node: 'b', requests: { cores: 3 } }),
    ],
    ...more,
  })

const withPods = (before: PackingCluster, added: readonly PackingPod[]): PackingCluster => ({
  ...before,
  pods: [...before.pods, ...added],
})

const resize = (before: PackingCluster, workload: string, cores: number): PackingCluster => ({
  ...before,
  pods: before.pods.map((pod) =>
    pod.workload === workload
      ? { ...pod, shape: { containers: [{ name: 'app', request: amounts({ cores, gib: 1 }) }] } }
      : pod,
  ),
})

test('no change changes nothing', () => {
  const nothing = { added: [], removed: [], unplaced: [], usdPerMonth: 0n, lostSavingsUsdPerMonth: 0n }
  expect(simulateChange(cluster(), cluster())).toMatchObject(nothing)
})

test('two pods of 1 core fit into the free cores of two nodes', () => {
  const after = withPods(cluster(), [somePod('new-1'), somePod('new-2')])
  expect(simulateChange(cluster(), after)).toMatchObject({ added: [], unplaced: [], usdPerMonth: 0n })
})

test('five pods of 1 core need one more node for the three that do not fit', () => {
  const after = withPods(
    cluster(),
    [1, 2, 3, 4, 5].map((index) => somePod(`new-${index}`)),
  )
  expect(simulateChange(cluster(), after)).toMatchObject({
    added: [{ pool: 'main', count: 1, usdPerMonth: month, isAutoscaled: true }],
    usdPerMonth: month,
  })
})

test('a DaemonSet takes its part of an added node: 7 pods need a second node', () => {
  const daemons = ['a', 'b'].map((node) => somePod(`logs-${node}`, { node, owner: 'daemonset' }))
  const before = cluster({ pods: [...cluster().pods, ...daemons] })
  const pods = (count: number) => Array.from({ length: count }, (_, index) => somePod(`new-${index}`))
  expect(simulateChange(before, withPods(before, pods(3))).added).toMatchObject([{ count: 1 }])
  expect(simulateChange(before, withPods(before, pods(7))).added).toMatchObject([{ count: 3 }])
})

test('a pod that grows beyond its node moves to another node, or gets a new one', () => {
  const before = cluster({ pods: [...cluster().pods, somePod('mail-1', { node: 'a', requests: { cores: 1 } })] })
  expect(simulateChange(before, resize(before, 'mail', 1)).usdPerMonth).toBe(0n)
  // Node b has 1 free core.
  expect(simulateChange(before, resize(before, 'mail', 2))).toMatchObject({ added: [{ count: 1 }], usdPerMonth: month })
})

test('pods that repel each other get a node each', () => {
  const lonely = { podAntiAffinity: [{ topologyKey: 'kubernetes.io/hostname', selector: { labels: { app: 'new' } } }] }
  const small = { requests: { cores: 0.1, gib: 0.1 }, constraints: lonely }
  const after = withPods(
    cluster(),
    [1, 2, 3, 4].map((index) => somePod(`new-${index}`, small)),
  )
  expect(simulateChange(cluster(), after).added).toMatchObject([{ count: 2 }])
})

test('a removed workload frees its node', () => {
  const before = cluster()
  const after = { ...before, pods: before.pods.filter(({ workload }) => workload !== 'web') }
  expect(simulateChange(before, after)).toMatchObject({ removed: [{ node: 'a' }], usdPerMonth: -month })
})

test('a node that could go before the change is not a result of the change', () => {
  const before = cluster({ nodes: [...cluster().nodes, someNode('empty')] })
  expect(simulateChange(before, before)).toMatchObject({ removed: [], usdPerMonth: 0n, lostSavingsUsdPerMonth: 0n })
  const filled = withPods(
    before,
    [1, 2, 3, 4].map((index) => somePod(`new-${index}`)),
  )
  expect(simulateChange(before, filled)).toMatchObject({ added: [], usdPerMonth: 0n, lostSavingsUsdPerMonth: month })
})

test('nodes of a pool without an autoscaler are listed apart, and the bill stays', () => {
  const pools: PackingPool[] = [{ name: 'main', kind: 'unmanaged' }]
  const before = cluster({ pools })
  const after = { ...before, pods: before.pods.filter(({ workload }) => workload !== 'web') }
  expect(simulateChange(before, after)).toMatchObject({ removed: [], byHand: [{ node: 'a' }], usdPerMonth: 0n })
  const grown = withPods(before, [somePod('new-1', { requests: { cores: 2 } })])
  expect(simulateChange(before, grown).added).toMatchObject([{ count: 1, isAutoscaled: false }])
})

const type = (name: string, cores: number, usd: string): NodeType => ({
  name,
  usdPerHour: decimal(usd),
  allocatable: capacity({ cores, gib: 64 }),
  labels: {},
})

test('Karpenter starts the type with the lowest cost for the pods', () => {
  const types = [type('small', 2, '0.6'), type('large', 8, '2'), type('huge', 64, '9')]
  const before = cluster({ pools: [{ name: 'main', kind: 'karpenter', types }] })
  const pods = (count: number) =>
    Array.from({ length: count }, (_, i) => somePod(`new-${i}`, { requests: { cores: 2 } }))
  // One pod: $0.6. Four pods: 4 × $0.6 is more than $2.
  expect(simulateChange(before, withPods(before, pods(1))).added).toMatchObject([{ instanceType: 'small', count: 1 }])
  expect(simulateChange(before, withPods(before, pods(4))).added).toMatchObject([{ instanceType: 'large', count: 1 }])
})

test('a pod that is larger than every node fits nowhere, and the bill is unknown', () => {
  const after = withPods(cluster(), [somePod('new-1', { requests: { cores: 5 } })])
  expect(simulateChange(cluster(), after)).toMatchObject({
    added: [],
    unplaced: [{ workload: 'new', pods: 1 }],
    usdPerMonth: null,
  })
})

test('added nodes without a price make the bill unknown', () => {
  const nodes = [someNode('a', { usdPerHour: 'unpriced' }), someNode('b', { usdPerHour: 'unpriced' })]
  const after = withPods(cluster({ nodes }), [somePod('new-1', { requests: { cores: 2 } })])
  expect(simulateChange(cluster({ nodes }), after)).toMatchObject({ added: [{ usdPerMonth: null }], usdPerMonth: null })
})

test('further pods of a workload get nodes of its pool, although another pool is cheaper', () => {
  const nodes = [...cluster().nodes, someNode('c', { pool: 'cheap', usdPerHour: decimal('0.1') })]
  const pools: PackingPool[] = [
    { name: 'main', kind: 'karpenter' },
    { name: 'cheap', kind: 'cluster-autoscaler', nodesMin: 1 },
  ]
  const full = somePod('full-1', { node: 'c', requests: { cores: 4 } })
  const before = cluster({ nodes, pools, pods: [...cluster().pods, full] })
  const sibling = withPods(before, [somePod('web-2', { requests: { cores: 3 } })])
  expect(simulateChange(before, sibling).added).toMatchObject([{ pool: 'main', count: 1 }])
  const stranger = withPods(before, [somePod('new-1', { requests: { cores: 3 } })])
  expect(simulateChange(before, stranger).added).toMatchObject([{ pool: 'cheap', count: 1 }])
})

test('a larger DaemonSet displaces other pods of its node', () => {
  const daemons = ['a', 'b'].map((node) => somePod(`logs-${node}`, { node, owner: 'daemonset', workload: 'logs' }))
  const before = cluster({ pods: [...cluster().pods, ...daemons] })
  // 3 + 2 cores do not fit on 4: both pods of 3 cores need another node, beside 2 cores of the DaemonSet each.
  expect(simulateChange(before, resize(before, 'logs', 2)).unplaced).toMatchObject([{ pods: 1 }, { pods: 1 }])
  const small = cluster({ pods: [somePod('web-1', { node: 'a', requests: { cores: 2 } }), ...daemons] })
  expect(simulateChange(small, resize(small, 'logs', 2)).usdPerMonth).toBe(0n)
})
