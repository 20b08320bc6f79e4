import { amounts, type Size } from '../allocation/builders.ts'
import { decimal } from '../decimal.ts'
import type { PackingCluster, PackingNode, PackingPod, PackingPool, Room } from './cluster.ts'
import type { Proposal } from './proposals.ts'

/** For tests: nodes of 4 cores and 16 GiB for $1 an hour in a pool that Karpenter scales, pods of 1 core and 1 GiB. */
export function room({ cores = 4, gib = 16, pods = 110, ...more }: Size & Partial<Room> = {}): Room {
  const { cpu, memory } = amounts({ cores, gib })
  return { cpu, memory, pods, ...more }
}

export function someNode(
  name: string,
  { size, labels, ...more }: Partial<PackingNode> & { size?: Parameters<typeof room>[0] } = {},
): PackingNode {
  return {
    name,
    pool: 'main',
    usdPerHour: decimal('1'),
    allocatable: room(size),
    labels: { 'kubernetes.io/hostname': name, ...labels },
    ...more,
  }
}

export function somePod(name: string, { asks, ...more }: Partial<PackingPod> & { asks?: Size } = {}): PackingPod {
  return {
    uid: name,
    namespace: 'shop',
    name,
    workload: name.replace(/-\d+$/, ''),
    owner: 'controller',
    shape: { containers: [{ name: 'app', request: amounts({ cores: 1, gib: 1, ...asks }) }] },
    labels: { app: name.replace(/-\d+$/, '') },
    ...more,
  }
}

export const karpenter: PackingPool = { name: 'main', kind: 'karpenter' }

export function someCluster(cluster: Partial<PackingCluster>): PackingCluster {
  return { nodes: [], pods: [], pools: [karpenter], ...cluster }
}

export function aResize(id: string, workload: string, to: Size): Proposal {
  const { cpu, memory } = amounts(to)
  const sizes = { ...(to.cores === undefined ? {} : { cpu }), ...(to.gib === undefined ? {} : { memory }) }
  return { id, changes: [{ kind: 'resize', workload, container: 'app', ...sizes }] }
}
