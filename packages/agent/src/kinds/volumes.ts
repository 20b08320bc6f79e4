import type { VolumePhase } from '@plimsoll/contract'
import { kibibytes, parseQuantity } from '@plimsoll/engine'
import type { Expression, Metadata, Quantities } from './kube-types.ts'

type VolumeObject = {
  metadata?: Metadata
  spec?: {
    capacity?: Quantities
    claimRef?: { namespace?: string; name?: string }
    storageClassName?: string
    persistentVolumeReclaimPolicy?: string
    nodeAffinity?: { required?: { nodeSelectorTerms?: { matchExpressions?: Expression[] }[] } }
    csi?: { driver?: string }
  } & Record<string, unknown>
  status?: { phase?: string }
}

/** A volume; its mounts and disk type are added later. */
export type VolumeFacts = {
  readonly uid: string
  readonly name: string
  readonly namespace: string
  readonly claim: string
  readonly storageClass: string
  readonly driver: string
  readonly zone: string
  readonly sizeKib: number
  readonly phase: VolumePhase
  readonly reclaimPolicy?: string
}

const phases: Readonly<Record<string, VolumePhase>> = {
  Available: 'available',
  Bound: 'bound',
  Released: 'released',
  Failed: 'failed',
}

/** The CSI drivers that replace in-tree volume plugins. */
const builtIn: Readonly<Record<string, string>> = {
  awsElasticBlockStore: 'ebs.csi.aws.com',
  gcePersistentDisk: 'pd.csi.storage.gke.io',
  azureDisk: 'disk.csi.azure.com',
  azureFile: 'file.csi.azure.com',
  cinder: 'cinder.csi.openstack.org',
  vsphereVolume: 'csi.vsphere.vmware.com',
  nfs: 'nfs',
  local: 'local',
  hostPath: 'local',
}

export function volumeFacts({ metadata = {}, spec = {}, status = {} }: VolumeObject): VolumeFacts | undefined {
  const { uid, name } = metadata
  if (uid === undefined || name === undefined) return undefined
  const { claimRef, persistentVolumeReclaimPolicy: policy } = spec
  return {
    uid,
    name,
    namespace: claimRef?.namespace ?? '',
    claim: claimRef?.name ?? '',
    storageClass: spec.storageClassName ?? '',
    driver: spec.csi?.driver ?? builtInDriver(spec),
    zone: zoneOf(metadata, spec.nodeAffinity?.required?.nodeSelectorTerms ?? []),
    sizeKib: parseQuantity(spec.capacity?.storage, kibibytes) ?? 0,
    phase: phases[status.phase ?? ''] ?? 'available',
    ...(policy ? { reclaimPolicy: policy } : {}),
  }
}

const builtInDriver = (spec: object) => {
  const source = Object.keys(builtIn).find((each) => each in spec)
  return source === undefined ? '' : (builtIn[source] ?? '')
}

/** Drivers use different zone keys with the same ending. */
const isZone = (key = '') => /(^|[./])zone$/.test(key)

function zoneOf({ labels = {} }: Metadata, terms: readonly { matchExpressions?: Expression[] }[]): string {
  const label = labels['topology.kubernetes.io/zone'] ?? labels['failure-domain.beta.kubernetes.io/zone']
  if (label) return label
  const zones = terms.flatMap(({ matchExpressions = [] }) =>
    matchExpressions.flatMap(({ key, values = [] }) => (isZone(key) ? values : [])),
  )
  // A volume in several zones has no single zone.
  return new Set(zones).size === 1 ? (zones[0] ?? '') : ''
}

type StorageClassObject = { metadata?: Metadata; parameters?: Record<string, string> }

export type StorageClassFacts = { readonly uid: string; readonly name: string; readonly diskType: string }

/** Only parameters of the disk type, because other parameters may name secrets. */
const typeParameters = ['type', 'skuName', 'skuname', 'storageaccounttype', 'storageAccountType', 'kind', 'tier']

export function storageClassFacts({
  metadata = {},
  parameters = {},
}: StorageClassObject): StorageClassFacts | undefined {
  const { uid, name } = metadata
  if (uid === undefined || name === undefined) return undefined
  const parameter = typeParameters.find((each) => parameters[each] !== undefined)
  return { uid, name, diskType: parameter === undefined ? '' : (parameters[parameter] ?? '').slice(0, 128) }
}
