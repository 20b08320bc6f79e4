import { guarded } from '../shell-variables.ts'
import { shellWord } from '../safe-text.ts'
import type { CommandCluster } from './command-step.ts'

/** The options that name the cluster for the command line of the provider. */
export const clusterOptions = {
  aws: (cluster) => `--cluster ${guarded('CLUSTER')} --region ${regionWord(cluster)}`,
  gcp: (cluster) => `--cluster ${guarded('CLUSTER')} --location ${regionWord(cluster)}`,
  azure: () => `--cluster-name ${guarded('CLUSTER')} --resource-group ${guarded('RESOURCE_GROUP')}`,
} as const satisfies Readonly<Record<string, (cluster: CommandCluster) => string>>

/** A provider whose command line is known. */
export type CommandProvider = keyof typeof clusterOptions

export type Provider = CommandProvider | 'other'

/** The caller resolves other spellings. */
export const providerOf = ({ provider }: CommandCluster): Provider =>
  Object.hasOwn(clusterOptions, provider) ? (provider as CommandProvider) : 'other'

/** The region in a command, or a variable if it is unknown. */
export const regionWord = ({ region }: CommandCluster) => (region === '' ? guarded('REGION') : shellWord(region))

export const clusterHint: Readonly<Record<CommandProvider, string>> = {
  aws: 'Set CLUSTER to the name of the EKS cluster.',
  gcp: 'Set CLUSTER to the name of the GKE cluster. For a zonal cluster, use its zone as location.',
  azure: 'Set CLUSTER and RESOURCE_GROUP to the name and resource group of the AKS cluster.',
}

/** The Terraform resource of a node pool and its fields. */
export const terraform: Readonly<
  Record<CommandProvider, { readonly pool: string; readonly size: string; readonly type: string }>
> = {
  aws: { pool: 'aws_eks_node_group', size: 'scaling_config.desired_size', type: 'instance_types' },
  gcp: { pool: 'google_container_node_pool', size: 'node_count', type: 'node_config.machine_type' },
  azure: { pool: 'azurerm_kubernetes_cluster_node_pool', size: 'node_count', type: 'vm_size' },
}
