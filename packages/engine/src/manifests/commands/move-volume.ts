import type { Action, Volume } from '../../rules/action.ts'
import { shellWord } from '../safe-text.ts'
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
import { afterSnapshot, claimSnapshot, diskOf } from './snapshot.ts'

type Claim = NonNullable<Volume['claim']>

const stoppedSnapshot = 'Stop the workloads that write to the volume, then take a snapshot'

const switchNote = (claim: Claim, name: string) =>
  `Keep the workload stopped, switch it to claim ${name} and start it again. Keep claim ${claim.namespace}/${claim.name} until the workload has run for a week; it is billed until then.`

const claimOf = (claim: Claim, name: string, spec: object) => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name, namespace: claim.namespace },
  spec: { accessModes: ['ReadWriteOnce'], ...spec },
})

/** A claim cannot shrink: a smaller claim gets a copy of the data. Nothing is deleted. */
export function shrinkVolume(
  cluster: CommandCluster,
  { volume: { claim, storageClass }, gib }: Extract<Action, { kind: 'shrink_volume' }>,
): CommandStep[] {
  if (!claim) return []
  const name = `${cutName(claim.name, 230)}-${gib}gi`
  const spec = {
    ...(storageClass === '' ? {} : { storageClassName: storageClass }),
    resources: { requests: { storage: `${gib}Gi` } },
  }
  const space = inNamespace(claim.namespace)
  return [
    { ...claimSnapshot(cluster, claim), title: stoppedSnapshot },
    {
      title: `Keep the workload stopped, create a claim of ${gib} GiB and copy the data`,
      commands: [
        [
          created(cluster, claimOf(claim, name, spec)),
          created(cluster, copyJob(claim, name)),
          `${kubectl(cluster)} wait job/${shellWord(jobName(name))}${space} --for=condition=complete --timeout=120m`,
        ].join(' && '),
      ],
      note: 'While the workload is stopped, the copy is consistent and the volume can be mounted.',
    },
    { title: 'Switch the workload', commands: [], note: switchNote(claim, name) },
  ]
}

/** Names of Jobs become labels of their pods, which have at most 63 characters. */
const jobName = (claim: string) => cutName(`copy-${claim}`, 58)

const copyJob = ({ namespace, name: from }: Claim, to: string) => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name: jobName(to), namespace },
  spec: {
    backoffLimit: 0,
    template: {
      spec: {
        restartPolicy: 'Never',
        containers: [
          {
            name: 'copy',
            image: 'busybox:1.37',
            command: ['cp', '-a', '/from/.', '/to/'],
            volumeMounts: [
              { name: 'from', mountPath: '/from', readOnly: true },
              { name: 'to', mountPath: '/to' },
            ],
          },
        ],
        volumes: [
          { name: 'from', persistentVolumeClaim: { claimName: from } },
          { name: 'to', persistentVolumeClaim: { claimName: to } },
        ],
      },
    },
  },
})

/** EBS disks change in place; for other disks a claim of the new class restores a snapshot. */
export function changeStorageClass(
  cluster: CommandCluster,
  { volume, to, gib }: Extract<Action, { kind: 'change_storage_class' }>,
): CommandStep[] {
  const { claim } = volume
  const inPlace = changeInPlace(cluster, volume, to)
  if (inPlace) return [inPlace]
  if (!claim) return []
  const name = `${cutName(claim.name, 200)}-${to}`
  const dataSource = { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name: snapshotPlaceholder }
  const spec = { storageClassName: to, dataSource, resources: { requests: { storage: `${Math.ceil(gib)}Gi` } } }
  return [
    { ...claimSnapshot(cluster, claim), title: stoppedSnapshot },
    {
      title: `Restore the snapshot to a claim of class ${to}`,
      commands: [afterSnapshot(cluster, { name: volume.name, claim }, created(cluster, claimOf(claim, name, spec)))],
      note: `Run both steps in the same shell. ${switchNote(claim, name)}`,
    },
  ]
}

type InPlace = { readonly classes: RegExp; readonly command: (cluster: CommandCluster) => string }

/** The command that changes the type of a mounted disk, and the storage classes of the new type. Null: no such command. */
const inPlace: Readonly<Record<Provider, InPlace | null>> = {
  aws: {
    classes: /^gp3\b/,
    command: (cluster) => `aws ec2 modify-volume --volume-id "$DISK" --volume-type gp3 --region ${regionWord(cluster)}`,
  },
  gcp: null,
  azure: null,
  other: null,
}

function changeInPlace(cluster: CommandCluster, { name }: Volume, to: string): CommandStep | null {
  const change = inPlace[providerOf(cluster)]
  if (!change?.classes.test(to)) return null
  return {
    title: 'Change the type of the disk in place',
    commands: [`${diskOf(cluster, name)} && ${change.command(cluster)}`],
    note: `The volume stays mounted and needs no snapshot. The provider bills it as ${to} from then on. The existing claim keeps its class, so Plimsoll still shows the price of that class. Use class ${to} for new claims.`,
  }
}
