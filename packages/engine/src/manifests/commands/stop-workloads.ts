import type { Action } from '../../rules/action.ts'
import { WORKING_HOURS } from '../../rules/facts/working-hours.ts'
import { shellWord } from '../safe-text.ts'
import { backupFile, gitNote, inNamespace, kubectl, saved, type Commanded, type CommandStep } from './command-step.ts'

/** Kinds without a number of replicas: the object is saved, then deleted. Its claims stay. */
export function stopWorkload({ object, cluster }: Commanded): CommandStep[] {
  const { kind, namespace, name } = object
  const file = backupFile(cluster, object)
  const workload = `${shellWord(kind.toLowerCase())} ${shellWord(name)}${inNamespace(namespace)}`
  return [
    {
      title: 'Save the object and delete it',
      commands: [`${saved(cluster, workload, file)} && ${kubectl(cluster)} delete ${workload}`],
      note: `Ask the owner first. ${file} restores the object. Data in memory and in emptyDir volumes is lost; claims stay. ${gitNote}`,
    },
  ]
}

const scalable = new Set(['Deployment', 'StatefulSet', 'ReplicaSet', 'ReplicationController', 'Rollout'])

/** First the reason, then the way to stop the cost until it is fixed. */
export function inspectPods(
  { object: { kind, namespace, name }, cluster }: Commanded,
  { pod, container }: Extract<Action, { kind: 'inspect_pods' }>,
): CommandStep[] {
  const run = kubectl(cluster)
  const space = inNamespace(namespace)
  const of = container === '' ? '' : ` -c ${shellWord(container)}`
  const logs = `${run} logs ${shellWord(pod)}${space}${of} --previous --tail=50`
  return [
    {
      title: 'Find the reason',
      commands: [`${run} describe pod ${shellWord(pod)}${space}`, ...(container === '' ? [] : [logs])],
      note: 'Fix the image, the volumes or the program.',
    },
    ...(scalable.has(kind)
      ? [
          {
            title: 'Stop the pods until the problem is fixed',
            commands: [`${run} scale ${shellWord(`${kind.toLowerCase()}/${name}`)}${space} --replicas=0`],
            note: `Note the number of replicas first. ${gitNote}`,
          },
        ]
      : []),
  ]
}

/** On working days, in the time zone of the schedule. */
const cronAt = (hour: number) => `0 ${hour} * * 1-${WORKING_HOURS.days}`

const replicasAnnotation = 'plimsoll.dev/replicas'

/** The annotation stores the number of replicas, so that the start in the morning restores it. */
export function scaleOffHours({ object: { name }, cluster }: Commanded): CommandStep[] {
  const run = kubectl(cluster)
  const space = inNamespace(name)
  const kinds = 'deployment,statefulset'
  const lines = String.raw`'{range .items[*]}{.kind}/{.metadata.name} {.spec.replicas}{"\n"}{end}'`
  const kept = String.raw`'{range .items[*]}{.kind}/{.metadata.name} {.metadata.annotations.plimsoll\.dev/replicas}{"\n"}{end}'`
  return [
    {
      title: 'Evening: store the replica count and scale to 0',
      commands: [
        `${run} get ${kinds}${space} -o jsonpath=${lines} | while read -r workload replicas; do [ "$replicas" = 0 ] || { ${run} annotate "$workload"${space} ${replicasAnnotation}="$replicas" --overwrite && ${run} scale "$workload"${space} --replicas=0; }; done`,
      ],
      note: `Run the command from a CronJob or a CI schedule, such as ${cronAt(WORKING_HOURS.toHour)}. An HPA does not scale a workload with 0 replicas.`,
    },
    {
      title: 'Morning: restore the replica count',
      commands: [
        `${run} get ${kinds}${space} -o jsonpath=${kept} | while read -r workload replicas; do [ -z "$replicas" ] || { ${run} scale "$workload"${space} --replicas="$replicas" && ${run} annotate "$workload"${space} ${replicasAnnotation}-; }; done`,
      ],
      note: `Such as ${cronAt(WORKING_HOURS.fromHour)}. Argo CD and Flux must ignore spec.replicas of these workloads.`,
    },
  ]
}
