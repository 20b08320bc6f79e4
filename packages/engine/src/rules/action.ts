import type { BlockingObjects } from '../packing/blocker.ts'

/** The autoscaler of a node pool. */
export type PoolScaler = 'karpenter' | 'cluster-autoscaler' | 'none' | 'unknown'

type NamespacedName = { readonly namespace: string; readonly name: string }

export type Volume = {
  readonly name: string
  /** Null: no claim, or a claim that no longer exists. */
  readonly claim: NamespacedName | null
  readonly storageClass: string
  /** Empty: unknown. */
  readonly reclaimPolicy: string
}

type Pool = { readonly pool: string; readonly scaler: PoolScaler }

/**
 * What a person does to carry out a finding that no manifest expresses. `manifests/commands` turns it into commands. The object of
 * the change is the target, so an action names only the other values.
 */
export type Action =
  | ({ readonly kind: 'remove_nodes'; readonly nodes: readonly string[] } & Pool)
  | ({
      readonly kind: 'replace_machines'
      readonly from: readonly string[]
      /** Empty: the reader chooses. */
      readonly to: readonly { readonly type: string; readonly count: number }[]
      /** Nodes of the pool that cannot be drained and stay. */
      readonly nodesStaying: number
    } & Pool)
  | ({
      readonly kind: 'unblock_node'
      readonly node: string
      readonly blocker: string
      readonly objects: BlockingObjects
    } & Pool)
  | ({ readonly kind: 'shrink_daemonsets' } & Pool)
  | { readonly kind: 'delete_volume'; readonly volume: Volume }
  | { readonly kind: 'shrink_volume'; readonly volume: Volume; readonly gib: number }
  | { readonly kind: 'change_storage_class'; readonly volume: Volume; readonly to: string; readonly gib: number }
  | { readonly kind: 'delete_service' }
  | { readonly kind: 'delete_namespace' }
  | { readonly kind: 'scale_off_hours' }
  | { readonly kind: 'label_workloads'; readonly label: string; readonly workloads: readonly string[] }
  | { readonly kind: 'lower_quota'; readonly hard: Readonly<Record<string, string>> }
  | { readonly kind: 'stop_workload' }
  | { readonly kind: 'inspect_pods'; readonly pod: string; readonly container: string }
  | { readonly kind: 'use_spot' }
  | { readonly kind: 'shrink_sidecar'; readonly cpu: string | null; readonly memory: string | null }
  | { readonly kind: 'upgrade_control_plane'; readonly from: string; readonly to: string | null }
