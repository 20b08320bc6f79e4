import { expect, test } from 'vitest'
import { decimal, roundToNumber } from '../decimal.ts'
import { packCluster } from '../packing/bankable-savings.ts'
import { aResize, capacity, someCluster, someNode, somePod } from '../packing/builders.ts'
import type { PackingCluster } from '../packing/cluster.ts'
import { aDrain, anItem, counter, itemOf } from './builders.ts'
import { planCluster } from './plan-cluster.ts'
import type { Plan, PlanItem, PreviousStep } from './plan.ts'

/** Three full nodes of 4 cores at $730/month: `big` requests 3 cores on every node, `small` requests 1. */
const full: PackingCluster = someCluster({
  nodes: ['a', 'b', 'c'].map((name) => someNode(name)),
  pods: ['a', 'b', 'c'].flatMap((node, index) => [
    somePod(`big-${index}`, { node, requests: { cores: 3 } }),
    somePod(`small-${index}`, { node }),
  ]),
})

const newId = counter()

function plan(items: readonly PlanItem[], previous: readonly PreviousStep[] = [], cluster = full): Plan {
  const runRateUsdPerMonth = decimal(String(730 * cluster.nodes.length))
  return planCluster(packCluster(cluster), { items, previous, runRateUsdPerMonth, newId })
}

const shown = ({ steps }: Plan) =>
  steps.map(({ kind, members, nodes, usdPerMonth, runRateAfterUsdPerMonth: after }) => ({
    kind,
    members,
    nodes: nodes.map(({ name }) => name),
    usd: roundToNumber(usdPerMonth, 2),
    after: after === null ? null : roundToNumber(after, 2),
  }))

const lower = (workload: string, cores: number, more: Partial<PlanItem> = {}) =>
  itemOf(aResize(`lower-${workload}`, workload, { cores }), more)

test('a free step contains the changes that its node needs, and the rest frees no node', () => {
  // 3 × (1.5 + 1) = 7.5 cores fit on two nodes. Memory was never short.
  const spare = itemOf(aResize('lower-memory', 'small', { gib: 0.5 }))
  const found = plan([lower('big', 1.5), spare])
  expect(shown(found)).toMatchObject([
    { kind: 'free', members: ['lower-big'], usd: 730, after: 1460 },
    { kind: 'rest', members: ['lower-memory'], nodes: [], usd: 0, after: 1460 },
  ])
  expect(found.steps[0]).toMatchObject({
    title: 'Lower the request of lower-big',
    effort: { workloads: 1, teams: ['shop'], podsRestarted: 3, statefulSetsRestarted: 0 },
    capacityUsdPerMonth: decimal('10'),
  })
  expect(found).toMatchObject({ usdPerMonth: decimal('730'), isComplete: true, bounds: [] })
})

test('above 20 nodes, a plan says that few placements were tried, and is complete nevertheless', () => {
  const ofNodes = (count: number) =>
    plan(
      [],
      [],
      someCluster({ nodes: Array.from({ length: count }, (_, index) => someNode(`node-${index}`)), pods: [] }),
    )
  expect(ofNodes(20)).toMatchObject({ isComplete: true, bounds: [] })
  expect(ofNodes(21)).toMatchObject({ isComplete: true, bounds: ['few-placements-tried'] })
})

test('of two sufficient changes, the one without risk is chosen', () => {
  // One of three nodes can be removed if 8 cores are left: 3 × 1.6 + 3 × 1, or 3 × 2.6 of big with small at 0.
  const items = [lower('big', 1.5, { risk: 'high' }), itemOf(aResize('safe', 'big', { cores: 1.4 }))]
  expect(shown(plan(items))).toMatchObject([
    { kind: 'free', members: ['safe'] },
    { kind: 'rest', members: ['lower-big'] },
  ])
})

test('two changes that are needed together share the savings by their estimates, in whole cents', () => {
  // With both, 1.9 cores are free on each node: enough for another big on one, and another small on the other.
  const items = [
    lower('big', 1.9, { estimatedUsdPerMonth: decimal('20') }),
    lower('small', 0.2, { estimatedUsdPerMonth: decimal('10') }),
  ]
  const { steps } = plan(items)
  expect(steps).toMatchObject([
    { kind: 'free', title: 'Lower 2 requests in shop', members: ['lower-big', 'lower-small'] },
  ])
  expect(Object.fromEntries(steps[0]?.shares ?? [])).toEqual({
    'lower-big': decimal('486.67'),
    'lower-small': decimal('243.33'),
  })
})

test('protect comes first and costs the added nodes; remove and drain come before free', () => {
  const cluster = { ...full, nodes: [...full.nodes, someNode('d')] }
  const items = [
    lower('big', 1.5),
    anItem('volume', { role: 'remove', ownUsdPerMonth: decimal('12.5'), workload: '', noun: ['volume', 'volumes'] }),
    aDrain(['d']),
    itemOf(aResize('raise', 'small', { cores: 1.2 }), { role: 'protect', estimatedUsdPerMonth: decimal('-6') }),
    anItem('arm', { role: 'switch', ownUsdPerMonth: decimal('40'), workload: '' }),
  ]
  // Raised pods fit on the empty node d, which is needed for them: one small of each full node moves there.
  const found = plan(items, [], cluster)
  expect(shown(found).map(({ kind }) => kind)).toEqual(['protect', 'remove', 'free', 'switch', 'rest'])
  expect(found.steps.at(-1)?.members).toEqual(['drain'])
  // Without the raise, node d is removable.
  const without = plan(
    items.filter(({ role }) => role !== 'protect'),
    [],
    cluster,
  )
  expect(shown(without)).toMatchObject([
    { kind: 'remove', members: ['volume'], usd: 12.5, after: 2907.5 },
    { kind: 'drain', members: ['drain'], nodes: ['d'], usd: 730, after: 2177.5 },
    { kind: 'free', members: ['lower-big'], usd: 730, after: 1447.5 },
    { kind: 'switch', members: ['arm'], usd: 40, after: 1407.5 },
  ])
})

test('a protect step that fits nowhere costs a node', () => {
  const raise = itemOf(aResize('raise', 'big', { cores: 4 }), { role: 'protect', estimatedUsdPerMonth: decimal('-50') })
  expect(shown(plan([raise]))).toMatchObject([{ kind: 'protect', members: ['raise'], usd: -2190, after: 4380 }])
})

test('a change that lowers CPU and raises memory reserves the memory from the start', () => {
  const mixed = itemOf(aResize('mixed', 'big', { cores: 1.5, gib: 7 }))
  // With 3 × 7 GiB of big and 3 × 1 GiB of small, two nodes of 16 GiB hold two pods of big each at most: 24 of 32 GiB fit.
  expect(shown(plan([mixed]))).toMatchObject([{ kind: 'free', members: ['mixed'], usd: 730 }])
  const tooMuch = itemOf(aResize('mixed', 'big', { cores: 1.5, gib: 9 }))
  expect(shown(plan([tooMuch]))).toMatchObject([{ kind: 'rest', members: ['mixed'], usd: 0 }])
})

test('approval changes nothing; a rejected member ends its step, an applied one does not', () => {
  const items = [lower('big', 1.9), lower('small', 0.2)]
  const first = plan(items)
  expect(plan(items, first.steps)).toEqual(first)
  expect(shown(plan([lower('big', 1.9)], first.steps))).toMatchObject([{ kind: 'rest', members: ['lower-big'] }])
  // `small` was lowered in the cluster, so only `big` remains: the same step, with the same savings.
  const pods = full.pods.map((pod) =>
    pod.workload === 'small' ? { ...somePod(pod.name, { requests: { cores: 0.2 } }), node: pod.node ?? '' } : pod,
  )
  const applied = plan([lower('big', 1.9)], first.steps, { ...full, pods })
  expect(applied.steps).toMatchObject([
    { id: first.steps[0]?.id, kind: 'free', members: ['lower-big'], usdPerMonth: first.steps[0]?.usdPerMonth },
  ])
})

test('an applied step leaves the plan, and a new step gets a new ID', () => {
  const first = plan([lower('big', 1.5)])
  const gone = first.steps[0]?.nodes[0]?.name ?? ''
  const left = full.nodes.filter(({ name }) => name !== gone)
  const [one = '', two = ''] = left.map(({ name }) => name)
  const pods = full.pods.map((pod, index) => {
    const requests = { cores: pod.workload === 'big' ? 1.5 : 1 }
    return somePod(pod.name, { requests, node: index < 3 ? one : two })
  })
  const after = plan([lower('big', 0.5)], first.steps, { ...full, nodes: left, pods })
  expect(after.steps.map(({ id }) => id)).not.toContain(first.steps[0]?.id)
})

test('Karpenter replaces a remaining node with a cheaper one once its pods request less', () => {
  const small = {
    name: 'small',
    usdPerHour: decimal('0.4'),
    allocatable: { cpu: 2e6, memory: 16e6, pods: 9 },
    labels: {},
  }
  const cluster = someCluster({
    nodes: [someNode('a')],
    pods: [somePod('big-0', { node: 'a', requests: { cores: 3 } })],
    pools: [{ name: 'main', kind: 'karpenter', types: [small] }],
  })
  const { steps } = plan([lower('big', 1.5)], [], cluster)
  expect(steps).toMatchObject([
    { kind: 'free', members: ['lower-big'], usdPerMonth: decimal('438'), nodes: [{ name: 'a', replacedBy: 'small' }] },
  ])
})

test('two steps that follow from one previous step have different IDs', () => {
  const cluster = someCluster({ nodes: [someNode('a'), someNode('b')], pods: [somePod('x-0', { node: 'a' })] })
  const items = [
    anItem('applied', { role: 'remove', ownUsdPerMonth: decimal('5') }),
    anItem('open', { role: 'remove', changes: [{ kind: 'remove', pods: ['x-0'] }] }),
  ]
  const previous = [
    {
      ...{ id: 'stp_before', kind: 'remove' as const, title: '', members: ['applied', 'open'], nodes: [] },
      ...{ usdPerMonth: 0n, shares: new Map<string, bigint>() },
    },
  ]
  const { steps } = planCluster(packCluster(cluster), { items, previous, runRateUsdPerMonth: null, newId: counter() })
  const ids = steps.map(({ id }) => id)
  expect(ids).toContain('stp_before')
  expect(new Set(ids).size).toBe(ids.length)
})

test('a switch is computed after the steps before it: a removed node saves nothing more', () => {
  // `small` has half of the cores for half of the price. It holds the pods of `a` and of `c`, $365/month each.
  const small = { name: 'small', usdPerHour: decimal('0.5'), allocatable: capacity({ cores: 2 }), labels: {} }
  const cluster = someCluster({
    nodes: ['a', 'b', 'c'].map((name) => someNode(name)),
    pods: [
      somePod('x-0', { node: 'a', requests: { cores: 1.5, gib: 5 } }),
      somePod('y-0', { node: 'b', requests: { cores: 3, gib: 5 } }),
      somePod('z-0', { node: 'c', requests: { cores: 1.8, gib: 14 } }),
    ],
    pools: [{ name: 'main', kind: 'karpenter', types: [small] }],
  })
  const change = (usd: string, nodes = cluster) => {
    const item = anItem('switch', { role: 'switch', ownUsdPerMonth: decimal(usd), pool: 'main', workload: '' })
    return { alone: plan([item], [], nodes), after: plan([lower('y', 2), item], [], nodes) }
  }
  const both = change('730')
  expect(shown(both.alone)).toMatchObject([{ kind: 'switch', usd: 730, after: 1460 }])
  // With 2 cores, `y` and `x` fit on one node. The other node is removed, so only `c` is left to switch.
  expect(shown(both.after)).toMatchObject([
    { kind: 'free', members: ['lower-y'], usd: 730, after: 1460 },
    { kind: 'switch', members: ['switch'], usd: 365, after: 1095 },
  ])
  expect([...(both.after.steps[1]?.shares ?? [])]).toEqual([['switch', decimal('365')]])
  // The bill proves a switch by the nodes that it replaces.
  expect(both.alone.steps[0]?.nodes).toMatchObject([
    { name: 'a', replacedBy: 'small', usdPerMonth: decimal('365') },
    { name: 'c', replacedBy: 'small', usdPerMonth: decimal('365') },
  ])
  expect(both.after.steps[1]?.nodes).toMatchObject([{ name: 'c', usdPerMonth: decimal('365') }])

  const withoutC = { ...cluster, nodes: cluster.nodes.slice(0, 2), pods: cluster.pods.slice(0, 2) }
  expect(shown(change('365', withoutC).after)).toMatchObject([
    { kind: 'free', members: ['lower-y'], usd: 730 },
    { kind: 'rest', members: ['switch'], usd: 0 },
  ])
})
