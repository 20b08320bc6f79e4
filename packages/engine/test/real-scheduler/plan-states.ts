import { decimal } from '../../src/decimal.ts'
import type { PackingNode, PackingPool, PodConstraints } from '../../src/packing/cluster.ts'
import type { PlanItem } from '../../src/plan/plan.ts'
import { anItem } from '../../src/plan/builders.ts'
import { placeAll, ZONE, type ClusterState, type DisruptionBudget, type Workload } from './random-state.ts'

/** A cluster of one character, with a recommendation to lower the requests of each workload that has `to`. */
export type PlanState = { readonly name: string; readonly state: ClusterState; readonly items: readonly PlanItem[] }

const MIB = 1024
const ZONES = ['z1', 'z2', 'z3']

type Size = { readonly millicores: number; readonly mib: number }

type Wanted = Size & {
  readonly name: string
  readonly replicas: number
  readonly to?: Size
  readonly constraints?: PodConstraints
  readonly localStorage?: boolean
}

type Machines = { readonly count: number; readonly cores: number; readonly gib: number; readonly pool: string }

function makeState(
  name: string,
  machines: readonly Machines[],
  workloads: readonly Wanted[],
  { pools, disruptionBudgets = [] }: { pools: readonly PackingPool[]; disruptionBudgets?: readonly DisruptionBudget[] },
): PlanState {
  const nodes = machines.flatMap((each, group) =>
    Array.from({ length: each.count }, (_, index) => toNode(each, `n${group}-${index}`, ZONES[index % 3] ?? '')),
  )
  const wanted = workloads.map((each, index) => toWorkload(each, index, nodes))
  return {
    name,
    state: { nodes, pools, workloads: placeAll(nodes, wanted), disruptionBudgets },
    items: workloads.flatMap(toItem),
  }
}

function toNode({ cores, gib, pool }: Machines, name: string, zone: string): PackingNode {
  return {
    name,
    pool,
    usdPerHour: BigInt(cores * 10 + gib) * decimal('0.001'),
    allocatable: { cpu: cores * 1e6, memory: gib * 1024 * MIB, pods: 30 },
    labels: { host: name, zone, [ZONE]: zone },
  }
}

function toWorkload(
  { name, replicas, millicores, mib, constraints = {}, localStorage }: Wanted,
  index: number,
  nodes: readonly PackingNode[],
): Workload {
  return {
    name,
    kind: 'ReplicaSet',
    pod: {
      namespace: 'shop',
      workload: name,
      owner: 'controller',
      shape: { containers: [{ name: 'app', request: { cpu: millicores * 1000, memory: mib * MIB, gpu: 0 } }] },
      labels: { app: name },
      constraints,
      ...(localStorage ? { localStorage } : {}),
    },
    nodes: Array.from({ length: replicas }, (_, replica) => nodes[(index * 3 + replica) % nodes.length]?.name ?? ''),
  }
}

const toItem = ({ name, to, replicas }: Wanted): PlanItem[] =>
  to
    ? [
        anItem(`lower-${name}`, {
          workload: name,
          changes: [
            { kind: 'resize', workload: name, container: 'app', cpu: to.millicores * 1000, memory: to.mib * MIB },
          ],
          estimatedUsdPerMonth: decimal(String(replicas)),
        }),
      ]
    : []

const karpenter: PackingPool = { name: 'main', kind: 'karpenter' }
const size = (millicores: number, mib: number): Size => ({ millicores, mib })

/** Every node has some free capacity, and none has enough for the pods of another. */
const fragmentation = makeState(
  'fragmentation',
  [{ count: 10, cores: 4, gib: 16, pool: 'main' }],
  [
    { name: 'web', replicas: 6, ...size(1300, 2048), to: size(800, 1024) },
    { name: 'api', replicas: 5, ...size(1300, 3000), to: size(700, 1500) },
    { name: 'queue', replicas: 4, ...size(1400, 2048) },
    { name: 'search', replicas: 4, ...size(1200, 4096), to: size(600, 3000) },
    { name: 'mail', replicas: 3, ...size(900, 1024), to: size(300, 512) },
  ],
  { pools: [karpenter] },
)

const spreadOver = (app: string, topologyKey: string): PodConstraints => ({
  spread: [{ topologyKey, maxSkew: 1, selector: { labels: { app } } }],
})

/** Disruption budgets, zones and hosts limit where pods may go and how many move at once. */
const budgets = makeState(
  'budgets and spread',
  [{ count: 9, cores: 4, gib: 16, pool: 'main' }],
  [
    { name: 'web', replicas: 6, ...size(1000, 2048), to: size(500, 1024), constraints: spreadOver('web', 'zone') },
    { name: 'api', replicas: 6, ...size(1200, 2048), to: size(700, 1024) },
    {
      ...{ name: 'db', replicas: 3, ...size(1500, 6144) },
      constraints: { podAntiAffinity: [{ topologyKey: 'host', selector: { labels: { app: 'db' } } }] },
    },
    { name: 'jobs', replicas: 5, ...size(1100, 1024), to: size(600, 512) },
  ],
  {
    pools: [karpenter],
    disruptionBudgets: ['web', 'api', 'db'].map((app) => ({
      name: `${app}-budget`,
      namespace: 'shop',
      app,
      maxUnavailable: 2,
    })),
  },
)

/** Machines of three sizes; the cluster-autoscaler removes no node with local storage or more than half in use. */
const mixed = makeState(
  'mixed sizes with local storage',
  [
    { count: 3, cores: 8, gib: 32, pool: 'large' },
    { count: 4, cores: 4, gib: 16, pool: 'medium' },
    { count: 3, cores: 2, gib: 8, pool: 'small' },
  ],
  [
    { name: 'web', replicas: 6, ...size(1400, 3000), to: size(700, 1500) },
    { name: 'cache', replicas: 3, ...size(900, 4096), localStorage: true },
    { name: 'api', replicas: 5, ...size(1500, 2048), to: size(800, 1024) },
    { name: 'batch', replicas: 4, ...size(1000, 2048), to: size(400, 1024) },
    { name: 'mail', replicas: 3, ...size(700, 1024), to: size(300, 512) },
  ],
  { pools: ['large', 'medium', 'small'].map((name) => ({ name, kind: 'cluster-autoscaler', nodesMin: 1 })) },
)

/** Many small pods on machines of two sizes, as Karpenter leaves them after a busy day. */
const afterPeak = makeState(
  'Karpenter after a peak',
  [
    { count: 4, cores: 8, gib: 32, pool: 'main' },
    { count: 6, cores: 2, gib: 8, pool: 'main' },
  ],
  [
    { name: 'web', replicas: 9, ...size(900, 1024), to: size(450, 700) },
    { name: 'api', replicas: 8, ...size(800, 2048), to: size(500, 1024) },
    { name: 'stream', replicas: 6, ...size(1300, 3000), to: size(900, 2500) },
    { name: 'mail', replicas: 5, ...size(500, 512), to: size(200, 256) },
    { name: 'auth', replicas: 4, ...size(600, 1024) },
  ],
  { pools: [karpenter] },
)

export const PLAN_STATES: readonly PlanState[] = [fragmentation, budgets, mixed, afterPeak]
