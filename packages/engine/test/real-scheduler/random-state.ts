import fc from 'fast-check'
import { decimal } from '../../src/decimal.ts'
import type { PackingCluster, PackingNode, PackingPod, PackingPool, PodConstraints } from '../../src/packing/cluster.ts'
import { generationBound, given, maybe, podTerm, spreadConstraint, type Drawn } from '../random-constraints.ts'
import { objections, openWorld, podsOn } from '../slow-scheduler.ts'

/** Pods of one controller. */
export type Workload = {
  readonly name: string
  readonly kind: 'ReplicaSet' | 'DaemonSet'
  /** Everything but the name and the node. */
  readonly pod: Omit<PackingPod, 'uid' | 'name' | 'node'>
  /** The node of each replica. */
  readonly nodes: readonly string[]
}

export type DisruptionBudget = {
  readonly name: string
  readonly namespace: string
  readonly app: string
  readonly maxUnavailable: number
}

/** One small cluster. Names are plain; the creator prefixes them, so that many clusters share one control plane. */
export type ClusterState = {
  readonly nodes: readonly PackingNode[]
  readonly pools: readonly PackingPool[]
  readonly workloads: readonly Workload[]
  readonly disruptionBudgets: readonly DisruptionBudget[]
}

export const ZONE = 'topology.kubernetes.io/zone'
export const NAMESPACES = { shop: { team: 'a' }, lab: {} } as const

const MIB = 1024
const EBS = 'ebs.csi.example.com'
const DISK = 'disk.csi.example.com'

const app = fc.constantFrom('web', 'api', 'db', 'cache')
const namespace = fc.constantFrom('shop' as const, 'shop' as const, 'lab' as const)
const topologyKey = fc.constantFrom('host', 'host', 'zone', 'rack')
const selector = fc.oneof(
  { weight: 5, arbitrary: app.map((name) => ({ labels: { app: name } })) },
  {
    weight: 1,
    arbitrary: app.map((name) => ({ expressions: [{ key: 'app', operator: 'NotIn' as const, values: [name] }] })),
  },
)
const term = podTerm({ topologyKey, selector, namespace })

const requirement = fc.oneof(
  fc.record({ key: fc.constant('disk'), operator: fc.constantFrom('Exists' as const, 'DoesNotExist' as const) }),
  fc.record({
    key: fc.constant('gen'),
    operator: fc.constantFrom('In' as const, 'NotIn' as const),
    values: fc.constantFrom(['1', '2'], ['2', '3']),
  }),
  generationBound,
)

const spread = spreadConstraint({
  topologyKey,
  maxSkew: fc.constantFrom(1, 1, 2),
  selector,
  minDomains: fc.constantFrom(2, 3),
})

const constraints: fc.Arbitrary<PodConstraints> = fc
  .record({
    tolerations: maybe(
      fc.constantFrom([{ key: 'dedicated', operator: 'Exists' as const }], [{ key: 'dedicated', value: 'batch' }]),
      1,
    ),
    nodeSelector: maybe(fc.constant({ disk: 'ssd' }), 9),
    nodeAffinity: maybe(fc.array(fc.record({ expressions: fc.tuple(requirement) }), { minLength: 1, maxLength: 2 }), 8),
    podAffinity: maybe(fc.tuple(term), 9),
    podAntiAffinity: maybe(fc.array(term, { minLength: 1, maxLength: 2 }), 5),
    // Kubernetes rejects two constraints on one key.
    spread: maybe(fc.uniqueArray(spread, { minLength: 1, maxLength: 2, selector: (each) => each.topologyKey }), 3),
    volumeZones: maybe(fc.constantFrom([['z1']], [['z2']], [['z1', 'z2']]), 10),
    hostPorts: maybe(fc.constantFrom([{ port: 8080 }], [{ port: 9090, protocol: 'UDP' }]), 9),
  })
  .map(given)

const node = fc.record({
  cores: fc.constantFrom<number[]>(2, 4, 4, 8),
  gib: fc.constantFrom<number[]>(4, 8, 16),
  pods: fc.constantFrom<number[]>(6, 20, 20, 20),
  gpus: fc.constantFrom<number[]>(0, 0, 0, 0, 2),
  pool: fc.constantFrom<string[]>('karpenter', 'karpenter', 'karpenter', 'scaled', 'static'),
  zone: fc.constantFrom('z1', 'z1', 'z2', 'z3'),
  rack: maybe(fc.constantFrom('r1', 'r2'), 1),
  disk: maybe(fc.constant('ssd'), 1),
  gen: maybe(fc.constantFrom('1', '2', '3'), 1),
  taint: maybe(fc.constantFrom('batch', 'other'), 6),
  attachLimits: maybe(
    fc.constantFrom<Record<string, number>[]>({ [EBS]: 1 }, { [EBS]: 2 }, { [EBS]: 2, [DISK]: 1 }, { [DISK]: 0 }),
    1,
  ),
})

const workload = fc.record({
  app,
  namespace,
  replicas: fc.integer({ min: 1, max: 5 }),
  millicores: fc.constantFrom<number[]>(0, 100, 250, 400, 500, 750, 1000, 1500, 2000),
  mib: fc.constantFrom<number[]>(0, 128, 256, 512, 1024, 2048, 3000),
  gpus: fc.constantFrom<number[]>(0, 0, 0, 0, 0, 0, 1),
  priority: fc.constantFrom(0, 0, 0, 10),
  constraints: maybe(constraints, 1),
  /** The drivers of its volumes. All replicas share them. */
  drivers: maybe(fc.constantFrom([EBS], [EBS], [DISK], [EBS, EBS], [EBS, DISK]), 1),
  startNodes: fc.array(fc.nat(100), { minLength: 6, maxLength: 6 }),
})

const daemon = fc.record({ millicores: fc.constantFrom(100, 300), toleratesAll: fc.boolean() })

/** One per app: the disruption controller does not update the status of a second budget of the same pods. */
const disruptionBudgets = fc.uniqueArray(
  fc.record({ app, namespace, maxUnavailable: fc.constantFrom(0, 1, 1, 1, 2) }),
  {
    maxLength: 2,
    selector: (each) => `${each.namespace} ${each.app}`,
  },
)

/** Three to six nodes of all sizes with pods of all constraints. */
const mixed = fc.record({
  nodes: fc.array(node, { minLength: 3, maxLength: 6 }),
  workloads: fc.array(workload, { minLength: 2, maxLength: 8 }),
  daemon: maybe(daemon, 1),
  budgets: disruptionBudgets,
  nodesMin: fc.nat(2),
})

/** Nodes of one size, at least two thirds full, with pods of few constraints: each placement matters. */
const tight = fc.record({
  nodes: fc.array(
    node.map((each) => ({ ...each, cores: 4, gib: 16, pods: 20, gpus: 0, taint: undefined, pool: 'karpenter' })),
    { minLength: 4, maxLength: 7 },
  ),
  workloads: fc.array(
    workload.map((each) => ({
      ...each,
      replicas: each.replicas + 1,
      millicores: Math.max(400, each.millicores),
      gpus: 0,
      constraints: each.replicas > 3 ? each.constraints : undefined,
    })),
    { minLength: 5, maxLength: 8 },
  ),
  daemon: maybe(daemon, 1),
  budgets: disruptionBudgets,
  nodesMin: fc.nat(2),
})

/** Pods run where a scheduler could have placed them. */
export const randomState: fc.Arbitrary<ClusterState> = fc
  .oneof({ weight: 2, arbitrary: mixed }, { weight: 1, arbitrary: tight })
  .map(({ nodes: drawn, workloads, daemon: drawnDaemon, budgets: drawnDisruptionBudgets, nodesMin }) => {
    const nodes = drawn.map(toNode)
    const wanted = [
      ...(drawnDaemon ? [daemonSet(drawnDaemon, nodes)] : []),
      ...workloads.map((each, index) => replicaSet(each, index, nodes)),
    ]
    return {
      nodes,
      pools: [
        { name: 'karpenter', kind: 'karpenter' },
        { name: 'scaled', kind: 'cluster-autoscaler', nodesMin },
      ],
      workloads: placeAll(nodes, wanted),
      disruptionBudgets: drawnDisruptionBudgets.map((each, index) => ({ name: `budget-${index}`, ...each })),
    }
  })

function toNode({ cores, gib, pods, gpus, pool, taint, attachLimits, ...drawn }: Drawn<typeof node>, index: number) {
  const name = `node-${index}`
  const { zone, rack, disk, gen } = drawn
  const labels = given({ host: name, zone, [ZONE]: zone, rack, disk, gen })
  return {
    name,
    pool,
    usdPerHour: BigInt(cores * 10 + gib) * decimal('0.01'),
    allocatable: {
      ...{ cpu: cores * 1e6, memory: gib * 1024 * MIB, pods },
      ...(gpus > 0 ? { extended: { 'example.com/gpu': gpus } } : {}),
    },
    labels,
    ...(attachLimits ? { attachLimits } : {}),
    ...(taint ? { taints: [{ key: 'dedicated', value: taint, effect: 'NoSchedule' as const }] } : {}),
  }
}

function replicaSet(drawn: Drawn<typeof workload>, index: number, nodes: readonly PackingNode[]): Workload {
  const { app: name, namespace: home, replicas, millicores, mib, gpus, drivers = [], startNodes } = drawn
  const own = `${name}-${index}`
  const wishes = drawn.constraints ?? {}
  return {
    name: own,
    kind: 'ReplicaSet',
    pod: {
      namespace: home,
      workload: own,
      owner: 'controller',
      shape: { containers: [{ name: 'app', request: { cpu: millicores * 1000, memory: mib * MIB, gpu: 0 } }] },
      labels: { app: name, set: own },
      priority: drawn.priority,
      ...(gpus > 0 ? { extended: { 'example.com/gpu': gpus } } : {}),
      constraints: wishes,
      ...(drivers.length > 0 ? { volumes: drivers.map((driver, at) => ({ driver, id: `${own}-csi-${at}` })) } : {}),
    },
    // A claim serves one pod here.
    nodes: startNodes.slice(0, wishes.volumeZones ? 1 : replicas).map((at) => nodes[at % nodes.length]?.name ?? ''),
  }
}

function daemonSet({ millicores, toleratesAll }: Drawn<typeof daemon>, nodes: readonly PackingNode[]): Workload {
  return {
    name: 'daemon',
    kind: 'DaemonSet',
    pod: {
      namespace: 'lab',
      workload: 'daemon',
      owner: 'daemonset',
      shape: { containers: [{ name: 'app', request: { cpu: millicores * 1000, memory: 64 * MIB, gpu: 0 } }] },
      labels: { app: 'daemon', set: 'daemon' },
      priority: 0,
      constraints: toleratesAll ? { tolerations: [{ operator: 'Exists' }] } : {},
    },
    nodes: nodes.map(({ name }) => name),
  }
}

/** Each replica starts on its drawn node or on the next one that admits it. Replicas without a node do not exist. */
export function placeAll(nodes: readonly PackingNode[], wanted: readonly Workload[]): Workload[] {
  const cluster: PackingCluster = { nodes, pods: [], pools: [], namespaces: NAMESPACES }
  const pods: PackingPod[] = []
  const placed = wanted.map((each) => {
    const homes = each.nodes.flatMap((start, index) => {
      const pod: PackingPod = { ...each.pod, uid: `${each.name} ${index}`, name: `${each.name}-${index}` }
      const world = openWorld({ ...cluster, pods: [...pods, pod] })
      const from = nodes.findIndex(({ name }) => name === start)
      const order = each.kind === 'DaemonSet' ? nodes.slice(from, from + 1) : rotate(nodes, from)
      const home = order.find((node) => podsOn(world, node).length < 30 && objections(world, pod, node).length === 0)
      if (!home) return []
      pods.push({ ...pod, node: home.name })
      return [home.name]
    })
    return { ...each, nodes: homes }
  })
  return placed.filter((each) => each.nodes.length > 0)
}

const rotate = <Item>(items: readonly Item[], by: number): Item[] => [...items.slice(by), ...items.slice(0, by)]
