import type { ClusterStatus, LevelName, RecommendationStatus, VerificationState } from '@plimsoll/contract'
import { CLOUD_PROVIDERS, providerTitle } from '@plimsoll/engine/vocabulary'

export type Tone = 'ok' | 'warn' | 'danger' | 'muted'

/** The providers with a price list. */
export const providers = CLOUD_PROVIDERS.map((id) => [id, providerTitle(id)] as const)

export const providerName = (provider: string) =>
  provider === 'unknown' ? 'unknown provider' : providerTitle(provider)

export const clusterLabels: Record<ClusterStatus, { word: string; tone: Tone }> = {
  pending: { word: 'Not connected', tone: 'muted' },
  active: { word: 'Connected', tone: 'ok' },
  stale: { word: 'Delayed', tone: 'warn' },
  disconnected: { word: 'Disconnected', tone: 'danger' },
  degraded: { word: 'Needs attention', tone: 'warn' },
  error: { word: 'Error', tone: 'danger' },
}

/** Before the first data the state is unknown, so it has no tick. */
export const neutral = (tone: Tone): Tone => (tone === 'ok' ? 'muted' : tone)

/** In the order of the filter. */
export const statusLabels: Record<RecommendationStatus, Tone> = {
  pending: 'muted',
  approved: 'ok',
  implemented: 'ok',
  rejected: 'muted',
  resolved: 'ok',
  superseded: 'muted',
  expired: 'muted',
}

export const levelRanks: Record<LevelName, number> = { low: 1, medium: 2, high: 3 }

/** `pending` is shown as open. */
export const statusName = (status: RecommendationStatus) => (status === 'pending' ? 'open' : status)

/** The status as a label: `approved` reads "Approved". */
export const stateName = (status: RecommendationStatus) => capital(statusName(status))

export const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** Kinds that are not Kubernetes kinds on every provider are shown as words. */
const kindNames: Record<string, string> = { NodePool: 'node pool', ControlPlane: 'control plane', Sidecar: 'sidecar' }

export const kindName = (kind: string) => kindNames[kind] ?? kind

/** In the order of the filter. */
export const verificationLabels: Record<VerificationState, { word: string; tone: Tone }> = {
  verified: { word: 'Verified', tone: 'ok' },
  partial: { word: 'Partially applied', tone: 'warn' },
  awaiting: { word: 'Pending verification', tone: 'muted' },
  not_observed: { word: 'Not observed', tone: 'warn' },
  reverted: { word: 'Reverted', tone: 'danger' },
  regressed: { word: 'Regressed', tone: 'danger' },
}

type RuleOf = { readonly rule_id: string; readonly rule_name?: string | null | undefined }

/** The short name of a rule, or its id as text. */
export function ruleName({ rule_id: id, rule_name: name }: RuleOf): string {
  return name ?? capital(id.replaceAll('_', ' '))
}

const unowned: Record<string, string> = {
  __idle__: 'Unallocated',
  __unmounted__: 'Unattached volumes',
  __unattached__: 'Load balancers without endpoints',
  __overhead__: 'Control planes',
  __none__: 'None',
  __other__: 'Others',
}

/** Names with two underscores stand for cost without an owner; Kubernetes allows no such names. */
export const ownerName = (name: string) => unowned[name] ?? name

/** The API says key where the pages say token. */
const programLabels: Record<string, string> = { api_key: 'API token', api_keys: 'API tokens' }

/** `agent_token` reads "agent token". */
export const plainName = (name: string) => programLabels[name] ?? name.replaceAll('_', ' ')
