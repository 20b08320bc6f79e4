/** Periods in which a CPU limit was enforced, and in how many of them it made the container wait. */
export type Throttling = { periods: number; throttledPeriods: number }

export const addThrottling = (one: Throttling | null | undefined, other: Throttling): Throttling => ({
  periods: (one?.periods ?? 0) + other.periods,
  throttledPeriods: (one?.throttledPeriods ?? 0) + other.throttledPeriods,
})
