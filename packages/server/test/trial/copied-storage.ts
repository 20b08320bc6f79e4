import type { Living, Scenario } from '@plimsoll/simulator'
import type { KubernetesObject } from './kubernetes-object.ts'

type Volume = Living['volumes'][number]

/** Disk types such as Premium_LRS are not valid names of a StorageClass. */
export const classNameOf = (storageClass: string) => storageClass.toLowerCase().replaceAll('_', '-')

/** Bound volumes with their claims. StatefulSets make their own claims. */
export function copyStorage(scenario: Scenario, { volumes }: Living): KubernetesObject[] {
  const classes = new Map(volumes.map((volume) => [volume.storageClass, volume]))
  return [
    ...[...classes.values()].map((volume) => copyClass(scenario, volume)),
    ...volumes.map(copyVolume),
    ...volumes.filter(({ phase }) => phase === 'bound').map(copyClaim),
  ]
}

const typeParameters = { aws: 'type', gcp: 'type', azure: 'skuName', 'on-prem': 'type' }

const copyClass = ({ provider }: Scenario, { storageClass, diskType, driver }: Volume): KubernetesObject => ({
  ...{ apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', metadata: { name: classNameOf(storageClass) } },
  ...{ provisioner: driver, volumeBindingMode: 'Immediate' },
  parameters: { [typeParameters[provider]]: diskType === '' ? storageClass : diskType },
})

const sharedBy = ({ mountedPodRefs }: Volume) => (mountedPodRefs.length > 1 ? 'ReadWriteMany' : 'ReadWriteOnce')

const copyVolume = (volume: Volume): KubernetesObject => ({
  ...{ apiVersion: 'v1', kind: 'PersistentVolume', metadata: { name: volume.name } },
  ...{
    spec: {
      accessModes: [sharedBy(volume)],
      storageClassName: classNameOf(volume.storageClass),
      capacity: { storage: `${volume.sizeKib}Ki` },
      persistentVolumeReclaimPolicy: volume.reclaimPolicy,
      csi: { driver: volume.driver, volumeHandle: `disk-${volume.uid}` },
      claimRef: { namespace: volume.namespace, name: volume.claim },
      ...(volume.zone === '' ? {} : { nodeAffinity: { required: { nodeSelectorTerms: [inZone(volume.zone)] } } }),
    },
  },
})

const inZone = (zone: string) => ({
  matchExpressions: [{ key: 'topology.kubernetes.io/zone', operator: 'In', values: [zone] }],
})

const copyClaim = (volume: Volume): KubernetesObject => ({
  ...{ apiVersion: 'v1', kind: 'PersistentVolumeClaim' },
  metadata: { name: volume.claim, namespace: volume.namespace },
  ...{
    spec: {
      accessModes: [sharedBy(volume)],
      storageClassName: classNameOf(volume.storageClass),
      volumeName: volume.name,
      resources: { requests: { storage: `${volume.sizeKib}Ki` } },
    },
  },
})
