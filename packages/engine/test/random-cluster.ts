import fc from 'fast-check'
import type { NodeSize } from '../src/allocation/share-node-among-pods.ts'
import { totalUsd, type CostRow, type Owner } from '../src/allocation/cost-row.ts'
import { shareBalancer, shareVolume } from '../src/allocation/share-cloud-resource.ts'
import { decimal, type Decimal } from '../src/decimal.ts'
import { cloudResourceRate, storageRate } from '../src/pricing/cloud-resource-rate.ts'
import type { NodeRates } from '../src/pricing/rate.ts'
import { splitNodePrice } from '../src/pricing/split-node-price.ts'
import { allocateNode } from '../src/testing/allocate-node.ts'
import { costNode } from '../src/testing/cost-node.ts'
import { costCloudResource, costOverhead } from '../src/testing/cost-shares.ts'
import { nodeQuantities } from '../src/testing/node-quantities.ts'
import type { PodFacts } from '../src/testing/pod-facts.ts'
import { podSpans } from '../src/testing/pod-spans.ts'
import { intersect, type TimeSpan } from '../src/time.ts'
import { amounts, anOwner } from '../src/allocation/builders.ts'

export const END = 4 * 3600

export type RandomPod = { facts: PodFacts; owner: Owner; mounts: TimeSpan }
export type RandomNode = {
  name: string
  pool: string
  size: NodeSize & { life: TimeSpan }
  rates: NodeRates
  pods: RandomPod[]
}
export type RandomCluster = { nodes: RandomNode[]; diskKib: number; feeUsdPerHour: Decimal }

const second = fc.nat(END)
const timeSpan = fc.tuple(second, second).map(([a, b]) => ({ from: Math.min(a, b), to: Math.max(a, b) }))
const microcores = fc.oneof(fc.constant(0), fc.nat(8_000_000))
const kib = fc.oneof(fc.constant(0), fc.nat(32 * 2 ** 20))
const size = fc.record({ cpu: microcores, memory: kib, gpu: fc.constantFrom(0, 0, 0, 720_000, 5_040_000) })
const usage = fc.record({
  cpu: fc.option(microcores, { nil: 'unknown' as const }),
  memory: fc.option(kib, { nil: 'unknown' as const }),
  gpu: fc.constantFrom('unknown' as const, 0, 300_000),
})

const shape = fc.record(
  {
    containers: fc.uniqueArray(fc.record({ name: fc.constantFrom('app', 'log', 'proxy'), request: size }), {
      minLength: 1,
      maxLength: 3,
      selector: ({ name }) => name,
    }),
    initContainers: fc.array(fc.record({ name: fc.constant('init'), request: size, sidecar: fc.boolean() }), {
      maxLength: 1,
    }),
    runtimeOverhead: size,
  },
  { requiredKeys: ['containers'] },
)

const sample = fc
  .record({ minute: fc.nat(END / 60 - 1), container: fc.constantFrom('app', 'log', 'proxy', 'init'), usage })
  .map(({ minute, ...rest }) => ({ from: minute * 60, to: minute * 60 + 60, ...rest }))

const owner = fc
  .record({
    namespace: fc.constantFrom('shop', 'jobs', 'kube-system'),
    controllerKind: fc.constantFrom('Deployment', 'Job'),
    workload: fc.constantFrom('web', 'api', 'import'),
    labels: fc.constantFrom<Record<string, string>[]>({}, { team: 'blue' }, { team: 'red' }),
  })
  .map((some) => anOwner(some))

const pod = fc.record({
  facts: fc.record({
    uid: fc.uuid(),
    life: timeSpan.map(({ from, to }) => ({ boundAt: from, deletedAt: to })),
    versions: fc.uniqueArray(fc.record({ from: second, shape }), {
      minLength: 1,
      maxLength: 2,
      selector: (v) => v.from,
    }),
    samples: fc.uniqueArray(sample, { maxLength: 12, selector: ({ from, container }) => `${from} ${container}` }),
  }),
  owner,
  mounts: timeSpan,
})

const reference = { cpu: decimal('0.031611'), memory: decimal('0.004237'), gpu: decimal('0.95') }

const node = fc
  .record({
    cores: fc.integer({ min: 1, max: 16 }),
    gib: fc.integer({ min: 1, max: 64 }),
    gpus: fc.constantFrom(0, 0, 1),
    usdPerHourMicro: fc.integer({ min: 0, max: 5_000_000 }),
    priced: fc.constantFrom('yes', 'yes', 'estimated', 'no'),
    life: timeSpan,
    pods: fc.array(pod, { maxLength: 6 }),
  })
  .map(({ cores, gib, gpus, usdPerHourMicro, priced, life, pods }) => {
    const capacity = amounts({ cores, gib, gpus })
    const allocatable = { ...capacity, cpu: capacity.cpu - 100_000, memory: Math.floor(capacity.memory * 0.9) }
    const usdPerHour = BigInt(usdPerHourMicro) * decimal('0.000001')
    const known = priced === 'no' ? { cpu: 0n, memory: 0n } : reference
    const rates = splitNodePrice(usdPerHour, capacity, known, { estimated: priced === 'estimated' })
    return { size: { capacity, allocatable, life }, rates, pods }
  })

/** Nodes with lifetimes, pods that start, change, burst, lack usage data and end, a shared disk, and a fee. */
export const randomCluster: fc.Arbitrary<RandomCluster> = fc
  .record({ nodes: fc.array(node, { minLength: 1, maxLength: 3 }), diskKib: fc.nat(1e9), feeMicro: fc.nat(600_000) })
  .map(({ nodes, diskKib, feeMicro }) => ({
    nodes: nodes.map((some, index) => ({ ...some, name: `node-${index}`, pool: `pool-${index % 2}` })),
    diskKib,
    feeUsdPerHour: BigInt(feeMicro) * decimal('0.000001'),
  }))

export function allocate({ size: nodeSize, pods }: RandomNode, window: TimeSpan) {
  return allocateNode(
    nodeSize,
    podSpans(
      pods.map(({ facts }) => facts),
      END,
    ),
    window,
  )
}

export function nodeRows(some: RandomNode, window: TimeSpan, rates = some.rates): CostRow[] {
  const owners = new Map(some.pods.map(({ facts, owner: own }) => [facts.uid, own]))
  return costNode(allocate(some, window), rates, some, (uid) => owners.get(uid) ?? anOwner())
}

export function nodeSides(some: RandomNode, window: TimeSpan) {
  const namespaces = new Map(some.pods.map(({ facts, owner: own }) => [facts.uid, own]))
  return nodeQuantities(some.name, allocate(some, window), some.rates, (uid) => {
    const own = namespaces.get(uid)
    return own?.kind === 'workload' ? own.namespace : 'unknown'
  })
}

const always = { from: 0, to: END }
const diskRate = storageRate({ kind: 'per-gib', usdPerGibMonth: decimal('0.08'), estimated: false }, 1)
const balancerRate = cloudResourceRate(decimal('0.0225'), { estimated: false })

export function cloudResourceRows({ nodes, diskKib, feeUsdPerHour }: RandomCluster, window: TimeSpan): CostRow[] {
  const pods = nodes.flatMap((some) => some.pods)
  const users = pods.map(({ facts, mounts }) => ({ key: facts.uid, ...mounts }))
  const ownerOf = (key: string) => pods.find(({ facts }) => facts.uid === key)?.owner ?? anOwner()
  const disk = shareVolume({ sizeKib: diskKib, life: always }, users, window)
  const balancer = shareBalancer(always, users, window)
  return [
    ...costCloudResource(disk, diskRate, 'storage', ownerOf),
    ...costCloudResource(balancer, balancerRate, 'loadBalancer', ownerOf),
    costOverhead(intersect(always, window), cloudResourceRate(feeUsdPerHour, { estimated: false })),
  ]
}

export function clusterRows(cluster: RandomCluster, window: TimeSpan = always): CostRow[] {
  return [...cluster.nodes.flatMap((some) => nodeRows(some, window)), ...cloudResourceRows(cluster, window)]
}

export function clusterUsd(cluster: RandomCluster, window: TimeSpan = always): Decimal {
  return totalUsd(clusterRows(cluster, window))
}
