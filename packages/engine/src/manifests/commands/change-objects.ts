import type { Action } from '../../rules/action.ts'
import { shellWord } from '../safe-text.ts'
import { guarded } from '../shell-variables.ts'
import { backupFile, gitNote, inNamespace, kubectl, type Commanded, type CommandStep } from './command-step.ts'

/** ClusterIP ends the load balancer and keeps the Service, so it can be reverted. */
export function deleteService({ object, cluster }: Commanded): CommandStep[] {
  const { namespace, name } = object
  const service = `service ${shellWord(name)}${inNamespace(namespace)}`
  const save = `${kubectl(cluster)} get ${service} -o yaml > ${backupFile(object)}`
  return [
    {
      title: 'End the load balancer and keep the Service',
      commands: [`${save} && ${kubectl(cluster)} patch ${service} --type=merge -p '{"spec":{"type":"ClusterIP"}}'`],
      note: `The address is lost: check DNS first. ${gitNote}`,
    },
    {
      title: 'Delete the Service when nothing needs it',
      commands: [`${save} && ${kubectl(cluster)} delete ${service}`],
      note: `${backupFile(object)} restores the Service, with another address.`,
    },
  ]
}

/** The namespace takes its snapshots with it, so the volumes are kept instead. */
export function deleteNamespace({ object: { name }, cluster }: Commanded): CommandStep[] {
  const run = kubectl(cluster)
  const space = inNamespace(name)
  const retain = `'{"spec":{"persistentVolumeReclaimPolicy":"Retain"}}'`
  return [
    {
      title: 'Save the objects',
      commands: [
        `${run} get all,configmap,ingress,persistentvolumeclaim${space} -o yaml > ${shellWord(`namespace-${name}.yaml`)}`,
      ],
      note: 'Ask the owner first. The file has no Secrets.',
    },
    {
      title: 'Keep the volumes',
      commands: [
        `for volume in $(${run} get persistentvolumeclaim${space} -o jsonpath='{.items[*].spec.volumeName}'); do ${run} patch persistentvolume "$volume" --type=merge -p ${retain} || exit 1; done`,
      ],
      note: 'Plimsoll then recommends the released volumes for deletion, each with a snapshot first.',
    },
    {
      title: 'Delete the namespace',
      commands: [
        `test -s ${shellWord(`namespace-${name}.yaml`)} && [ -z "$(${run} get persistentvolume -o jsonpath='{range .items[?(@.spec.claimRef.namespace=="${name}")]}{.spec.persistentVolumeReclaimPolicy}{"\\n"}{end}' | grep -v '^Retain$')" ] && ${run} delete namespace ${shellWord(name)}`,
      ],
      note: 'The command deletes nothing without the saved objects, or while the deletion would delete a volume.',
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
      note: `The values are twice the highest requests of the last days. Running pods stay. ${gitNote}`,
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
