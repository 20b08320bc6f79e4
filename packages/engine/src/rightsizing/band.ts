/** How far a new value may differ from the standing value without a change. */
export type Band = { readonly up: number; readonly down: number }

/** For requests that a user or a rollout must change. */
export const DAILY_BAND: Band = { up: 0.05, down: 0.15 }

/**
 * Standing values are on average above the new ones, because the band is wider downwards. This share of the budget
 * keeps the total at its target.
 */
export const SHARE_WITH_BAND = 0.97

export function keepWithin({ up, down }: Band, standing: number | undefined, next: number): number {
  if (standing === undefined || !(standing > 0)) return next
  return next <= standing * (1 + up) && next >= standing * (1 - down) ? standing : next
}
