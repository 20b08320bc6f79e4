import type { Action } from '../../rules/action.ts'
import { shellWord } from '../safe-text.ts'
import { guarded } from '../shell-variables.ts'
import { kubectl, type CommandCluster, type CommandStep } from './command-step.ts'
import {
  clusterHint,
  clusterOptions,
  providerOf,
  terraform,
  type Provider,
  type CommandProvider,
} from './provider-options.ts'

type Replacement = Extract<Action, { kind: 'replace_machines' }>

/** Karpenter replaces its nodes itself. Other pools have a fixed type, so a new pool takes over the pods. */
export function replaceMachines(cluster: CommandCluster, action: Replacement): CommandStep[] {
  if (action.scaler === 'karpenter') return [karpenterStep(cluster, action)]
  const provider = providerOf(cluster)
  if (provider === 'other') return [...drainOld(cluster, action, poolLabels.other)]
  return [
    createStep(cluster, action, provider),
    ...drainOld(cluster, action, poolLabels[provider]),
    ...deleteOld(cluster, action, provider),
  ]
}

const instanceTypeLabel = 'node.kubernetes.io/instance-type'

function karpenterStep(cluster: CommandCluster, { pool, to }: Replacement): CommandStep {
  const value = (values: unknown) => ({ key: instanceTypeLabel, operator: 'In', values })
  const patch = (values: unknown) =>
    JSON.stringify([{ op: 'add', path: '/spec/template/spec/requirements/-', value: value(values) }])
  const types = [...new Set(to.map(({ type }) => type))]
  const text =
    types.length === 0
      ? `"[{\\"op\\":\\"add\\",\\"path\\":\\"/spec/template/spec/requirements/-\\",\\"value\\":{\\"key\\":\\"${instanceTypeLabel}\\",\\"operator\\":\\"In\\",\\"values\\":[\\"\${INSTANCE_TYPE:?is not set}\\"]}}]"`
      : shellWord(patch(types))
  return {
    title: `Allow only the cheaper instance types in NodePool ${pool}`,
    commands: [`${kubectl(cluster)} patch nodepool ${shellWord(pool)} --type=json -p ${text}`],
    note: `Karpenter replaces nodes that no longer fit (drift), within the disruption budgets of the NodePool. If the NodePool already has a requirement for ${instanceTypeLabel}, change that requirement instead. Its EC2NodeClass needs no change.${types.length === 0 ? ' Set INSTANCE_TYPE to the new type.' : ''}`,
  }
}

const poolLabels: Readonly<Record<Provider, string>> = {
  aws: 'eks.amazonaws.com/nodegroup',
  gcp: 'cloud.google.com/gke-nodepool',
  azure: 'kubernetes.azure.com/agentpool',
  other: 'node.plimsoll.dev/pool',
}

const withNumber = (pool: string, number: number) => `${pool}-${number}`

/** The name of a new pool. */
const newNames: Readonly<Record<CommandProvider, (pool: string, number: number) => string>> = {
  aws: withNumber,
  gcp: withNumber,
  // At most 12 letters and digits.
  azure: (pool, number) => `${pool.replaceAll(/[^a-z0-9]/g, '').slice(0, 10)}${number}`,
}

const createNotes: Readonly<Record<CommandProvider, string>> = {
  aws: '',
  gcp: ' In a regional cluster, --num-nodes is per zone: divide the number by the number of zones.',
  azure: '',
}

type Create = (options: string, name: string, type: string, count: number) => string

const create: Readonly<Record<CommandProvider, Create>> = {
  aws: (options, name, type, count) =>
    `eksctl create nodegroup ${options} --name ${name} --node-type ${type} --nodes ${count} --managed`,
  gcp: (options, name, type, count) =>
    `gcloud container node-pools create ${name} ${options} --machine-type ${type} --num-nodes ${count}`,
  azure: (options, name, type, count) =>
    `az aks nodepool add ${options} --name ${name} --node-vm-size ${type} --node-count ${count}`,
}

function createStep(cluster: CommandCluster, { pool, to }: Replacement, provider: CommandProvider): CommandStep {
  const options = clusterOptions[provider](cluster)
  const { pool: resource, type } = terraform[provider]
  const sets = to.map(({ type: machine, count }, index) =>
    create[provider](options, shellWord(newNames[provider](pool, index + 2)), shellWord(machine), count),
  )
  const chosen = create[provider](options, shellWord(newNames[provider](pool, 2)), guarded('INSTANCE_TYPE'), 1)
  return {
    title: 'Create a pool of the new instance types',
    commands: sets.length === 0 ? [chosen] : sets,
    note: `${clusterHint[provider]}${sets.length === 0 ? ' Set INSTANCE_TYPE to the new type.' : ''}${createNotes[provider]} Copy labels, taints and autoscaling of pool ${pool}. In Terraform, add the resource ${resource} with ${type}.`,
  }
}

const drain = (cluster: CommandCluster, selector: string) =>
  `${kubectl(cluster)} drain -l ${selector} --ignore-daemonsets --timeout=30m`

function drainOld(cluster: CommandCluster, { pool, from }: Replacement, label: string): CommandStep[] {
  const selector = shellWord(
    `${label}=${pool}${from.length === 0 ? '' : `,${instanceTypeLabel} in (${from.join(',')})`}`,
  )
  return [
    {
      title: 'Move the pods off the old nodes',
      commands: [`${kubectl(cluster)} cordon -l ${selector}`, drain(cluster, selector)],
      note: `Run this step when the new nodes are ready. ${kubectl(cluster)} uncordon -l ${selector} reverts the first command. A pod with an emptyDir volume stops the drain: add --delete-emptydir-data only if its data may be lost.`,
    },
  ]
}

const remove: Readonly<Record<CommandProvider, (options: string, pool: string) => string>> = {
  aws: (options, pool) => `eksctl delete nodegroup ${options} --name ${pool} --approve`,
  gcp: (options, pool) => `gcloud container node-pools delete ${pool} ${options} --quiet`,
  azure: (options, pool) => `az aks nodepool delete ${options} --name ${pool}`,
}

function deleteOld(
  cluster: CommandCluster,
  { pool, nodesStaying }: Replacement,
  provider: CommandProvider,
): CommandStep[] {
  if (nodesStaying > 0) {
    return [
      {
        title: 'Shrink the old pool',
        commands: [],
        note: `Lower the size of pool ${pool} to ${nodesStaying}: nodes that cannot be drained stay.`,
      },
    ]
  }
  const selector = shellWord(`${poolLabels[provider]}=${pool}`)
  const command = remove[provider](clusterOptions[provider](cluster), shellWord(pool))
  return [
    {
      title: 'Delete the old pool',
      // A selector that matches no node would drain nothing and still succeed.
      commands: [
        `[ -n "$(${kubectl(cluster)} get node -l ${selector} -o name)" ] && ${drain(cluster, selector)} && ${command}`,
      ],
      note: `The command deletes nothing until the drain of all nodes of pool ${pool} is complete. In Terraform, remove the old ${terraform[provider].pool}.`,
    },
  ]
}
