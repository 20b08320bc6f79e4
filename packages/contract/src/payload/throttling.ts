/** Enforcement periods of a CPU limit, and the number of periods in which the container was throttled. */
export type Throttling = { periods: number; throttledPeriods: number }

export const addThrottling = (one: Throttling | null | undefined, other: Throttling): Throttling => ({
  periods: (one?.periods ?? 0) + other.periods,
  throttledPeriods: (one?.throttledPeriods ?? 0) + other.throttledPeriods,
})
