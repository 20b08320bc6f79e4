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

type RuleOf = { readonly rule_id: string; readonly rule_name?: string | null | undefined }

/** The short name of a rule; without one, the id of the rule in words. */
export function ruleName({ rule_id: id, rule_name: name }: RuleOf): string {
  const words = id.replaceAll('_', ' ')
  return name ?? words.charAt(0).toUpperCase() + words.slice(1)
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
