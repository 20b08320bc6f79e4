import { findClusterPlace } from '../../clusters/index.ts'
import type { Db } from '../../platform/db/database.ts'
import { findCheckpointState, loadCheckpoint } from '../../ingest/index.ts'
import type { Deps } from '../../platform/deps.ts'
import type { FoldState } from '@plimsoll/pipeline/fold'
import { loadPriceTerms } from '../../prices/index.ts'
import { classifyNode, type Pricing, startOfHour } from '@plimsoll/pipeline/prices'

/**
 * The newest stored snapshot of a cluster. It is stored at the end of each hour and at least every ten minutes.
 * Undefined before the first.
 */
export async function loadSnapshot(
  deps: Pick<Deps, 'prices'>,
  tx: Db,
  clusterId: string,
): Promise<FoldState | undefined> {
  const saved = await findCheckpointState(tx, clusterId)
  if (!saved) return undefined
  const place = await findClusterPlace(tx, clusterId)
  const book = await deps.prices.current(tx)
  return loadCheckpoint(saved, (node) => classifyNode(book, place, node), place)
}

/** The current prices. */
export async function loadPricing(deps: Pick<Deps, 'prices' | 'now'>, tx: Db, clusterId: string): Promise<Pricing> {
  const book = await deps.prices.current(tx)
  return { book, terms: await loadPriceTerms(tx, clusterId), hour: startOfHour(deps.now()) }
}
