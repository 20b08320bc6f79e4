import type { Volume } from '../../rules/action.ts'
import { shellWord } from '../safe-text.ts'
import { guarded } from '../shell-variables.ts'
import { shortHash } from '../short-hash.ts'
import {
  created,
  cutName,
  inNamespace,
  kubectl,
  snapshotPlaceholder,
  type CommandCluster,
  type CommandStep,
} from './command-step.ts'
import { providerOf, regionWord, type Provider } from './provider-options.ts'

type Claim = NonNullable<Volume['claim']>
export type ClaimedVolume = { readonly name: string; readonly claim: Claim }

const snapshotOf = ({ namespace, name }: Claim) => ({
  apiVersion: 'snapshot.storage.k8s.io/v1',
  kind: 'VolumeSnapshot',
  metadata: { name: snapshotPlaceholder, namespace },
  spec: { source: { persistentVolumeClaimName: name } },
})

const snapshot = guarded('SNAPSHOT')
const disk = guarded('DISK')

/** The time makes the name new in each run, so an earlier snapshot is never taken for this one. */
const nameSnapshot = (name: string) => `SNAPSHOT=${shellWord(name)}-$(date -u +%Y%m%d%H%M%S)`

const isReady = (cluster: CommandCluster, { namespace }: Claim) =>
  `${kubectl(cluster)} wait volumesnapshot/${snapshot}${inNamespace(namespace)} --for=jsonpath='{.status.readyToUse}'=true --timeout=60m`

/** A snapshot of a claim. Sets SNAPSHOT to its name. */
export const claimSnapshot = (cluster: CommandCluster, claim: Claim): CommandStep => ({
  title: 'Take a snapshot',
  commands: [
    `${nameSnapshot(cutName(claim.name, 230))} && ${created(cluster, snapshotOf(claim))} && ${isReady(cluster, claim)}`,
  ],
  note: 'Requires the snapshot controller and a default VolumeSnapshotClass.',
})

/** Runs `command` only if SNAPSHOT is complete and a snapshot of the disk of this volume. */
export function afterSnapshot(cluster: CommandCluster, { name, claim }: ClaimedVolume, command: string): string {
  const run = kubectl(cluster)
  return [
    diskOf(cluster, name),
    isReady(cluster, claim),
    `CONTENT=$(${run} get volumesnapshot ${snapshot}${inNamespace(claim.namespace)} -o jsonpath='{.status.boundVolumeSnapshotContentName}')`,
    `[ "$(${run} get volumesnapshotcontent "$CONTENT" -o jsonpath='{.spec.source.volumeHandle}')" = ${disk} ]`,
    command,
  ].join(' && ')
}

type DiskCommands = {
  /** Sets SNAPSHOT; DISK is set. */
  readonly snapshot: string
  /** Fails unless SNAPSHOT is complete and a snapshot of DISK. */
  readonly check: string
  readonly remove: string
  readonly note: string
}

/** The region of a disk, and the first part of the name of its snapshot. */
type DiskPlace = { readonly region: string; readonly name: string }

/** The disk `projects/p/zones/z/disks/d`; other disks fail the check. */
const googlePlace = 'PROJECT=${DISK#projects/} && PROJECT=${PROJECT%%/*} && ZONE=${DISK#*/zones/} && ZONE=${ZONE%%/*}'
const googleOptions = `--zone ${guarded('ZONE')} --project ${guarded('PROJECT')}`
const azureSnapshot = `--name ${snapshot} --resource-group ${guarded('RESOURCE_GROUP')}`
/** The percentage is missing for snapshots that need no copy. */
const azureQuery =
  'join(`" "`, [provisioningState, to_string((completionPercent || `100`) == `100`), creationData.sourceResourceId])'
/** Azure ignores upper and lower case in the names of its resources. */
const lowerCase = "tr '[:upper:]' '[:lower:]'"

const disks: Readonly<Record<Exclude<Provider, 'other'>, (place: DiskPlace) => DiskCommands>> = {
  aws: ({ region }) => ({
    snapshot: `SNAPSHOT=$(aws ec2 create-snapshot --volume-id ${disk} --query SnapshotId --output text --region ${region}) && echo "$SNAPSHOT"`,
    check: `aws ec2 wait snapshot-completed --snapshot-ids ${snapshot} --region ${region} && [ "$(aws ec2 describe-snapshots --snapshot-ids ${snapshot} --query "join(' ', Snapshots[0].[VolumeId, State])" --output text --region ${region})" = "\${DISK:?is not set} completed" ]`,
    remove: `aws ec2 delete-volume --volume-id ${disk} --region ${region}`,
    note: '',
  }),
  gcp: ({ name }) => ({
    snapshot: `${googlePlace} && ${nameSnapshot(name)} && gcloud compute disks snapshot "\${DISK##*/}" --snapshot-names ${snapshot} ${googleOptions}`,
    check: `${googlePlace} && [ "$(gcloud compute snapshots describe ${snapshot} --project ${guarded('PROJECT')} --format='value(status)')" = READY ] && SOURCE=$(gcloud compute snapshots describe ${snapshot} --project ${guarded('PROJECT')} --format='value(sourceDisk)') && [ "projects/\${SOURCE##*/projects/}" = ${disk} ]`,
    remove: `${googlePlace} && gcloud compute disks delete "\${DISK##*/}" ${googleOptions} --quiet`,
    note: 'The commands work for zonal disks of the CSI driver only.',
  }),
  azure: ({ name }) => ({
    snapshot: `${nameSnapshot(name)} && az snapshot create ${azureSnapshot} --source ${disk}`,
    check: `STATE=$(az snapshot show ${azureSnapshot} --query '${azureQuery}' --output tsv | ${lowerCase}) && [ "$STATE" = "succeeded true $(printf '%s' ${disk} | ${lowerCase})" ]`,
    remove: `az disk delete --ids ${disk} --yes`,
    note: 'Set RESOURCE_GROUP to the resource group of the disk.',
  }),
}

/** Sets DISK to the disk of a volume at the provider, for CSI and for in-tree drivers. */
export const diskOf = (cluster: CommandCluster, volume: string) =>
  `DISK=$(${kubectl(cluster)} get persistentvolume ${shellWord(volume)} -o jsonpath='{.spec.csi.volumeHandle}{.spec.awsElasticBlockStore.volumeID}{.spec.gcePersistentDisk.pdName}{.spec.azureDisk.diskURI}') && DISK=\${DISK##*aws:*/}`

/** Null: the command line of the provider is not known. */
export function diskCommands(cluster: CommandCluster, volume: string): DiskCommands | null {
  const provider = providerOf(cluster)
  const name = `plimsoll-${shortHash([cluster.id, volume].join('/'))}`
  return provider === 'other' ? null : disks[provider]({ region: regionWord(cluster), name })
}
