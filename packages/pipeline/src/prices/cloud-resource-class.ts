import type { BalancerVersion, VolumeVersion } from '@plimsoll/contract'
import { KIB_PER_GIB } from '@plimsoll/engine'
import {
  canonicalProvider,
  canonicalRegion,
  canonicalStorageClass,
  providerOf,
  providerOfDriver,
} from '@plimsoll/pricebook'
import type { ClusterPlace } from './node-class.ts'

/** The inputs of the price of a volume, load balancer or control plane, and nothing else. */
export type CloudResourceClass =
  | {
      asset: 'volume'
      provider: string
      region: string
      storageClass: string
      /** For disks that are sold in fixed sizes and billed as a whole. */
      sizeGib?: number
    }
  | { asset: 'balancer'; provider: string; region: string; type: string }
  | {
      asset: 'control_plane'
      provider: string
      service: 'managed' | 'self-managed'
      /** For a version after standard support, if the provider charges more for it. */
      support?: 'extended'
    }

export type CloudResourceKind = CloudResourceClass['asset']

export function volumeClass(place: ClusterPlace, volume: VolumeVersion): CloudResourceClass {
  const provider = providerOfDriver(volume.driver) ?? canonicalProvider(place.provider)
  return {
    asset: 'volume',
    provider,
    region: canonicalRegion(provider, volume.zone === '' ? place.region : volume.zone),
    storageClass: canonicalStorageClass(provider, volume.diskType === '' ? volume.storageClass : volume.diskType),
    ...(providerOf(provider).disks?.areSoldInSizes ? { sizeGib: volume.sizeKib / KIB_PER_GIB } : {}),
  }
}

/** Where a provider sells one kind only, the type is internal or public, which does not change the price. */
export function balancerClass(place: ClusterPlace, balancer: BalancerVersion): CloudResourceClass {
  const provider = canonicalProvider(place.provider)
  const kinds = providerOf(provider).balancers ?? {}
  const spelling = balancer.type.trim().toLowerCase()
  const type = (Object.hasOwn(kinds, spelling) ? kinds[spelling] : undefined) ?? ''
  return { asset: 'balancer', provider, region: canonicalRegion(provider, place.region), type }
}

export function controlPlaneClass(
  place: ClusterPlace,
  { isSelfManaged, isExtended }: { isSelfManaged: boolean; isExtended: boolean },
): CloudResourceClass {
  const provider = canonicalProvider(place.provider)
  const facts = { asset: 'control_plane', provider } as const
  if (isSelfManaged || providerOf(provider).controlPlane?.isSelfManaged) return { ...facts, service: 'self-managed' }
  return { ...facts, service: 'managed', ...(isExtended ? { support: 'extended' } : {}) }
}

export const cloudResourceClassKey = (facts: CloudResourceClass): string => JSON.stringify(facts)

export function parseCloudResourceKey(key: string): CloudResourceClass | undefined {
  const facts = JSON.parse(key) as CloudResourceClass | { asset?: undefined }
  return facts.asset === undefined ? undefined : facts
}
