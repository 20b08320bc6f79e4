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
  /** Empty for the core group. */
  readonly group: string
  /** The preferred version first. */
  readonly versions: readonly [string, ...string[]]
  /** The agent sends nothing without this kind. */
  readonly isNeeded?: boolean
  /** Part of an optional component. */
  readonly isOptional?: boolean
  /** The lost feature if the ClusterRole does not grant this kind. Such a missing permission is not an error. */
  readonly lostWithoutRight?: string
  readonly accept?: Accept
  /** The agent may read only this object of the kind. */
  readonly only?: { readonly namespace: string; readonly name: string }
}

/** Names, labels and owners only: a ReplicaSet is needed only to find the owner of its pods. */
const onlyMetadata: Accept = {
  list: 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1',
  watch: 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1',
}

/**
 * Everything that the agent reads besides usage. It never reads Secrets, and of ConfigMaps only the status of the
 * cluster-autoscaler. It needs no claims and priority classes: volumes name their claim, and pods contain their
 * priority.
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
    lostWithoutRight: 'Node recommendations do not respect the volume limit of nodes.',
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
      'Node pool recommendations do not respect the minimum sizes of the cluster-autoscaler. They may treat autoscaled pools as fixed-size.',
  },
]

export function pathOf({ name, group, only }: Kind, version: string): string {
  const api = group === '' ? `/api/${version}` : `/apis/${group}/${version}`
  return only ? `${api}/namespaces/${only.namespace}/${name}` : `${api}/${name}`
}

/** A permission for a single resource name applies only to lists and watches with this name as a selector. */
export const selectionOf = ({ only }: Kind): Record<string, string> =>
  only ? { fieldSelector: `metadata.name=${only.name}` } : {}

/** The kinds that must be readable so that a missing object of a batch is known not to exist. */
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
