import type { ManifestFormat } from '../vocabulary/manifest-formats.ts'

/** Why a recommendation is not in any file. */
export const SKIP_CODES = {
  not_found: 'The recommendation does not exist',
  rejected: 'The recommendation is rejected',
  implemented: 'The recommendation is marked as implemented',
  superseded: 'A newer recommendation replaces it',
  resolved: 'The change has been observed in the cluster',
  expired: 'The recommendation no longer applies',
  workload_gone: 'The workload no longer exists',
  workload_not_seen: 'The workload has not been analyzed yet',
  no_run_seen: 'The CronJob has no recent run, so its containers are unknown',
  container_not_found: 'The workload no longer has this container',
  container_not_in_template: 'The container is injected into the pods and is not in the pod template',
  container_ambiguous: 'Two containers have this name',
  kind_not_supported: 'The location of the pod template in this kind is unknown',
  owned_by_operator: 'An operator creates the workload from a custom resource and would revert the change',
  job_template_immutable: 'A Job template cannot be changed',
  pod_resize_refused: 'A running pod cannot be changed this way',
  hpa_cpu_utilization: 'The change would change when the HPA scales',
  hpa_owns_replicas: 'An HPA sets the number of replicas',
  limit_range: 'The LimitRange of the namespace does not allow the value',
  limit_below_request: 'The limit would be below the request',
  quota_exceeded: 'The ResourceQuota of the namespace does not allow the value',
  exceeds_largest_node: 'No node is large enough',
  exceeds_pod_level: 'The containers would request more than the pod-level resources',
  invalid_name: 'The name is not a valid Kubernetes name',
  invalid_quantity: 'The value is not a valid quantity',
  conflicting_changes: 'Another recommendation in the request sets the same field to another value',
  delete_by_hand: 'A deletion cannot be expressed as a manifest',
  needs_investigation: 'The recommendation has no fixed change: investigate first',
  value_missing: 'The recommendation has no value; choose one',
  immutable_field: 'The field cannot be changed in place',
  not_expressible: 'No manifest can express the change safely',
  custom_resource: 'A merge would replace the containers of a custom resource',
  format_cannot_remove: 'This format cannot remove a field',
  atomic_list: 'This format would replace a whole list',
  not_helm: 'The workload has no Helm labels or annotations',
  helm_path_unknown: 'The values path of the container is unknown',
  helm_path_shared: 'Another container uses the same values path',
  helm_path_in_list: 'The values path leads into a list, and Helm replaces whole lists',
} as const
export type SkipCode = keyof typeof SKIP_CODES

export type Skip = {
  readonly recommendationId: string
  readonly code: SkipCode
  /** The reason, and what to do instead. */
  readonly message: string
  readonly alternativeFormat: ManifestFormat | null
}

/** A reason without the id of its recommendation. */
export type Refusal = Omit<Skip, 'recommendationId'>

export const refuse = (code: SkipCode, advice: string, alternativeFormat: ManifestFormat | null = null): Refusal => ({
  code,
  message: `${SKIP_CODES[code]}. ${advice}`,
  alternativeFormat,
})

export type Warning = {
  readonly code: string
  readonly message: string
  readonly recommendationIds: readonly string[]
}
