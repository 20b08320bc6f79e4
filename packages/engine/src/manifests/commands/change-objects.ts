import type { Action } from '../../rules/action.ts'
import { shellWord } from '../safe-text.ts'
import { guarded } from '../shell-variables.ts'
import { backupFile, gitNote, inNamespace, kubectl, saved, type Commanded, type CommandStep } from './command-step.ts'

/** ClusterIP ends the load balancer and keeps the Service, so it can be reverted. */
export function deleteService({ object, cluster }: Commanded): CommandStep[] {
  const { namespace, name } = object
  const service = `service ${shellWord(name)}${inNamespace(namespace)}`
  const file = backupFile(cluster, object)
  const isBalancer = `[ "$(${kubectl(cluster)} get ${service} -o jsonpath='{.spec.type}')" = LoadBalancer ]`
  return [
    {
      title: 'Remove the load balancer, keep the Service',
      commands: [
        `${isBalancer} && ${saved(cluster, service, file)} && ${kubectl(cluster)} patch ${service} --type=merge -p '{"spec":{"type":"ClusterIP"}}'`,
      ],
      note: `The address is lost: check DNS first. A second run changes nothing and keeps ${file}. ${gitNote}`,
    },
    {
      title: 'Delete the Service when nothing needs it',
      commands: [`test -s ${file} && ${kubectl(cluster)} delete ${service}`],
      note: `The command requires ${file} from the first step. The file restores the Service, with a new address.`,
    },
  ]
}

/** The namespace takes its snapshots with it, so the volumes are kept instead. */
export function deleteNamespace({ object: { name }, cluster }: Commanded): CommandStep[] {
  const run = kubectl(cluster)
  const space = inNamespace(name)
  const file = backupFile(cluster, { kind: 'Namespace', namespace: '', name })
  const policies = `'{range .items[?(@.spec.claimRef.namespace=="${name}")]}{.spec.persistentVolumeReclaimPolicy}{"\\n"}{end}'`
  const retain = `'{"spec":{"persistentVolumeReclaimPolicy":"Retain"}}'`
  return [
    {
      title: 'Save the objects',
      // Without the namespace, kubectl would save an empty list.
      commands: [
        `${run} get namespace ${shellWord(name)} -o name && ${saved(cluster, `all,configmap,ingress,persistentvolumeclaim${space}`, file)}`,
      ],
      note: 'Ask the owner first. The backup file does not contain Secrets.',
    },
    {
      title: 'Keep the volumes',
      commands: [
        `volumes=$(${run} get persistentvolumeclaim${space} -o jsonpath='{.items[*].spec.volumeName}') && (for volume in $(printf '%s' "$volumes"); do ${run} patch persistentvolume "$volume" --type=merge -p ${retain} || exit 1; done)`,
      ],
      note: 'Plimsoll then recommends deleting the released volumes, each after a snapshot.',
    },
    {
      title: 'Delete the namespace',
      commands: [
        `test -s ${file} && policies=$(${run} get persistentvolume -o jsonpath=${policies}) && [ -z "$(printf '%s' "$policies" | grep -v '^Retain$')" ] && ${run} delete namespace ${shellWord(name)}`,
      ],
      note: 'The command stops if the backup file is missing, or if a volume still has reclaim policy Delete.',
    },
  ]
}

export function lowerQuota(
  { object: { namespace, name }, cluster }: Commanded,
  { hard }: Extract<Action, { kind: 'lower_quota' }>,
): CommandStep[] {
  const patch = shellWord(JSON.stringify({ spec: { hard } }))
  return [
    {
      title: 'Lower the quota',
      commands: [
        `${kubectl(cluster)} patch resourcequota ${shellWord(name)}${inNamespace(namespace)} --type=merge -p ${patch}`,
      ],
      note: `The values are twice the highest requests that Plimsoll observed. Running pods are not affected. ${gitNote}`,
    },
  ]
}

export function labelWorkloads(
  { object: { namespace }, cluster }: Commanded,
  { label, workloads }: Extract<Action, { kind: 'label_workloads' }>,
): CommandStep[] {
  return [
    {
      title: 'Label the workloads',
      commands: workloads.map(
        (path) => `${kubectl(cluster)} label ${shellWord(path)}${inNamespace(namespace)} ${label}=${guarded('OWNER')}`,
      ),
      note: `Set OWNER to the owner of the workloads. ${gitNote}`,
    },
  ]
}
