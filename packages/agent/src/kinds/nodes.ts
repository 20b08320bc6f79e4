import type { NodeVersion, Taint } from '@plimsoll/contract'
import { kibibytes, millicores, parseQuantity, wholes } from '@plimsoll/engine'
import { cloudFacts } from '../cloud/cloud-facts.ts'
import { acceleratorsOf } from './accelerators.ts'
import { extendedResources } from './extended-resources.ts'
import { secondOf, type Metadata, type Quantities } from './kube-types.ts'

export type NodeObject = {
  metadata?: Metadata
  spec?: { providerID?: string; taints?: { key?: string; value?: string; effect?: string }[] }
  status?: {
    capacity?: Quantities
    allocatable?: Quantities
    nodeInfo?: { operatingSystem?: string; architecture?: string }
    addresses?: { type?: string; address?: string }[]
    daemonEndpoints?: { kubeletEndpoint?: { Port?: number } }
  }
}

export type NodeFacts = Omit<NodeVersion, 'ref' | 'from'>

/** The address of the kubelet. It is never sent. */
export type KubeletPlace = { readonly host: string; readonly port: number; readonly metricsPath?: string }

export function nodeFacts({ metadata = {}, spec = {}, status = {} }: NodeObject): NodeFacts | undefined {
  const { uid, name, labels = {}, annotations = {} } = metadata
  if (uid === undefined || name === undefined) return undefined
  const { capacity = {}, allocatable = {}, nodeInfo = {} } = status
  const providerId = spec.providerID ?? ''
  const accelerators = acceleratorsOf(capacity)
  const isKept =
    annotations['cluster-autoscaler.kubernetes.io/scale-down-disabled'] === 'true' ||
    annotations['karpenter.sh/do-not-disrupt'] === 'true'
  const taints = taintsOf(spec.taints ?? [])
  const extendedAllocatable = extendedResources(allocatable, accelerators ? [accelerators.resource] : [])
  return {
    uid,
    name,
    createdAt: secondOf(metadata.creationTimestamp),
    providerId,
    ...cloudFacts(labels, providerId),
    os: nodeInfo.operatingSystem ?? labels['kubernetes.io/os'] ?? '',
    arch: nodeInfo.architecture ?? labels['kubernetes.io/arch'] ?? '',
    gpuProduct: accelerators ? productOf(labels) : '',
    gpuResource: accelerators?.resource ?? '',
    gpuCapacity: accelerators?.count ?? 0,
    gpuReplicas: accelerators ? Math.max(1, Number(labels['nvidia.com/gpu.replicas'] ?? 1) || 1) : 0,
    cpuCapacityMillicores: parseQuantity(capacity.cpu, millicores) ?? 0,
    cpuAllocatableMillicores: parseQuantity(allocatable.cpu, millicores) ?? 0,
    memoryCapacityKib: parseQuantity(capacity.memory, kibibytes) ?? 0,
    memoryAllocatableKib: parseQuantity(allocatable.memory, kibibytes) ?? 0,
    podsAllocatable: parseQuantity(allocatable.pods, wholes) ?? 0,
    labels,
    ...(taints.length > 0 ? { taints } : {}),
    ephemeralAllocatableKib: parseQuantity(allocatable['ephemeral-storage'], kibibytes) ?? 0,
    ...(extendedAllocatable ? { extendedAllocatable } : {}),
    ...(isKept ? { scaleDownDisabled: true } : {}),
  }
}

/**
 * Nodes with a shared endpoint, such as virtual nodes, name their own path. metrics-server reads this annotation too.
 */
const metricsPathAnnotation = 'metrics.k8s.io/resource-metrics-path'

export function kubeletPlace({ metadata = {}, status = {} }: NodeObject): KubeletPlace | undefined {
  const { addresses = [], daemonEndpoints } = status
  const metricsPath = metadata.annotations?.[metricsPathAnnotation]
  const host = ['InternalIP', 'Hostname', 'ExternalIP'].flatMap(
    (wanted) => addresses.find(({ type }) => type === wanted)?.address ?? [],
  )[0]
  if (host === undefined) return undefined
  const port = daemonEndpoints?.kubeletEndpoint?.Port ?? 10_250
  return { host, port, ...(metricsPath?.startsWith('/') ? { metricsPath } : {}) }
}

const productLabels = [
  'nvidia.com/gpu.product',
  'cloud.google.com/gke-accelerator',
  'k8s.amazonaws.com/accelerator',
  'karpenter.k8s.aws/instance-gpu-name',
  'amd.com/gpu.product-name',
  'beta.amd.com/gpu.product-name',
]

/** A shared GPU has the product name of the whole GPU. */
function productOf(labels: Record<string, string>): string {
  const name = productLabels.find((label) => labels[label] !== undefined)
  return name === undefined ? '' : (labels[name] ?? '').replace(/-SHARED$/, '')
}

const effects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'] as const

function taintsOf(taints: NonNullable<NonNullable<NodeObject['spec']>['taints']>): Taint[] {
  return taints.flatMap(({ key = '', value, effect }) => {
    const known = effects.find((each) => each === effect)
    return known ? [{ key, ...(value ? { value } : {}), effect: known }] : []
  })
}
