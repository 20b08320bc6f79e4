export const MANIFEST_FORMATS = ['json-patch', 'strategic-merge', 'helm', 'kustomize', 'yaml'] as const
export type ManifestFormat = (typeof MANIFEST_FORMATS)[number]

/** Why a recommendation is in no file. */
export const SKIP_CODES = {
  not_found: 'There is no such recommendation',
  rejected: 'Somebody has rejected it',
  implemented: 'It is marked as done',
  superseded: 'A newer one has taken its place',
  resolved: 'It was observed as done',
  expired: 'It no longer holds',
  workload_gone: 'The workload is gone',
  workload_not_seen: 'No analysis has looked at the workload yet',
  no_run_seen: 'No run of the CronJob was seen lately, so its containers are not known',
  container_not_found: 'The workload has no such container any more',
  container_not_in_template: 'Something adds the container to the pods; the template does not have it',
  container_ambiguous: 'Two containers have this name',
  kind_not_supported: 'It is not known where this kind keeps its pod template',
  owned_by_operator: 'An operator makes the workload from a custom resource and would undo the change',
  job_template_immutable: 'The template of a Job cannot be changed',
  pod_resize_refused: 'A running pod cannot be changed this way',
  hpa_cpu_utilization: 'It would move the point at which the autoscaler acts',
  hpa_owns_replicas: 'An autoscaler sets the number of replicas',
  limit_range: 'The LimitRange of the namespace refuses it',
  limit_below_request: 'The limit would lie below the request',
  quota_exceeded: 'The quota of the namespace refuses it',
  exceeds_largest_node: 'No node is large enough',
  exceeds_pod_level: 'The containers would ask for more than their pod as a whole',
  invalid_name: 'Kubernetes does not know such names',
  invalid_quantity: 'It is not a quantity',
  conflicting_changes: 'Another recommendation of the request sets the same field otherwise',
  delete_by_hand: 'Deleting is no change of a manifest',
  needs_investigation: 'Somebody has to look at it first',
  value_missing: 'What to set is for people to say',
  immutable_field: 'The field cannot be changed in place',
  not_expressible: 'No manifest can express it safely',
  custom_resource: 'A merge would replace the containers of a custom resource',
  format_cannot_remove: 'This format cannot remove a field',
  atomic_list: 'This format would replace a whole list',
  not_helm: 'Nothing says that the workload comes from a Helm chart',
  helm_path_unknown: 'It is not known which values of the chart it comes from',
  helm_path_shared: 'Another container takes its values from the same place',
  helm_path_in_list: 'The path leads into a list, and Helm replaces a list as a whole',
} as const
export type SkipCode = keyof typeof SKIP_CODES

export type Skip = {
  readonly recommendationId: string
  readonly code: SkipCode
  /** Why, and what to do instead. */
  readonly message: string
  readonly alternativeFormat: ManifestFormat | null
}

/** Why something cannot be rendered, before it is said of which recommendation. */
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
