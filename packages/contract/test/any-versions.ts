import fc from 'fast-check'
import type { ClusterObject } from '../src/payload/cluster-objects.ts'
import {
  podPhases,
  volumePhases,
  type BalancerVersion,
  type NamespaceVersion,
  type NodeVersion,
  type ObjectVersion,
  type PodVersion,
  type VolumeVersion,
} from '../src/payload/versions.ts'

/** Any versions that an agent may write, for laws about batches. */
const whole = fc.nat()
const name = fc.string({ minLength: 1, maxLength: 20 })
const labels = fc.dictionary(fc.string({ maxLength: 8 }), fc.string({ maxLength: 8 }), {
  maxKeys: 4,
  noNullPrototype: true,
})
const version = { ref: fc.integer({ min: 1, max: 1e6 }), uid: name, from: whole, name: fc.string() }
const container = fc.record(
  {
    name,
    kind: fc.constantFrom('app' as const, 'init' as const, 'sidecar' as const),
    cpu_request: whole,
    memory_request: whole,
    gpu_resource: name,
    gpu_count: whole,
  },
  { requiredKeys: ['name', 'kind'], noNullPrototype: true },
)
const few = { maxLength: 1 }
const optional: { requiredKeys: never[]; noNullPrototype: true } = { requiredKeys: [], noNullPrototype: true }
const requirement = fc.record(
  {
    key: name,
    operator: fc.constantFrom('In' as const, 'DoesNotExist' as const, 'Gt' as const),
    values: fc.array(name, few),
  },
  { requiredKeys: ['key', 'operator'], noNullPrototype: true },
)
const selector = fc.record({ labels, expressions: fc.array(requirement, few) }, optional)
const effect = fc.constantFrom('NoSchedule' as const, 'PreferNoSchedule' as const, 'NoExecute' as const)
const taint = fc.record({ key: name, value: name, effect }, { requiredKeys: ['key', 'effect'], noNullPrototype: true })
const term = fc.record(
  { topology_key: name, selector, namespaces: fc.array(name, { maxLength: 2 }), namespace_selector: selector },
  { requiredKeys: ['topology_key'], noNullPrototype: true },
)
const scheduling = fc.record(
  {
    tolerations: fc.array(fc.record({ key: name, operator: fc.constant('Exists' as const), effect }, optional), few),
    node_selector: labels,
    node_affinity: fc.array(
      fc.record({ expressions: fc.array(requirement, few), fields: fc.array(requirement, few) }, optional),
      few,
    ),
    pod_affinity: fc.array(term, few),
    pod_anti_affinity: fc.array(term, few),
    spread: fc.array(
      fc.record({ topology_key: name, max_skew: fc.integer({ min: 1, max: 9 }), selector }, { noNullPrototype: true }),
      few,
    ),
    host_ports: fc.array(fc.record({ port: fc.integer({ min: 1, max: 65_535 }) }, { noNullPrototype: true }), few),
    priority: fc.integer(),
    ephemeral_request: whole,
    safe_to_evict: fc.boolean(),
    do_not_disrupt: fc.boolean(),
    local_storage: fc.boolean(),
  },
  optional,
)
const shape = fc.record(
  { containers: fc.array(container, { maxLength: 4 }), scheduling },
  { requiredKeys: ['containers'], noNullPrototype: true },
)

const nodeKeys = [
  ...(['ref', 'uid', 'from', 'name', 'createdAt', 'providerId', 'instanceType', 'region', 'zone'] as const),
  ...(['capacityType', 'os', 'arch', 'pool', 'gpuProduct', 'gpuResource', 'gpuCapacity', 'gpuReplicas'] as const),
  ...(['cpuCapacityMillicores', 'cpuAllocatableMillicores', 'memoryCapacityKib', 'memoryAllocatableKib'] as const),
  ...(['podsAllocatable', 'labels'] as const),
]
export const node: fc.Arbitrary<NodeVersion> = fc.record(
  {
    ...version,
    createdAt: whole,
    providerId: name,
    instanceType: name,
    region: name,
    zone: name,
    capacityType: fc.constantFrom('spot', 'on-demand', ''),
    os: name,
    arch: name,
    pool: name,
    gpuProduct: fc.string(),
    gpuResource: fc.string(),
    gpuCapacity: whole,
    gpuReplicas: whole,
    cpuCapacityMillicores: whole,
    cpuAllocatableMillicores: whole,
    memoryCapacityKib: whole,
    memoryAllocatableKib: whole,
    podsAllocatable: whole,
    labels,
    taints: fc.array(taint, { minLength: 1, maxLength: 3 }),
    ephemeralAllocatableKib: fc.integer({ min: 1 }),
    scaleDownDisabled: fc.constant(true),
    extendedAllocatable: fc.constantFrom(
      { 'example.com/dongle': 2 },
      { 'nvidia.com/gpu': 8, 'hugepages-2Mi': 2 ** 31 },
    ),
    attachLimits: fc.constantFrom({ 'ebs.csi.aws.com': 25 }, { 'disk.csi.azure.com': 0, 'nfs.csi.k8s.io': 64 }),
  },
  { requiredKeys: nodeKeys, noNullPrototype: true },
)

export const pod: fc.Arbitrary<PodVersion> = fc.record(
  {
    ...version,
    namespace: name,
    nodeRef: whole,
    boundAt: whole,
    phase: fc.constantFrom(...podPhases),
    shape,
    workloadKind: name,
    workloadName: name,
    labels,
  },
  { noNullPrototype: true },
)

const refs = fc.array(fc.integer({ min: 1, max: 1e6 }), { maxLength: 4 })
const volumeKeys = [
  ...(['ref', 'uid', 'from', 'name', 'namespace', 'claim', 'storageClass', 'diskType', 'driver', 'zone'] as const),
  ...(['sizeKib', 'phase', 'mountedPodRefs'] as const),
]
export const volume: fc.Arbitrary<VolumeVersion> = fc.record(
  {
    ...version,
    namespace: name,
    claim: name,
    storageClass: name,
    diskType: name,
    driver: name,
    zone: name,
    sizeKib: whole,
    phase: fc.constantFrom(...volumePhases),
    reclaimPolicy: fc.constantFrom('Delete', 'Retain'),
    usedKib: fc.integer({ min: 1, max: 1e9 }),
    mountedPodRefs: refs,
  },
  { noNullPrototype: true, requiredKeys: [...volumeKeys] },
)
export const balancer: fc.Arbitrary<BalancerVersion> = fc.record(
  { ...version, namespace: name, type: name, readyPodRefs: refs },
  { noNullPrototype: true },
)

export const namespace: fc.Arbitrary<NamespaceVersion> = fc.record({ ...version, labels }, { noNullPrototype: true })

const amounts = fc.record({ cpu: whole, memory: whole }, { noNullPrototype: true, requiredKeys: [] })
const content: fc.Arbitrary<ClusterObject> = fc.oneof(
  fc.record({
    kind: fc.constant('workload' as const),
    spec: fc.record(
      { workload_kind: fc.constant('Deployment'), replicas: whole, labels, annotations: labels },
      { noNullPrototype: true, requiredKeys: ['workload_kind'] },
    ),
  }),
  fc.record({
    kind: fc.constant('budget' as const),
    spec: fc.record({ selector, disruptions_allowed: whole }, { noNullPrototype: true }),
  }),
  fc.record({
    kind: fc.constant('limit_range' as const),
    spec: fc.record({ min: amounts, max: amounts }, { noNullPrototype: true, requiredKeys: [] }),
  }),
)
export const object: fc.Arbitrary<ObjectVersion> = fc
  .tuple(fc.record({ ...version, namespace: name }, { noNullPrototype: true }), content)
  .map(([own, reported]) => ({ ...own, ...reported }))
