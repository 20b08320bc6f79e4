import type { ContainerFacts, ThrottlingFacts } from './cluster-facts.ts'

/** An hour of being busy: fewer periods say nothing. */
const PERIODS_MIN = 36_000

/** In more of its periods a container waits so often that everybody notices. */
export const THROTTLED_SHARE_MAX = 0.25

/** Null: not known, or of too little. */
export function throttledShare(throttling: ThrottlingFacts | null): number | null {
  if (throttling === null || throttling.periods < PERIODS_MIN) return null
  return throttling.throttledPeriods / throttling.periods
}

export const isThrottled = ({ throttling }: Pick<ContainerFacts, 'throttling'>): boolean =>
  (throttledShare(throttling) ?? 0) > THROTTLED_SHARE_MAX
