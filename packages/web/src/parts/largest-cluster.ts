import type { Cluster } from '@plimsoll/contract'

/** The one that costs most, which is shown where only one can be and none was picked. */
export const largestCluster = (all: readonly Cluster[]): Cluster | undefined =>
  [...all].sort((a, b) => (b.monthly_cost ?? 0) - (a.monthly_cost ?? 0))[0]
