import type { OverviewCluster } from '@plimsoll/contract'
import type { Part } from '../../parts/explained.tsx'

const namedMax = 12

/** One part for each of the largest clusters and one for all others; the parts add up to the total. */
export function partsByCluster(
  clusters: readonly OverviewCluster[],
  usdOf: (cluster: OverviewCluster) => number,
): Part[] {
  const others = clusters.slice(namedMax)
  const rest = others.reduce((sum, cluster) => sum + usdOf(cluster), 0)
  return [
    ...clusters.slice(0, namedMax).map((cluster) => ({ name: cluster.name, usd: usdOf(cluster) })),
    ...(others.length > 0 ? [{ name: `${others.length} more clusters`, usd: rest }] : []),
  ]
}
