import type { ObjectKind } from '@plimsoll/contract'
import type { Accept } from '../watch/list-all.ts'

/** A kind of object that is listed and watched. */
export type KindName =
  | 'nodes'
  | 'pods'
  | 'namespaces'
  | 'deployments'
  | 'replicasets'
  | 'statefulsets'
  | 'daemonsets'
  | 'jobs'
  | 'cronjobs'
  | 'horizontalpodautoscalers'
  | 'poddisruptionbudgets'
  | 'persistentvolumes'
  | 'storageclasses'
  | 'csinodes'
  | 'services'
  | 'endpointslices'
  | 'resourcequotas'
  | 'limitranges'
  | 'rollouts'
  | 'verticalpodautoscalers'
  | 'nodepools'
  | 'configmaps'

export type Kind = {
  readonly name: KindName
  /** Empty for what Kubernetes has had from the beginning. */
  readonly group: string
  /** The best first. */
  readonly versions: readonly [string, ...string[]]
  /** Without it nothing can be told. */
  readonly isNeeded?: boolean
  /** Comes with something that not every cluster has. */
  readonly isOptional?: boolean
  /** What is missing where the ClusterRole does not grant this kind. Such a missing right is no fault of the agent. */
  readonly lostWithoutRight?: string
  readonly accept?: Accept
  /** The one object that is read of a kind of which the agent may read nothing else. */
  readonly only?: { readonly namespace: string; readonly name: string }
}

/** Names, labels and owners without content: a ReplicaSet only says whose pods it makes. */
const onlyMetadata: Accept = {
  list: 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1',
  watch: 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1',
}

/**
 * All that is ever read of a cluster, beside usage. Never Secrets. Of ConfigMaps only the status of the cluster-autoscaler. Claims and priority classes are not read
 * either: volumes name their claim, and pods have the number of their priority.
 */
export const kinds: readonly Kind[] = [
  { name: 'nodes', group: '', versions: ['v1'], isNeeded: true },
  { name: 'namespaces', group: '', versions: ['v1'], isNeeded: true },
  { name: 'replicasets', group: 'apps', versions: ['v1'], accept: onlyMetadata },
  { name: 'deployments', group: 'apps', versions: ['v1'] },
  { name: 'statefulsets', group: 'apps', versions: ['v1'] },
  { name: 'daemonsets', group: 'apps', versions: ['v1'] },
  { name: 'jobs', group: 'batch', versions: ['v1'] },
  { name: 'cronjobs', group: 'batch', versions: ['v1'] },
  { name: 'pods', group: '', versions: ['v1'], isNeeded: true },
  { name: 'horizontalpodautoscalers', group: 'autoscaling', versions: ['v2'] },
  { name: 'poddisruptionbudgets', group: 'policy', versions: ['v1'] },
  { name: 'persistentvolumes', group: '', versions: ['v1'] },
  { name: 'storageclasses', group: 'storage.k8s.io', versions: ['v1'] },
  {
    name: 'csinodes',
    group: 'storage.k8s.io',
    versions: ['v1'],
    lostWithoutRight: 'Recommendations for nodes ignore how many volumes a node can attach.',
  },
  { name: 'services', group: '', versions: ['v1'] },
  { name: 'endpointslices', group: 'discovery.k8s.io', versions: ['v1'] },
  { name: 'resourcequotas', group: '', versions: ['v1'] },
  { name: 'limitranges', group: '', versions: ['v1'] },
  { name: 'rollouts', group: 'argoproj.io', versions: ['v1alpha1'], isOptional: true },
  { name: 'verticalpodautoscalers', group: 'autoscaling.k8s.io', versions: ['v1'], isOptional: true },
  { name: 'nodepools', group: 'karpenter.sh', versions: ['v1', 'v1beta1'], isOptional: true },
  {
    name: 'configmaps',
    group: '',
    versions: ['v1'],
    only: { namespace: 'kube-system', name: 'cluster-autoscaler-status' },
    lostWithoutRight:
      'Recommendations for node pools ignore the minimum sizes of the cluster-autoscaler, and may treat autoscaled pools as fixed.',
  },
]

export function pathOf({ name, group, only }: Kind, version: string): string {
  const api = group === '' ? `/api/${version}` : `/apis/${group}/${version}`
  return only ? `${api}/namespaces/${only.namespace}/${name}` : `${api}/${name}`
}

/** A right to one object by its name holds for lists and watches that ask for this name. */
export const selectionOf = ({ only }: Kind): Record<string, string> =>
  only ? { fieldSelector: `metadata.name=${only.name}` } : {}

/** What must be readable so that of each kind of object in a batch one can say: what is not sent does not exist. */
export const watchedBy: Readonly<Record<ObjectKind, readonly KindName[]>> = {
  workload: ['deployments', 'statefulsets', 'daemonsets', 'jobs', 'cronjobs', 'rollouts'],
  autoscaler: ['horizontalpodautoscalers'],
  vertical_autoscaler: ['verticalpodautoscalers'],
  budget: ['poddisruptionbudgets'],
  limit_range: ['limitranges'],
  quota: ['resourcequotas'],
  node_pool: ['nodepools'],
  cluster_autoscaler: ['configmaps'],
}
