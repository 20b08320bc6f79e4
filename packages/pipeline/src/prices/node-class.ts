import type { NodeVersion } from '@plimsoll/contract'
import { KIB_PER_GIB, MICROCORES_PER_CORE, MICROCORES_PER_MILLICORE, NO_AMOUNTS, type Amounts } from '@plimsoll/engine'
import { gpuParts, type NodeSize } from '@plimsoll/engine/allocation'
import {
  canonicalProvider,
  canonicalRegion,
  findNodePrice,
  findProvider,
  type NodeQuery,
  type PriceBook,
  type ServerlessProduct,
} from '@plimsoll/pricebook'
import { isAutoMode, serverlessProduct } from './serverless-product.ts'

/** The location of the cluster, for nodes that do not report their own. */
export type ClusterPlace = { provider: string; region: string }

/** The price and size class of a node, decided by the price list. Equal classes have equal rates. */
export type NodeClass = NodeSize & {
  readonly key: string
  /** The provider bills the pods and not the node. */
  readonly serverless?: ServerlessProduct
}

/**
 * Classifies a node. Nodes of a known type have the nominal size of the type, so that equal nodes have equal rates. The
 * key holds the inputs of the price and nothing else.
 */
export function classifyNode(book: PriceBook, place: ClusterPlace, node: NodeVersion): NodeClass {
  const query = nodeQuery(place, node)
  const product = serverlessProduct(canonicalProvider(query.provider), node)
  if (product) return serverlessClass(query, product, node)
  const { nominal } = findNodePrice(book, query)
  const reported = capacityOf(node)
  const capacity: Amounts = {
    cpu: nominal.vcpu === undefined ? reported.cpu : Math.round(nominal.vcpu * MICROCORES_PER_CORE),
    memory: nominal.memoryGib === undefined ? reported.memory : Math.round(nominal.memoryGib * KIB_PER_GIB),
    gpu: reported.gpu,
  }
  // The reported size of a known type varies between nodes and does not affect its price.
  const isKnown = nominal.vcpu !== undefined && nominal.memoryGib !== undefined
  const { capacity: reportedSize, ...rest } = query
  const surcharge = isAutoMode(canonicalProvider(query.provider), node) ? { surcharge: 'eks-auto-mode' as const } : {}
  const facts: ClassFacts = {
    query: isKnown ? rest : { ...rest, capacity: reportedSize },
    capacity,
    ...surcharge,
  }
  const key = JSON.stringify(facts)
  return { key, capacity, allocatable: allocatableOf(node, capacity) }
}

/** One class for pods of all sizes: their price depends on the pod and not on the node. */
function serverlessClass(query: NodeQuery, product: ServerlessProduct, node: NodeVersion): NodeClass {
  const { provider, region, capacityType, os } = query
  const facts: ClassFacts = {
    query: { provider, region, instanceType: '', capacityType, os },
    capacity: NO_AMOUNTS,
    serverless: { product, arch: node.arch === 'arm64' ? 'arm64' : 'amd64' },
  }
  const capacity = capacityOf(node)
  return { key: JSON.stringify(facts), capacity, allocatable: allocatableOf(node, capacity), serverless: product }
}

function nodeQuery(place: ClusterPlace, node: NodeVersion): NodeQuery {
  const provider = findProvider(node.providerId) ?? place.provider
  const region = canonicalRegion(provider, node.region === '' ? place.region : node.region)
  const isLocalZone = canonicalRegion(provider, node.zone) !== region
  return {
    provider,
    region,
    // Ordinary zones have the prices of their region.
    ...(isLocalZone ? { zone: node.zone } : {}),
    instanceType: node.instanceType,
    capacityType: node.capacityType === 'spot' ? 'spot' : 'on-demand',
    os: node.os === 'windows' ? 'windows' : 'linux',
    capacity: { vcpu: node.cpuCapacityMillicores / 1000, memoryGib: node.memoryCapacityKib / KIB_PER_GIB },
    ...(node.gpuCapacity > 0
      ? { gpu: { type: node.gpuProduct, count: node.gpuCapacity / Math.max(1, node.gpuReplicas) } }
      : {}),
  }
}

function capacityOf(node: NodeVersion): Amounts {
  return {
    cpu: node.cpuCapacityMillicores * MICROCORES_PER_MILLICORE,
    memory: node.memoryCapacityKib,
    gpu: gpuCapacityParts(node),
  }
}

function gpuCapacityParts({ gpuResource, gpuCapacity, gpuProduct, gpuReplicas }: NodeVersion): number {
  if (gpuCapacity === 0) return 0
  const product = gpuProduct === '' ? {} : { product: gpuProduct }
  return gpuParts(gpuResource, gpuCapacity, { ...product, ...(gpuReplicas > 1 ? { replicas: gpuReplicas } : {}) }) ?? 0
}

/** The allocatable capacity never exceeds the paid capacity, whatever the node reports. */
function allocatableOf(node: NodeVersion, capacity: Amounts): Amounts {
  return {
    cpu: Math.min(capacity.cpu, node.cpuAllocatableMillicores * MICROCORES_PER_MILLICORE),
    memory: Math.min(capacity.memory, node.memoryAllocatableKib),
    gpu: capacity.gpu,
  }
}

export type ClassFacts = {
  query: NodeQuery
  capacity: Amounts
  serverless?: { product: ServerlessProduct; arch: 'amd64' | 'arm64' }
  /** A fee on top of the machine price, which no price list contains. */
  surcharge?: 'eks-auto-mode'
}

export const parseClassKey = (key: string) => JSON.parse(key) as ClassFacts
