import { amounts, type Size } from '../allocation/builders.ts'
import { decimal } from '../decimal.ts'
import type { PackingCluster, PackingNode, PackingPod, PackingPool, Capacity } from './cluster.ts'
import type { Proposal } from './proposals.ts'

/** For tests: nodes of 4 cores and 16 GiB for $1 an hour in a pool that Karpenter scales, pods of 1 core and 1 GiB. */
export function capacity({ cores = 4, gib = 16, pods = 110, ...more }: Size & Partial<Capacity> = {}): Capacity {
  const { cpu, memory } = amounts({ cores, gib })
  return { cpu, memory, pods, ...more }
}

export function someNode(
  name: string,
  { size, labels, ...more }: Partial<PackingNode> & { size?: Parameters<typeof capacity>[0] } = {},
): PackingNode {
  return {
    name,
    pool: 'main',
    usdPerHour: decimal('1'),
    allocatable: capacity(size),
    labels: { 'kubernetes.io/hostname': name, ...labels },
    ...more,
  }
}

export function somePod(
  name: string,
  { requests, ...more }: Partial<PackingPod> & { requests?: Size } = {},
): PackingPod {
  return {
    uid: name,
    namespace: 'shop',
    name,
    workload: name.replace(/-\d+$/, ''),
    owner: 'controller',
    shape: { containers: [{ name: 'app', request: amounts({ cores: 1, gib: 1, ...requests }) }] },
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
