import type { Volume } from '../../rules/action.ts'
import { shellWord } from '../safe-text.ts'
import { inNamespace, kubectl, type CommandCluster, type CommandStep } from './command-step.ts'
import { afterSnapshot, claimSnapshot, diskCommands, diskOf } from './snapshot.ts'

/** Each deletion first checks that a complete snapshot exists. */
export function deleteVolume(cluster: CommandCluster, volume: Volume): CommandStep[] {
  const { claim } = volume
  if (!claim) return withoutClaim(cluster, volume)
  const remove = `${kubectl(cluster)} delete persistentvolumeclaim ${shellWord(claim.name)}${inNamespace(claim.namespace)}`
  const steps: CommandStep[] = [
    claimSnapshot(cluster, claim),
    {
      title: 'Delete the claim',
      commands: [afterSnapshot(cluster, claim, remove)],
      note: 'The command deletes nothing until the snapshot is complete. If a StatefulSet or a manifest in Git creates the claim, remove it there.',
    },
  ]
  return volume.reclaimPolicy === 'Delete'
    ? steps
    : [...withDisk(cluster, volume), ...steps, removeDisk(cluster, volume)]
}

/** The disk is read before the volume is gone. */
const withDisk = (cluster: CommandCluster, { name }: Volume): CommandStep[] => [
  {
    title: 'Note the disk of the volume',
    commands: [`${diskOf(cluster, name)} && echo "$DISK"`],
    note: 'Run all steps in the same shell: the last step uses DISK.',
  },
]

function removeDisk(cluster: CommandCluster, { name }: Volume): CommandStep {
  const { remove } = diskCommands(cluster)
  return {
    title: 'Delete the volume and its disk',
    commands: [
      `${kubectl(cluster)} delete persistentvolume ${shellWord(name)} --ignore-not-found`,
      ...(remove === '' ? [] : [remove]),
    ],
    note: `The reclaim policy keeps the disk, which is billed until it is deleted.${remove === '' ? ' Delete the disk at your provider.' : ''}`,
  }
}

/** Kubernetes takes snapshots of claims only, so the provider takes this one. */
function withoutClaim(cluster: CommandCluster, volume: Volume): CommandStep[] {
  const { snapshot, done, remove, note } = diskCommands(cluster)
  const disk = volume.reclaimPolicy === 'Delete' || remove === '' ? '' : ` && ${remove}`
  return [
    {
      title: 'Take a snapshot of the disk',
      commands: [`${diskOf(cluster, volume.name)} && ${snapshot}`],
      note: `${note} Run all steps in the same shell.`,
    },
    {
      title: 'Delete the volume and its disk',
      commands: [`${done} && ${kubectl(cluster)} delete persistentvolume ${shellWord(volume.name)}${disk}`],
      note: `The command deletes nothing without a complete snapshot.${remove === '' ? ' Delete the disk at your provider.' : ''}`,
    },
  ]
}
