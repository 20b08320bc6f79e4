import type { Volume } from '../../rules/action.ts'
import { shellWord } from '../safe-text.ts'
import { guarded } from '../shell-variables.ts'
import { applied, inNamespace, kubectl, type CommandCluster, type CommandStep } from './command-step.ts'
import { providerOf, regionWord, type Provider } from './provider.ts'

type Claim = NonNullable<Volume['claim']>

export const snapshotName = ({ name }: Claim) => `${name.slice(0, 230)}-plimsoll`

const snapshotOf = (claim: Claim) => ({
  apiVersion: 'snapshot.storage.k8s.io/v1',
  kind: 'VolumeSnapshot',
  metadata: { name: snapshotName(claim), namespace: claim.namespace },
  spec: { source: { persistentVolumeClaimName: claim.name } },
})

const isReady = (cluster: CommandCluster, claim: Claim) =>
  `${kubectl(cluster)} wait volumesnapshot/${snapshotName(claim)}${inNamespace(claim.namespace)} --for=jsonpath='{.status.readyToUse}'=true --timeout=60m`

/** A snapshot of a claim, and the command that fails until the snapshot is complete. */
export const claimSnapshot = (cluster: CommandCluster, claim: Claim): CommandStep => ({
  title: 'Take a snapshot',
  commands: [applied(cluster, snapshotOf(claim)), isReady(cluster, claim)],
  note: 'Needs the snapshot controller and a default VolumeSnapshotClass. Stop writing to the volume first.',
})

/** Runs `command` only if the snapshot of the claim is complete. */
export const afterSnapshot = (cluster: CommandCluster, claim: Claim, command: string) =>
  `${isReady(cluster, claim)} && ${command}`

type DiskCommands = { readonly snapshot: string; readonly done: string; readonly remove: string; readonly note: string }

const disks: Readonly<Record<Provider, (region: string) => DiskCommands>> = {
  aws: (region) => ({
    snapshot: `aws ec2 create-snapshot --volume-id ${guarded('DISK')} --query SnapshotId --output text --region ${region}`,
    done: `aws ec2 wait snapshot-completed --snapshot-ids ${guarded('SNAPSHOT')} --region ${region}`,
    remove: `aws ec2 delete-volume --volume-id ${guarded('DISK')} --region ${region}`,
    note: 'Set SNAPSHOT to the printed ID.',
  }),
  gcp: () => ({
    snapshot: `gcloud compute disks snapshot "\${DISK##*/}" --snapshot-names ${guarded('SNAPSHOT')} --zone ${guarded('ZONE')}`,
    done: `[ "$(gcloud compute snapshots describe ${guarded('SNAPSHOT')} --format='value(status)')" = READY ]`,
    remove: `gcloud compute disks delete "\${DISK##*/}" --zone ${guarded('ZONE')}`,
    note: 'Set SNAPSHOT to a new name and ZONE to the zone of the disk.',
  }),
  azure: () => ({
    snapshot: `az snapshot create --name ${guarded('SNAPSHOT')} --resource-group ${guarded('RESOURCE_GROUP')} --source ${guarded('DISK')}`,
    done: `[ "$(az snapshot show --name ${guarded('SNAPSHOT')} --resource-group ${guarded('RESOURCE_GROUP')} --query provisioningState --output tsv)" = Succeeded ]`,
    remove: `az disk delete --ids ${guarded('DISK')} --yes`,
    note: 'Set SNAPSHOT to a new name and RESOURCE_GROUP to the resource group of the disk.',
  }),
  other: () => ({
    snapshot: `echo ${guarded('DISK')}`,
    done: `: ${guarded('SNAPSHOT')}`,
    remove: '',
    note: 'Take a snapshot of the printed disk at your provider and set SNAPSHOT to its name.',
  }),
}

/** Sets DISK to the disk of a volume at the provider, for CSI and for in-tree drivers. */
export const diskOf = (cluster: CommandCluster, volume: string) =>
  `DISK=$(${kubectl(cluster)} get persistentvolume ${shellWord(volume)} -o jsonpath='{.spec.csi.volumeHandle}{.spec.awsElasticBlockStore.volumeID}{.spec.gcePersistentDisk.pdName}{.spec.azureDisk.diskURI}') && DISK=\${DISK##*aws:*/}`

export const diskCommands = (cluster: CommandCluster) => disks[providerOf(cluster)](regionWord(cluster))
