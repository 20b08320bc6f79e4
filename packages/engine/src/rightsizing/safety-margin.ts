import type { DialName } from '../vocabulary/policies.ts'

/** The reference total: VPA, KRR at a percentile, or the larger of VPA and KRR p99. */
export type Anchor = 'vpa' | 'krr95' | 'krr99' | 'safest'

/** How the total of all requests is set and the forecast is weighted. */
export type Dial = {
  readonly anchor: Anchor
  /** Of the anchor total. */
  readonly share: number
  /** Weight of the slow part of the forecast (half-life 5 days) against the fast part (12 hours). */
  readonly slowShare: number
  /** Whether a smaller share may be spent if the history of the cluster shows no more shortage. */
  readonly givesBack: boolean
}

/**
 * Users choose a total, not percentiles. `safe` takes the larger of two totals: on steady fleets KRR p99 requests less
 * than VPA, and safe must never be less than balanced.
 */
export const DIALS: Readonly<Record<DialName, Dial>> = {
  thrifty: { anchor: 'vpa', share: 0.95, slowShare: 1 / 40, givesBack: true },
  balanced: { anchor: 'vpa', share: 1, slowShare: 1 / 40, givesBack: true },
  safe: { anchor: 'safest', share: 1, slowShare: 1 / 10, givesBack: false },
}
