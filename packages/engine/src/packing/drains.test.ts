import { bankableSavings } from '../testing/bankable-savings.ts'
import { expect, test } from 'vitest'
import { decimal } from '../decimal.ts'
import { describeBlocker } from './blocker.ts'
import { karpenter, capacity, someCluster, someNode, somePod } from './builders.ts'
import type { DisruptionBudget, PackingCluster, PackingNode, PackingPod, PackingPool } from './cluster.ts'

const scaled = (more: Partial<Extract<PackingPool, { kind: 'cluster-autoscaler' }>> = {}): PackingPool => ({
  name: 'main',
  kind: 'cluster-autoscaler',
  nodesMin: 0,
  ...more,
})
const unmanaged: PackingPool = { name: 'main', kind: 'unmanaged' }

/** Nodes `a` (with the given pods) and `b` (empty and annotated to stay). */
function clusterOf(
  pods: PackingPod[],
  pool: PackingPool,
  more: Partial<PackingCluster> & { a?: Partial<PackingNode> } = {},
) {
  const { a = {}, ...rest } = more
  return someCluster({
    nodes: [someNode('a', a), someNode('b', { keep: true })],
    pods: pods.map((pod) => ({ ...pod, node: pod.node ?? 'a' })),
    pools: [pool],
    ...rest,
  })
}

function blockerOfA(pods: PackingPod[], pool: PackingPool, more: Parameters<typeof clusterOf>[2] = {}) {
  const { present } = bankableSavings(clusterOf(pods, pool, more), [])
  return present.kept.find(({ node }) => node === 'a')?.blocker ?? 'freed'
}

const disruptionBudget = (disruptionsAllowed: number, name = 'web'): DisruptionBudget => ({
  namespace: 'shop',
  name,
  selector: { labels: { app: 'web' } },
  disruptionsAllowed,
})

test.each([
  { name: 'a normal pod leaves a Karpenter node', pods: [somePod('web-1')], pool: karpenter, expected: 'freed' },
  {
    name: 'a normal pod leaves an autoscaled node',
    pods: [somePod('web-1')],
    pool: scaled(),
    expected: 'freed',
  },
  {
    name: 'do-not-disrupt blocks a Karpenter node',
    pods: [somePod('web-1', { doNotDisrupt: true })],
    pool: karpenter,
    expected: { code: 'pod-marked', annotation: 'karpenter.sh/do-not-disrupt' },
  },
  {
    name: 'do-not-disrupt does not affect the cluster-autoscaler',
    pods: [somePod('web-1', { doNotDisrupt: true })],
    pool: scaled(),
    expected: 'freed',
  },
  {
    name: 'safe-to-evict=false blocks an autoscaled node',
    pods: [somePod('web-1', { safeToEvict: false })],
    pool: scaled(),
    expected: { code: 'pod-marked', pod: { namespace: 'shop', name: 'web-1' } },
  },
  {
    name: 'safe-to-evict=false does not affect Karpenter',
    pods: [somePod('web-1', { safeToEvict: false })],
    pool: karpenter,
    expected: 'freed',
  },
  {
    name: 'a pod without a controller would be lost',
    pods: [somePod('web-1', { owner: 'none' })],
    pool: karpenter,
    expected: { code: 'bare-pod' },
  },
  {
    name: 'a pod without a controller but with safe-to-evict=true does not block',
    pods: [somePod('web-1', { owner: 'none', safeToEvict: true })],
    pool: scaled(),
    expected: 'freed',
  },
  {
    name: 'local storage blocks an autoscaled node',
    pods: [somePod('web-1', { localStorage: true })],
    pool: scaled(),
    expected: { code: 'local-storage' },
  },
  {
    name: 'local storage does not block Karpenter',
    pods: [somePod('web-1', { localStorage: true })],
    pool: karpenter,
    expected: 'freed',
  },
  {
    name: 'a system pod without a PodDisruptionBudget blocks an autoscaled node',
    pods: [somePod('dns-1', { namespace: 'kube-system' })],
    pool: scaled(),
    expected: { code: 'system-pod' },
  },
  {
    name: 'pods of DaemonSets and static pods end with their node',
    pods: [
      somePod('cni-1', { namespace: 'kube-system', owner: 'daemonset', localStorage: true, requests: { cores: 0.5 } }),
      somePod('proxy-a', { namespace: 'kube-system', owner: 'static', requests: { cores: 0.5 } }),
    ],
    pool: scaled(),
    expected: 'freed',
  },
  {
    name: 'the pool is at its minimum',
    pods: [somePod('web-1')],
    pool: scaled({ nodesMin: 2 }),
    expected: { code: 'pool-minimum', nodesMin: 2 },
  },
  {
    name: 'half of the node is requested: 2 of 4 cores',
    pods: [somePod('web-1', { requests: { cores: 2 } })],
    pool: scaled(),
    expected: { code: 'above-threshold', usedPercent: 50, thresholdPercent: 50 },
  },
  {
    name: 'a higher threshold allows the removal',
    pods: [somePod('web-1', { requests: { cores: 2 } })],
    pool: scaled({ thresholdPercent: 60 }),
    expected: 'freed',
  },
  {
    name: 'a pool that removes only empty nodes',
    pods: [somePod('web-1')],
    pool: { ...karpenter, onlyEmpty: true } as PackingPool,
    expected: { code: 'only-empty-nodes', pods: 1 },
  },
])('$name', ({ pods, pool, expected }) => {
  const blocker = blockerOfA(pods, pool)
  if (typeof expected === 'string') expect(blocker).toBe(expected)
  else expect(blocker).toMatchObject(expected)
})

test('for a GPU node only the GPUs count for the threshold', () => {
  const a = { allocatable: capacity({ extended: { 'nvidia.com/gpu': 4 } }) }
  const pods = [somePod('web-1', { requests: { cores: 3 } })]
  expect(blockerOfA(pods, scaled(), { a })).toBe('freed')
})

test('a budget without allowed disruptions blocks the node and is named', () => {
  const blocker = blockerOfA([somePod('web-1')], karpenter, { disruptionBudgets: [disruptionBudget(0)] })
  expect(blocker).toMatchObject({ code: 'disruption-budget', disruptionBudget: 'web', disruptionsAllowed: 0, pods: 1 })
  expect(blocker === 'freed' ? '' : describeBlocker(blocker)).toBe(
    'shop/web-1: the PodDisruptionBudget web allows 0 disruptions, and the drain evicts 1 pod.',
  )
})

test('a budget does not count pods of busier times', () => {
  const later = somePod('web-2', { requests: { cores: 0.5 }, isAbsent: true })
  const pods = [somePod('web-1', { requests: { cores: 0.5 } }), later]
  expect(blockerOfA(pods, scaled(), { disruptionBudgets: [disruptionBudget(0)] })).toMatchObject({
    code: 'disruption-budget',
    pods: 1,
  })
  expect(blockerOfA(pods, scaled(), { disruptionBudgets: [disruptionBudget(1)] })).toBe('freed')
})

test('a blocking budget shows the spread of its pods without the node', () => {
  const nodes = ['x', 'y'].map((zone, index) =>
    someNode(`node-${index}`, { labels: { 'topology.kubernetes.io/zone': zone } }),
  )
  const pods = [0, 1].map((index) => somePod(`web-${index}`, { node: `node-${index}` }))
  const later = somePod('web-0', { uid: 'again', isAbsent: true })
  const { joint } = bankableSavings(
    someCluster({ nodes, pods: [...pods, later], disruptionBudgets: [disruptionBudget(0)] }),
    [[]],
  )
  expect(joint[0]?.unblocked).toMatchObject([
    { blocker: { code: 'disruption-budget', pods: 1 }, left: { pods: 2, nodes: 1, zones: 1 } },
  ])
})

test('one disruption at a time is enough for Karpenter, not for the cluster-autoscaler', () => {
  const pods = [somePod('web-1', { requests: { cores: 0.5 } }), somePod('web-2', { requests: { cores: 0.5 } })]
  expect(blockerOfA(pods, karpenter, { disruptionBudgets: [disruptionBudget(1)] })).toBe('freed')
  expect(blockerOfA(pods, scaled(), { disruptionBudgets: [disruptionBudget(1)] })).toMatchObject({
    code: 'disruption-budget',
    pods: 2,
  })
  expect(blockerOfA(pods, scaled(), { disruptionBudgets: [disruptionBudget(2)] })).toBe('freed')
})

test('a pod with two budgets cannot be evicted', () => {
  const disruptionBudgets = [disruptionBudget(5), disruptionBudget(5, 'all')]
  expect(blockerOfA([somePod('web-1')], karpenter, { disruptionBudgets })).toMatchObject({
    disruptionBudgets: ['all', 'web'],
  })
})

test('a blocked node says whether its pods fit elsewhere', () => {
  const held = (cores: number) => {
    const pods = [
      somePod('web-1', { requests: { cores: 3 }, owner: 'none' }),
      somePod('x-1', { node: 'b', requests: { cores } }),
    ]
    return bankableSavings(clusterOf(pods, karpenter), []).present.kept.find(({ node }) => node === 'a')
  }
  expect(held(1)).toMatchObject({ podsFitElsewhere: true })
  expect(held(2)).toMatchObject({ podsFitElsewhere: false })
})

test.each([
  { why: 'nobody-scales-the-pool', pool: unmanaged, a: {} },
  { why: 'committed', pool: karpenter, a: { committed: true } },
])('a node saves nothing when $why, and is named', ({ why, pool, a }) => {
  const { present } = bankableSavings(clusterOf([somePod('web-1')], pool, { a }), [])
  expect(present).toMatchObject({ usdPerMonth: 0n, freed: [] })
  expect(present.byHand.map(({ node, why: reason }) => [node, reason])).toContainEqual(['a', why])
})

test('the lowest usage per dollar goes first: 1 core for $2 before 1 core for $1', () => {
  const nodes = [someNode('cheap'), someNode('dear', { usdPerHour: decimal('2') }), someNode('full', { keep: true })]
  const pods = [
    somePod('web-1', { node: 'cheap', requests: { cores: 2 } }),
    somePod('web-2', { node: 'dear', requests: { cores: 2 } }),
    somePod('x-1', { node: 'full', requests: { cores: 2 } }),
  ]
  const { present } = bankableSavings(someCluster({ nodes, pods }), [])
  expect(present.freed.map(({ node, moves }) => [node, moves[0]?.to])).toEqual([['dear', 'cheap']])
  expect(present.usdPerMonth).toBe(decimal('1460'))
})

test('a node without a price is freed last, and adds nothing', () => {
  const nodes = [someNode('a', { usdPerHour: 'unpriced' }), someNode('b', { keep: true })]
  const { present } = bankableSavings(someCluster({ nodes, pods: [somePod('web-1', { node: 'a' })] }), [])
  expect(present).toMatchObject({ usdPerMonth: 0n, freed: [{ node: 'a', unpriced: true }] })
})

test('Karpenter replaces a node with the cheapest type that fits its pods', () => {
  const type = (name: string, usd: string, cores: number, labels = {}) => ({
    name,
    usdPerHour: decimal(usd),
    allocatable: capacity({ cores, gib: 8 }),
    labels: { 'kubernetes.io/arch': 'amd64', ...labels },
  })
  const types = [
    type('too-small', '0.1', 1),
    type('other-arch', '0.2', 4, { 'kubernetes.io/arch': 'arm64' }),
    type('dearer', '0.5', 2),
    type('right', '0.4', 2),
  ]
  const nodeSelector = { 'kubernetes.io/arch': 'amd64' }
  const pods = [somePod('web-1', { node: 'a', requests: { cores: 2, gib: 4 }, constraints: { nodeSelector } })]
  const node = someNode('a', { labels: nodeSelector })
  const pools = [{ ...karpenter, types } as PackingPool]
  const { present } = bankableSavings(someCluster({ nodes: [node], pods, pools }), [])
  expect(present).toMatchObject({ freed: [], replaced: [{ node: 'a', type: 'right' }], usdPerMonth: decimal('438') })
  const spot = bankableSavings(someCluster({ nodes: [{ ...node, spot: true }], pods, pools }), [])
  expect(spot.present).toMatchObject({ replaced: [], usdPerMonth: 0n })
})

test('a node with only a budget or an annotation as blocker is named with it and its price, each node once', () => {
  const cluster = someCluster({
    nodes: [someNode('a'), someNode('b'), someNode('c', { keep: true })],
    pods: [
      somePod('web-1', { node: 'a' }),
      somePod('web-2', { node: 'b' }),
      somePod('db-1', { node: 'c', doNotDisrupt: true }),
    ],
    disruptionBudgets: [
      { namespace: 'shop', name: 'web', selector: { labels: { app: 'web' } }, disruptionsAllowed: 0 },
    ],
  })
  const { present, joint } = bankableSavings(cluster, [[]])
  expect(present.usdPerMonth).toBe(0n)
  // Each of the three would fit elsewhere alone; together two of them can go.
  expect(present.kept.map(({ podsFitElsewhere }) => podsFitElsewhere)).toEqual([true, true, true])
  expect(joint[0]?.unblocked.map(({ node, blocker, usdPerMonth }) => [node, blocker.code, usdPerMonth])).toEqual([
    ['a', 'disruption-budget', decimal('730')],
    ['c', 'pod-marked', decimal('730')],
  ])
})

test('a budget halts a drain if the cordoned node blocks the replacement on every other node', () => {
  const spread = [{ topologyKey: 'kubernetes.io/hostname', maxSkew: 1, selector: { labels: { app: 'web' } } }]
  const web = (name: string, node: string) => somePod(name, { node, constraints: { spread } })
  const pods = [web('web-1', 'a'), web('web-2', 'a'), web('web-3', 'b'), web('web-4', 'b')]
  const cluster = (disruptionsAllowed: number) =>
    someCluster({
      nodes: [someNode('a'), someNode('b', { keep: true })],
      pods,
      disruptionBudgets: [disruptionBudget(disruptionsAllowed)],
    })
  // With one pod left on `a`, a third pod on `b` would exceed the skew.
  expect(bankableSavings(cluster(1), []).present.kept[0]?.blocker).toMatchObject({
    code: 'disruption-budget',
    disruptionsAllowed: 1,
    pods: 2,
  })
  expect(bankableSavings(cluster(2), []).present.freed).toMatchObject([{ node: 'a' }])
})

test('a PodDisruptionBudget blocks a drain if replacements must run with pods that are still on the node', () => {
  const podAffinity = [{ topologyKey: 'kubernetes.io/hostname', selector: { labels: { app: 'web' } } }]
  const pods = ['web-1', 'web-2'].map((name) =>
    somePod(name, { requests: { cores: 0.5 }, constraints: { podAffinity } }),
  )
  const blocker = blockerOfA(pods, karpenter, { disruptionBudgets: [disruptionBudget(1)] })
  expect(blocker).toMatchObject({ code: 'disruption-budget', pods: 2 })
  expect(blockerOfA(pods, karpenter, { disruptionBudgets: [disruptionBudget(2)] })).toBe('freed')
})
