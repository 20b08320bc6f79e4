import type { Cluster } from '@plimsoll/contract'

/** The most expensive cluster, shown on pages about one cluster when none is selected. */
export const largestCluster = (all: readonly Cluster[]): Cluster | undefined =>
  [...all].sort((a, b) => (b.monthly_cost ?? 0) - (a.monthly_cost ?? 0))[0]
