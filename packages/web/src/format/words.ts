import type { ClusterStatus, RecommendationStatus, VerificationState } from '@plimsoll/contract'

export type Tone = 'ok' | 'warn' | 'danger' | 'muted'

/** Those whose list prices are known. */
export const providers = [
  ['aws', 'AWS'],
  ['gcp', 'GCP'],
  ['azure', 'Azure'],
] as const

const providerNames: Record<string, string> = { ...Object.fromEntries(providers), unknown: 'provider unknown' }

export const providerName = (provider: string) => providerNames[provider] ?? provider

export const clusterWords: Record<ClusterStatus, { word: string; tone: Tone }> = {
  pending: { word: 'not connected yet', tone: 'muted' },
  active: { word: 'reporting', tone: 'ok' },
  stale: { word: 'late', tone: 'warn' },
  disconnected: { word: 'silent', tone: 'danger' },
  degraded: { word: 'needs attention', tone: 'warn' },
  error: { word: 'error', tone: 'danger' },
}

/** A tick would say that all is well: before the first data nobody knows. */
export const neutral = (tone: Tone): Tone => (tone === 'ok' ? 'muted' : tone)

export const statusWords: Record<RecommendationStatus, Tone> = {
  pending: 'muted',
  approved: 'ok',
  rejected: 'muted',
  implemented: 'ok',
  superseded: 'muted',
  resolved: 'ok',
  expired: 'muted',
}

export const verificationWords: Record<VerificationState, { word: string; tone: Tone }> = {
  awaiting: { word: 'awaiting a rollout', tone: 'muted' },
  verified: { word: 'verified', tone: 'ok' },
  partial: { word: 'partly seen', tone: 'warn' },
  not_observed: { word: 'not seen', tone: 'warn' },
  reverted: { word: 'reverted', tone: 'danger' },
  regressed: { word: 'made it worse', tone: 'danger' },
}

/** Short enough for a column; `docs/rules.md` has them in full. */
const rules: Record<string, string> = {
  consolidation_blocked: 'Removal blocked',
  container_overprovisioned: 'Over-provisioned',
  container_underprovisioned: 'Needs more',
  control_plane_extended_support: 'Paid support',
  cpu_limit_throttling: 'Throttled',
  cronjob_failing: 'Job fails',
  daemonset_overhead: 'DaemonSet overhead',
  failed_pods_holding: 'Failed pods',
  gpu_idle: 'Idle GPU',
  hpa_min_replicas_high: 'HPA minimum',
  init_container_inflates: 'Init container',
  job_overprovisioned: 'Job over-provisioned',
  jvm_heap_mismatch: 'Heap mismatch',
  label_owner_missing: 'No owner',
  limits_memory_missing: 'No memory limit',
  loadbalancer_orphaned: 'Orphaned balancer',
  namespace_idle: 'Idle namespace',
  node_fragmentation: 'Fragmented nodes',
  node_instance_type_mismatch: 'Other machine',
  node_underutilized_drain: 'Node can go',
  nonprod_offhours_schedule: 'Off-hours',
  old_generation_instance: 'Old machine',
  pv_orphaned: 'Orphaned volume',
  pv_overprovisioned: 'Oversized volume',
  quota_unused: 'Unused quota',
  replicas_overprovisioned: 'Too many replicas',
  requests_missing: 'No requests',
  sidecar_overprovisioned: 'Sidecar',
  spot_candidate: 'Spot',
  storage_class_downgrade: 'Cheaper volume',
  workload_abandoned: 'Abandoned',
}

/** A rule that is newer than these words reads as its id does. */
export function ruleName(ruleId: string): string {
  const known = rules[ruleId]
  if (known !== undefined) return known
  const words = ruleId.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const nobody: Record<string, string> = {
  __idle__: 'never asked for',
  __unmounted__: 'volumes nobody mounts',
  __unattached__: 'balancers without pods',
  __overhead__: 'control planes',
  __none__: 'without',
  __other__: 'others',
}

/** Kubernetes has no names with two underscores; the figures use them for what belongs to nobody. */
export const ownerName = (name: string) => nobody[name] ?? name

/** Programs say key where pages say token. */
const programWords: Record<string, string> = { api_key: 'API token', api_keys: 'API tokens' }

/** `agent_token` reads "agent token". */
export const plainName = (name: string) => programWords[name] ?? name.replaceAll('_', ' ')
