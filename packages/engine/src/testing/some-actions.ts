import type { Action } from '../rules/action.ts'
import type { Target } from '../rules/finding.ts'

type Sample = { readonly action: Action; readonly object: Target }

const object = (kind: string, namespace: string, name: string): Target => ({ kind, namespace, name, container: '' })
const pool = { pool: 'general', scaler: 'none' } as const
const claim = { namespace: 'shop', name: 'data-db-0' }
const volume = { name: 'pvc-1', claim, storageClass: 'gp2', reclaimPolicy: 'Delete' }
const pod = { namespace: 'shop', name: 'web-1' }
const machines = {
  kind: 'replace_machines',
  from: ['m5.large'],
  to: [{ type: 'm6i.large', count: 2 }],
  nodesStaying: 0,
} as const

/** At least one action of each kind and of each way to carry it out. */
export const someActions: readonly Sample[] = [
  ...(['none', 'karpenter', 'cluster-autoscaler'] as const).flatMap((scaler): Sample[] => [
    {
      action: { kind: 'remove_nodes', nodes: ['n-1', 'n-2'], pool: 'general', scaler },
      object: object('NodePool', '', 'general'),
    },
    { action: { ...machines, pool: 'general', scaler }, object: object('NodePool', '', 'general') },
    {
      action: { ...machines, to: [], nodesStaying: 1, pool: 'general', scaler },
      object: object('NodePool', '', 'general'),
    },
  ]),
  ...[
    { blocker: 'node-marked', objects: {} },
    { blocker: 'pod-marked', objects: { pod, annotation: 'karpenter.sh/do-not-disrupt' } },
    { blocker: 'disruption-budget', objects: { pod, disruptionBudgets: ['web'] } },
    { blocker: 'several-budgets', objects: { pod, disruptionBudgets: ['web', 'all'] } },
    { blocker: 'local-storage', objects: { pod } },
    { blocker: 'bare-pod', objects: { pod } },
  ].map((lifted): Sample => ({
    action: { kind: 'unblock_node', node: 'n-1', ...pool, ...lifted },
    object: object('Node', '', 'n-1'),
  })),
  { action: { kind: 'shrink_daemonsets', ...pool }, object: object('NodePool', '', 'general') },
  ...[
    volume,
    { ...volume, reclaimPolicy: 'Retain' },
    { ...volume, claim: null },
    { ...volume, claim: null, reclaimPolicy: '' },
  ].map((each): Sample => ({
    action: { kind: 'delete_volume', volume: each },
    object: object('PersistentVolume', '', 'pvc-1'),
  })),
  { action: { kind: 'shrink_volume', volume, gib: 20 }, object: object('PersistentVolume', '', 'pvc-1') },
  {
    action: { kind: 'change_storage_class', volume, to: 'gp3', gib: 99.5 },
    object: object('PersistentVolume', '', 'pvc-1'),
  },
  { action: { kind: 'delete_service' }, object: object('Service', 'shop', 'front') },
  { action: { kind: 'delete_namespace' }, object: object('Namespace', 'old', 'old') },
  { action: { kind: 'scale_off_hours' }, object: object('Namespace', 'staging', 'staging') },
  {
    action: { kind: 'label_workloads', label: 'team', workloads: ['Deployment/web'] },
    object: object('Namespace', 'shop', 'shop'),
  },
  {
    action: { kind: 'lower_quota', hard: { 'requests.cpu': '4000m' } },
    object: object('ResourceQuota', 'shop', 'quota'),
  },
  { action: { kind: 'stop_workload' }, object: object('DaemonSet', 'shop', 'probe') },
  { action: { kind: 'inspect_pods', pod: 'web-1', container: 'app' }, object: object('Deployment', 'shop', 'web') },
  { action: { kind: 'use_spot' }, object: object('Deployment', 'shop', 'web') },
  { action: { kind: 'shrink_sidecar', cpu: '20m', memory: '64Mi' }, object: object('Sidecar', '', 'istio-proxy') },
  {
    action: { kind: 'upgrade_control_plane', from: '1.30', to: '1.33' },
    object: object('ControlPlane', '', 'control-plane'),
  },
  {
    action: { kind: 'upgrade_control_plane', from: '1.30', to: null },
    object: object('ControlPlane', '', 'control-plane'),
  },
]
