import type { Db } from '../../platform/db/database.ts'
import { freeClusters, listHolderCounts, type HolderCount } from '../queries/fold-leases.ts'

/** A holder may have this multiple of the mean, so that small differences move no state. */
const excessRatio = 1.25

/**
 * Frees clusters of a replica that holds far more than the others, as a rolling restart leaves it: any replica takes their
 * next fold.
 */
export async function spreadClusters(db: Db): Promise<void> {
  for (const { holder, excess } of excessOf(await listHolderCounts(db))) await freeClusters(db, holder, excess)
}

/** For each holder above the limit: its number of excess clusters. The list contains every living replica. */
export function excessOf(counts: readonly HolderCount[]): { holder: string; excess: number }[] {
  const mean = counts.reduce((sum, { clusters }) => sum + clusters, 0) / Math.max(1, counts.length)
  const permitted = Math.ceil(mean * excessRatio) + 1
  return counts.flatMap(({ holder, clusters }) =>
    clusters > permitted ? [{ holder, excess: clusters - permitted }] : [],
  )
}
