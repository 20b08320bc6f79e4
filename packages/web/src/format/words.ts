import type { ClusterStatus, RecommendationStatus, VerificationState } from '@plimsoll/contract'

export type Tone = 'ok' | 'warn' | 'danger' | 'muted'

const providers: Record<string, string> = {
  aws: 'AWS',
  gcp: 'GCP',
  azure: 'Azure',
  unknown: 'provider unknown',
}

export const providerName = (provider: string) => providers[provider] ?? provider

export const clusterWords: Record<ClusterStatus, { word: string; tone: Tone }> = {
  pending: { word: 'not connected yet', tone: 'muted' },
  active: { word: 'reporting', tone: 'ok' },
  stale: { word: 'late', tone: 'warn' },
  disconnected: { word: 'silent', tone: 'danger' },
  degraded: { word: 'needs attention', tone: 'warn' },
  error: { word: 'error', tone: 'danger' },
}

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

/** `container_overprovisioned` reads "Container overprovisioned". */
export function ruleName(ruleId: string): string {
  const words = ruleId.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const nobody: Record<string, string> = {
  __idle__: 'never asked for',
  __unmounted__: 'volumes nobody mounts',
  __unattached__: 'balancers without pods',
  __overhead__: 'overhead',
  __none__: 'without',
  __other__: 'others',
}

/** Kubernetes has no names with two underscores; the figures use them for what belongs to nobody. */
export const ownerName = (name: string) => nobody[name] ?? name
