import type { ContainerFacts, ThrottlingFacts } from './cluster-facts.ts'

/** About one busy hour: fewer periods are too few. */
const PERIODS_MIN = 36_000

/** Above this share of throttled periods, throttling is noticeable. */
export const THROTTLED_SHARE_MAX = 0.25

/** Null: not known, or too few periods. */
export function throttledShare(throttling: ThrottlingFacts | null): number | null {
  if (throttling === null || throttling.periods < PERIODS_MIN) return null
  return throttling.throttledPeriods / throttling.periods
}

export const isThrottled = ({ throttling }: Pick<ContainerFacts, 'throttling'>): boolean =>
  (throttledShare(throttling) ?? 0) > THROTTLED_SHARE_MAX
