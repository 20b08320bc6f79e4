import { createHmac } from 'node:crypto'
import { matchGroups, type Labels, type ObjectVersion, type PodShape } from '@plimsoll/contract'
import type { Living, MinuteFacts } from '../facts.ts'
import type { Observer } from '../observer.ts'

/** Namespaces of Kubernetes have public names, which some rules need. */
const isOpenNamespace = (name: string) => name === 'default' || name.startsWith('kube-')

/**
 * Labels of machine types and locations, with values of Kubernetes or of a cloud. They are listed one by one, because
 * the same prefixes also hold names of namespaces, jobs and pools.
 */
const openLabels = new Set([
  'kubernetes.io/arch',
  'kubernetes.io/os',
  'beta.kubernetes.io/arch',
  'beta.kubernetes.io/os',
  'node.kubernetes.io/instance-type',
  'beta.kubernetes.io/instance-type',
  'node.kubernetes.io/lifecycle',
  'node-role.kubernetes.io/control-plane',
  'topology.kubernetes.io/region',
  'topology.kubernetes.io/zone',
  'failure-domain.beta.kubernetes.io/region',
  'failure-domain.beta.kubernetes.io/zone',
  'karpenter.sh/capacity-type',
  'karpenter.k8s.aws/instance-category',
  'karpenter.k8s.aws/instance-cpu',
  'karpenter.k8s.aws/instance-family',
  'karpenter.k8s.aws/instance-generation',
  'karpenter.k8s.aws/instance-gpu-name',
  'karpenter.k8s.aws/instance-memory',
  'karpenter.k8s.aws/instance-size',
  'eks.amazonaws.com/capacityType',
  'eks.amazonaws.com/compute-type',
  'k8s.amazonaws.com/accelerator',
  'cloud.google.com/gke-accelerator',
  'cloud.google.com/gke-preemptible',
  'cloud.google.com/gke-provisioning',
  'cloud.google.com/gke-spot',
  'kubernetes.azure.com/scalesetpriority',
  'oci.oraclecloud.com/oke-is-preemptible',
  'nvidia.com/gpu.product',
  'nvidia.com/gpu.replicas',
  'amd.com/gpu.product-name',
])
const isOpenLabel = (key: string) => openLabels.has(key)

/** Fields with user-defined names. All other fields have Kubernetes terms or numbers. */
const nameFields = new Set([
  'name',
  'namespace',
  'workloadName',
  'claim',
  'storageClass',
  'pool',
  'target_name',
  'cpu_container',
  // Hashed, so that a new image is still detected.
  'image',
  // Values of taints and tolerations, which must still match.
  'value',
])
const nameListFields = new Set(['namespaces'])
const labelFields = new Set(['labels', 'node_selector'])
/** User-defined text that the analysis does not need. */
const leftOut = new Set(['annotations', 'request_managers'])

/**
 * An observer that hashes the names of pods, nodes, workloads, containers, images, namespaces, claims and storage
 * classes, and the values of labels and taints. Equal names have equal hashes, so counting, comparing and joining still
 * work.
 */
export function hashedObserver(observer: Observer, hash: Hash): Observer {
  let pools: NodesByPool = new Map()
  return {
    ...observer,
    living: (at) => {
      const facts = observer.living(at)
      pools = nodesByPool(facts.nodes)
      return hashAll(facts, hash, pools)
    },
    takeMinute: (minute) => {
      const facts = observer.takeMinute(minute)
      pools = nodesByPool(facts.nodes, pools)
      return hashAll(facts, hash, pools)
    },
    // External messages may contain names and addresses.
    conditions: () => observer.conditions().map(({ detail: _theirs, ...ours }) => ours),
  }
}

export type Hash = (name: string) => string

export function hasher(key: string): Hash {
  const known = new Map<string, string>()
  return (name) => {
    if (name === '' || isOpenNamespace(name)) return name
    const hashed = known.get(name) ?? `h-${createHmac('sha256', key).update(name).digest('hex').slice(0, 16)}`
    if (known.size < knownMax) known.set(name, hashed)
    return hashed
  }
}

/** Pod names change constantly, so the cache is limited. */
const knownMax = 100_000

type NodesByPool = ReadonlyMap<string, ReadonlySet<string>>

function nodesByPool(nodes: Living['nodes'], known: NodesByPool = new Map()): NodesByPool {
  const pools = new Map([...known].map(([pool, names]) => [pool, new Set(names)]))
  for (const { pool, name } of nodes) pools.set(pool, (pools.get(pool) ?? new Set()).add(name))
  return pools
}

/**
 * The server matches a node group to its pool by the beginning of the name, which a hash does not preserve. So the
 * group gets the name of its pool before the hash. The name of a group without nodes matches no pool.
 */
function nameAfterPools(object: ObjectVersion, pools: NodesByPool): ObjectVersion {
  if (object.kind !== 'cluster_autoscaler') return object
  const { groups } = object.spec
  const poolOf = new Map(
    [...pools].flatMap(([pool, nodes]) =>
      matchGroups(groups, { pool, nodes: [...nodes] }).map(({ name }) => [name, pool]),
    ),
  )
  return { ...object, spec: { groups: groups.map((each) => ({ ...each, name: poolOf.get(each.name) ?? each.name })) } }
}

export function hashAll<Facts extends Living | MinuteFacts>(
  facts: Facts,
  hash: Hash,
  pools: NodesByPool = nodesByPool(facts.nodes),
): Facts {
  // Thousands of pods share the shape of their template, and must still share it.
  const shapes = new Map<PodShape, PodShape>()
  const shapeOf = (shape: PodShape) => {
    const known = shapes.get(shape) ?? hashFields(shape, hash)
    shapes.set(shape, known)
    return known
  }
  return {
    ...facts,
    namespaces: facts.namespaces.map((each) => hashFields(each, hash)),
    nodes: facts.nodes.map(({ providerId, ...each }) => ({
      ...hashFields(each, hash),
      providerId: cloudOf(providerId),
    })),
    pods: facts.pods.map(({ shape, ...each }) => ({ ...hashFields(each, hash), shape: shapeOf(shape) })),
    volumes: facts.volumes.map((each) => hashFields(each, hash)),
    balancers: facts.balancers.map((each) => hashFields(each, hash)),
    objects: facts.objects.map((each) => hashFields(nameAfterPools(each, pools), hash)),
  }
}

/** The cloud only; the machine id is not sent. */
const cloudOf = (providerId: string) => (providerId === '' ? '' : `${providerId.split(':')[0]}://`)

function hashFields<Value>(value: Value, hash: Hash): Value {
  if (Array.isArray(value)) return value.map((each: unknown) => hashFields(each, hash)) as Value
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).flatMap(([field, each]): [string, unknown][] =>
    leftOut.has(field) ? [] : [[field, hashField(field, each, value, hash)]],
  )
  return Object.fromEntries(entries) as Value
}

function hashField(field: string, value: unknown, of: object, hash: Hash): unknown {
  if (nameFields.has(field) && typeof value === 'string') return hash(value)
  if (nameListFields.has(field) && Array.isArray(value)) return value.map((each) => hash(String(each)))
  if (labelFields.has(field) && typeof value === 'object' && value !== null) return hashLabels(value as Labels, hash)
  // A requirement of a selector or an affinity for a label or a node name.
  if (field === 'values' && Array.isArray(value) && 'key' in of && !isOpenLabel(String(of.key))) {
    return value.map((each) => hash(String(each)))
  }
  if (field === 'containers' && !Array.isArray(value)) return hashKeys(value as Record<string, unknown>, hash)
  return hashFields(value, hash)
}

function hashLabels(labels: Labels, hash: Hash): Labels {
  return Object.fromEntries(Object.entries(labels).map(([key, value]) => [key, isOpenLabel(key) ? value : hash(value)]))
}

const hashKeys = (by: Record<string, unknown>, hash: Hash) =>
  Object.fromEntries(Object.entries(by).map(([name, value]) => [hash(name), hashFields(value, hash)]))
