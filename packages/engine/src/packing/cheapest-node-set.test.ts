import { expect, test } from 'vitest'
import { decimal } from '../decimal.ts'
import { capacity, someCluster, somePod } from './builders.ts'
import { cheapestNodeSet } from './cheapest-node-set.ts'
import { cheapestOfSets } from './cheapest-of-sets.ts'
import type { NodeType, PackingPod, Capacity } from './cluster.ts'

const type = (name: string, usd: string, allocatable: Capacity, more: Partial<NodeType> = {}): NodeType => ({
  name,
  usdPerHour: decimal(usd),
  allocatable,
  labels: { 'kubernetes.io/arch': 'amd64' },
  ...more,
})
const pods = (count: number, some: Parameters<typeof somePod>[1] = {}): PackingPod[] =>
  Array.from({ length: count }, (_, index) => somePod(`web-${index}`, some))
const small = type('small', '1', capacity({ cores: 4, gib: 16 }))
const inZone = { zones: ['z1'] }

test('ten pods of one core need four nodes of four cores with a tenth left free, and at least 2.77', () => {
  const set = cheapestNodeSet(someCluster({ pods: pods(10) }), [small], inZone)
  // Three pods fit into 3.6 cores, so it takes four nodes; 10 cores at $1 per 3.6 are the bound.
  expect(set).toMatchObject({ nodes: [{ type: 'small', zone: 'z1', count: 4 }], usdPerHour: decimal('4') })
  expect(set.lowerBoundUsdPerHour).toBe(decimal('2.777777777'))
})

test('without a safety margin they fill the nodes completely', () => {
  const set = cheapestNodeSet(someCluster({ pods: pods(8) }), [small], { ...inZone, headroomPercent: 0 })
  expect(set).toMatchObject({ usdPerHour: decimal('2'), lowerBoundUsdPerHour: decimal('2') })
})

test('the type that suits the pods wins: memory is cheaper on the type with more memory', () => {
  const rich = type('rich', '1.2', capacity({ cores: 4, gib: 64 }))
  const set = cheapestNodeSet(
    someCluster({ pods: pods(8, { requests: { cores: 0.5, gib: 12 } }) }),
    [small, rich],
    inZone,
  )
  expect(set.nodes).toEqual([{ type: 'rich', zone: 'z1', count: 2 }])
})

test.each([
  {
    name: 'the architecture',
    more: { constraints: { nodeSelector: { 'kubernetes.io/arch': 'arm64' } } },
    expected: 'arm',
  },
  { name: 'a GPU', more: { extended: { 'nvidia.com/gpu': 1 } }, expected: 'gpu' },
  { name: 'the largest pod', more: { requests: { cores: 7 } }, expected: 'large' },
])('$name decides', ({ more, expected }) => {
  const types = [
    small,
    type('arm', '5', capacity(), { labels: { 'kubernetes.io/arch': 'arm64' } }),
    type('gpu', '6', capacity({ extended: { 'nvidia.com/gpu': 1 } })),
    type('large', '9', capacity({ cores: 8 })),
  ]
  const set = cheapestNodeSet(someCluster({ pods: pods(1, more) }), types, inZone)
  expect(set.nodes).toEqual([{ type: expected, zone: 'z1', count: 1 }])
})

test('tiny pods are limited by the pod count', () => {
  const set = cheapestNodeSet(
    someCluster({ pods: pods(20, { requests: { cores: 0.01, gib: 0.01 } }) }),
    [type('few', '1', capacity({ pods: 10 }))],
    inZone,
  )
  expect(set).toMatchObject({ usdPerHour: decimal('2'), lowerBoundUsdPerHour: decimal('2') })
})

test('volumes and topology spread add nodes in the zones that they need', () => {
  const zones = ['z1', 'z2', 'z3']
  const bound = somePod('db-0', { constraints: { volumeZones: [['z2']] } })
  expect(cheapestNodeSet(someCluster({ pods: [bound] }), [small], { zones }).nodes).toMatchObject([{ zone: 'z2' }])

  const spread = [
    { topologyKey: 'topology.kubernetes.io/zone', maxSkew: 1, minDomains: 3, selector: { labels: { app: 'web' } } },
  ]
  const set = cheapestNodeSet(someCluster({ pods: pods(3, { constraints: { spread } }) }), [small], { zones })
  expect(set.nodes.map(({ zone }) => zone)).toEqual(zones)
  expect(set.unplaceable).toEqual([])
})

test('pods with anti-affinity get one node each, and DaemonSets take a part of every node', () => {
  const podAntiAffinity = [{ topologyKey: 'kubernetes.io/hostname', selector: { labels: { app: 'web' } } }]
  const apart = cheapestNodeSet(someCluster({ pods: pods(3, { constraints: { podAntiAffinity } }) }), [small], inZone)
  expect(apart.nodes).toMatchObject([{ count: 3 }])

  const daemon = somePod('logs-0', { owner: 'daemonset', requests: { cores: 1.6 } })
  const shared = cheapestNodeSet(someCluster({ pods: [...pods(4), daemon] }), [small], inZone)
  expect(shared.nodes).toMatchObject([{ count: 2 }])
})

test('a pod that fits on no type is named and omitted', () => {
  const set = cheapestNodeSet(someCluster({ pods: pods(1, { requests: { cores: 99 } }) }), [small], inZone)
  expect(set).toEqual({
    nodes: [],
    usdPerHour: 0n,
    lowerBoundUsdPerHour: 0n,
    unplaceable: [{ namespace: 'shop', name: 'web-0' }],
  })
})

test('few pods get a small node, although a share of a large node is cheaper', () => {
  const daemon = somePod('agent-1', { owner: 'daemonset', requests: { cores: 0.5, gib: 0.5 } })
  const cluster = someCluster({ pods: [daemon, somePod('web-1')] })
  const sizes = [2, 4, 64].map((cores) => type(`${cores}`, `${cores / 10}`, capacity({ cores, gib: 4 * cores })))
  const set = cheapestOfSets(cluster, sizes, inZone)
  expect(set?.nodes).toEqual([{ type: '2', zone: 'z1', count: 1 }])
  expect(set?.unplaceable).toEqual([])
  expect(cheapestOfSets(cluster, [], inZone)).toBeUndefined()
})
