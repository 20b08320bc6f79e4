import fc from 'fast-check'
import { decimal } from '../src/decimal.ts'
import type { PackingCluster, PackingNode, PackingPod, PackingPool, PodConstraints } from '../src/packing/cluster.ts'
import type { Proposal } from '../src/packing/proposals.ts'
import { generationBound, given, maybe, podTerm, spreadConstraint, type Drawn } from './random-constraints.ts'

const MiB = 1024

const app = fc.constantFrom('web', 'api', 'job')
const namespace = fc.constantFrom('shop', 'lab')
const key = fc.constantFrom('kubernetes.io/hostname', 'topology.kubernetes.io/zone', 'rack')
const selector = fc.oneof(
  app.map((name) => ({ labels: { app: name } })),
  app.map((name) => ({ expressions: [{ key: 'app', operator: 'NotIn' as const, values: [name] }] })),
  fc.constant({}),
)
const term = podTerm({
  topologyKey: key,
  selector: fc.oneof({ weight: 9, arbitrary: selector }, { weight: 1, arbitrary: fc.constant(undefined) }),
  namespace,
})

const effect = fc.constantFrom('NoSchedule' as const, 'NoExecute' as const, 'PreferNoSchedule' as const)
const requirement = fc.oneof(
  fc.record({
    key: fc.constantFrom('disk', 'gen'),
    operator: fc.constantFrom('In' as const, 'NotIn' as const, 'Exists' as const, 'DoesNotExist' as const),
    values: fc.constantFrom(['ssd'], ['1', '2'], ['ssd', '3']),
  }),
  generationBound,
)
const field = fc.record({
  key: fc.constant('metadata.name'),
  operator: fc.constantFrom('In' as const, 'NotIn' as const),
  values: fc.constantFrom(['node-0'], ['node-1']),
})

const constraints: fc.Arbitrary<PodConstraints> = fc
  .record({
    tolerations: maybe(
      fc.array(
        fc.record({
          key: fc.constantFrom('gpu', 'old'),
          operator: fc.constantFrom('Exists' as const, 'Equal' as const),
          value: fc.constantFrom('', 'yes'),
        }),
        { maxLength: 2 },
      ),
      1,
    ),
    nodeSelector: maybe(
      fc.constantFrom<Record<string, string>[]>({ disk: 'ssd' }, { 'kubernetes.io/hostname': 'node-1' }),
      9,
    ),
    nodeAffinity: maybe(
      fc.array(
        fc.record({ expressions: fc.array(requirement, { maxLength: 2 }), fields: fc.array(field, { maxLength: 1 }) }),
        {
          minLength: 1,
          maxLength: 2,
        },
      ),
      6,
    ),
    podAffinity: maybe(fc.array(term, { minLength: 1, maxLength: 2 }), 6),
    podAntiAffinity: maybe(fc.array(term, { minLength: 1, maxLength: 2 })),
    spread: maybe(
      fc.array(
        spreadConstraint({
          topologyKey: key,
          maxSkew: fc.integer({ min: 1, max: 2 }),
          selector,
          minDomains: fc.integer({ min: 1, max: 3 }),
        }),
        { minLength: 1, maxLength: 2 },
      ),
    ),
    volumeZones: maybe(fc.constantFrom([['z1']], [['z1', 'z2'], ['z2']]), 8),
    hostPorts: maybe(
      fc.array(fc.record({ port: fc.constantFrom(80, 81), ip: fc.constantFrom('0.0.0.0', '10.0.0.1', '10.0.0.2') }), {
        maxLength: 2,
      }),
      6,
    ),
  })
  .map((some) => given(some) as PodConstraints)

const node = fc.record({
  cores: fc.integer({ min: 1, max: 4 }),
  gib: fc.integer({ min: 1, max: 8 }),
  pods: fc.integer({ min: 2, max: 8 }),
  gpus: fc.constantFrom(0, 0, 0, 2),
  scratch: maybe(fc.constant(1000)),
  cents: fc.integer({ min: 0, max: 100 }),
  unpriced: fc.constantFrom(false, false, false, true),
  pool: fc.constantFrom('karpenter', 'karpenter', 'scaled', 'pets'),
  labels: fc
    .record({
      'topology.kubernetes.io/zone': maybe(fc.constantFrom('z1', 'z2', 'z3'), 0),
      rack: maybe(fc.constantFrom('r1', 'r2'), 1),
      disk: maybe(fc.constant('ssd'), 1),
      gen: maybe(fc.constantFrom('1', '2', '3'), 1),
    })
    .map((some) => given(some)),
  taints: maybe(
    fc.array(fc.record({ key: fc.constantFrom('gpu', 'old'), value: fc.constantFrom('', 'yes'), effect }), {
      maxLength: 1,
    }),
  ),
  attachLimits: maybe(
    fc.record({ ebs: fc.nat(2), disk: fc.nat(2) }, { requiredKeys: [] }).map((some) => given(some)),
    1,
  ),
  committed: maybe(fc.constant(true), 8),
  spot: maybe(fc.constant(true), 8),
  keep: maybe(fc.constant(true), 12),
})

const pod = fc.record({
  on: fc.nat(6),
  app,
  namespace,
  millicores: fc.oneof(fc.constant(0), fc.integer({ min: 100, max: 1500 })),
  mib: fc.oneof(fc.constant(0), fc.integer({ min: 64, max: 1500 })),
  gpus: fc.constantFrom(0, 0, 0, 0, 1),
  ephemeral: maybe(fc.constantFrom(300, 600), 8),
  owner: fc.constantFrom(
    'controller' as const,
    'controller' as const,
    'controller' as const,
    'daemonset' as const,
    'none' as const,
  ),
  priority: fc.constantFrom(0, 0, 10),
  constraints: maybe(constraints, 1),
  volumes: maybe(
    fc
      .array(fc.record({ driver: fc.constantFrom('ebs', 'disk'), number: fc.nat(3) }), { maxLength: 2 })
      .map((some) => some.map(({ driver, number }) => ({ driver, id: `${driver}-${number}` }))),
    2,
  ),
  safeToEvict: maybe(fc.boolean(), 8),
  doNotDisrupt: maybe(fc.constant(true), 12),
  localStorage: maybe(fc.constant(true), 12),
})

const proposal = fc.oneof(
  fc.record({ workload: app, cores: fc.integer({ min: 0, max: 1500 }), mib: fc.integer({ min: 0, max: 1500 }) }),
  fc.record({ remove: fc.nat(20) }),
)

export type RandomPacking = { cluster: PackingCluster; sets: Proposal[][] }

/** Up to six nodes of all kinds of pools and about twenty pods with all kinds of constraints, placed or pending. */
export const randomPacking: fc.Arbitrary<RandomPacking> = fc
  .record({
    nodes: fc.array(node, { minLength: 1, maxLength: 6 }),
    pods: fc.array(pod, { maxLength: 20 }),
    disruptionBudgets: fc.array(
      fc.record({ namespace, name: fc.constantFrom('one', 'two'), selector, disruptionsAllowed: fc.nat(2) }),
      {
        maxLength: 2,
      },
    ),
    nodesMin: fc.nat(2),
    sets: fc.array(fc.array(proposal, { maxLength: 3 }), { minLength: 1, maxLength: 2 }),
  })
  .map(({ nodes, pods, disruptionBudgets, nodesMin, sets }) => ({
    cluster: {
      nodes: nodes.map(toNode),
      pods: pods.map(toPod),
      pools: poolsOf(nodesMin),
      disruptionBudgets: disruptionBudgets,
      namespaces: { shop: { team: 'a' }, lab: {} },
    },
    sets: sets.map((set) => set.map(toProposal)),
  }))

function toNode(
  { cores, gib, pods, gpus, scratch, cents, unpriced, labels, ...rest }: Drawn<typeof node>,
  index: number,
): PackingNode {
  const name = `node-${index}`
  const allocatable = given({
    cpu: cores * 1e6,
    memory: gib * 1024 * MiB,
    pods,
    ephemeral: scratch,
    extended: gpus > 0 ? { 'nvidia.com/gpu': gpus } : undefined,
  }) as PackingNode['allocatable']
  const usdPerHour = unpriced ? ('unpriced' as const) : BigInt(cents) * decimal('0.01')
  return given({
    name,
    usdPerHour,
    allocatable,
    labels: { 'kubernetes.io/hostname': name, ...labels },
    ...rest,
  })
}

function toPod({ on, app: name, millicores, mib, gpus, ...rest }: Drawn<typeof pod>, index: number): PackingPod {
  const request = { cpu: millicores * 1000, memory: mib * MiB, gpu: 0 }
  return given({
    uid: `pod-${index.toString().padStart(2, '0')}`,
    name: `${name}-${index}`,
    workload: name,
    labels: { app: name },
    node: on === 6 ? undefined : `node-${on}`,
    shape: { containers: [{ name: 'app', request }] },
    extended: gpus > 0 ? { 'nvidia.com/gpu': gpus } : undefined,
    ...rest,
  })
}

function poolsOf(nodesMin: number): PackingPool[] {
  const type = {
    name: 'small',
    usdPerHour: decimal('0.1'),
    allocatable: { cpu: 2e6, memory: 2 * 1024 * MiB, pods: 8 },
    labels: { disk: 'ssd' },
  }
  return [
    { name: 'karpenter', kind: 'karpenter', types: [type] },
    { name: 'scaled', kind: 'cluster-autoscaler', nodesMin },
  ]
}

function toProposal(some: Drawn<typeof proposal>, index: number): Proposal {
  const id = `rec-${index}`
  if ('remove' in some)
    return { id, changes: [{ kind: 'remove', pods: [`pod-${some.remove.toString().padStart(2, '0')}`] }] }
  const change = { workload: some.workload, container: 'app', cpu: some.cores * 1000, memory: some.mib * MiB }
  return { id, changes: [{ kind: 'resize', ...change }] }
}
