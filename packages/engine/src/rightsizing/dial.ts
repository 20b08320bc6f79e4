/** Whose total is spent: the Vertical Pod Autoscaler's, KRR's at a percentile, or the larger of VPA's and KRR's p99. */
export type Anchor = 'vpa' | 'krr95' | 'krr99' | 'safest'

/** How a budget is set and the coming days are foreseen. */
export type Dial = {
  readonly anchor: Anchor
  /** Of the anchor's total. */
  readonly share: number
  /** How much the slow part of the forecast (half-life 5 days) weighs against the fast one (12 hours). */
  readonly slowShare: number
  /** Whether a smaller share may be spent where the cluster's own past says that nobody would have noticed. */
  readonly givesBack: boolean
}

export type DialName = 'thrifty' | 'balanced' | 'safe'

/**
 * People choose how much to spend, not percentiles. `safe` takes the larger of two totals: on steady fleets KRR's p99 asks for
 * less than VPA, and safe must never be less than balanced.
 */
export const DIALS: Readonly<Record<DialName, Dial>> = {
  thrifty: { anchor: 'vpa', share: 0.95, slowShare: 1 / 40, givesBack: true },
  balanced: { anchor: 'vpa', share: 1, slowShare: 1 / 40, givesBack: true },
  safe: { anchor: 'safest', share: 1, slowShare: 1 / 10, givesBack: false },
}
