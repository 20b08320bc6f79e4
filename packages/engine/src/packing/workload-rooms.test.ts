import { expect, test } from 'vitest'
import { MICROCORES_PER_CORE } from '../units.ts'
import { someCluster, someNode, somePod } from './builders.ts'
import type { PodConstraints } from './cluster.ts'
import { workloadRooms } from './workload-rooms.ts'

const taints = [{ key: 'dedicated', value: 'batch', effect: 'NoSchedule' as const }]
const tolerations = [{ key: 'dedicated', operator: 'Exists' as const }]
const zone = { 'topology.kubernetes.io/zone': 'b' }

/** Nodes of 4, 8 and 16 cores: one for everybody, one in zone b, one for batch only. A pod of a core runs on each of them. */
function roomOf(constraints: PodConstraints, more: Parameters<typeof somePod>[1] = {}) {
  const nodes = [
    someNode('a'),
    someNode('b', { size: { cores: 8 }, labels: zone }),
    someNode('c', { size: { cores: 16 }, labels: { pool: 'batch' }, taints }),
  ]
  const others = [somePod('db-1', { node: 'b' }), somePod('job-1', { node: 'c' })]
  const pods = [somePod('web-1', { node: 'a', constraints, ...more }), ...others]
  const found = workloadRooms(someCluster({ nodes, pods }))('web')
  return found && [found.cpuMax / MICROCORES_PER_CORE, found.cpuFree / MICROCORES_PER_CORE]
}

test.each<{ name: string; constraints: PodConstraints; room: [number, number] }>([
  { name: 'that ask for nothing keep away from taints only', constraints: {}, room: [8, 3 + 7] },
  { name: 'that tolerate a taint may use those nodes too', constraints: { tolerations }, room: [16, 3 + 7 + 15] },
  {
    name: 'that choose nodes have those',
    constraints: { tolerations, nodeSelector: { pool: 'batch' } },
    room: [16, 15],
  },
  {
    name: 'that require a label have the nodes with it',
    constraints: {
      nodeAffinity: [{ expressions: [{ key: Object.keys(zone)[0] ?? '', operator: 'In', values: ['b'] }] }],
    },
    room: [8, 7],
  },
  { name: 'stay where their volumes are', constraints: { volumeZones: [['b']] }, room: [8, 7] },
  { name: 'that no node admits have nothing', constraints: { nodeSelector: { pool: 'batch' } }, room: [0, 0] },
])('pods $name', ({ constraints, room }) => {
  expect(roomOf(constraints)).toEqual(room)
})

test('a pod of a DaemonSet has its own node', () => {
  expect(roomOf({ tolerations }, { owner: 'daemonset' })).toEqual([4, 3])
})

test('where each pod has its zone, the smallest of them decides what a pod can get', () => {
  const nodes = [someNode('a', { labels: { ...zone, 'topology.kubernetes.io/zone': 'a' } }), someNode('b', { size: { cores: 8 }, labels: zone })] // prettier-ignore
  const pods = ['a', 'b'].map((name, index) =>
    somePod(`db-${index}`, { node: name, constraints: { volumeZones: [[name]] } }),
  )
  const found = workloadRooms(someCluster({ nodes, pods }))('db')
  expect(found).toEqual({ cpuMax: 4 * MICROCORES_PER_CORE, cpuFree: 10 * MICROCORES_PER_CORE })
})

test('of a workload without pods nothing is known', () => {
  expect(workloadRooms(someCluster({ nodes: [someNode('a')] }))('web')).toBeNull()
})
