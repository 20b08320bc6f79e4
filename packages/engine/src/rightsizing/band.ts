/** How far a new figure may be from the standing one without being worth a change. */
export type Band = { readonly up: number; readonly down: number }

/** For requests that a person or a rollout must change. */
export const DAILY_BAND: Band = { up: 0.05, down: 0.15 }

/**
 * Standing values are on average above the new ones, because the band is wider downwards; spending this share of the budget
 * keeps the total where it was meant to be.
 */
export const SHARE_WITH_BAND = 0.97

export function keepWithin({ up, down }: Band, standing: number | undefined, next: number): number {
  if (standing === undefined || !(standing > 0)) return next
  return next <= standing * (1 + up) && next >= standing * (1 - down) ? standing : next
}
