import { canonicalProvider } from '../names/provider-names.ts'
import { canonicalRegion, parentRegion } from '../names/region-names.ts'

/**
 * A class of nodes, with the values of its labels. Names may have any spelling that `canonicalProvider` and
 * `canonicalRegion` accept.
 */
export type NodeQuery = {
  provider: string
  region: string
  /** Distinguishes a local or wavelength zone, which has its own prices, from its region. */
  zone?: string | undefined
  instanceType: string
  capacityType: 'on-demand' | 'spot'
  os: 'linux' | 'windows'
  /** The reported capacity of the node, which prices an unknown type or a flexible shape. */
  capacity?: { vcpu: number; memoryGib: number } | undefined
  /** The reported GPUs of the node, priced separately if the type does not include them. */
  gpu?: { type: string; count: number } | undefined
}

export type Capacity = { vcpu: number; memoryGib: number }

/** The query with canonical names and only plausible quantities. */
export type NodeClass = {
  provider: string
  /** A region or a local zone. */
  place: string
  /** The region of `place`. */
  region: string
  instanceType: string
  isWindows: boolean
  capacity?: Capacity
  gpu?: { type: string; count: number }
}

export function nodeClassOf({
  provider: name,
  region,
  zone = '',
  instanceType,
  os,
  capacity,
  gpu,
}: NodeQuery): NodeClass {
  const provider = canonicalProvider(name)
  const named = canonicalRegion(provider, region)
  const zoned = canonicalRegion(provider, zone)
  const place = zoned !== named && parentRegion(provider, zoned) === named ? zoned : named
  const nodeClass: NodeClass = {
    provider,
    place,
    region: parentRegion(provider, place),
    instanceType: instanceType.trim(),
    isWindows: os === 'windows',
  }
  if (capacity && isBetween(capacity.vcpu, 1e4) && isBetween(capacity.memoryGib, 1e5)) nodeClass.capacity = capacity
  if (gpu && isBetween(gpu.count, 1e3)) nodeClass.gpu = gpu
  return nodeClass
}

function isBetween(quantity: number, max: number): boolean {
  return quantity > 0 && quantity <= max
}
