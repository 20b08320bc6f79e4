import type { Action } from '../rules/action.ts'
import type { Target } from '../rules/finding.ts'

type Sample = { readonly action: Action; readonly object: Target }

type Kind = Action['kind']

/** `kind` is the key in the table. */
type Samples<K extends Kind> = {
  readonly object: Target
  readonly actions: readonly Omit<Extract<Action, { kind: K }>, 'kind'>[]
}

const object = (kind: string, namespace: string, name: string): Target => ({ kind, namespace, name, container: '' })
const nodePool = object('NodePool', '', 'general')
const persistentVolume = object('PersistentVolume', '', 'pvc-1')
const pool = { pool: 'general', scaler: 'none' } as const
const scaledPools = (['none', 'karpenter', 'cluster-autoscaler'] as const).map((scaler) => ({
  pool: 'general',
  scaler,
}))
const claim = { namespace: 'shop', name: 'data-db-0' }
const volume = { name: 'pvc-1', claim, storageClass: 'gp2', reclaimPolicy: 'Delete' }
const pod = { namespace: 'shop', name: 'web-1' }

/** The compiler reports a missing kind. */
const samples: { readonly [K in Kind]: Samples<K> } = {
  remove_nodes: { object: nodePool, actions: scaledPools.map((each) => ({ nodes: ['n-1', 'n-2'], ...each })) },
  replace_machines: {
    object: nodePool,
    actions: scaledPools.flatMap((each) => [
      { from: ['m5.large'], to: [{ type: 'm6i.large', count: 2 }], nodesStaying: 0, ...each },
      { from: ['m5.large'], to: [], nodesStaying: 1, ...each },
    ]),
  },
  unblock_node: {
    object: object('Node', '', 'n-1'),
    actions: [
      { blocker: 'node-marked', objects: {} },
      { blocker: 'pod-marked', objects: { pod, annotation: 'karpenter.sh/do-not-disrupt' } },
      { blocker: 'disruption-budget', objects: { pod, disruptionBudgets: ['web'] } },
      { blocker: 'several-budgets', objects: { pod, disruptionBudgets: ['web', 'all'] } },
      { blocker: 'local-storage', objects: { pod } },
      { blocker: 'bare-pod', objects: { pod } },
    ].map((each) => ({ node: 'n-1', ...pool, ...each })),
  },
  shrink_daemonsets: { object: nodePool, actions: [pool] },
  delete_volume: {
    object: persistentVolume,
    actions: [
      { volume },
      { volume: { ...volume, reclaimPolicy: 'Retain' } },
      { volume: { ...volume, claim: null } },
      { volume: { ...volume, claim: null, reclaimPolicy: '' } },
    ],
  },
  shrink_volume: { object: persistentVolume, actions: [{ volume, gib: 20 }] },
  change_storage_class: { object: persistentVolume, actions: [{ volume, to: 'gp3', gib: 99.5 }] },
  delete_service: { object: object('Service', 'shop', 'front'), actions: [{}] },
  delete_namespace: { object: object('Namespace', 'old', 'old'), actions: [{}] },
  scale_off_hours: { object: object('Namespace', 'staging', 'staging'), actions: [{}] },
  label_workloads: {
    object: object('Namespace', 'shop', 'shop'),
    actions: [{ label: 'team', workloads: ['Deployment/web'] }],
  },
  lower_quota: { object: object('ResourceQuota', 'shop', 'quota'), actions: [{ hard: { 'requests.cpu': '4000m' } }] },
  stop_workload: { object: object('DaemonSet', 'shop', 'probe'), actions: [{}] },
  inspect_pods: { object: object('Deployment', 'shop', 'web'), actions: [{ pod: 'web-1', container: 'app' }] },
  use_spot: { object: object('Deployment', 'shop', 'web'), actions: [{}] },
  shrink_sidecar: { object: object('Sidecar', '', 'istio-proxy'), actions: [{ cpu: '20m', memory: '64Mi' }] },
  upgrade_control_plane: {
    object: object('ControlPlane', '', 'control-plane'),
    actions: [
      { from: '1.30', to: '1.33' },
      { from: '1.30', to: null },
    ],
  },
}

/** At least one action of each kind and of each way to carry it out. */
export const someActions: readonly Sample[] = Object.entries(samples).flatMap(([kind, { object: target, actions }]) =>
  actions.map((action) => ({ action: { kind, ...action } as Action, object: target })),
)
