// A large simulated cluster with a realistic mix of constraints, for bench/packing.ts.
import { decimal } from '../packages/engine/src/index.ts'
import type {
  DisruptionBudget,
  NodeType,
  PackingCluster,
  PackingNode,
  PackingPod,
  PodConstraints,
  Proposal,
} from '../packages/engine/src/packing/index.ts'

const KIB_PER_GIB = 1024 * 1024
export const zones = ['zone-a', 'zone-b', 'zone-c']
const types = [
  { name: 'm.2xlarge', cores: 8, gib: 32, usd: '0.384' },
  { name: 'm.4xlarge', cores: 16, gib: 64, usd: '0.768' },
  { name: 'm.8xlarge', cores: 32, gib: 128, usd: '1.536' },
  { name: 'c.4xlarge', cores: 16, gib: 32, usd: '0.68' },
  { name: 'r.4xlarge', cores: 16, gib: 128, usd: '1.008' },
  { name: 'g.4xlarge', cores: 16, gib: 64, usd: '1.624' },
]
const gpuType = types.length - 1

const sizeOf = (type: (typeof types)[number]) => ({
  cpu: type.cores * 1e6 - 110_000,
  memory: Math.floor(type.gib * KIB_PER_GIB * 0.93),
  pods: 110,
  ...(type === types[gpuType] ? { extended: { 'nvidia.com/gpu': 4 } } : {}),
})

export const nodeTypes: NodeType[] = types.map((type) => ({
  name: type.name,
  usdPerHour: decimal(type.usd),
  allocatable: sizeOf(type),
  labels: { 'kubernetes.io/arch': 'amd64', pool: 'classic' },
}))

function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/**
 * Half of the nodes use Karpenter, a third use the cluster-autoscaler, some have no autoscaler, some have GPUs, some
 * are committed.
 */
function makeNode(index: number): PackingNode {
  const isGpu = index % 40 === 0
  const type = types[isGpu ? gpuType : index % gpuType]
  if (!type) throw new Error('unknown instance type')
  const pool = isGpu ? 'gpu' : index % 10 < 5 ? 'general' : index % 10 < 9 ? 'classic' : 'pets'
  const name = `node-${index.toString().padStart(5, '0')}`
  return {
    name,
    pool,
    usdPerHour: decimal(type.usd),
    allocatable: sizeOf(type),
    labels: {
      'kubernetes.io/hostname': name,
      'kubernetes.io/arch': 'amd64',
      'node.kubernetes.io/instance-type': type.name,
      'topology.kubernetes.io/zone': zones[Math.floor(index / 7) % 3] ?? '',
      pool,
    },
    ...(isGpu ? { taints: [{ key: 'nvidia.com/gpu', value: 'present', effect: 'NoSchedule' as const }] } : {}),
    ...(index % 97 === 0 ? { committed: true } : {}),
  }
}

function constraintsOf(index: number, app: string): PodConstraints {
  const selector = { labels: { app } }
  if (index % 100 === 99) return { hostPorts: [{ port: 9000 + (index % 7) }] }
  if (index % 100 === 98) return { podAffinity: [{ topologyKey: 'topology.kubernetes.io/zone', selector }] }
  if (index % 40 === 7) return { nodeSelector: { pool: 'classic' } }
  if (index % 10 < 2) return { podAntiAffinity: [{ topologyKey: 'kubernetes.io/hostname', selector }] }
  if (index % 10 === 2) return { spread: [{ topologyKey: 'kubernetes.io/hostname', maxSkew: 1, selector }] }
  if (index % 10 === 3) return { spread: [{ topologyKey: 'topology.kubernetes.io/zone', maxSkew: 1, selector }] }
  if (index % 10 === 4) {
    return { nodeAffinity: [{ expressions: [{ key: 'kubernetes.io/arch', operator: 'In', values: ['amd64'] }] }] }
  }
  return {}
}

type Free = { cpu: number; memory: number; pods: number; apps: Set<string>; ports: Set<number> }

export function makeCluster(share: number): { cluster: PackingCluster; proposals: Proposal[] } {
  const draw = random(42)
  const nodes = Array.from({ length: Math.round(5000 * share) }, (_, index) => makeNode(index))
  const podsWanted = Math.round(150_000 * share)
  const pods: PackingPod[] = []
  const disruptionBudgets: DisruptionBudget[] = []
  const proposals: Proposal[] = []
  const free: Free[] = nodes.map(({ allocatable: { cpu, memory } }) => ({
    cpu,
    memory,
    pods: 0,
    apps: new Set(),
    ports: new Set(),
  }))
  const add = (pod: Omit<PackingPod, 'uid' | 'name'>, node: number) => {
    const number = pods.length.toString().padStart(6, '0')
    pods.push({ ...pod, uid: `pod-${number}`, name: `pod-${number}`, node: nodes[node]?.name ?? '' })
  }

  for (const name of ['cni', 'proxy', 'logs', 'metrics']) {
    const shape = { containers: [{ name, request: { cpu: 80_000, memory: 128 * 1024, gpu: 0 } }] }
    const base = { namespace: 'kube-system', workload: `kube-system/DaemonSet/${name}`, shape, labels: { app: name } }
    nodes.forEach((_node, node) => {
      add({ ...base, owner: 'daemonset', constraints: { tolerations: [{ operator: 'Exists' }] } }, node)
      const capacity = free[node]
      if (capacity) Object.assign(capacity, { cpu: capacity.cpu - 80_000, memory: capacity.memory - 128 * 1024 })
    })
  }

  for (let index = 0; pods.length < podsWanted; index += 1) {
    const app = `app-${index}`
    const namespace = `team-${index % 300}`
    const workload = `${namespace}/Deployment/${app}`
    const cpu = Math.round((0.12 + 1.2 * draw() ** 2) * 1e6)
    const memory = Math.round((0.3 + 4 * draw() ** 2) * KIB_PER_GIB)
    const shape = { containers: [{ name: 'app', request: { cpu, memory, gpu: 0 } }] }
    const isGpu = index % 400 === 0
    const constraints: PodConstraints = isGpu
      ? { tolerations: [{ key: 'nvidia.com/gpu', operator: 'Exists' }] }
      : constraintsOf(index, app)
    const port = constraints.hostPorts?.[0]?.port
    const replicas = 1 + Math.floor(draw() * 9)
    let start = Math.floor(draw() * nodes.length)
    for (let replica = 0; replica < replicas && pods.length < podsWanted; replica += 1) {
      for (let tried = 0; tried < 60; tried += 1) {
        start = (start + 7) % nodes.length
        const capacity = free[start]
        const node = nodes[start]
        if (!capacity || !node || capacity.cpu < cpu * 1.2 || capacity.memory < memory * 1.1 || capacity.pods > 100)
          continue
        if (capacity.apps.has(app) || (isGpu ? node.pool !== 'gpu' : node.pool === 'gpu')) continue
        if (port !== undefined && capacity.ports.has(port)) continue
        if (constraints.nodeSelector && node.pool !== constraints.nodeSelector.pool) continue
        const zone = node.labels['topology.kubernetes.io/zone'] ?? ''
        if (constraints.spread?.[0]?.topologyKey === 'topology.kubernetes.io/zone' && zone !== zones[replica % 3])
          continue
        capacity.cpu -= cpu
        capacity.memory -= memory
        capacity.pods += 1
        capacity.apps.add(app)
        if (port !== undefined) capacity.ports.add(port)
        const bound = index % 30 === 29 ? { ...constraints, volumeZones: [[zone]] } : constraints
        add(
          {
            namespace,
            workload,
            shape,
            labels: { app, 'pod-template-hash': `h${index}` },
            owner: index % 5000 === 4999 ? 'none' : 'controller',
            constraints: bound,
            priority: index % 20 === 0 ? 1000 : 0,
            ...(isGpu ? { extended: { 'nvidia.com/gpu': 1 } } : {}),
            ...(index % 1000 === 49 ? { localStorage: true } : {}),
            ...(index % 3000 === 332 ? { safeToEvict: false, doNotDisrupt: true } : {}),
          },
          start,
        )
        break
      }
    }
    if (index % 3 === 0) {
      const disruptionsAllowed = index % 900 === 0 ? 0 : 2
      disruptionBudgets.push({ namespace, name: app, selector: { labels: { app } }, disruptionsAllowed })
    }
    if (draw() < 0.6) {
      const kept = 0.4 + 0.4 * draw()
      const change = { cpu: Math.round(cpu * kept), memory: Math.round(memory * (kept + 0.1)) }
      proposals.push({ id: `rec-${index}`, changes: [{ kind: 'resize', workload, container: 'app', ...change }] })
    }
  }
  const cluster: PackingCluster = {
    nodes,
    pods,
    pools: [
      { name: 'general', kind: 'karpenter' },
      { name: 'gpu', kind: 'karpenter' },
      { name: 'classic', kind: 'cluster-autoscaler', nodesMin: Math.round(500 * share) },
    ],
    disruptionBudgets,
  }
  return { cluster, proposals }
}
