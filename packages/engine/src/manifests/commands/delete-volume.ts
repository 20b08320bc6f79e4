import type { Volume } from '../../rules/action.ts'
import { shellWord } from '../safe-text.ts'
import { inNamespace, kubectl, type CommandCluster, type CommandStep } from './command-step.ts'
import { afterSnapshot, claimSnapshot, diskCommands, diskOf, type ClaimedVolume } from './snapshot.ts'

const onlyAfterSnapshot = 'The command deletes nothing until a snapshot of this volume is complete.'

/** Each deletion first checks that a snapshot of this volume is complete. */
export function deleteVolume(cluster: CommandCluster, volume: Volume): CommandStep[] {
  const { name, claim } = volume
  if (!claim) return withoutClaim(cluster, volume)
  const remove = `${kubectl(cluster)} delete persistentvolumeclaim ${shellWord(claim.name)}${inNamespace(claim.namespace)}`
  const steps: CommandStep[] = [
    claimSnapshot(cluster, claim),
    {
      title: 'Delete the claim',
      commands: [afterSnapshot(cluster, { name, claim }, remove)],
      note: `Run all steps in the same shell. ${onlyAfterSnapshot} If a StatefulSet or a manifest in Git creates the claim, remove it there.`,
    },
  ]
  return volume.reclaimPolicy === 'Delete' ? steps : [...steps, removeDisk(cluster, { name, claim })]
}

/** With the policy Retain the volume still names the disk after its claim is gone. */
function removeDisk(cluster: CommandCluster, volume: ClaimedVolume): CommandStep {
  const disk = diskCommands(cluster, volume.name)
  const removeVolume = `${kubectl(cluster)} delete persistentvolume ${shellWord(volume.name)}`
  const remove = ['echo "$DISK"', removeVolume, ...(disk ? [disk.remove] : [])].join(' && ')
  return {
    title: 'Delete the volume and its disk',
    commands: [afterSnapshot(cluster, volume, remove)],
    note: `With the reclaim policy Retain, the disk is billed until it is deleted. ${onlyAfterSnapshot} ${diskNote(disk !== null)}`,
  }
}

const diskNote = (isKnown: boolean) =>
  isKnown
    ? 'If only the deletion of the disk fails, delete the printed disk manually.'
    : 'Delete the printed disk at your provider.'

/** Kubernetes takes snapshots of claims only, so the provider takes this one. */
function withoutClaim(cluster: CommandCluster, volume: Volume): CommandStep[] {
  const disk = diskCommands(cluster, volume.name)
  const find = `${diskOf(cluster, volume.name)} && echo "$DISK"`
  const remove = `${kubectl(cluster)} delete persistentvolume ${shellWord(volume.name)}`
  if (!disk) return keepingDisk(cluster, volume, find)
  const removeAll = volume.reclaimPolicy === 'Delete' ? remove : `${remove} && ${disk.remove}`
  return [
    {
      title: 'Take a snapshot of the disk',
      commands: [`SNAPSHOT= && ${find} && ${disk.snapshot}`],
      note: `${disk.note} Run all steps in the same shell.`.trimStart(),
    },
    {
      title: 'Delete the volume and its disk',
      commands: [`${find} && ${disk.check} && ${removeAll}`],
      note: `${onlyAfterSnapshot} ${diskNote(true)}`,
    },
  ]
}

/** No command can check a snapshot at an unknown provider, so no command deletes the disk. */
const keepingDisk = (cluster: CommandCluster, { name }: Volume, find: string): CommandStep[] => [
  {
    title: 'Find the disk',
    commands: [find],
    note: 'Take a snapshot of the printed disk at your provider.',
  },
  {
    title: 'Delete the volume and keep its disk',
    commands: [
      `${kubectl(cluster)} patch persistentvolume ${shellWord(name)} --type=merge -p '{"spec":{"persistentVolumeReclaimPolicy":"Retain"}}' && ${kubectl(cluster)} delete persistentvolume ${shellWord(name)}`,
    ],
    note: 'When the snapshot is complete, delete the disk at your provider. It is billed until then.',
  },
]
