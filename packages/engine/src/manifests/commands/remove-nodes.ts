import type { PoolScaler } from '../../rules/action.ts'
import { shellWord } from '../safe-text.ts'
import { guarded } from '../shell-variables.ts'
import { kubectl, words, type CommandCluster, type CommandStep } from './command-step.ts'
import { clusterOptions, providerOf, regionWord, terraform, type CommandProvider } from './provider-options.ts'

type Nodes = { readonly nodes: readonly string[]; readonly pool: string; readonly scaler: PoolScaler }

/**
 * Cordons first, so that no pod of a drained node starts on a node that is drained next. Each removal repeats the drain:
 * a node with pods stays.
 */
export const removeNodes = (cluster: CommandCluster, { nodes, pool, scaler }: Nodes): CommandStep[] => [
  ...drainNodes(cluster, nodes),
  shrinkPool(cluster, { nodes, pool, scaler }),
]

const nodeWord = ({ length }: readonly string[]) => (length === 1 ? 'node' : 'nodes')

/** Ends with an error while pods are left. Repeating it is safe. */
const drain = (cluster: CommandCluster, nodes: readonly string[]) =>
  `${kubectl(cluster)} drain ${words(nodes)} --ignore-daemonsets --timeout=15m`

const onlyDrained = 'The command removes nothing until the drain is complete.'

const drainNodes = (cluster: CommandCluster, nodes: readonly string[]): CommandStep[] => [
  {
    title: `Stop scheduling on the ${nodeWord(nodes)}`,
    commands: [`${kubectl(cluster)} cordon ${words(nodes)}`],
    note: `${kubectl(cluster)} uncordon ${words(nodes)} reverts this step.`,
  },
  {
    title: 'Move the pods to other nodes',
    commands: nodes.map((node) => drain(cluster, [node])),
    note: 'PodDisruptionBudgets are respected. A pod with an emptyDir volume stops the drain: add --delete-emptydir-data only if its data may be lost.',
  },
]

function shrinkPool(cluster: CommandCluster, { nodes, pool, scaler }: Nodes): CommandStep {
  if (scaler === 'karpenter') {
    return {
      title: `Remove the ${nodeWord(nodes)}`,
      commands: [`${drain(cluster, nodes)} && ${kubectl(cluster)} delete node ${words(nodes)}`],
      note: `${onlyDrained} Karpenter terminates the instances of deleted nodes. To keep the pool small, set spec.limits of NodePool ${pool}.`,
    }
  }
  if (scaler === 'cluster-autoscaler') {
    return {
      title: `Wait until the cluster-autoscaler removes the ${nodeWord(nodes)}`,
      commands: [
        `${kubectl(cluster)} annotate node ${words(nodes)} cluster-autoscaler.kubernetes.io/scale-down-disabled-`,
        `${kubectl(cluster)} wait --for=delete ${words(nodes.map((node) => `node/${node}`))} --timeout=30m`,
      ],
      note: `The cluster-autoscaler removes empty nodes after about 10 minutes, down to the minimum size of pool ${pool}.`,
    }
  }
  return removeMachines(cluster, nodes, pool)
}

/** Shrinking the pool by a number could remove another node than the drained one, so each machine is named. */
function removeMachines(cluster: CommandCluster, nodes: readonly string[], pool: string): CommandStep {
  const title = `Remove the ${nodes.length === 1 ? 'instance' : 'instances'} from pool ${pool}`
  const provider = providerOf(cluster)
  if (provider === 'other') {
    return {
      title,
      commands: [`${drain(cluster, nodes)} && ${kubectl(cluster)} delete node ${words(nodes)}`],
      note: `${onlyDrained} Then delete the instances at your provider and lower the size of pool ${pool} by ${nodes.length}.`,
    }
  }
  const { pool: resource, size } = terraform[provider]
  const keep = `In Terraform, lower ${size} of ${resource} ${pool} by ${nodes.length}, or the next apply restores the nodes.`
  return { title, ...machineCommands[provider](cluster, nodes, pool, keep) }
}

type MachineCommands = (
  cluster: CommandCluster,
  nodes: readonly string[],
  pool: string,
  keep: string,
) => Pick<CommandStep, 'commands' | 'note'>

const machineCommands: Readonly<Record<CommandProvider, MachineCommands>> = {
  aws: (cluster, nodes, _pool, keep) => ({
    commands: nodes.map(
      (node) =>
        `${drain(cluster, [node])} && instance=$(${kubectl(cluster)} get node ${shellWord(node)} -o jsonpath='{.spec.providerID}') && aws autoscaling terminate-instance-in-auto-scaling-group --instance-id "\${instance##*/}" --should-decrement-desired-capacity --region ${regionWord(cluster)}`,
    ),
    note: `${onlyDrained} If the node group is at its minimum size, first lower the minimum (eksctl scale nodegroup --nodes-min). ${keep}`,
  }),
  gcp: (cluster, nodes, _pool, keep) => ({
    commands: nodes.map(
      (node) =>
        `${drain(cluster, [node])} && ZONE=${labelOf(cluster, node, 'topology.kubernetes.io/zone')} && INSTANCE_GROUP=$(gcloud compute instances describe ${shellWord(node)} --zone ${guarded('ZONE')} --format=json | ${instanceGroup}) && gcloud compute instance-groups managed delete-instances ${guarded('INSTANCE_GROUP')} --instances=${shellWord(node)} --zone ${guarded('ZONE')} --quiet`,
    ),
    note: `${onlyDrained} ${keep}`,
  }),
  azure: (cluster, nodes, pool, keep) => ({
    commands: [
      `${drain(cluster, nodes)} && ${findAksCluster(cluster, nodes[0] ?? '')} && az aks nodepool delete-machines ${clusterOptions.azure()} --nodepool-name ${shellWord(pool)} --machine-names ${words(nodes)}`,
    ],
    note: `${onlyDrained} ${keep}`,
  }),
}

/** The label of a node, in the shell of the reader. */
const labelOf = (cluster: CommandCluster, node: string, label: string) =>
  `$(${kubectl(cluster)} get node ${shellWord(node)} -o jsonpath='{.metadata.labels.${label.replaceAll('.', '\\.')}}')`

/** The managed instance group that created the instance. */
const instanceGroup = `sed -n 's|.*instanceGroupManagers/\\([^"]*\\)".*|\\1|p'`

/** Sets CLUSTER and RESOURCE_GROUP: a node of AKS has the resource group of the nodes of its cluster as label. */
function findAksCluster(cluster: CommandCluster, node: string): string {
  const find = (field: string) =>
    `$(az aks list --query "[?nodeResourceGroup=='\${NODE_GROUP:?is not set}'].${field}" --output tsv)`
  return [
    `NODE_GROUP=${labelOf(cluster, node, 'kubernetes.azure.com/cluster')}`,
    `CLUSTER=${find('name')}`,
    `RESOURCE_GROUP=${find('resourceGroup')}`,
  ].join(' && ')
}
