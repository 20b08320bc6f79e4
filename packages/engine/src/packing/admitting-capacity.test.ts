import { expect, test } from 'vitest'
import { decimal } from '../decimal.ts'
import { KIB_PER_GIB, MICROCORES_PER_CORE } from '../units.ts'
import { karpenter, someCluster, someNode, somePod } from './builders.ts'
import type { NodeType, PackingPool, PodConstraints } from './cluster.ts'
import { admittingCapacities, type AdmittingCapacity } from './admitting-capacity.ts'

const taints = [{ key: 'dedicated', value: 'batch', effect: 'NoSchedule' as const }]
const tolerations = [{ key: 'dedicated', operator: 'Exists' as const }]
const zone = { 'topology.kubernetes.io/zone': 'b' }

/**
 * Nodes of 4, 8 and 16 cores with 16, 64 and 32 GiB: one for all pods, one in zone b, one with a batch taint. Each runs
 * a pod of one core.
 */
function capacityOf(constraints: PodConstraints, more: Parameters<typeof somePod>[1] = {}) {
  const nodes = [
    someNode('a'),
    someNode('b', { size: { cores: 8, gib: 64 }, labels: zone }),
    someNode('c', { size: { cores: 16, gib: 32 }, labels: { pool: 'batch' }, taints }),
  ]
  const others = [somePod('db-1', { node: 'b' }), somePod('job-1', { node: 'c' })]
  const pods = [somePod('web-1', { node: 'a', constraints, ...more }), ...others]
  return shown(admittingCapacities(someCluster({ nodes, pods }))('web'))
}

const shown = (capacity: AdmittingCapacity | null) =>
  capacity && {
    cores: capacity.cpuMax / MICROCORES_PER_CORE,
    gib: capacity.memoryMax / KIB_PER_GIB,
    free: capacity.cpuFree / MICROCORES_PER_CORE,
  }

test.each<{ name: string; constraints: PodConstraints; capacity: ReturnType<typeof shown> }>([
  {
    name: 'that request nothing avoid only taints',
    constraints: {},
    capacity: { cores: 8, gib: 64, free: 3 + 7 },
  },
  {
    name: 'that tolerate a taint can use those nodes too',
    constraints: { tolerations },
    capacity: { cores: 16, gib: 64, free: 3 + 7 + 15 },
  },
  {
    name: 'that select nodes have those nodes',
    constraints: { tolerations, nodeSelector: { pool: 'batch' } },
    capacity: { cores: 16, gib: 32, free: 15 },
  },
  {
    name: 'that require a label have the nodes with it',
    constraints: {
      nodeAffinity: [{ expressions: [{ key: Object.keys(zone)[0] ?? '', operator: 'In', values: ['b'] }] }],
    },
    capacity: { cores: 8, gib: 64, free: 7 },
  },
  {
    name: 'stay where their volumes are',
    constraints: { volumeZones: [['b']] },
    capacity: { cores: 8, gib: 64, free: 7 },
  },
  {
    name: 'that no node admits have none',
    constraints: { nodeSelector: { pool: 'batch' } },
    capacity: { cores: 0, gib: 0, free: 0 },
  },
])('pods $name', ({ constraints, capacity }) => {
  expect(capacityOf(constraints)).toEqual(capacity)
})

test('a pod of a DaemonSet has its own node', () => {
  expect(capacityOf({ tolerations }, { owner: 'daemonset' })).toEqual({ cores: 4, gib: 16, free: 3 })
})

test('if each pod is bound to a zone, the smallest zone decides what a pod can get', () => {
  const nodes = [someNode('a', { labels: { ...zone, 'topology.kubernetes.io/zone': 'a' } }), someNode('b', { size: { cores: 8 }, labels: zone })] // prettier-ignore
  const pods = ['a', 'b'].map((name, index) =>
    somePod(`db-${index}`, { node: name, constraints: { volumeZones: [[name]] } }),
  )
  const found = admittingCapacities(someCluster({ nodes, pods }))('db')
  expect(shown(found)).toEqual({ cores: 4, gib: 16, free: 10 })
})

const aType = (name: string, over: Partial<NodeType> = {}): NodeType => ({
  name,
  usdPerHour: decimal('2'),
  allocatable: someNode(name, { size: { cores: 32, gib: 128 } }).allocatable,
  labels: { size: name },
  ...over,
})

const aPool = (types: NodeType[], name = 'main'): PackingPool => ({ name, kind: 'karpenter', types })

test.each<{ name: string; pool: PackingPool; cores: number }>([
  { name: 'an instance type that Karpenter can start counts', pool: aPool([aType('large')]), cores: 32 },
  {
    name: 'a type that its pods do not select does not count',
    pool: aPool([aType('large', { labels: { size: 'large', disk: 'none' } })]),
    cores: 4,
  },
  {
    name: 'a type that is not offered in the zone does not count',
    pool: aPool([aType('large', { zones: ['c'] })]),
    cores: 4,
  },
  { name: 'without known instance types, the existing nodes count', pool: karpenter, cores: 4 },
  { name: 'types of another pool do not count', pool: aPool([aType('large')], 'other'), cores: 4 },
])('$name', ({ pool, cores }) => {
  const nodes = [someNode('a', { labels: { ...zone, disk: 'ssd' } })]
  const pods = [somePod('web-1', { node: 'a', constraints: { nodeSelector: { disk: 'ssd' } } })]
  expect(shown(admittingCapacities(someCluster({ nodes, pods, pools: [pool] }))('web'))).toMatchObject({
    cores,
    free: 3,
  })
})

test('for a workload without pods the result is unknown', () => {
  expect(admittingCapacities(someCluster({ nodes: [someNode('a')] }))('web')).toBeNull()
})

test('free capacity is summed on first use, and once for all callers', () => {
  const nodes = [someNode('a', { labels: zone }), someNode('b', { labels: zone })]
  const computed: string[] = []
  const pods = ['a', 'b'].map((name, index) => {
    const { shape, ...pod } = somePod(`db-${index}`, { node: name, owner: 'daemonset' })
    return {
      ...pod,
      get shape() {
        computed.push(name)
        return shape
      },
    }
  })
  const capacityOfWorkload = admittingCapacities(someCluster({ nodes, pods }))
  expect(capacityOfWorkload('db')?.cpuMax).toBe(4 * MICROCORES_PER_CORE)
  expect(computed).toEqual([])
  expect(shown(capacityOfWorkload('db'))).toMatchObject({ free: 6 })
  expect(shown(capacityOfWorkload('db'))).toMatchObject({ free: 6 })
  expect(computed).toEqual(['a', 'b'])
})
